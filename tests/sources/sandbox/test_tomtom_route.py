"""One route: its times and delays, the days to come, what fails, and what is refused."""

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

import numpy as np
import pytest
import requests

from schemas.region import City, Region
from sources.sandbox.process import running
from sources.sandbox.roads import MAP_MATCHING, OUT_OF_REGION, Roads
from sources.sandbox.world import World
from tests.sources.sandbox.roads_asking import CONTRACTED, FOR_A_TABLE, get, route

DAY = date(2026, 11, 2)
EXTRA = [
    "noTrafficTravelTimeInSeconds",
    "historicTrafficTravelTimeInSeconds",
    "liveTrafficIncidentsTravelTimeInSeconds",
]


@pytest.fixture(scope="module")
def answers(region: Region, world: World) -> dict[tuple[str, str], dict[str, Any]]:
    """The routes of all pairs of the region, asked until they are right."""
    found = {}
    with running("sample", time_scale=1e6, as_of=DAY) as fresh:
        for pair in world.roads.pairs().to_pylist():
            ends = [next(c for c in region.cities if c.city_id == pair[end]) for end in _ENDS]
            answer = route(fresh, *ends, **FOR_A_TABLE)
            if answer.status_code == 400:
                answer = route(fresh, *ends, **FOR_A_TABLE)
            (found[pair["origin_city_id"], pair["destination_city_id"]],) = answer.json()["routes"]
    return found


_ENDS = ("origin_city_id", "destination_city_id")


def test_a_summary_tells_what_is_true_of_the_pair(world: World, answers: dict[tuple[str, str], Any]) -> None:
    for pair in world.roads.pairs().to_pylist():
        summary = answers[pair["origin_city_id"], pair["destination_city_id"]]["summary"]
        assert summary["lengthInMeters"] == pair["metres"]
        assert summary["travelTimeInSeconds"] == pair["live_s"]
        assert summary["trafficDelayInSeconds"] == pair["delay_s"]
        assert [summary[name] for name in EXTRA] == [pair["free_flow_s"], pair["historical_s"], pair["live_s"]]
        assert 0 <= summary["trafficLengthInMeters"] <= pair["metres"]


def test_the_delays_of_the_stretches_with_traffic_add_up_to_that_of_the_route(
    answers: dict[tuple[str, str], Any],
) -> None:
    counts = set()
    for answer in answers.values():
        jams = [section for section in answer["sections"] if section["sectionType"] == "TRAFFIC"]
        assert sum(jam["delayInSeconds"] for jam in jams) == answer["summary"]["trafficDelayInSeconds"]
        assert all(jam["delayInSeconds"] > 0 and jam["startPointIndex"] < jam["endPointIndex"] for jam in jams)
        counts.add(len(jams))
    assert counts == {0, 3}


def test_a_few_routes_take_a_ferry(world: World, answers: dict[tuple[str, str], Any]) -> None:
    by_ferry = {
        pair for pair, answer in answers.items() if "FERRY" in {each["sectionType"] for each in answer["sections"]}
    }
    pairs = world.roads.pairs().to_pylist()
    assert by_ferry == {tuple(pair[end] for end in _ENDS) for pair in pairs if pair["is_by_ferry"]}
    assert 0 < len(by_ferry) < 10


def test_departure_and_arrival_are_times_of_the_place_on_the_day_of_the_data_and_may_be_a_second_off(
    answers: dict[tuple[str, str], Any],
) -> None:
    off = set()
    for answer in answers.values():
        summary = answer["summary"]
        departure, arrival = (datetime.fromisoformat(summary[name]) for name in ("departureTime", "arrivalTime"))
        assert departure.date() == DAY
        assert departure.utcoffset() == arrival.utcoffset() == timedelta(hours=5, minutes=30)
        off.add((arrival - departure).total_seconds() - summary["travelTimeInSeconds"])
    assert off == {-1, 0, 1}


def test_the_same_question_gets_the_same_answer_from_every_server_of_a_day(
    region: Region, answers: dict[tuple[str, str], Any]
) -> None:
    nagpur, pune = (next(city for city in region.cities if city.name == name) for name in ("Nagpur", "Pune"))
    with running("sample", time_scale=1.0, as_of=DAY) as other:
        (again,) = route(other, nagpur, pune, **FOR_A_TABLE).json()["routes"]
    assert again == answers[nagpur.city_id, pune.city_id]


def test_without_asking_for_all_times_the_three_extra_ones_are_not_there(address: str, region: Region) -> None:
    summary = _route(address, region)["summary"]
    assert not set(EXTRA) & set(summary)
    assert "trafficDelayInSeconds" in summary


