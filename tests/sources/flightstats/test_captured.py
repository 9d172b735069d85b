"""Answers that somebody saved in 2021, without the addresses that were asked: nothing in them gets lost."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from sources.flightstats.parse import parse
from sources.protocol.types import Parsed
from tests.sources.flightstats.answers import answer, assert_usable, refusals, rows, skipped, unknown

SOLD = "a flight under the number of an airline that only sells it"


@pytest.fixture(scope="module")
def bodies(shared_data: Path) -> list[bytes]:
    path = shared_data / "flights" / "flightstats_schedules_2021-05-10.jsonl"
    return path.read_bytes().splitlines()


@pytest.fixture(scope="module")
def parsed(bodies: list[bytes]) -> list[list[Parsed]]:
    return [list(parse(answer("schedules", body, origin="capture"))) for body in bodies]


@pytest.fixture(scope="module")
def flights(parsed: list[list[Parsed]]) -> list[dict[str, Any]]:
    return [row for items in parsed for row in rows(items)]


def _given(bodies: list[bytes]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for document in map(json.loads, bodies):
        for flight in document["scheduledFlights"]:
            yield document, flight


def test_every_flight_is_a_row_or_a_codeshare(bodies: list[bytes], parsed: list[list[Parsed]]) -> None:
    assert len(bodies) == 2361
    sold = sum(skipped(items).get(SOLD, 0) for items in parsed)
    assert (sum(len(rows(items)) for items in parsed), sold) == (847, 70)
    assert len(list(_given(bodies))) == 917
    assert not [refusal for items in parsed for refusal in refusals(items)]
    # The one field that is not of the provider, but of whoever put the answers into one file.
    assert Counter(path for items in parsed for path in unknown(items)) == {"pair": 2361}
    assert_usable(chain.from_iterable(parsed))


def test_no_codeshare_is_left_and_no_flight_but_under_its_own_number(
    bodies: list[bytes], flights: list[dict[str, Any]]
) -> None:
    expected: Counter[tuple[str, str, str]] = Counter()
    for document, flight in _given(bodies):
        iata = {one["fs"]: one["iata"] for kind in ("airlines", "airports") for one in document["appendix"][kind]}
        if not flight["isCodeshare"]:
            number = f"{iata[flight['carrierFsCode']]}-{int(flight['flightNumber'])}"
            expected[number, iata[flight["departureAirportFsCode"]], iata[flight["arrivalAirportFsCode"]]] += 1
    assert Counter((row["Flight Number"], row["OriginAirport"], row["DestAirport"]) for row in flights) == expected
    assert set(Counter(row["Flight Number"][:2] for row in flights)) == {
        "6E", "AI", "SG", "G8", "9I", "I5", "UK", "2T", "OG", "IX", "KB",
    }  # fmt: skip


def test_times_and_days_are_those_on_the_clocks(flights: list[dict[str, Any]]) -> None:
    assert {row["FlightDate"] for row in flights} == {date(2021, 5, 10)}
    assert Counter(row["arr_day_offset"] for row in flights) == {0: 833, 1: 14}
    for row in flights:
        departs, arrives = (int(row[name][:2]) * 60 + int(row[name][3:]) for name in ("DepTime", "ArrTime"))
        assert row["duration_min"] == arrives + 1440 * row["arr_day_offset"] - departs
    assert (min(row["duration_min"] for row in flights), max(row["duration_min"] for row in flights)) == (30, 205)


def test_an_airport_that_the_provider_knows_by_another_code_has_its_own(flights: list[dict[str, Any]]) -> None:
    assert {"JRG"} <= {row["DestAirport"] for row in flights}
    assert not [row for row in flights if len(row["OriginAirport"]) != 3]
