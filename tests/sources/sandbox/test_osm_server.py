"""Overpass as it behaves: who is let in, what is found in a box, and what is too much."""

import json
from datetime import UTC, datetime

import pytest
import requests

from sources.sandbox.osm.answer import MOST_ELEMENTS
from sources.sandbox.osm.elements import encode
from sources.sandbox.process import running
from sources.sandbox.world import World
from tests.sources.sandbox.asking import AGENT, EVERY_STOP, NOWHERE, TOO_MUCH, UDAIPUR, ask, log, stops


def test_a_box_is_answered_with_all_its_stops_and_airports_and_nothing_else(address: str, world: World) -> None:
    south, west, north, east = map(float, UDAIPUR.split(","))
    wanted = {
        (element.kind, element.id)
        for element in encode(world)
        if element.kind != "relation" and south < element.latitude < north and west < element.longitude < east
    }
    elements = stops(address, UDAIPUR).json()["elements"]
    assert {(element["type"], element["id"]) for element in elements} == wanted
    assert len(elements) > 20


@pytest.mark.parametrize("axis", ["latitude", "longitude"])
def test_a_way_on_the_border_of_two_boxes_is_in_both_and_a_node_in_one(address: str, world: World, axis: str) -> None:
    way = next(e for e in encode(world) if e.kind == "way" and "building" in e.tags)
    node = next(e for e in encode(world) if e.kind == "node" and e.stop_id == way.stop_id)
    for element, count in ((way, 2), (node, 1)):
        low = {"latitude": element.latitude - 0.01, "longitude": element.longitude - 0.01}
        high = {"latitude": element.latitude + 0.01, "longitude": element.longitude + 0.01}
        border = getattr(element, axis) + 1e-6
        halves = [(low, high | {axis: border}), (low | {axis: border}, high)]
        found = [
            each
            for low, high in halves
            for each in stops(address, ",".join(str(corner[side]) for corner in (low, high) for side in low)).json()[
                "elements"
            ]
        ]
        assert [(each["type"], each["id"]) for each in found].count((element.kind, element.id)) == count


def test_the_same_question_gets_the_same_bytes_from_every_server(address: str) -> None:
    with running("sample", time_scale=1.0, as_of=datetime.now(UTC).date()) as other:
        assert stops(other, UDAIPUR).content == stops(address, UDAIPUR).content


def test_a_box_with_too_many_stops_is_never_answered_whole(address: str) -> None:
    assert stops(address, TOO_MUCH).status_code == 504
    assert "too busy to handle your request" in stops(address, TOO_MUCH).text


def test_quarters_of_a_box_that_is_too_much_come_to_an_end_and_hold_all_of_it(address: str, world: World) -> None:
    around_mumbai, around_chennai = (18.0, 72.0, 2.0), (12.0, 79.0, 2.0)
    waiting, found = [around_mumbai, around_chennai], set()
    outcomes: set[str] = set()
    while waiting:
        south, west, size = waiting.pop()
        answer = stops(address, f"{south},{west},{south + size},{west + size}")
        document = answer.json() if answer.status_code == 200 else {"remark": answer.status_code}
        if "remark" in document:
            outcomes.add(str(document["remark"])[:30])
            half = size / 2
            assert half > 0.03
            waiting += [(south + up, west + right, half) for up in (0, half) for right in (0, half)]
        else:
            assert len(document["elements"]) <= MOST_ELEMENTS
            found |= {(element["type"], element["id"]) for element in document["elements"]}
    wanted = {
        (e.kind, e.id)
        for e in encode(world)
        for south, west, size in (around_mumbai, around_chennai)
        if e.kind != "relation" and south <= e.latitude <= south + size and west <= e.longitude <= west + size
    }
    assert found >= wanted
    assert {"504"} < outcomes


def test_a_whole_country_without_a_box_is_too_much(address: str) -> None:
    assert ask(address, "[out:json];nwr[name];out tags center;").status_code == 504


@pytest.mark.parametrize("agent", ["", "python-requests/2.33.0", "curl/8.5.0", "Mozilla/5.0 (X11; Linux x86_64)"])
def test_a_client_that_does_not_say_who_it_is_is_turned_away(address: str, agent: str) -> None:
    for answer in (
        ask(address, EVERY_STOP.format(box=NOWHERE), {"user-agent": agent}),
        requests.get(f"{address}/osm/api/status", headers={"user-agent": agent}, timeout=10),
    ):
        assert answer.status_code == 406
        assert answer.headers["content-type"].startswith("text/html")


def test_a_query_may_stand_in_the_address_too(address: str) -> None:
    query = EVERY_STOP.format(box=UDAIPUR)
    answer = requests.get(f"{address}/osm/api/interpreter", params={"data": query}, headers=AGENT, timeout=10)
    assert answer.content == stops(address, UDAIPUR).content


def test_data_is_of_the_day_that_was_asked_for_so_a_mirror_can_stand_still() -> None:
    with running("sample", as_of=datetime(2026, 3, 1).date()) as frozen:
        assert stops(frozen, NOWHERE).json()["osm3s"]["timestamp_osm_base"] == "2026-03-01T00:00:00Z"


def test_everything_that_is_served_says_that_it_is_constructed(address: str) -> None:
    answers = [
        stops(address, UDAIPUR),
        stops(address, TOO_MUCH),
        ask(address, "?"),
        ask(address, "?", {"user-agent": ""}),
    ]
    answers += [requests.get(f"{address}{path}", timeout=10) for path in ("/robots.txt", "/_log", "/nothing")]
    assert [answer.headers["x-constructed"] for answer in answers] == ["yes"] * 7
    assert "CONSTRUCTED" in answers[0].json()["osm3s"]["copyright"]
    assert all(
        "onstructed" in json.dumps(element) or "निर्मित" in element["tags"].get("name:hi", "निर्मित")
        for element in answers[0].json()["elements"]
    )


def test_calls_beyond_the_limit_are_refused_until_the_status_page_shows_a_slot() -> None:
    with running("sample", time_scale=1.0) as slow:
        statuses = [stops(slow, NOWHERE).status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        refused = stops(slow, NOWHERE)
        assert "rate_limited. Please check /api/status" in refused.text
        assert refused.headers["content-type"] == "text/html; charset=utf-8"
        page = requests.get(f"{slow}/osm/api/status", headers=AGENT, timeout=10).text
        assert page.count("Slot available after: ") == 5
        assert "slots available now" not in page
        counted = [line for line in log(slow) if line["path"] == "/osm/api/interpreter"]
        assert [line["calls_in_window"] for line in counted] == [1, 2, 3, 4, 5, 6, 7, 8]
        assert {(line["limit_calls"], line["limit_seconds"]) for line in counted} == {(5, 8.0)}


def test_a_question_that_cannot_be_read_uses_nothing_up_but_counts_as_a_call() -> None:
    with running("sample", time_scale=1.0) as slow:
        assert [ask(slow, "?").status_code for _ in range(6)] == [400] * 6
        assert stops(slow, NOWHERE).status_code == 200
        assert log(slow)[-1]["calls_in_window"] == 7


def test_the_limit_runs_on_a_clock_as_fast_as_is_stated() -> None:
    with running("sample", time_scale=1000.0) as fast:
        started = log_time(fast)
        answers = [stops(fast, NOWHERE).status_code for _ in range(12)]
        assert answers.count(200) > 5
        assert log_time(fast) - started > 1.0


def log_time(address: str) -> float:
    requests.get(f"{address}/robots.txt", timeout=10)
    last: float = log(address)[-1]["at_s"]
    return last
