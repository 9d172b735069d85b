"""A whole fetch over HTTP from a constructed world: what comes out is what is true there, row for row."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from schemas.region import load_region
from sources.flightstats.parse import parse
from sources.flightstats.requests import ratings_request, requests, schedule_request
from sources.protocol.declaration import load_declaration
from sources.protocol.types import Account, Answer, Parsed, Refusal, Request, Row, Unknown
from sources.sandbox.flights import TrueFlight
from sources.sandbox.process import running
from sources.sandbox.world import World, build_world
from sources.transport.archive import Archive
from sources.transport.errors import ProviderStopped
from sources.transport.session import Transport
from tests.sources.flightstats.answers import FOLDER, assert_usable, refusals, rows

REGION = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")
DECLARATION = load_declaration(FOLDER / "source.yaml")
MONDAY = date(2025, 11, 3)
FAST = 200.0
KEYS = {"UTP_FLIGHTSTATS_APP_ID": "constructed-app", "UTP_FLIGHTSTATS_APP_KEY": "constructed-key"}


class Known:
    """What is archived. Implements the protocol of that name."""

    account: Account = DECLARATION.accounts[DECLARATION.stand_in_account]

    def __init__(self, archive: Archive) -> None:
        self._known = archive.known("flightstats")

    def rows(self, table: str) -> Sequence[Mapping[str, Any]]:
        raise KeyError(table)

    def answer(self, request: Request) -> Answer | None:
        return self._known.answer(request)

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return self._known.answers(endpoint)


@pytest.fixture(scope="module")
def stand_in() -> Iterator[str]:
    with running("sample", time_scale=FAST) as address:
        yield address


def transport(address: str, folder: Path, archive: Archive, keys: Mapping[str, str] = KEYS) -> Transport:
    limits = folder / "limits"
    limits.mkdir(exist_ok=True)
    return Transport(
        {"flightstats": DECLARATION},
        archive,
        agent="utp-tests/1",
        contact="stand-in",
        origin="sandbox",
        limits_folder=limits,
        environment=keys,
        bases={"flightstats": f"{address}/flightstats"},
        time_scale=FAST,
    )


@pytest.fixture(scope="module")
def asked(stand_in: str, tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    """All answers of a fetch, in rounds until nothing is left."""
    folder = tmp_path_factory.mktemp("fetched")
    archive = Archive(folder / "raw")
    found: list[Answer] = []
    with transport(stand_in, folder, archive) as door:
        while still_open := list(requests(REGION, Known(archive))):
            found += [door.fetch(request) for request in still_open]
    return found


@pytest.fixture(scope="module")
def parsed(asked: list[Answer]) -> list[Parsed]:
    return [item for answer in asked for item in parse(answer)]


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(REGION, 1)


def _flown(world: World) -> list[TrueFlight]:
    return [flight for flight in world.flights if flight.days_of_operation[MONDAY.weekday()] == "1"]


def _flight(flight: TrueFlight) -> dict[str, Any]:
    return {
        "Flight Number": flight.flight_number,
        "Airline": flight.airline,
        "OriginAirport": flight.origin,
        "DestAirport": flight.destination,
        "DepTime": flight.departs,
        "ArrTime": flight.arrives,
        "arr_day_offset": flight.arr_day_offset,
        "duration_min": flight.duration_min,
        "Price": None,
        "fare_class": None,
        "FlightDate": MONDAY,
        "days_of_operation": None,
    }


def _rating(flight: TrueFlight) -> dict[str, Any]:
    assert flight.punctuality
    truth = dict(vars(flight.punctuality))
    del truth["delay_min_min"]
    pair = {"OriginAirport": flight.origin, "DestAirport": flight.destination}
    return {"Flight Number": flight.flight_number, **pair, **truth}


def _sorted(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(records, key=lambda record: (record["OriginAirport"], record["DestAirport"], record["Flight Number"]))


def test_a_fetch_asks_each_pair_once_and_ratings_of_those_with_a_flight(asked: list[Answer], world: World) -> None:
    pairs = {(flight.origin, flight.destination) for flight in _flown(world)}
    assert Counter(answer.endpoint for answer in asked) == {"schedules": 132, "route_ratings": len(pairs)}
    assert len({answer.request_id for answer in asked}) == len(asked)


def test_nothing_is_refused_and_nothing_unknown(parsed: list[Parsed]) -> None:
    assert not [item for item in parsed if isinstance(item, Refusal | Unknown)]
    assert_usable(parsed)


def test_the_flights_are_those_of_the_world(parsed: list[Parsed], world: World) -> None:
    found = rows(item for item in parsed if isinstance(item, Row) and item.table == "flights")
    assert _sorted(found) == _sorted(map(_flight, _flown(world)))
    assert len(found) > 80
    assert {row["arr_day_offset"] for row in found} == {0, 1}


def test_the_ratings_are_those_of_the_world(parsed: list[Parsed], world: World) -> None:
    found = rows(item for item in parsed if isinstance(item, Row) and item.table == "flight_ratings")
    pairs = {(flight.origin, flight.destination) for flight in _flown(world)}
    rated = [one for one in world.flights if one.punctuality and (one.origin, one.destination) in pairs]
    assert _sorted(found) == _sorted(map(_rating, rated))
    assert len(found) > 80


def test_a_refused_key_stops_the_provider_and_stands_nowhere_in_the_archive(stand_in: str, tmp_path: Path) -> None:
    archive = Archive(tmp_path / "raw")
    keys = KEYS | {"UTP_FLIGHTSTATS_APP_KEY": "refused-secret"}
    request = schedule_request("NAG", "BOM", MONDAY)
    with transport(stand_in, tmp_path, archive, keys) as door:
        with pytest.raises(ProviderStopped):
            door.fetch(request)
        with pytest.raises(ProviderStopped):
            door.fetch(ratings_request("NAG", "BOM"))
    archive.seal()
    kept = Known(archive).answer(request)
    assert kept
    assert kept.body
    assert b"application key" in kept.body
    assert b"refused-secret" not in kept.body
    assert [item.code for item in refusals(parse(kept))] == ["key_refused"]


def test_an_airport_that_the_provider_does_not_know_is_refused_and_stops_nothing(stand_in: str, tmp_path: Path) -> None:
    with transport(stand_in, tmp_path, Archive(tmp_path / "raw")) as door:
        refused = door.fetch(schedule_request("QQQ", "BOM", MONDAY))
        assert door.fetch(schedule_request("NAG", "BOM", MONDAY)).status == 200
    assert [(item.code, item.is_retryable) for item in refusals(parse(refused))] == [("bad_airport", False)]
