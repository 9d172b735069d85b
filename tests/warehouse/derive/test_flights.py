"""Flights between cities, from schedules and fares."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from geopy.distance import great_circle

from schemas.arrow import table_schema
from schemas.region import Airport, Region
from schemas.rows import Built
from warehouse.derive.flights import build_flights

Row = dict[str, Any]
Flights = Callable[..., Built]

NAG = Airport("NAG", "VANP", "Nagpur", 21.0922, 79.0472, "in-nagpur", "nearest city")
HDO = Airport("HDO", "VIDX", "Hindon", 28.7077, 77.3589, "in-delhi", "reviewed")
FLIGHT = {
    "Flight Number": "6E-2031",
    "Airline": "IndiGo",
    "OriginAirport": "DEL",
    "DestAirport": "NAG",
    "DepTime": "22:50",
    "ArrTime": "00:30",
    "arr_day_offset": 1,
    "duration_min": 100,
    "Price": 4799.0,
    "fare_class": "Economy",
    "FlightDate": date(2025, 11, 3),
}
SCHEDULE = FLIGHT | {"Price": None, "fare_class": None}


@pytest.fixture
def flights(region: Region, staged: Any) -> Flights:
    """`flights(row, ..., fares=[row, ...])`: the flights of schedules, and of fares of a less trusted source."""
    served = replace(region, airports=(*region.airports, NAG, HDO))

    def build(*rows: Row, fares: tuple[Row, ...] = ()) -> Built:
        return build_flights([staged("flights", *rows), staged("flights", *fares, source="two")], served)

    return build


def _rejected(built: Built) -> list[tuple[str, str]]:
    return [(row["code"], row["column"]) for row in built.quarantine.to_pylist()]


def test_a_flight_has_the_cities_of_its_airports_their_distance_and_its_duration_in_words(flights: Flights) -> None:
    built = flights(FLIGHT)
    (row,) = built.rows.to_pylist()
    assert (row["OriginCityName"], row["DestCityName"]) == ("Delhi", "Nagpur")
    assert row["ActualElapsedTime"] == "1 hours 40 minutes"
    kilometres = great_circle((28.5665, 77.1031), (NAG.latitude, NAG.longitude)).km
    assert row["Distance"] == pytest.approx(kilometres, rel=1e-9)
    assert (row["evaluator_visible"], row["OnTimePerformance"]) == (True, None)
    assert built.rows.schema == table_schema("flights")


@pytest.mark.parametrize("code", ["IXZ", "LHR"])
def test_a_flight_to_an_airport_of_no_city_stays_hidden_and_the_airport_is_listed(flights: Flights, code: str) -> None:
    built = flights(FLIGHT | {"DestAirport": code})
    (row,) = built.rows.to_pylist()
    assert (row["DestCityName"], row["evaluator_visible"]) == (None, False)
    assert built.notes.unmapped == {"airports": {code: 1}}


@pytest.mark.parametrize(
    ("change", "code", "column"),
    [
        ({"duration_min": 101}, "times_contradict_duration", "duration_min"),
        ({"arr_day_offset": 0}, "times_contradict_duration", "duration_min"),
        ({"ArrTime": "23:19", "arr_day_offset": 0, "duration_min": 29}, "impossible_duration", "duration_min"),
        ({"ArrTime": "08:51", "duration_min": 601}, "impossible_duration", "duration_min"),
        ({"DestAirport": "HDO"}, "same_city", "DestAirport"),
        ({"FlightDate": None}, "no_day", "FlightDate"),
        ({"Flight Number": None}, "required", "Flight Number"),
        ({"OriginAirport": None}, "required", "OriginAirport"),
    ],
)
def test_a_flight_that_cannot_be_true_is_quarantined(flights: Flights, change: Row, code: str, column: str) -> None:
    built = flights(FLIGHT | change)
    assert (_rejected(built), len(built.rows)) == ([(code, column)], 0)


def test_a_fare_of_the_same_number_route_and_day_replaces_a_schedule_without_one(flights: Flights) -> None:
    built = flights(SCHEDULE, fares=(FLIGHT,))
    (row,) = built.rows.to_pylist()
    assert (row["Price"], row["source"]) == (4799.0, "two")
    (merge,) = built.merges.to_pylist()
    assert (merge["source"], merge["into_source"], merge["rule"]) == ("one", "two", "same_flight")


def test_a_fare_that_lacks_times_gives_its_price_to_the_schedule(flights: Flights) -> None:
    fare = FLIGHT | {"ArrTime": None, "duration_min": None, "arr_day_offset": None}
    (row,) = flights(SCHEDULE, fares=(fare, fare | {"Price": 4200.0, "fare_class": "Saver"})).rows.to_pylist()
    assert (row["source"], row["Price"], row["fare_class"], row["ArrTime"]) == ("one", 4200.0, "Saver", "00:30")


def test_a_schedule_keeps_its_own_fare(flights: Flights) -> None:
    (row,) = flights(FLIGHT, fares=(FLIGHT | {"Price": 1.0},)).rows.to_pylist()
    assert (row["source"], row["Price"]) == ("one", 4799.0)


@pytest.mark.parametrize(
    "change", [{"Flight Number": "6E-2032"}, {"FlightDate": date(2025, 11, 4)}, {"OriginAirport": "LHR"}]
)
def test_flights_of_another_number_day_or_route_are_others(flights: Flights, change: Row) -> None:
    built = flights(SCHEDULE, fares=(FLIGHT | change,))
    assert (len(built.rows), len(built.merges)) == (2, 0)


def test_a_number_with_leading_zeros_is_the_one_without(flights: Flights) -> None:
    built = flights(FLIGHT | {"Flight Number": "AI-0062"}, FLIGHT | {"Flight Number": "AI-62"})
    assert (built.rows["Flight Number"].to_pylist(), len(built.merges)) == (["AI-62"], 1)


def test_a_weekly_flight_is_told_by_its_days_and_departure(flights: Flights) -> None:
    weekly = FLIGHT | {"FlightDate": None, "days_of_operation": "1111100"}
    later = weekly | {"DepTime": "22:55", "ArrTime": "00:35"}
    assert len(flights(weekly, weekly, later, weekly | {"days_of_operation": "0000011"}).rows) == 3
