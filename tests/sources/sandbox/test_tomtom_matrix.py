"""Matrices answered at once: what stands in their cells, what is missing there, and how large they may be."""

import json
from typing import Any

import numpy as np
import pytest
import requests

from schemas.region import City, Region
from sources.sandbox.process import running
from sources.sandbox.world import World, build_world
from tests.sources.sandbox.roads_asking import CONTRACTED, FREE_OF_BOXES, STANDARD, body, matrix, post, submit

LIVE = {"departAt": "now", "traffic": "live", "routeType": "fastest", "travelMode": "car"}


@pytest.fixture(scope="module")
def truth(world: World) -> dict[tuple[str, str], dict[str, Any]]:
    return {(pair["origin_city_id"], pair["destination_city_id"]): pair for pair in world.roads.pairs().to_pylist()}


@pytest.fixture(scope="module")
def off_road(india: Region) -> City:
    return india.cities[int(np.flatnonzero(build_world(india, seed=1).roads.is_off_road)[0])]


def _placed(answer: requests.Response) -> dict[tuple[int, int], dict[str, Any]]:
    return {(cell["originIndex"], cell["destinationIndex"]): cell for cell in answer.json()["data"]}


def _error(cell: dict[str, Any]) -> tuple[str, str | None]:
    return cell["detailedError"]["code"], cell["detailedError"].get("innerError", {}).get("code")


@pytest.mark.parametrize("options", [FREE_OF_BOXES, LIVE])
def test_cells_tell_what_is_true_of_their_cities(
    address: str, region: Region, truth: dict[tuple[str, str], dict[str, Any]], options: dict[str, str]
) -> None:
    # Near to each other, as live traffic is known within a box alone.
    cities = [city for city in region.cities if city.name in ("Nashik", "Mumbai", "Pune")]
    origins, destinations = cities[:2], cities[::-1]
    matrix(address, body(origins, destinations, options))
    cells = _placed(matrix(address, body(origins, destinations, options)))
    assert len(cells) == 6
    for (row, column), cell in cells.items():
        pair = truth.get((origins[row].city_id, destinations[column].city_id), dict.fromkeys(["metres", "seconds"], 0))
        is_live = options is LIVE
        assert cell["routeSummary"] == {
            "lengthInMeters": pair["metres"],
            "travelTimeInSeconds": pair.get("live_s", 0) if is_live else pair["seconds"],
            "trafficDelayInSeconds": pair.get("delay_s", 0) if is_live else 0,
        }


def test_cells_come_in_no_order_and_in_the_same_one_for_the_same_question(address: str, region: Region) -> None:
    question = body(region.cities[:10], region.cities[:10])
    matrix(address, question)
    places = [[*_placed(matrix(address, question))] for _ in range(2)]
    assert places[0] == places[1] != sorted(places[0])
    assert sorted(places[0]) == [(row, column) for row in range(10) for column in range(10)]


def test_some_cells_are_stopped_and_some_are_not_there_but_only_the_first_time(region: Region) -> None:
    question = body(region.cities, region.cities)
    with running("sample", time_scale=1e6) as fresh:
        answers = [matrix(fresh, question) for _ in range(2)]
    first, second = (_placed(answer) for answer in answers)
    stopped = [cell["detailedError"] for cell in first.values() if "detailedError" in cell]
    lost = second.keys() - first.keys()
    assert {error["code"] for error in stopped} == {"CELL_PROCESSING_ERROR"}
    assert all(
        error["innerError"]["code"] == "NO_ROUTE_FOUND" and "STOPPED" in error["innerError"]["message"]
        for error in stopped
    )
    assert 1 <= len(stopped) <= 4
    assert 1 <= len(lost) <= 4
    assert len(second) == 144
    assert not any("detailedError" in cell for cell in second.values())
    counts = answers[0].json()["statistics"]
    assert counts["totalCount"] == 144 == counts["successes"] + counts["failures"]
    assert counts["failureDetails"] == [{"code": "CELL_PROCESSING_ERROR", "count": len(stopped)}]


def test_a_point_off_the_road_fails_its_cells_and_is_named(india_address: str, india: Region, off_road: City) -> None:
    udaipur = next(city for city in india.cities if city.name == "Udaipur")
    cells = _placed(matrix(india_address, body([off_road, udaipur], [off_road, udaipur])))
    assert [_error(cells[0, 1]), _error(cells[1, 0])] == [("CELL_PROCESSING_ERROR", "MAP_MATCHING_FAILURE")] * 2
    where = f"({off_road.latitude}, {off_road.longitude})"
    assert f"Origin {where}" in cells[0, 1]["detailedError"]["innerError"]["message"]
    assert f"Destination {where}" in cells[1, 0]["detailedError"]["innerError"]["message"]
    assert cells[0, 0]["routeSummary"]["lengthInMeters"] == 0


def test_a_point_at_no_city_lies_off_the_road(address: str, region: Region) -> None:
    question = body(region.cities[:1], region.cities[:1])
    question["destinations"][0]["point"]["latitude"] += 0.02
    assert _error(_placed(matrix(address, question))[0, 0])[1] == "MAP_MATCHING_FAILURE"


def test_a_point_near_a_city_is_led_to_its_road(address: str, region: Region) -> None:
    question = body(region.cities[:1], region.cities[:1])
    question["destinations"][0]["point"]["latitude"] += 0.005
    assert "routeSummary" in _placed(matrix(address, question))[0, 0]


