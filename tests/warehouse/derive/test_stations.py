"""Which city a railway station belongs to."""

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from schemas.region import City, Region, StationReview
from warehouse.derive.stations import build_stations
from warehouse.derive.stops import build_transit_stops
from warehouse.derive.timetables import build_train_stops

# One degree of latitude is 111 km.
DELHI, NAGPUR = (28.65195, 77.23149), (21.14631, 79.08491)


def _city(name: str, latitude: float, longitude: float, population: int) -> City:
    return City(f"in-{name.lower()}", 1, name, "Delhi", latitude, longitude, population, "Asia/Kolkata", (), False)


@pytest.fixture(scope="module")
def region(region: Region) -> Region:
    towns = (
        _city("Noida", 28.58, 77.31, 640_000),
        _city("Metropolis", 20.0, 75.0, 6_000_000),
        _city("Rampur", 26.0, 80.0, 100_000),
        _city("Hubli", 15.0, 75.0, 1_000_000),
    )
    return replace(region, cities=(replace(region.cities[0], population=11_000_000), *region.cities[1:], *towns))


def _station(code: str, name: str | None, point: tuple[float, float] | None = None) -> dict[str, Any]:
    latitude, longitude = point or (None, None)
    at = {"latitude": latitude, "longitude": longitude}
    return {"stop_code": code, "stop_name": name, "stop_mode": "rail", "source_id": code, **at}


def _stations(region: Region, staged: Any, *rows: dict[str, Any], calls: pa.Table | None = None) -> dict[str, Any]:
    stops = build_transit_stops([staged("transit_stops", *rows)], region).rows
    return {row["station_code"]: row for row in build_stations(stops, calls, region).rows.to_pylist()}


def test_a_station_that_bears_the_name_of_a_city_near_it_is_the_city_s(region: Region, staged: Any) -> None:
    at = (NAGPUR[0] + 0.15, NAGPUR[1])
    found = _stations(region, staged, _station("NGP", "NAGPUR JN.", at), _station("X", "Nagpur", (12.0, 76.0)))
    assert (found["NGP"]["City"], found["NGP"]["city_rule"]) == ("Nagpur", "name, 17 km")
    assert found["X"]["City"] is None
    assert found["X"]["evaluator_visible"] is False


@pytest.mark.parametrize("name", ["Delhi Cantt", "New Delhi", "DELHI JN", "Delhi City Terminus"])
def test_what_a_name_says_of_the_station_itself_does_not_count(region: Region, staged: Any, name: str) -> None:
    at = (DELHI[0] + 0.17, DELHI[1])
    assert _stations(region, staged, _station("A", name, at))["A"]["city_rule"] == "name, 19 km"


@pytest.mark.parametrize(("km", "city"), [(19.5, "Metropolis"), (20.5, None)])
def test_the_reach_of_a_city_grows_with_its_inhabitants(region: Region, staged: Any, km: float, city: str) -> None:
    found = _stations(region, staged, _station("A", "Anywhere", (20.0 + km / 111.19, 75.0)))
    assert found["A"]["City"] == city


@pytest.mark.parametrize(("km", "city"), [(6.5, "Rampur"), (7.5, None)])
def test_a_small_city_reaches_seven_kilometres(region: Region, staged: Any, km: float, city: str) -> None:
    assert _stations(region, staged, _station("A", "Anywhere", (26 + km / 111.19, 80.0)))["A"]["City"] == city


@pytest.mark.parametrize(("km", "city"), [(11.5, "Hubli"), (12.5, None)])
def test_a_city_of_a_million_reaches_twelve_kilometres(region: Region, staged: Any, km: float, city: str) -> None:
    assert _stations(region, staged, _station("A", "Anywhere", (15 + km / 111.19, 75.0)))["A"]["City"] == city


def test_between_two_cities_that_counts_of_whose_reach_it_is_the_smaller_part(region: Region, staged: Any) -> None:
    found = _stations(region, staged, _station("NZM", "DELHI H NIZAMUDDIN", (28.588, 77.2534)))
    assert (found["NZM"]["City"], found["NZM"]["city_rule"]) == ("Delhi", "nearest city, 7 km")


def test_a_review_is_believed_before_any_rule(region: Region, staged: Any) -> None:
    reviews = (StationReview("A", "", "a yard"), StationReview("B", "in-delhi", "its only station"))
    reviewed = replace(region, stations=reviews)
    found = _stations(reviewed, staged, _station("A", "Nagpur", NAGPUR), _station("B", "Far Away"))
    assert (found["A"]["City"], found["A"]["city_rule"]) == (None, "reviewed: a yard")
    assert (found["B"]["City"], found["B"]["city_rule"]) == ("Delhi", "reviewed: its only station")


def test_a_station_of_no_city_tells_the_nearest_one(region: Region, staged: Any) -> None:
    found = _stations(region, staged, _station("A", "Anywhere", (26.3, 80.0)), _station("B", "Delhi"))
    assert found["A"]["city_rule"] == "no city of the region is near: Rampur is 33 km away"
    assert (found["B"]["City"], found["B"]["city_rule"]) == (None, "no position is known")


def test_a_code_of_today_has_the_point_of_its_former_one(region: Region, staged: Any) -> None:
    found = _stations(region, staged, _station("VGLJ", "V Lakshmibai"), _station("JHS", "Jhansi Jn", NAGPUR))
    assert list(found) == ["VGLJ"]
    assert (found["VGLJ"]["station_name"], found["VGLJ"]["City"]) == ("V Lakshmibai", "Nagpur")
    assert found["VGLJ"]["latitude"] == NAGPUR[0]


def test_a_station_that_only_timetables_name_is_there_without_a_city(region: Region, staged: Any) -> None:
    train = {"Train Number": "12976", "Train Name": "One", "stop_sequence": 1, "day": 1, "departs": "10:00"}
    calls = build_train_stops([staged("train_stops", {**train, "station_code": "NIL", "station_name": "Nilje"})]).rows
    found = _stations(region, staged, _station("NGP", "Nagpur", NAGPUR), calls=calls)
    assert (found["NIL"]["station_name"], found["NIL"]["city_rule"]) == ("Nilje", "no position is known")
    assert found["NIL"]["source"] == "one"


def test_stops_of_other_modes_and_without_a_code_are_no_stations(region: Region, staged: Any) -> None:
    metro = _station("NGP", "Nagpur", NAGPUR) | {"stop_mode": "metro"}
    nameless = _station("", "Nagpur", NAGPUR) | {"stop_code": None}
    assert _stations(region, staged, metro, nameless, _station("XX-1", "Yard", NAGPUR)) == {}


def test_a_region_without_cities_has_stations_of_no_city(region: Region, staged: Any) -> None:
    found = _stations(replace(region, cities=()), staged, _station("NGP", "Nagpur", NAGPUR))
    assert found["NGP"]["City"] is None
