"""Buses between cities."""

from typing import Any

import pytest

from schemas.arrow import table_schema
from schemas.region import Region
from schemas.rows import Built
from warehouse.derive.buses import build_buses

Row = dict[str, Any]
BUS = {
    "Operator": "Own Travels",
    "BusType": "AC Sleeper",
    "bus_type_text": "A/C Sleeper (2+1)",
    "origin_name": "Bangalore",
    "destination_name": "Nagpur",
    "DepTime": "18:00",
    "ArrTime": "12:30",
    "arr_day_offset": 1,
    "duration_min": 1110,
    "Price": 1400.0,
}


def _rejected(built: Built) -> list[tuple[str, str]]:
    return [(row["code"], row["column"]) for row in built.quarantine.to_pylist()]


def test_places_lead_to_cities_by_name_alias_and_state(region: Region, staged: Any) -> None:
    twin = BUS | {"origin_name": "Aurangabad", "origin_state": "Bihar"}
    built = build_buses([staged("buses", BUS, twin)], region)
    assert built.rows["OriginCityName"].to_pylist() == ["Aurangabad Bihar", "Bengaluru"]
    assert built.rows["DestCityName"].to_pylist() == ["Nagpur", "Nagpur"]
    assert built.rows.schema == table_schema("buses")


@pytest.mark.parametrize("place", ["Atlantis", "Aurangabad", "Nagpur Rural", None])
def test_a_bus_from_no_city_of_the_region_stays_hidden_and_the_place_is_listed(
    region: Region, staged: Any, place: str | None
) -> None:
    built = build_buses([staged("buses", BUS | {"origin_name": place})], region)
    (row,) = built.rows.to_pylist()
    assert (row["OriginCityName"], row["missing"]) == (None, ["OriginCityName"])
    assert built.notes.unmapped == ({"cities": {place: 1}} if place else {})


@pytest.mark.parametrize(
    ("change", "code", "column"),
    [
        ({"duration_min": 1050}, "times_contradict_duration", "duration_min"),
        ({"ArrTime": "18:05", "arr_day_offset": 0, "duration_min": 5}, "impossible_duration", "duration_min"),
        ({"destination_name": "Bengaluru"}, "same_city", "destination_name"),
        ({"Operator": None}, "required", "Operator"),
    ],
)
def test_a_bus_that_cannot_be_true_is_quarantined(
    region: Region, staged: Any, change: Row, code: str, column: str
) -> None:
    built = build_buses([staged("buses", BUS | change)], region)
    assert (_rejected(built), len(built.rows)) == ([(code, column)], 0)


def test_one_bus_told_twice_is_one_with_the_lower_fare(region: Region, staged: Any) -> None:
    dearer = BUS | {"origin_name": "Bengaluru", "Operator": "OWN TRAVELS", "Price": 1500.0}
    built = build_buses([staged("buses", dearer, BUS, BUS | {"Price": None})], region)
    assert (built.rows["Price"].to_pylist(), len(built.merges)) == ([1400.0], 2)


@pytest.mark.parametrize("change", [{"BusType": "AC Seater"}, {"DepTime": "18:30", "ArrTime": "13:00"}])
def test_another_kind_or_departure_is_another_bus(region: Region, staged: Any, change: Row) -> None:
    assert len(build_buses([staged("buses", BUS, BUS | change)], region).rows) == 2


def test_a_bus_of_an_unknown_kind_stays_hidden_with_the_words_of_its_source(region: Region, staged: Any) -> None:
    built = build_buses([staged("buses", BUS | {"BusType": None, "bus_type_text": "Deluxe"})], region)
    (row,) = built.rows.to_pylist()
    assert (row["bus_type_text"], row["missing"]) == ("Deluxe", ["BusType"])
