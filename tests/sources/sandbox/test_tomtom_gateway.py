"""The gateway: who is let in, and how often."""

import time

import pytest
import requests

from schemas.region import Region
from sources.sandbox.process import running
from tests.sources.sandbox.asking import log
from tests.sources.sandbox.roads_asking import STANDARD, body, job, matrix, route, submit

DETAIL = "X-Error-Detail-Header"


@pytest.mark.parametrize("key", ["", "short"])
def test_a_call_without_a_proper_key_is_refused_by_a_page(address: str, region: Region, key: str) -> None:
    question = body(region.cities[:1], region.cities[:1])
    for answer in (
        matrix(address, question, key),
        submit(address, question, key),
        route(address, *region.cities[2:4], key),
        requests.get(f"{address}/tomtom/routing/matrix/2/async/00-1-0000", timeout=10),
    ):
        assert (answer.status_code, answer.headers[DETAIL]) == (403, "Account Inactive")
        assert answer.text == "<h1>Developer Inactive</h1>"
        assert "Retry-After" not in answer.headers


def test_matrix_calls_of_all_kinds_share_ten_a_second_and_routes_have_five_of_their_own(region: Region) -> None:
    question = body(region.cities[:1], region.cities[:1])
    with running("sample", time_scale=0.01) as slow:
        job_id = submit(slow, question).json()["jobId"]
        states = [job(slow, job_id).status_code for _ in range(4)]
        results = [job(slow, job_id, "/result").status_code for _ in range(4)]
        assert (states, results) == ([200] * 4, [404] * 4)
        assert [matrix(slow, question).status_code for _ in range(2)] == [200, 403]
        assert [route(slow, *region.cities[2:4]).status_code for _ in range(6)] == [200] * 5 + [403]
        lines = log(slow)
    assert [line["calls_in_window"] for line in lines] == [*range(1, 12), *range(1, 7)]
    assert [line["limit_calls"] for line in lines] == [10] * 11 + [5] * 6
    assert {line["limit_seconds"] for line in lines} == {1.0}


def test_calls_too_many_are_refused_by_an_older_gateway_and_at_times_by_a_newer_one(region: Region) -> None:
    with running("sample", time_scale=0.01) as slow:
        answers = [route(slow, *region.cities[2:4], STANDARD) for _ in range(13)][5:]
    assert [answer.status_code for answer in answers] == [403, 403, 403, 429] * 2
    for answer in answers:
        if answer.status_code == 403:
            assert answer.headers[DETAIL] == "Account Over Queries Per Second Limit"
            assert (answer.text, answer.headers["Retry-After"]) == ("<h1>Developer Over Qps</h1>", "1")
        else:
            assert answer.content == b""


def test_after_a_second_calls_are_taken_again(region: Region) -> None:
    with running("sample", time_scale=2) as fast:
        assert [route(fast, *region.cities[2:4]).status_code for _ in range(6)] == [200] * 5 + [403]
        time.sleep(1 / 2)
        assert route(fast, *region.cities[2:4]).status_code == 200


def test_a_key_is_in_no_line_of_the_log(address: str, region: Region) -> None:
    route(address, *region.cities[2:4], STANDARD)
    assert STANDARD not in requests.get(f"{address}/_log", timeout=10).text
