"""What the stand-in for TomTom serves has the shape of genuine answers, field by field."""

import json
from pathlib import Path
from typing import Any

import pytest

from schemas.region import City, Region
from sources.sandbox.process import running
from tests.sources.sandbox.roads_asking import STANDARD, body, finished, job, matrix, route, submit
from tests.sources.sandbox.test_osm_shapes import shape

LATER = "2035-01-01T08:00:00Z"


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "tomtom"


@pytest.fixture(scope="module")
def cities(india: Region) -> dict[str, City]:
    return {city.name: city for city in india.cities}


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _without_lists(section: dict[str, Any]) -> Any:
    """Return the shape of a section of a route but for how many causes it has."""
    return shape({**section, "tec": {**section["tec"], "causes": section["tec"]["causes"][:1]}})


def test_a_matrix_is_a_genuine_one_but_for_its_values(address: str, region: Region, samples: Path) -> None:
    genuine = _read(samples / "matrix_v2_sync_2x6.json")
    question = body(region.cities[:2], region.cities[:6])
    matrix(address, question)
    ours = matrix(address, question).json()
    assert {str(shape(cell)) for cell in ours["data"]} == {str(shape(cell)) for cell in genuine["data"]}
    assert shape({**ours, "data": []}) == shape({**genuine, "data": []})
    assert (len(ours["data"]), ours["statistics"]) == (len(genuine["data"]), genuine["statistics"])


def test_a_matrix_with_failures_is_a_genuine_one_but_for_its_values(
    india_address: str, cities: dict[str, City], samples: Path
) -> None:
    genuine = _read(samples / "matrix_v2_partial_failure.json")
    ends = [cities["Port Blair"], cities["Udaipur"]]
    ours = matrix(india_address, body(ends, ends)).json()
    by_place = sorted(ours["data"], key=lambda cell: (cell["originIndex"], cell["destinationIndex"]))
    assert {**ours, "data": by_place} == genuine
    assert [shape(cell) for cell in by_place] == [shape(cell) for cell in genuine["data"]]


def test_a_submission_and_a_completed_job_are_genuine_ones_but_for_their_values(
    address: str, region: Region, samples: Path
) -> None:
    question = body(region.cities[:3], region.cities[:3])
    finished(address, question)
    submitted = submit(address, question)
    assert submitted.status_code == 202
    genuine = _read(samples / "matrix_v2_async_submit.http202.json")
    assert (shape(submitted.json()), submitted.json()["state"]) == (shape(genuine), genuine["state"])
    job_id, known = submitted.json()["jobId"], genuine["jobId"]
    assert [len(part) for part in job_id.split("-")] == [len(part) for part in known.split("-")]
    assert (job_id[:3], job_id[-5:]) == (known[:3], known[-5:])
    state, completed = job(address, job_id).json(), _read(samples / "matrix_v2_async_status_completed.json")
    assert (shape(state), state["state"]) == (shape(completed), completed["state"])


def test_a_route_with_all_its_times_is_a_genuine_one_but_for_its_values(
    india_address: str, cities: dict[str, City], samples: Path
) -> None:
    genuine = _read(samples / "calculate_route_all_live.json")
    answer = route(india_address, cities["Jaipur"], cities["Agra"], computeTravelTimeFor="all")
    (ours,), (known,) = answer.json()["routes"], genuine["routes"]
    assert answer.json()["formatVersion"] == genuine["formatVersion"]
    assert list(ours) == list(known)
    assert shape(ours["summary"]) == shape(known["summary"])
    (leg,), (known_leg,) = ours["legs"], known["legs"]
    assert list(leg) == list(known_leg)
    assert shape(leg["summary"]) == shape(known_leg["summary"])
    assert {str(shape(each)) for each in leg["points"]} == {str(shape(known_leg["points"][0]))}
    assert ours["sections"]
    assert {str(_without_lists(each)) for each in ours["sections"]} == {str(_without_lists(known["sections"][0]))}


def test_a_route_of_a_day_to_come_has_the_summary_of_a_genuine_one(
    india_address: str, cities: dict[str, City], samples: Path
) -> None:
    known = _read(samples / "calculate_route_all_future.json")["routes"][0]["summary"]
    answer = route(india_address, cities["Jaipur"], cities["Agra"], computeTravelTimeFor="all", departAt=LATER)
    ours = answer.json()["routes"][0]["summary"]
    assert shape(ours) == shape(known)
    times = ("travelTimeInSeconds", "historicTrafficTravelTimeInSeconds", "liveTrafficIncidentsTravelTimeInSeconds")
    assert len({ours[name] for name in times}) == len({known[name] for name in times}) == 1
    assert ours["trafficDelayInSeconds"] == known["trafficDelayInSeconds"] == 0


def test_a_route_that_is_not_there_gets_the_words_of_a_genuine_answer(
    india_address: str, cities: dict[str, City], samples: Path
) -> None:
    genuine = _read(samples / "error_no_route_found.http400.json")
    ours = route(india_address, cities["Jaipur"], cities["Port Blair"])
    assert (ours.status_code, ours.json()) == (400, genuine)
    assert shape(ours.json()) == shape(genuine)


def test_a_parameter_with_a_wrong_value_gets_an_answer_of_genuine_shape(
    india_address: str, cities: dict[str, City], samples: Path
) -> None:
    genuine = _read(samples / "error_bad_input.http400.json")
    ours = route(india_address, cities["Jaipur"], cities["Agra"], traffic="maybe")
    assert (ours.status_code, shape(ours.json())) == (400, shape(genuine))
    assert ours.json()["detailedError"]["code"] == genuine["detailedError"]["code"]
    assert ours.json()["detailedError"]["message"].startswith("Invalid value for traffic: maybe.")


def test_a_call_too_many_gets_the_page_of_a_genuine_gateway(region: Region, samples: Path) -> None:
    genuine = _read(samples / "rate_limit_403_capture.json")
    with running("sample", time_scale=0.01) as slow:
        answers = [route(slow, *region.cities[2:4], STANDARD) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [genuine["status"]]
    assert answers[-1].text == genuine["body"]
    assert {name: answers[-1].headers[name] for name in genuine["headers"]} == genuine["headers"]
