"""The log, and answers that are spoilt on their way."""

import hashlib
import json
from collections import Counter
from urllib.parse import urlencode

import pytest
import requests

from sources.sandbox.faults import Faults
from sources.sandbox.process import running
from tests.sources.sandbox.asking import AGENT, EVERY_STOP, NOWHERE, log, stops


def test_every_answered_request_is_a_line_of_the_log(address: str) -> None:
    before = len(log(address))
    stops(address, NOWHERE)
    requests.get(f"{address}/osm/api/status", timeout=10)
    requests.get(f"{address}/nothing?a=1", headers=AGENT, timeout=10)
    lines = log(address)[before:]
    assert [(line["method"], line["path"], line["status"]) for line in lines] == [
        ("POST", "/osm/api/interpreter", 200),
        ("GET", "/osm/api/status", 406),
        ("GET", "/nothing", 404),
    ]
    body = urlencode({"data": EVERY_STOP.format(box=NOWHERE)}).encode()
    assert lines[0]["body_sha256"] == hashlib.sha256(body).hexdigest()
    assert lines[0]["user_agent"] == AGENT["user-agent"]
    assert 0 < lines[0]["at_s"] < lines[1]["at_s"] < lines[2]["at_s"]


def test_the_same_request_has_the_same_hash_and_another_one_another(address: str) -> None:
    before = len(log(address))
    for box in (NOWHERE, NOWHERE, "8,68,8.1,68.2"):
        stops(address, box)
    hashes = [line["request_sha256"] for line in log(address)[before:]]
    assert hashes[0] == hashes[1] != hashes[2]


def test_without_faults_nothing_is_spoilt() -> None:
    faults = Faults("none", seed=1)
    assert not any(faults.next(str(number % 7)) for number in range(500))


def test_faults_are_the_same_for_a_request_whoever_else_asks() -> None:
    one, two = Faults("flaky", seed=1), Faults("flaky", seed=1)
    alone = [one.next("a") for _ in range(30)]
    for number in range(50):
        two.next(f"other {number}")
    assert [two.next("a") for _ in range(30)] == alone


def test_a_quarter_of_the_answers_is_spoilt_but_never_three_in_a_row() -> None:
    faults = Faults("flaky", seed=1)
    first = Counter(faults.next(str(number)) for number in range(2000))
    assert 0.2 < 1 - first[None] / 2000 < 0.3
    assert set(first) == {None, "reset", "error", "truncated"}
    many = [faults.next("same") for _ in range(3000)]
    assert all(None in many[place : place + 3] for place in range(len(many) - 2))


def test_a_spoilt_answer_is_a_broken_connection_an_error_page_or_half_a_body_and_the_log_says_which() -> None:
    outcomes: Counter[str] = Counter()
    with running("sample", time_scale=1e6, faults="flaky") as flaky:
        for number in range(60):
            try:
                answer = stops(flaky, f"8,68,8.1,68.{number + 100}")
            except requests.ConnectionError as error:
                outcomes["reset" if "reset" in str(error).lower() else str(error)] += 1
                continue
            if answer.status_code == 500:
                outcomes["error"] += 1
                assert answer.headers["content-type"] == "text/html"
            else:
                assert answer.status_code == 200
                outcomes["whole" if _is_json(answer.text) else "truncated"] += 1
        logged = Counter(line["fault"] or "whole" for line in log(flaky))
        statuses = {line["fault"]: line["status"] for line in log(flaky)}
    assert set(outcomes) == {"whole", "reset", "error", "truncated"}
    assert logged == outcomes
    assert statuses == {None: 200, "reset": None, "error": 500, "truncated": 200}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("path", ["/robots.txt", "/_log", "/nothing"])
def test_only_answers_of_providers_are_spoilt(path: str) -> None:
    with running("sample", faults="flaky") as flaky:
        statuses = {requests.get(f"{flaky}{path}", timeout=10).status_code for _ in range(20)}
    assert statuses == {404 if path == "/nothing" else 200}
