"""Bugs that public benchmarks and their sources are known for, each by its name; here they cannot happen.

What concerns one derivation in detail stands in its own tests.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from schemas.arrow import table_schema
from schemas.region import Airport, Region, load_region
from schemas.vocab import vocabulary
from warehouse.derive.cities import CityIndex, state_of
from warehouse.derive.crowd_objects import HOURS, Day, average_object
from warehouse.derive.delays import build_train_delays
from warehouse.derive.flights import build_flights
from warehouse.derive.prices import build_cost_of_living
from warehouse.derive.punctuality import build_flight_ratings, with_punctuality
from warehouse.derive.roads import build_distance_matrix
from warehouse.derive.stations import build_stations
from warehouse.derive.stops import build_poi_nearest_stops, build_transit_stops
from warehouse.derive.timetables import build_train_stops
from warehouse.derive.trains import build_trains
from warehouse.quality import gx

Row = dict[str, Any]
INDIA = Path(__file__).parents[3] / "pipeline" / "regions" / "india"
DELHI, NAGPUR = (28.65195, 77.23149), (21.14631, 79.08491)


def _stop(sequence: int, code: str, arrives: str | None, departs: str | None, day: int = 1) -> Row:
    train = {"Train Number": "12976", "Train Name": "Express", "station_name": code, "stop_sequence": sequence}
    return {**train, "station_code": code, "arrives": arrives, "departs": departs, "day": day}


def _rail(code: str, name: str, point: tuple[float, float]) -> Row:
    at = {"latitude": point[0], "longitude": point[1]}
    return {"stop_code": code, "stop_name": name, "stop_mode": "rail", **at}


def _stations(region: Region, staged: Any, *rows: Row) -> pa.Table:
    return build_stations(build_transit_stops([staged("transit_stops", *rows)], region).rows, None, region).rows


def _trains(region: Region, staged: Any, *stops: Row) -> list[Row]:
    stations = _stations(region, staged, _rail("NDLS", "New Delhi", DELHI), _rail("NGP", "Nagpur", NAGPUR))
    timetables = build_train_stops([staged("train_stops", *stops)]).rows
    return list(build_trains(timetables, stations).rows.to_pylist())


def test_arrival_loses_its_day(region: Region, staged: Any) -> None:
    (train,) = _trains(region, staged, _stop(1, "NDLS", None, "18:00"), _stop(2, "NGP", "17:00", None, 2))
    assert (train["arr_day_offset"], train["duration_min"]) == (1, 1380)
    flight = {"Flight Number": "6E-1", "OriginAirport": "DEL", "DestAirport": "NAG", "days_of_operation": "1111111"}
    late = flight | {"DepTime": "23:10", "ArrTime": "00:50", "arr_day_offset": 0, "duration_min": 100}
    assert build_flights([staged("flights", late)], region).quarantine["code"].to_pylist() == [
        "times_contradict_duration"
    ]


def test_delay_over_midnight(staged: Any) -> None:
    """Ten minutes late past midnight, read as 1,430 minutes early."""
    mean = {"Train Number": "12976", "station_code": "NGP", "horizon": "1year", "delay_basis": "given"}
    rows = [mean | {"avg_delay_min": minutes, "horizon": h} for minutes, h in ((-1430.0, "1year"), (721.0, "1week"))]
    built = build_train_delays([staged("train_delays", *rows, mean | {"avg_delay_min": 10.0, "horizon": "1month"})])
    kept, wrong = gx.split(built.rows, "train_delays")
    assert kept["avg_delay_min"].to_pylist() == [10.0]
    assert set(wrong["code"].to_pylist()) == {"value:avg_delay_min"}


def test_null_arrivals_and_journey_day_up_to_13(region: Region, staged: Any) -> None:
    assert _trains(region, staged, _stop(1, "NDLS", None, "18:00"), _stop(2, "NGP", None, None, 2)) == []
    assert _trains(region, staged, _stop(1, "NDLS", None, "18:00"), _stop(2, "NGP", "06:00", None, 13)) == []


def test_station_matched_by_substring_of_the_city(region: Region, staged: Any) -> None:
    rows = [_rail("A", "Nagpur Road Halt", (15.0, 76.0)), _rail("B", "Old Delhi Sarai", (25.0, 80.0))]
    assert _stations(region, staged, *rows)["City"].to_pylist() == [None, None]


def test_city_in_the_wrong_state_and_tiny_namesake(region: Region) -> None:
    index = CityIndex(region)
    assert index.find("Bangalore", "Tamil Nadu") is None
    assert index.find("Aurangabad", "Bihar") == "Aurangabad Bihar"
    assert index.find("Aurangabad") is None


def test_duplicates_by_accent_suffix_and_rename() -> None:
    index = CityIndex(load_region(INDIA))
    assert index.find("Aurangābād Bihar") == index.find("AURANGABAD", "Bihar") == "Aurangabad Bihar"
    assert index.find("Bangalore") == index.find("Bengaluru") == "Bengaluru"


def test_states_out_of_date() -> None:
    assert {"Telangana", "Ladakh", "Dadra and Nagar Haveli and Daman and Diu"} <= set(vocabulary("states").tokens)
    assert len(vocabulary("states").tokens) == 36
    assert (state_of("Orissa"), state_of("Westeros")) == ("Odisha", None)


def test_airports_of_misspelt_or_missing_cities(region: Region, staged: Any) -> None:
    flight = {"Flight Number": "6E-1", "OriginAirport": "DEL", "DestAirport": "IND", "days_of_operation": "1111111"}
    built = build_flights([staged("flights", flight)], region)
    assert (built.rows["DestCityName"].to_pylist(), built.notes.unmapped) == ([None], {"airports": {"IND": 1}})
    served = {airport.iata for airport in load_region(INDIA).airports}
    assert {"DBR", "PAT", "BOM"} <= served


def test_matrix_holes(region: Region) -> None:
    cities = len(region.cities)
    assert len(build_distance_matrix(region).rows) == cities * (cities - 1)


def test_stops_without_a_name(region: Region, staged: Any) -> None:
    nameless = _rail("", "", DELHI) | {"stop_code": None, "stop_name": None, "source_id": "1"}
    stops = build_transit_stops([staged("transit_stops", nameless)], region).rows
    assert (stops["stop_name"].to_pylist(), stops["evaluator_visible"].to_pylist()) == ([None], [False])
    schema = table_schema("attractions")
    nullable = pa.schema([field.with_nullable(True) for field in schema])
    place = {"name": "Red Fort", "City": "Delhi", "place_id": "a:1", "latitude": DELHI[0], "longitude": DELHI[1]}
    marks = {"source": "a", "source_ref": "a#1", "snapshot_id": "f" * 16, "evaluator_visible": True}
    fort = pa.Table.from_pylist([dict.fromkeys(schema.names) | place | marks], schema=nullable)
    assert build_poi_nearest_stops({"attractions": fort}, stops).rows["nearest_stop_name"].to_pylist() == [None]


def test_one_index_and_five_baskets(region: Region, staged: Any) -> None:
    rows = [{"city_name": "Nagpur", "provider": name, "meal_tier1_inr": 200.0} for name in ("Numbeo", "Other")]
    built = build_cost_of_living([staged("cost_of_living", *rows)], region)
    assert built.rows["provider"].to_pylist() == ["Numbeo", "Other"]
    assert not pc.any(pc.is_valid(built.rows["cost_proxy_city"])).as_py()


def test_zero_that_means_unknown(staged: Any) -> None:
    shares = {"runs_right_time": 0.27, "runs_slight": 0, "runs_significant": 0, "runs_unknown": 99.73}
    mean = {"Train Number": "12673", "station_code": "AVD", "horizon": "1year", "delay_basis": "given"}
    row = mean | shares | {"avg_delay_min": 0.0, "runs_unit": "percent"}
    assert build_train_delays([staged("train_delays", row)]).rows["avg_delay_min"].to_pylist() == [None]


def _rating(staged: Any, region: Region, **change: Any) -> Row | None:
    counts = {"on_time": 49, "late": 0, "very_late": 5, "excessive": 5, "cancelled": 1, "diverted": 0}
    route = {"Flight Number": "AA-1295", "OriginAirport": "DEL", "DestAirport": "NAG"}
    delays = {"delay_mean_min": 75.0, "delay_std_min": 195.23309, "delay_max_min": 908.0, "delay_observations": 20}
    row = {**route, "observations": 60, **counts, **delays, "codeshares": 0, **change}
    ratings = build_flight_ratings([staged("flight_ratings", row)]).rows
    nagpur = Airport("NAG", "", "Nagpur", *NAGPUR, "in-nagpur", "nearest city")
    flights = staged("flights", route | {"days_of_operation": "1111111"})
    served = replace(region, airports=(*region.airports, nagpur))
    (flight,) = with_punctuality(build_flights([flights], served).rows, ratings).to_pylist()
    if flight["OnTimePerformance"] is None:
        return None
    return {**json.loads(flight["OnTimePerformance"]), **json.loads(flight["DelayStats"])}


def test_one_extreme_day_rules_the_statistic(region: Region, staged: Any) -> None:
    """The formula and its numbers are kept; a record of too few flights is none."""
    told = _rating(staged, region)
    assert told is not None
    mean, deviation, longest = (told[name] for name in ("avg_delay_min", "std_delay_min", "max_delay_min"))
    assert round(10 / 60 * (mean + deviation) + 1 / 60 * longest, 6) == 60.172182
    thin = {"on_time": 2, "very_late": 1, "excessive": 0, "observations": 4}
    assert _rating(staged, region, **thin) is None


def test_closed_hour_as_999_and_a_bar_that_closes_at_two() -> None:
    levels = dict.fromkeys((*range(18, 24), 0, 1), 1)
    text = average_object(dict.fromkeys(range(1, 8), Day(tuple(levels.get(hour) for hour in HOURS))))
    assert text is not None
    told = json.loads(text)
    assert (told["avg_day"]["cw"], told["o"], told["c"]) == ([[18, 1, "AA"]], 18, 2)


def test_on_time_share_as_fraction_and_as_percent(region: Region, staged: Any) -> None:
    told = _rating(staged, region)
    assert told is not None
    assert told["on_time_percent"] == 81.7
    assert _rating(staged, region, on_time=48) is None
