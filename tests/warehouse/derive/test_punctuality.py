"""Ratings of flights, and what the flights say of them."""

import json
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from schemas.arrow import table_schema
from warehouse.derive.punctuality import build_flight_ratings, with_punctuality

Row = dict[str, Any]
RATING = {
    "Flight Number": "AA-1295",
    "OriginAirport": "DEL",
    "DestAirport": "NAG",
    "observations": 60,
    "on_time": 49,
    "late": 0,
    "very_late": 5,
    "excessive": 5,
    "cancelled": 1,
    "diverted": 0,
    "delay_observations": 20,
    "codeshares": 0,
    "delay_mean_min": 75.0,
    "delay_std_min": 195.23309,
    "delay_max_min": 908.0,
}
ALL_ON_TIME = {"observations": 5, "on_time": 5, "very_late": 0, "excessive": 0, "cancelled": 0, "delay_observations": 0}
NO_DELAYS = dict.fromkeys(("delay_mean_min", "delay_std_min", "delay_max_min"))


def _flights(*changes: Row) -> pa.Table:
    schema = pa.schema([field.with_nullable(True) for field in table_schema("flights")])
    route = {name: RATING[name] for name in ("Flight Number", "OriginAirport", "DestAirport")}
    rows = [dict.fromkeys(schema.names) | route | change for change in changes]
    return pa.Table.from_pylist(rows, schema=schema)


def _told(staged: Any, change: Row) -> tuple[Any, Any]:
    ratings = build_flight_ratings([staged("flight_ratings", RATING | change)]).rows
    (row,) = with_punctuality(_flights({}), ratings).to_pylist()
    return tuple(text and json.loads(text) for text in (row["OnTimePerformance"], row["DelayStats"]))


def test_a_rating_is_told_in_the_words_of_the_contract(staged: Any) -> None:
    on_time, delays = _told(staged, {})
    assert on_time == {
        "total_flights": 60,
        "on_time": 49,
        "late": 0,
        "very_late": 5,
        "excessive": 5,
        "cancelled": 1,
        "diverted": 0,
        "on_time_percent": 81.7,
    }
    assert delays == {"avg_delay_min": 75.0, "std_delay_min": 195.23309, "max_delay_min": 908.0}


@pytest.mark.parametrize(
    "change",
    [
        {"observations": 4, "on_time": 4, "very_late": 0, "excessive": 0, "cancelled": 0},
        {"on_time": 48},
        {"cancelled": None},
        {"delay_mean_min": None},
        {"delay_max_min": None},
        {"delay_max_min": 74.0},
        NO_DELAYS,
    ],
)
def test_a_rating_too_thin_or_at_odds_with_itself_is_no_rating(staged: Any, change: Row) -> None:
    assert _told(staged, change) == (None, None)


def test_five_flights_are_enough_and_where_none_was_late_there_is_no_mean(staged: Any) -> None:
    on_time, delays = _told(staged, ALL_ON_TIME | NO_DELAYS)
    assert (on_time["total_flights"], on_time["on_time_percent"]) == (5, 100.0)
    assert delays == {"avg_delay_min": None, "std_delay_min": None, "max_delay_min": None}


def test_a_single_delay_deviates_by_nothing(staged: Any) -> None:
    change = {"on_time": 58, "very_late": 1, "excessive": 0, "delay_observations": 1, "delay_std_min": None}
    assert _told(staged, change)[1]["std_delay_min"] == 0.0
    assert _told(staged, change | {"delay_observations": 2})[1]["std_delay_min"] is None


def test_a_rating_belongs_to_its_number_and_route_on_every_day(staged: Any) -> None:
    ratings = build_flight_ratings([staged("flight_ratings", RATING)]).rows
    days = [{"FlightDate": date(2025, 11, day)} for day in (3, 4)]
    flights = _flights(*days, {"DestAirport": "BOM"}, {"Flight Number": "AA-1296"})
    told = with_punctuality(flights, ratings)["OnTimePerformance"].to_pylist()
    assert [text is not None for text in told] == [True, True, False, False]


def test_a_rating_sold_wholly_by_another_airline_is_quarantined(staged: Any) -> None:
    built = build_flight_ratings([staged("flight_ratings", RATING | {"codeshares": 60}, RATING | {"codeshares": 59})])
    assert (built.quarantine["code"].to_pylist(), len(built.rows)) == (["codeshare"], 1)


def test_of_two_ratings_of_a_route_the_newer_stays(staged: Any) -> None:
    rows = [RATING | {"observed_at": date(2026, 3, day), "observations": 60 + day} for day in (2, 1)]
    built = build_flight_ratings([staged("flight_ratings", *rows)])
    assert (built.rows["observations"].to_pylist(), len(built.merges)) == ([62], 1)