@pytest.mark.parametrize(
    "options",
    [
        {},
        LIVE,
        {**FREE_OF_BOXES, "departAt": "2035-01-01T08:00:00Z"},
        {**FREE_OF_BOXES, "travelMode": "pedestrian"},
        {**FREE_OF_BOXES, "avoid": ["tollRoads"]},
        *({name: value for name, value in FREE_OF_BOXES.items() if name != left_out} for left_out in FREE_OF_BOXES),
    ],
)
def test_far_cells_are_out_of_the_region_unless_exactly_the_options_that_lift_the_box_are_set(
    address: str, region: Region, options: dict[str, Any]
) -> None:
    ends = [city for city in region.cities if city.name in ("Mumbai", "Pune", "Chennai")]
    matrix(address, body(ends, ends))
    freed = _placed(matrix(address, body(ends, ends)))
    assert not any("detailedError" in cell for cell in freed.values())
    answer = matrix(address, body(ends, ends, options))
    far = {place for place, cell in _placed(answer).items() if "detailedError" in cell}
    chennai = ends.index(next(city for city in ends if city.name == "Chennai"))
    assert far == {place for place in freed if (place[0] == chennai) != (place[1] == chennai)}
    assert {_error(_placed(answer)[place]) for place in far} == {("OUT_OF_REGION", None)}
    assert answer.json()["statistics"]["failureDetails"] == [{"code": "OUT_OF_REGION", "count": 4}]


@pytest.mark.parametrize(
    ("rows", "columns", "key", "options", "is_taken"),
    [
        (10, 10, STANDARD, LIVE, True),
        (11, 10, STANDARD, LIVE, False),
        (10, 20, STANDARD, FREE_OF_BOXES, True),
        (11, 20, STANDARD, FREE_OF_BOXES, False),
        (50, 50, CONTRACTED, FREE_OF_BOXES, True),
        (50, 51, CONTRACTED, FREE_OF_BOXES, False),
        (50, 50, CONTRACTED, LIVE, False),
    ],
)
def test_a_matrix_that_is_answered_at_once_may_be_as_large_as_account_and_options_allow(
    india_address: str, india: Region, rows: int, columns: int, key: str, options: dict[str, str], is_taken: bool
) -> None:
    answer = matrix(india_address, body(india.cities[:rows], india.cities[:columns], options), key)
    assert answer.status_code == (200 if is_taken else 400)
    if not is_taken:
        assert list(answer.json()) == ["detailedError"]
        assert answer.json()["detailedError"]["code"] == "BAD_ARGUMENT"


def test_a_small_box_may_hold_two_hundred_cells_whatever_the_options(address: str, region: Region) -> None:
    near = [city for city in region.cities if city.name in ("Nashik", "Mumbai", "Pune")]
    assert matrix(address, body(near * 4, near * 5, LIVE), STANDARD).status_code == 200


@pytest.mark.parametrize(
    ("rows", "columns", "key", "status"),
    [
        (50, 50, STANDARD, 202),
        (50, 51, STANDARD, 400),
        (1, 1000, STANDARD, 202),
        (1, 1001, STANDARD, 400),
        (1, 1001, CONTRACTED, 202),
        (504, 504, CONTRACTED, 202),
        (1, 10_001, CONTRACTED, 400),
    ],
)
def test_a_job_may_be_as_large_as_the_account_allows(
    india_address: str, india: Region, rows: int, columns: int, key: str, status: int
) -> None:
    many = india.cities * 20
    answer = submit(india_address, body(many[:rows], many[:columns]), key)
    assert answer.status_code == status
    assert status == 202 or answer.json()["detailedError"]["code"] == "BAD_ARGUMENT"


@pytest.mark.parametrize("path", ["/matrix/2", "/matrix/2/async"])
@pytest.mark.parametrize(
    "change",
    [
        {"origins": []},
        {"origins": [{"latitude": 19.07, "longitude": 72.88}]},
        {"origins": [{"point": {"latitude": 91, "longitude": 72.88}}]},
        {"origins": [{"point": {"latitude": "north", "longitude": 72.88}}]},
        {"destinations": None},
        {"computeTravelTimeFor": "all"},
        {"options": {"computeTravelTimeFor": "all"}},
        {"options": {"traffic": "some"}},
        {"options": {"departAt": "tomorrow"}},
        {"options": "any"},
    ],
)
def test_a_question_that_cannot_be_read_is_refused(
    address: str, region: Region, path: str, change: dict[str, Any]
) -> None:
    answer = post(address, path, {**body(region.cities[:1], region.cities[1:2]), **change})
    assert (answer.status_code, answer.json()["detailedError"]["code"]) == (400, "BAD_INPUT")


@pytest.mark.parametrize("options", [{**FREE_OF_BOXES, "arriveAt": "any"}, {**FREE_OF_BOXES, "traffic": "live"}])
def test_options_that_exclude_each_other_are_refused(address: str, region: Region, options: dict[str, str]) -> None:
    answer = matrix(address, body(region.cities[:1], region.cities[:1], options))
    assert (answer.status_code, answer.json()["detailedError"]["code"]) == (400, "BAD_ARGUMENT")


def test_a_body_that_is_no_json_is_refused(address: str) -> None:
    where = f"{address}/tomtom/routing/matrix/2?key={CONTRACTED}"
    answer = requests.post(where, data=b"origins=1", timeout=10)
    assert (answer.status_code, answer.json()["detailedError"]["code"]) == (400, "BAD_INPUT")


def test_a_parameter_of_the_address_that_is_not_known_is_refused_with_the_whole_query_key_included(
    address: str, region: Region
) -> None:
    question = json.dumps(body(region.cities[:1], region.cities[:1]))
    where = f"{address}/tomtom/routing/matrix/2?key={CONTRACTED}&traffic=live"
    answer = requests.post(where, data=question, timeout=10)
    assert answer.status_code == 400
    assert answer.json()["detailedError"]["message"].endswith(f"Query: key={CONTRACTED}&traffic=live")
