"""Matrices that are submitted: their states over time, their results, the one that expires, and a whole country."""

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from schemas.region import Region
from sources.sandbox.process import running
from sources.sandbox.roads import STATUSES
from sources.sandbox.world import build_world
from tests.sources.sandbox.roads_asking import body, finished, job, submit


def test_a_job_is_submitted_then_in_progress_then_completed_and_has_a_result_only_then(region: Region) -> None:
    states: dict[str, int] = {}
    with running("sample", time_scale=20) as slow:
        finished(slow, body(region.cities, region.cities))
        job_id = submit(slow, body(region.cities[:2], region.cities)).json()["jobId"]
        while "Completed" not in states:
            result = job(slow, job_id, "/result").status_code
            states[job(slow, job_id).json()["state"]] = result
            time.sleep(0.02)
        assert job(slow, job_id, "/result").status_code == 200
    assert list(states) == ["Submitted", "InProgress", "Completed"]
    assert (states["Submitted"], states["InProgress"]) == (404, 404)


def test_what_the_state_counts_is_what_the_result_holds(address: str, region: Region) -> None:
    question = body(region.cities, region.cities[:5])
    finished(address, question)
    job_id = submit(address, question).json()["jobId"]
    counts = job(address, job_id).json()["statistics"]
    result = job(address, job_id, "/result").json()
    assert counts.items() <= result["statistics"].items()
    assert counts["failures"] == sum("detailedError" in cell for cell in result["data"])


def test_a_result_is_the_same_however_often_it_is_fetched_even_if_cells_are_missing(region: Region) -> None:
    question = body(region.cities, region.cities)
    with running("sample", time_scale=1e6) as fresh:
        finished(fresh, question)
        job_id = submit(fresh, question).json()["jobId"]
        job(fresh, job_id)
        results = [job(fresh, job_id, "/result") for _ in range(2)]
        again = finished(fresh, question)
    assert results[0].content == results[1].content
    assert len(results[0].json()["data"]) < 144 == len(again.json()["data"])


def test_each_submission_is_a_job_of_its_own(address: str, region: Region) -> None:
    ids = {submit(address, body(region.cities[:2], region.cities[:2])).json()["jobId"] for _ in range(3)}
    assert len(ids) == 3


def test_a_job_that_was_never_submitted_is_not_there(address: str) -> None:
    for what in ("", "/result"):
        answer = job(address, "00-00000000-0000-0000-0000-000000000000-0000", what)
        assert (answer.status_code, list(answer.json())) == (404, ["detailedError"])


def test_the_first_job_with_a_certain_pair_expires_and_no_other_does(region: Region) -> None:
    cities = region.cities
    blocks = [body(cities[row : row + 4], cities[column : column + 4]) for row in (0, 4, 8) for column in (0, 4, 8)]
    with running("sample", time_scale=1e6) as fresh:
        rounds = [[finished(fresh, block).status_code for block in blocks] for _ in range(2)]
    assert sorted(rounds[0]) == [200] * 8 + [404]
    assert rounds[1] == [200] * 9


def test_a_job_that_expires_was_taken_first(region: Region) -> None:
    with running("sample", time_scale=20) as slow:
        job_id = submit(slow, body(region.cities, region.cities)).json()["jobId"]
        assert job(slow, job_id).json() == {"jobId": job_id, "state": "Submitted"}
        time.sleep(3.2 / 20)
        assert [job(slow, job_id, what).status_code for what in ("", "/result")] == [404, 404]


Numbers = npt.NDArray[np.int64]


def _columns(cells: list[dict[str, Any]]) -> Numbers:
    """Return rows of origin, destination, place in STATUSES (4: stopped), metres and seconds."""
    known = {"NO_ROUTE_FOUND": 1, "MAP_MATCHING_FAILURE": 2, "OUT_OF_REGION": 3}

    def row(cell: dict[str, Any]) -> tuple[int, ...]:
        where = cell["originIndex"], cell["destinationIndex"]
        if "routeSummary" in cell:
            return *where, 0, cell["routeSummary"]["lengthInMeters"], cell["routeSummary"]["travelTimeInSeconds"]
        error = cell["detailedError"].get("innerError", cell["detailedError"])
        return *where, 4 if "STOPPED" in error["message"] else known[error["code"]], 0, 0

    return np.array([row(cell) for cell in cells])


def test_a_whole_country_is_served_in_seconds_and_tells_the_truth_once_it_was_asked_again(india: Region) -> None:
    question = body(india.cities, india.cities)
    with running("india", time_scale=1e6) as fresh:
        assert finished(fresh, question).status_code == 404
        started = time.perf_counter()
        first = finished(fresh, question)
        assert time.perf_counter() - started < 6
        second = finished(fresh, question)
    size, truth = len(india.cities), build_world(india, seed=1).roads.measures

    before = _columns(first.json()["data"])
    assert size * size - len(before) == 4
    assert (before[:, 2] == 4).sum() == 4

    found = _columns(second.json()["data"])
    rows, columns, status, metres, seconds = found[np.lexsort((found[:, 1], found[:, 0]))].T
    assert (rows * size + columns == np.arange(size * size)).all()
    assert (status == truth.status.ravel()).all()
    assert set(status) == set(range(len(STATUSES)))
    has_road = status == 0
    assert (metres[has_road] == truth.metres.ravel()[has_road]).all()
    assert (seconds[has_road] == truth.seconds.ravel()[has_road]).all()


def test_a_large_result_is_packed_for_those_who_ask_for_it(address: str, region: Region) -> None:
    finished(address, body(region.cities, region.cities))
    answer = finished(address, body(region.cities, region.cities[:6]))
    assert answer.headers["content-encoding"] == "gzip"
