"""BestTime's stand-in as it behaves: whom it lets in, which venue it answers with, and what it hides in a week."""

import asyncio
from datetime import date
from typing import Any

import pytest
import requests
from starlette.requests import Request
from starlette.routing import Route

from sources.sandbox.besttime import routes
from sources.sandbox.clock import Clock
from sources.sandbox.crowd import TrueCrowd
from sources.sandbox.places import TruePlace
from sources.sandbox.process import running
from sources.sandbox.world import World
from tests.sources.sandbox.asking import log
from tests.sources.sandbox.asking_besttime import KEY, Document, ask, ask_about

Told = list[tuple[TruePlace, TrueCrowd, Document]]


def chosen(world: World, trap: str | None) -> list[tuple[TruePlace, TrueCrowd]]:
    by_id = {place.id: place for place in world.places}
    return [(by_id[one.place_id], one) for one in world.crowd if one.trap == trap]


@pytest.fixture(scope="module")
def told(address: str, world: World) -> Told:
    return [(place, crowd, ask_about(address, place).json()) for place, crowd in chosen(world, None)]


def days(told: Told, state: str) -> list[dict[str, Any]]:
    return [
        written
        for _, crowd, document in told
        for day, written in zip(crowd.days or (), document["analysis"], strict=True)
        if day.state == state
    ]


def test_a_forecast_is_about_the_place_that_was_asked_about_and_repeats_the_key(told: Told) -> None:
    for place, _, document in told:
        info = document["venue_info"]
        assert info["venue_name"] in (place.name, place.name.removesuffix(f" {place.city_name}"))
        assert (info["venue_lat"], info["venue_lon"]) == (place.latitude, place.longitude)
        assert info["venue_timezone"] == place.time_zone
        assert document["api_key_private"] == KEY
    assert len({document["venue_info"]["venue_id"] for *_, document in told}) == len(told)


def test_of_two_places_of_one_name_the_address_decides(told: Told) -> None:
    branches = [document for place, _, document in told if place.trap == "branch"]
    assert branches
    places = [place for place, *_ in told if place.trap == "branch"]
    for place, document in zip(places, branches, strict=True):
        assert document["venue_info"]["venue_lat"] == place.latitude


def test_closed_days_say_so_in_every_hour(told: Told) -> None:
    for day in days(told, "closed"):
        assert (day["day_info"]["venue_open"], day["day_info"]["venue_closed"]) == ("Closed", "Closed")
        assert {entry["intensity_nr"] for entry in day["hour_analysis"]} == {"N/A"}
        assert "day_mean" not in day["day_info"]
        assert day["peak_hours"] == [{"peak_info": "No peaks for today"}]


def test_a_day_without_data_looks_quiet_and_is_marked(told: Told) -> None:
    found = days(told, "unknown")
    assert found
    for day in found:
        assert (day["day_info"]["status"], day["day_info"]["note"]) == ("warning", "No data available for day")
        assert set(day["day_raw"]) == {0}
        assert -2 in {entry["intensity_nr"] for entry in day["hour_analysis"]} <= {-2, 999, "999"}


def test_a_note_without_a_status_is_no_warning(told: Told) -> None:
    notes = [day["day_info"] for day in days(told, "open") if "note" in day["day_info"]]
    assert notes
    assert all("status" not in info for info in notes)


def test_the_hour_of_closing_is_listed_as_open_and_low(told: Told) -> None:
    found = 0
    for _, crowd, document in told:
        for day, written in zip(crowd.days or (), document["analysis"], strict=True):
            if day.state == "open" and day.spans[-1][1] in ("18:00", "23:00", "02:00") and day.opens != "00:00":
                hour = int(day.spans[-1][1][:2])
                (entry,) = [entry for entry in written["hour_analysis"] if entry["hour"] == hour]
                assert (entry["intensity_nr"], entry["intensity_txt"]) == (-2, "Low")
                assert hour in written["quiet_hours"]
                found += 1
    assert found


def test_some_closed_hours_have_visitors(told: Told) -> None:
    strays = [
        share
        for day in days(told, "open")
        for entry, share in zip(day["hour_analysis"], day["day_raw"], strict=True)
        if entry["intensity_txt"] == "Closed" and share
    ]
    assert strays


