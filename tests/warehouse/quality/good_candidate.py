"""A small candidate in which every table of the warehouse has rows and every check passes.

Three cities; each table has a row that differs from the plain case where one exists: a hidden row, a night flight, a
house without rules, a pair without a road. Facts are made up but for the cities.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from geopy.distance import great_circle

from schemas.arrow import table_schema
from schemas.tables import TABLES, table
from warehouse.quality.candidate import Account, Candidate

POINTS = {"Jaipur": (26.91962, 75.78781), "Nagpur": (21.14631, 79.08491), "Kochi": (9.93988, 76.26022)}
DAY = date(2025, 11, 3)

Row = dict[str, Any]


def _at(city: str) -> Row:
    return {"latitude": POINTS[city][0], "longitude": POINTS[city][1]}


def _city(name: str, state: str, city_id: str, **more: Any) -> Row:
    return {"City": name, "State": state, "city_id": city_id, **_at(name), "time_zone": "Asia/Kolkata", **more}


def _airport(iata: str, name: str, city: str | None) -> Row:
    rule = "nearest city" if city else "no city of the region is near"
    return {"iata": iata, "airport_name": name, "City": city, "city_rule": rule, **_at(city or "Kochi")}


def _place(name: str, city: str | None, place_id: str, **more: Any) -> Row:
    common = {"name": name, "City": city, "place_id": place_id, "source_name": name, "name_hazard": False}
    return {**common, **(_at(city) if city else {}), "rating": 4.2, "address": f"1 Main Road, {city}", **more}


def _attraction(name: str, city: str, place_id: str, hours: float, categories: list[str], **more: Any) -> Row:
    minutes = round(60 * hours)
    return (
        _place(name, city, place_id, subcategories=categories, visit_duration=hours, visit_duration_min=minutes) | more
    )


def _restaurant(name: str, city: str, place_id: str, tier: int, cost: float, method: str, **more: Any) -> Row:
    prices = {"price_tier": tier, "avg_cost": cost, "avg_cost_method": method}
    return _place(name, city, place_id, cuisines=["Indian Subcontinent"], locality="Old Town", **prices) | more


def _house(name: str, city: str, place_id: str, rules: list[str], **more: Any) -> Row:
    common = {"price_per_night": 2500.0, "max_occupancy": 2, "house_type": "Family_Friendly", "house_rules": rules}
    return _place(name, city, place_id, **common, property_type="Hotel") | more


def _hours(place: Row, weekday: int, opens: str | None, closes: str | None, offset: int | None = 0, **more: Any) -> Row:
    where = {"poi_type": "attraction", "place_id": place["place_id"], "City": place["City"], "weekday": weekday}
    times = {"opens": opens, "closes": closes, "closes_day_offset": offset}
    return {**where, "hours_state": "open", **times, **more}


def _crowd(place: Row, weekday: int, levels: list[int | None] | None, **more: Any) -> Row:
    where = {"poi_type": "attraction", "asked_place_id": place["place_id"], "venue_id": "ven_1", "weekday": weekday}
    return {**where, "day_state": "open" if levels else "closed", "hourly_levels": levels, **more}


def _event(name: str, url: str, city: str, day: date = DAY) -> Row:
    dates = {"event_date": day, "dateTitle": day.strftime("%d-%m-%Y")}
    return {
        "name": name,
        "url": url,
        "streetAddress": "Hall 1",
        "segmentName": "Music",
        "city": city,
        "City": city,
    } | dates


def _ride(origin: str, destination: str, dep: str, arr: str, offset: int, minutes: int) -> Row:
    clock = {"DepTime": dep, "ArrTime": arr, "arr_day_offset": offset, "duration_min": minutes}
    return {"OriginCityName": origin, "DestCityName": destination, **clock}


def _flight(number: str, airports: str, ride: Row, elapsed: str, **more: Any) -> Row:
    ends = dict(zip(("OriginAirport", "DestAirport"), airports.split(), strict=True))
    fare = {"Price": 4200.0, "fare_class": "Economy", "Distance": 715.0, "ActualElapsedTime": elapsed}
    return {"Flight Number": number, "Airline": "IndiGo", **ends, **ride, **fare, **more}


def _train(number: str, name: str, ride: Row, **more: Any) -> Row:
    return {"Train Number": number, "Train Name": name, "OriginStation": "NGP", "DestStation": "JP", **ride, **more}


def _train_stop(number: str, sequence: int, code: str, arrives: str | None, departs: str | None, day: int = 1) -> Row:
    train = {"Train Number": number, "Train Name": "Jaipur Express", "stop_sequence": sequence, "day": day}
    return {**train, "station_code": code, "station_name": code, "arrives": arrives, "departs": departs}


def _mean_delay(number: str, horizon: str, minutes: float | None, runs: tuple[float, ...]) -> Row:
    counts = zip(("runs_right_time", "runs_slight", "runs_significant", "runs_unknown"), runs, strict=True)
    where = {"Train Number": number, "station_code": "JP", "horizon": horizon, "avg_delay_min": minutes}
    return {**where, **dict(counts), "runs_unit": "percent", "delay_basis": "given"}


def _rating(number: str, observations: int, outcomes: tuple[int, ...], **more: Any) -> Row:
    names = ("on_time", "late", "very_late", "excessive", "cancelled", "diverted")
    route = {"Flight Number": number, "OriginAirport": "COK", "DestAirport": "JAI", "observations": observations}
    return {**route, **dict(zip(names, outcomes, strict=True)), **more}


def _stop(poi_type: str, place: Row, stop_id: str, stop_name: str, metres: float) -> Row:
    poi = {"PoI": place["name"], "City": place["City"], "place_id": place["place_id"], "poi_type": poi_type}
    distance = {"nearest_stop_distance": metres, "nearest_stop_distance_km": round(metres / 1000, 3)}
    return {**poi, "nearest_stop_id": stop_id, "nearest_stop_name": stop_name, **distance}


def _pair(origin: str, destination: str, status: str = "not_asked", **road: Any) -> Row:
    kilometres = great_circle(POINTS[origin], POINTS[destination]).km
    return {"origin": origin, "destination": destination, "great_circle_km": kilometres, "road_status": status, **road}


def _delay(origin: str, destination: str, free: float, historical: float, delay: float) -> Row:
    times = {"free_flow_travel_time_min": free, "historical_travel_time_min": historical}
    sums = {"estimated_historical_delay_min": delay, "total_travel_time_min": free}
    return {"origin": origin, "destination": destination, **times, **sums}


# Open from 09:00 to 02:00, quiet at first, crowded at night.
_LEVELS = [*[None] * 3, *[-2] * 4, *[0] * 6, *[2] * 7, *[None] * 4]
_CROWD_WINDOWS = [[9, 12, "L"], [13, 18, "A"], [19, 1, "H"]]
_CROWD = {"cw": _CROWD_WINDOWS, "q": [9, 10], "p": [21, 1]}
_AVERAGE_CROWD = json.dumps({"o": 9, "c": 2, "avg_day": _CROWD})
_WEEK_CROWD = json.dumps({"days": {"Mon": {"o": 9, "c": 2, **_CROWD}, "Sun": {"o": 9, "c": 13, "cw": [[9, 12, "L"]]}}})

_FORT = _attraction("Amber Fort", "Jaipur", "own:a1", 3.0, ["Sights & Landmarks", "Museums"]) | {
    "besttime_analysis": _WEEK_CROWD,
    "avg_besttime_analysis": _AVERAGE_CROWD,
}
_FOLKLORE = _attraction(
    "Kerala Folklore Museum", "Kochi", "own:a2", 7 / 3, ["Classes & Workshops", "Concerts & Shows", "Museums"]
)
_LAKE = _attraction("Ambazari Lake", "Nagpur", "own:a3", 4.5, ["Nature & Parks"], address=None)
# A restaurant and a house of one name, city and id: ids are unique within a table only.
_MEWAR = _restaurant("Hotel Mewar", "Jaipur", "own:1", 2, 400.0, "tier_x_index")
_LAXMI = _restaurant("Laxmi Sweets", "Jaipur", "own:2", 1, 200.0, "tier_x_index")
_KASHI = _restaurant("Kashi Art Cafe", "Kochi", "own:3", 2, 350.0, "observed", avg_besttime_analysis=_AVERAGE_CROWD)
_UNRATED = _restaurant("Haldiram", "Nagpur", "own:4", 1, 150.0, "observed", rating=None)
_MEWAR_ROOMS = _house("Hotel Mewar", "Jaipur", "own:1", ["No_Smoking", "No_Pets"]) | {
    "services": ["Cleaning_Laundry"],
    "facilities_amenities": ["Dining_Drinks"],
    "lodging_evidence": [
        "house_type=Family_Friendly: Family Rooms",
        "house_rules=No_Smoking: Non-smoking hotel",
        "facilities_amenities=Dining_Drinks: Restaurant",
        "services=Cleaning_Laundry: Laundry Service",
        "max_occupancy=2: Hotel",
    ],
}
_HOMESTAY = _house("Fort Homestay", "Kochi", "own:h2", [], name_hazard=True)
_UNPRICED = _house("Lake Rooms", "Nagpur", "own:h4", [], price_per_night=None)
_NOWHERE = _house("Palm Resort", None, "own:h3", ["No_Pets"])

_BY_DAY, _NIGHT = ("10:00", "11:40", 0, 100), ("23:10", "00:50", 1, 100)
_OVERNIGHT, _TWO_NIGHTS = ("18:00", "03:30", 1, 570), ("18:00", "06:45", 2, 2205)
_ON_TIME = (
    '{"total_flights": 60, "on_time": 44, "late": 9, "very_late": 4, "excessive": 2, "cancelled": 1, "diverted": 0, '
    '"on_time_percent": 73.3}'
)
_DELAYS = '{"avg_delay_min": 40, "std_delay_min": 20, "max_delay_min": 180}'

_ROWS: dict[str, list[Row]] = {
    "city_set": [
        _city("Jaipur", "Rajasthan", "in-jaipur", uncertainty_city=True, coverage=["restaurants", "flights"]),
        _city("Nagpur", "Maharashtra", "in-nagpur", uncertainty_city=False, coverage=[]),
        _city("Kochi", "Kerala", "in-kochi", uncertainty_city=True, aliases=["Cochin"], coverage=["events"]),
    ],
    "airports": [
        _airport("JAI", "Jaipur International", "Jaipur"),
        _airport("NAG", "Nagpur International", "Nagpur"),
        _airport("COK", "Cochin International", "Kochi"),
        _airport("QQJ", "Jaipur Old Field", "Jaipur"),
        _airport("AGX", "Agatti Island", None),
    ],
    "cost_of_living": [
        {"City": "Jaipur", "provider": "Numbeo", "as_of": DAY, "city_name": "Jaipur", "meal_tier1_inr": 200.0}
        | {"fx_rate": 81.43, "fx_as_of": DAY},
        {"City": "Kochi", "provider": "Numbeo", "as_of": DAY, "city_name": "Cochin", "meal_tier1_inr": 180.0},
        {"City": None, "provider": "Numbeo", "as_of": DAY, "city_name": "Mangalore", "contributors": 12},
    ],
    "attractions": [_FORT, _FOLKLORE, _LAKE],
    "restaurants": [_MEWAR, _LAXMI, _KASHI, _UNRATED],
    "accommodations": [_MEWAR_ROOMS, _HOMESTAY, _NOWHERE, _UNPRICED],
    "place_hours": [
        _hours(_FORT, 1, "08:00", "12:00"),
        _hours(_FORT, 1, "18:30", "00:30", 1),
        _hours(_FORT, 2, None, None, None, hours_state="closed"),
        _hours(_LAKE, 7, "06:00", "06:00", 1),
        _hours(_NOWHERE, 3, "10:00", "20:00", poi_type="accommodation"),
    ],
    "venue_crowd": [
        _crowd(_FORT, 1, _LEVELS, quiet_hours=[9, 10], peak_start_hour=21, peak_end_hour=1),
        _crowd(_FORT, 2, None),
        _crowd(_NOWHERE, 3, None, poi_type="accommodation", day_state="unknown", venue_id="ven_2"),
    ],
    "events": [
        _event("Evening Ragas", "https://example.org/e/1", "Kochi"),
        _event("Morning Ragas", "https://example.org/e/2", "Kochi"),
        _event("Morning Ragas", "https://example.org/e/2", "Kochi", date(2025, 11, 4)),
    ],
    "flights": [
        _flight("6E-284", "JAI NAG", _ride("Jaipur", "Nagpur", *_BY_DAY), "1 hours 40 minutes", FlightDate=DAY),
        _flight(
            "6E-284", "JAI NAG", _ride("Jaipur", "Nagpur", *_BY_DAY), "1 hours 40 minutes", FlightDate=date(2025, 11, 4)
        ),
        _flight(
            *("6E-91", "COK JAI", _ride("Kochi", "Jaipur", *_NIGHT), "1 hours 40 minutes"),
            days_of_operation="1111100",
            OnTimePerformance=_ON_TIME,
            DelayStats=_DELAYS,
        ),
    ],
    "flight_ratings": [
        _rating("6E-91", 60, (44, 9, 4, 2, 1, 0), delay_observations=20, codeshares=0, delay_mean_min=40.0),
        _rating("6E-92", 4, (4, 0, 0, 0, 0, 0)),
    ],
    "stations": [
        {"station_code": "NGP", "station_name": "Nagpur", "City": "Nagpur", "city_rule": "name, 1 km"},
        {"station_code": "JP", "station_name": "Jaipur Jn", "City": "Jaipur", "city_rule": "name, 1 km"},
        {"station_code": "ON", "station_name": "Old Nagar", "City": None, "city_rule": "no position is known"},
    ],
    "train_stops": [
        _train_stop("12976", 1, "NGP", None, "18:00"),
        # Midnight falls into the halt.
        _train_stop("12976", 2, "ON", "23:55", "00:05"),
        _train_stop("12976", 3, "JP", "06:45", None, day=3),
    ],
    "train_delays": [
        _mean_delay("12976", "1month", 12.0, (60.0, 30.0, 9.9, 0.1)),
        _mean_delay("12976", "1week", None, (0.27, 0.0, 0.0, 99.73)),
        _mean_delay("12976", "1year", -3.5, (89.9, 0.0, 0.0, 10.1)),
    ],
    "trains": [
        _train("01064", "Nagpur Jaipur Special", _ride("Nagpur", "Jaipur", *_OVERNIGHT), classes=["SL", "3A"]),
        _train("12976", "Jaipur Express", _ride("Nagpur", "Jaipur", *_TWO_NIGHTS), avg_delay_1month=12.0),
    ],
    "buses": [
        {"Operator": "Own Travels", "BusType": "AC Sleeper", "Price": 900.0, **_ride("Nagpur", "Jaipur", *_OVERNIGHT)},
        {"Operator": "Our Travels", "BusType": "AC Sleeper", "Price": 950.0, **_ride("Nagpur", "Jaipur", *_OVERNIGHT)},
    ],
    "transit_stops": [
        {"stop_id": "rail:JP", "stop_name": "Jaipur Junction", "stop_mode": "rail", "stop_code": "JP", **_at("Jaipur")},
        {"stop_id": "rail:ERN", "stop_name": "Ernakulam Town", "stop_mode": "rail", "stop_code": "ERN", **_at("Kochi")},
        {"stop_id": "rail:NAN", "stop_name": "Nandani", "stop_mode": "rail", "stop_code": "NAN"},
    ],
    "poi_nearest_stops": [
        _stop("attraction", _FORT, "rail:JP", "Jaipur Junction", 10861.4),
        _stop("attraction", _FOLKLORE, "rail:ERN", "Ernakulam Town", 6112.5),
        _stop("restaurant", _MEWAR, "rail:JP", "Jaipur Junction", 112.5),
        _stop("restaurant", _LAXMI, "rail:JP", "Jaipur Junction", 841.96),
        _stop("restaurant", _KASHI, "rail:ERN", "Ernakulam Town", 0.0),
        _stop("accommodation", _MEWAR_ROOMS, "rail:JP", "Jaipur Junction", 112.5),
        _stop("accommodation", _HOMESTAY, "rail:ERN", "Ernakulam Town", 5300.0),
    ],
    "distance_matrix": [
        _pair("Jaipur", "Nagpur", "ok", distance_km=890.0, duration_min=960, road_feasible=True),
        _pair("Nagpur", "Jaipur", "ok", distance_km=895.0, duration_min=970, road_feasible=True),
        _pair("Jaipur", "Kochi", "ok", distance_km=2400.0, duration_min=2600, road_feasible=False),
        _pair("Kochi", "Jaipur", "no_route", road_feasible=False),
        _pair("Nagpur", "Kochi"),
        _pair("Kochi", "Nagpur"),
    ],
    "road_delay": [
        _delay("Jaipur", "Nagpur", 900.0, 945.5, 45.5),
        _delay("Nagpur", "Jaipur", 910.0, 905.0, 0.0),
    ],
}

FLOORS = {
    "city_set": {"min_rows": 3, "min_visible": 3, "min_cities": 3, "min_states": 3},
    "restaurants": {"min_visible": 3, "min_cities": 2, "max_quarantined_share": 0.5},
    "distance_matrix": {"min_pairs": 5},
}


def good_tables() -> dict[str, pa.Table]:
    """Return the rows of every table, in its published schema and with its marks set."""
    return dict(_good_tables())


@cache
def _good_tables() -> dict[str, pa.Table]:
    return {name: rows_of(name, _ROWS[name]) for name in TABLES}


def rows_of(name: str, rows: list[Row]) -> pa.Table:
    """Complete rows of one table with the marks that each carries, by the words of the contract and no code of ours."""
    marked = []
    for number, row in enumerate(rows):
        missing = [column for column in table(name).required if row.get(column) is None]
        marks = {
            "source": f"own_{name}",
            "source_ref": f"{name}.csv#{number + 1}",
            "snapshot_id": "0123456789abcdef",
            "value_class": "observed",
            "evaluator_visible": not missing,
            "missing": missing,
        }
        marked.append(marks | row)
    return pa.Table.from_pylist(marked, schema=table_schema(name))


def accounts_of(tables: Mapping[str, pa.Table]) -> tuple[Account, ...]:
    """Return accounts that fit the tables: each source brought two rows more, one of them merged, one quarantined."""
    kept = {name: rows["source"].value_counts().to_pylist() for name, rows in tables.items()}
    return tuple(
        Account(name, count["values"], count["counts"] + 2, count["counts"], merged=1, quarantined=1)
        for name, counts in kept.items()
        for count in counts
    )


def write_candidate(folder: Path, tables: Mapping[str, pa.Table] | None = None) -> Candidate:
    """Write the tables, or the good ones, as `<folder>/<table>.parquet`; those left out are declared absent."""
    written = good_tables() if tables is None else tables
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in written.items():
        pq.write_table(rows, folder / f"{name}.parquet")
    absent = {name: "no source contributed" for name in TABLES if name not in written}
    floors = {name: limits for name, limits in FLOORS.items() if name in written}
    return Candidate(folder, absent, floors, is_complete=not absent, accounts=accounts_of(written))


def with_cell(rows: pa.Table, row: int, column: str, value: object) -> pa.Table:
    """Return rows in which one cell has another value."""
    field = rows.schema.field(column)
    values = rows[column].to_pylist()
    values[row] = value
    return rows.set_column(rows.schema.get_field_index(column), field, pa.array(values, field.type))


def with_account(candidate: Candidate, name: str, **changes: int) -> Candidate:
    """Return the candidate with numbers of a table's account changed."""
    accounts = [replace(one, **changes) if one.table == name else one for one in candidate.accounts]
    return replace(candidate, accounts=accounts)
