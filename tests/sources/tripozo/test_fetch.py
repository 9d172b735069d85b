"""All that is asked, asked of the stand-in: what is parsed is what is true in the constructed world."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import requests as http

from schemas.region import Region, load_region
from schemas.text import fold
from sources.protocol.discovery import load_source
from sources.protocol.types import Answer, Parsed, Request, Row
from sources.sandbox.process import running
from sources.sandbox.world import World, build_world
from sources.tripozo.parse import parse
from sources.tripozo.requests import requests, sample_day
from tests.sources.tripozo.answers import FOLDER, answer, refusals, skipped

SAMPLE = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")
DECLARATION = load_source(FOLDER).declaration


class Fetch:
    """Rounds of questions to a stand-in, until none is left."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.kept: dict[str, Answer] = {}
        self.account = next(iter(DECLARATION.accounts.values()))

    def rows(self, table: str) -> list[dict[str, Any]]:
        raise KeyError(table)

    def answer(self, request: Request) -> Answer | None:
        return self.kept.get(request.id)

    def answers(self, endpoint: str) -> list[Answer]:
        return [one for one in self.kept.values() if one.endpoint == endpoint]

    def run(self, region: Region) -> "Fetch":
        while waiting := list(requests(region, self)):
            for request in waiting:
                self.kept[request.id] = self._ask(request)
        return self

    def parsed(self) -> list[Parsed]:
        return [item for one in self.kept.values() for item in parse(one)]

    def _ask(self, request: Request) -> Answer:
        endpoint = DECLARATION.endpoints[request.endpoint]
        query = {name: value for name, value in request.params.items() if name not in endpoint.path_params}
        url = f"{self.address}/tripozo{endpoint.path.format(**request.params)}"
        got = http.get(url, params=query, timeout=10)
        assert got.headers["content-type"].partition(";")[0] in endpoint.media_types
        return answer(
            got.content, request.endpoint, request.params, subject=request.subject, status=got.status_code,
            media_type=got.headers["content-type"],
        )  # fmt: skip


@pytest.fixture(scope="module")
def fetch() -> Iterator[Fetch]:
    with running("sample", time_scale=1e6) as address:
        yield Fetch(address).run(SAMPLE)


@pytest.fixture(scope="module")
def parsed(fetch: Fetch) -> list[Parsed]:
    return fetch.parsed()


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(SAMPLE, seed=1)


def _rows(parsed: list[Parsed], table: str) -> list[Any]:
    return [item.values for item in parsed if isinstance(item, Row) and item.table == table]


def test_nothing_of_the_pages_is_refused(fetch: Fetch, parsed: list[Parsed]) -> None:
    assert refusals(parsed) == []
    assert set(skipped(parsed)) == {
        "a train of a list; its stops come with its timetable",
        "a connection of several flights",
    }
    assert Counter(one.status for one in fetch.kept.values()) == {200: len(fetch.kept)}


def test_the_stops_of_trains_equal_the_truth(parsed: list[Parsed], world: World) -> None:
    true = [
        {
            "Train Number": train.number,
            "Train Name": train.name,
            "train_type": train.train_type,
            "stop_sequence": sequence,
            "station_code": call.station_code,
            "station_name": call.station_name,
            "arrives": call.arrives,
            "departs": call.departs,
            "day": call.day,
            "distance_km": float(call.distance_km),
            "days_of_operation": train.days_of_operation,
            "classes": list(train.classes) or None,
            "Price": None,
        }
        for train in world.trains
        for sequence, call in enumerate(train.calls, 1)
    ]
    assert sorted(_rows(parsed, "train_stops"), key=_stop) == sorted(true, key=_stop)


def _stop(row: Any) -> tuple[str, int]:
    return row["Train Number"], row["stop_sequence"]


def test_the_flights_of_the_day_equal_the_truth(parsed: list[Parsed], world: World) -> None:
    day = sample_day(SAMPLE)
    true = [
        {
            "Flight Number": flight.flight_number,
            "Airline": flight.airline,
            "OriginAirport": flight.origin,
            "DestAirport": flight.destination,
            "DepTime": flight.departs,
            "ArrTime": flight.arrives,
            "arr_day_offset": flight.arr_day_offset,
            "duration_min": flight.duration_min,
            "Price": flight.fare_inr,
            "fare_class": "Economy",
            "FlightDate": leaves,
            "days_of_operation": None,
        }
        for flight in world.flights
        # A page ends with 24:00 and not with 23:59.
        for leaves in [day + timedelta(days=flight.departs == "00:00")]
        if flight.days_of_operation[leaves.weekday()] == "1"
    ]
    assert len(true) > 80
    assert sorted(_rows(parsed, "flights"), key=_flight) == sorted(true, key=_flight)


def _flight(row: Any) -> tuple[str, str, str]:
    return row["Flight Number"], row["OriginAirport"], row["DepTime"]


def test_the_buses_equal_the_truth(parsed: list[Parsed], world: World) -> None:
    cities = {city.city_id: city for city in SAMPLE.cities}
    spelt = {fold(name): city.city_id for city in SAMPLE.cities for name in (city.name, *city.aliases)}
    true = [
        {
            "Operator": bus.operator,
            "BusType": bus.kind,
            "bus_type_text": bus.kind_text,
            "origin_name": bus.origin_city_id,
            "destination_name": bus.destination_city_id,
            "origin_state": cities[bus.origin_city_id].state,
            "destination_state": cities[bus.destination_city_id].state,
            "DepTime": bus.departs,
            "ArrTime": bus.arrives,
            "arr_day_offset": bus.arr_day_offset,
            "duration_min": bus.duration_min,
            "Price": bus.price,
            "bus_rating": bus.rating,
        }
        for bus in world.buses.all
    ]
    found = [
        {**row, **{end: spelt[fold(row[end])] for end in ("origin_name", "destination_name")}}
        for row in _rows(parsed, "buses")
    ]
    assert {row["origin_name"] for row in _rows(parsed, "buses")} >= {"Mumbai", "Bombay"}
    assert any(row["Price"] is None for row in found)
    assert sorted(found, key=_bus) == sorted(true, key=_bus)


def _bus(row: Any) -> tuple[str, str, str]:
    return row["origin_name"], row["destination_name"], row["DepTime"]


def test_a_page_before_its_results_are_drawn_needs_a_browser(fetch: Fetch) -> None:
    got = http.get(f"{fetch.address}/tripozo/flight/results", params={"origin": "BOM"}, timeout=10)
    assert [one.code for one in refusals(parse(answer(got.content, "flights")))] == ["needs_browser"]


def test_error_pages_are_no_results(fetch: Fetch) -> None:
    for path, endpoint, code in (
        ("train/00000/schedule", "train", "not_found"),
        ("train/list?city=Atlantis&state=Goa", "trains", "not_found"),
        ("bus/results?from=Mumbai&to=Pune&date=tomorrow", "buses", "http_status"),
    ):
        got = http.get(f"{fetch.address}/tripozo/{path}", timeout=10)
        given = answer(got.content, endpoint, status=got.status_code)
        assert [one.code for one in refusals(parse(given))] == [code]


def test_calls_that_come_too_fast_are_told_so() -> None:
    with running("sample", time_scale=1.0) as address:
        urls = [f"{address}/tripozo/train/list?city={city}&state=Maharashtra" for city in ("Mumbai", "Pune")]
        got = [http.get(url, timeout=10) for url in urls]
    assert [one.status_code for one in got] == [200, 429]
    late = answer(got[1].content, "trains", status=429)
    assert [(one.code, one.is_retryable) for one in refusals(parse(late))] == [("rate_limited", True)]