def test_points_are_there_unless_the_summary_alone_is_asked_for(address: str, region: Region) -> None:
    (leg,) = _route(address, region)["legs"]
    nashik, pune = _nashik_and_pune(region)
    assert leg["points"][0] == {"latitude": round(nashik.latitude, 5), "longitude": round(nashik.longitude, 5)}
    assert leg["points"][-1] == {"latitude": round(pune.latitude, 5), "longitude": round(pune.longitude, 5)}
    assert list(_route(address, region, routeRepresentation="summaryOnly")["legs"][0]) == ["summary"]


def test_of_a_day_to_come_no_traffic_is_known(address: str, region: Region) -> None:
    leaving = datetime.now(UTC) + timedelta(days=3)
    found = _route(address, region, departAt=leaving.isoformat(timespec="seconds"), computeTravelTimeFor="all")
    summary = found["summary"]
    assert summary["travelTimeInSeconds"] == summary[EXTRA[1]] == summary[EXTRA[2]]
    assert (summary["trafficDelayInSeconds"], found["sections"]) == (0, [])
    assert datetime.fromisoformat(summary["departureTime"]) == leaving.replace(microsecond=0)


def test_only_the_sections_that_are_asked_for_are_given(address: str, region: Region) -> None:
    kinds = {each["sectionType"] for each in _route(address, region, sectionType="ferry")["sections"]}
    assert kinds <= {"FERRY"}
    assert {each["sectionType"] for each in _route(address, region)["sections"]} == {"TRAFFIC"}


def test_some_routes_run_out_of_time_the_first_time_and_the_description_is_then_not_there(region: Region) -> None:
    refused, ends = [], [(one, two) for one in region.cities for two in region.cities if one != two]
    with running("sample", time_scale=1e6) as fresh:
        for pair in ends:
            answer = route(fresh, *pair)
            if answer.status_code == 400:
                refused.append((answer.json(), route(fresh, *pair).status_code))
    assert 1 <= len(refused) <= 4
    for document, status_again in refused:
        assert status_again == 200
        assert list(document) == ["formatVersion", "detailedError"]
        assert document["detailedError"]["code"] == "COMPUTE_TIME_LIMIT_EXCEEDED"
        assert "STOPPED" in document["detailedError"]["message"]


@pytest.mark.parametrize("status", [MAP_MATCHING, OUT_OF_REGION])
def test_a_point_without_a_road_is_named_and_no_description_is_there(
    india_address: str, india: Region, status: int
) -> None:
    pairs = np.argwhere(Roads(1, india.cities).measures.status == status)
    for origin, destination in islice(pairs.tolist(), 2):
        answer = route(india_address, india.cities[origin], india.cities[destination])
        assert (answer.status_code, list(answer.json())) == (400, ["formatVersion", "detailedError"])
        assert answer.json()["detailedError"]["code"] == "MAP_MATCHING_FAILURE"
        named = [india.cities[place] for place in (origin, destination)]
        message = answer.json()["detailedError"]["message"]
        assert any(f"({city.latitude}, {city.longitude})" in message for city in named)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("computeTravelTimeFor", "some"),
        ("routeRepresentation", "none"),
        ("travelMode", "truck"),
        ("departAt", "soon"),
        ("departAt", "2001-01-01T00:00:00Z"),
    ],
)
def test_a_parameter_with_a_value_that_is_not_known_is_refused(
    address: str, region: Region, name: str, value: str
) -> None:
    answer = route(address, *_nashik_and_pune(region), **{name: value})
    assert (answer.status_code, answer.json()["detailedError"]["code"]) == (400, "BAD_INPUT")
    assert f"Invalid value for {name}: {value}" in answer.json()["error"]["description"]


@pytest.mark.parametrize("points", ["19.07,72.88", "19.07,72.88:95,73", "19.07,72.88:18.5,73.8:21.1,79", "a,b:c,d"])
def test_points_that_cannot_be_read_are_refused(address: str, points: str) -> None:
    answer = get(address, f"/1/calculateRoute/{points}/json")
    assert (answer.status_code, answer.json()["detailedError"]["code"]) == (400, "BAD_INPUT")


def test_a_parameter_that_is_not_known_is_refused_with_the_whole_query_key_included(
    address: str, region: Region
) -> None:
    answer = route(address, *_nashik_and_pune(region), fastest="yes")
    assert answer.status_code == 400
    for said in (answer.json()["error"]["description"], answer.json()["detailedError"]["message"]):
        assert said.endswith(f"Query: key={CONTRACTED}&fastest=yes")


def _nashik_and_pune(region: Region) -> list[City]:
    return [next(city for city in region.cities if city.name == name) for name in ("Nashik", "Pune")]


def _route(address: str, region: Region, **params: str) -> dict[str, Any]:
    ends = _nashik_and_pune(region)
    answer: requests.Response = route(address, *ends, **params)
    found: dict[str, Any] = answer.json()["routes"][0]
    return found