def test_always_open_venues_write_one_hour_twice(told: Told) -> None:
    pairs = {
        (written["day_info"]["venue_open"], written["day_info"]["venue_closed"])
        for _, crowd, document in told
        for day, written in zip(crowd.days or (), document["analysis"], strict=True)
        if day.spans == (("00:00", "00:00"),)
    }
    assert (0, 0) in pairs
    assert pairs <= {(0, 0), (4, 4)}


def test_a_mistake_answers_with_another_venue_of_the_city_or_of_another_continent(address: str, world: World) -> None:
    answers = [(place, ask_about(address, place).json()["venue_info"]) for place, _ in chosen(world, "mistaken")]
    assert all(info["venue_name"] != place.name for place, info in answers)
    assert {info["venue_timezone"] for _, info in answers} == {"Asia/Kolkata", "America/New_York"}
    assert any(info["venue_lat"] == place.latitude for place, info in answers)
    # One venue is returned for several names.
    assert len({info["venue_id"] for _, info in answers}) < len(answers)


def test_a_venue_is_found_by_its_id_too(address: str, told: Told) -> None:
    _, _, document = told[0]
    assert ask(address, venue_id=document["venue_info"]["venue_id"]).json() == document
    assert ask(address, venue_id="ven_0000000000").status_code == 404


@pytest.mark.parametrize("key", [None, "", "refused-key"])
def test_a_call_without_a_good_key_is_refused(address: str, world: World, key: str | None) -> None:
    place = world.places[0]
    answer = ask(address, key, venue_name=place.name, venue_address=place.address)
    assert answer.status_code == 401
    assert answer.json()["message"] == {"api_key_private": ["Invalid API key"]}


@pytest.mark.parametrize("params", [{}, {"venue_name": "x"}, {"venue_address": "x"}])
def test_a_call_that_lacks_a_parameter_is_refused(address: str, params: dict[str, str]) -> None:
    assert ask(address, **params).status_code == 400


@pytest.mark.parametrize(("name", "most"), [("venue_name", 256), ("venue_address", 1024)])
def test_a_text_that_is_too_long_is_refused(address: str, name: str, most: int) -> None:
    params = {"venue_name": "x", "venue_address": "x"}
    assert ask(address, **{**params, name: "x" * most}).status_code == 404
    answer = ask(address, **{**params, name: "x" * (most + 1)})
    assert (answer.status_code, list(answer.json()["message"])) == (400, [name])


def test_only_post_is_taken(address: str) -> None:
    assert requests.get(f"{address}/besttime/api/v1/forecasts", timeout=10).status_code == 405


def test_ten_calls_a_second_are_taken_and_every_call_is_counted(world: World) -> None:
    place = world.places[0]
    with running("sample", time_scale=0.01) as slow:
        statuses = [ask_about(slow, place).status_code for _ in range(12)]
        lines = log(slow)
    assert statuses[10:] == [429, 429]
    assert 429 not in statuses[:10]
    assert [line["calls_in_window"] for line in lines] == [*range(1, 13)]
    assert {(line["limit_calls"], line["limit_seconds"]) for line in lines} == {(10, 1.0)}


def test_three_hundred_calls_a_minute_are_taken(world: World) -> None:
    class EightPerSecond(Clock):
        seconds = 0.0

        def now(self) -> float:
            self.seconds += 0.125
            return self.seconds

    (route,) = routes(world, EightPerSecond(1.0, date(2026, 7, 14)))
    assert isinstance(route, Route)

    def call() -> int:
        scope = {"type": "http", "query_string": b"api_key_private=constructed", "headers": [], "state": {}}
        return int(asyncio.run(route.endpoint(Request(scope))).status_code)

    statuses = [call() for _ in range(481)]
    assert statuses == [400] * 300 + [429] * 180 + [400]


def test_a_key_is_in_no_line_of_the_log(address: str, told: Told) -> None:
    assert told
    assert KEY not in requests.get(f"{address}/_log", timeout=10).text
