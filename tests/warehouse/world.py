"""A small candidate made up for tests: five cities, a few places with odd names, stops, distances, and its draft."""

import hashlib
import itertools
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.arrow import table_schema
from schemas.rows import Merge, Reject, merges_table, quarantine_table
from schemas.tables import TABLES, table
from schemas.terms import Terms
from warehouse.quality.results import CheckResult
from warehouse.release.draft import Contribution, Draft
from warehouse.release.parquet import write_table

BUILT_AT = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)
TABLES_HELD = ("city_set", "restaurants", "transit_stops", "poi_nearest_stops", "distance_matrix")
HOSTILE = "<script>alert('x')</script> & \"Sons\""
SHA256 = hashlib.sha256(b"eateries").hexdigest()

_CITIES = (
    ("Delhi", "Delhi", 28.65, 77.23, ["New Delhi", "Dilli"]),
    ("Mumbai", "Maharashtra", 19.07, 72.88, ["Bombay"]),
    ("Aurangabad", "Maharashtra", 19.88, 75.32, []),
    ("Aurangabad Bihar", "Bihar", 24.75, 84.37, ["Aurangabad", "Anugrah"]),
    ("Gaya", "Bihar", 24.8, 85.0, ["Anugrah"]),
)


def rows_of(name: str, *rows: Mapping[str, Any]) -> pa.Table:
    """Rows of a published table: unnamed columns are null, the marks are filled in."""
    declared = table(name)
    marks = {"source": "eateries", "snapshot_id": SHA256[:16], "observed_at": None, "value_class": "observed"}
    filled = []
    for number, row in enumerate(rows, start=1):
        whole = dict.fromkeys(declared.columns) | marks | {"source_ref": f"{name}.csv#{number}"} | dict(row)
        missing = [column for column in declared.required if whole[column] is None]
        filled.append(whole | {"evaluator_visible": not missing, "missing": missing})
    return pa.Table.from_pylist(filled, schema=table_schema(name))


def restaurant(number: int, name: str, city: str | None, **values: Any) -> dict[str, Any]:
    return {
        "place_id": f"eateries:{number}",
        "name": name,
        "source_name": name,
        "City": city,
        "cuisines": ["North Indian"],
        "avg_cost": 250.0,
        "rating": 4.1,
        "latitude": 28.6,
        "longitude": 77.2,
        "price_tier": 2,
        "avg_cost_method": "observed",
        "name_hazard": False,
        "observed_at": date(2018, 1, number),
    } | values


def city_set() -> pa.Table:
    return rows_of(
        "city_set",
        *(
            {
                "City": name,
                "State": state,
                "city_id": f"in-{name.lower().replace(' ', '-')}",
                "latitude": latitude,
                "longitude": longitude,
                "uncertainty_city": name == "Delhi",
                "aliases": aliases,
                "coverage": [],
                "source": "geonames",
            }
            for name, state, latitude, longitude, aliases in _CITIES
        ),
    )


def restaurants() -> pa.Table:
    return rows_of(
        "restaurants",
        restaurant(1, "Karim's", "Delhi", avg_besttime_analysis="{}"),
        restaurant(2, "Karim's - Jama Masjid", "Delhi"),
        restaurant(3, HOSTILE, "Delhi"),
        restaurant(4, "Café Olé", "Mumbai"),
        restaurant(5, "Cafe Ole", "Mumbai"),
        restaurant(6, "Nameless Corner", "Mumbai", rating=None, avg_cost=None),
        restaurant(7, "Far Away", None, rating=None),
    )


def transit_stops() -> pa.Table:
    point = {"latitude": 28.6, "longitude": 77.2, "stop_mode": "rail", "source": "stations"}
    return rows_of("transit_stops", {"stop_id": "rail:ON", "stop_name": "Old Nagar", "stop_code": "ON", **point})


def poi_nearest_stops() -> pa.Table:
    found = {
        "nearest_stop_id": "rail:ON",
        "nearest_stop_name": "Old Nagar",
        "nearest_stop_distance": 841.96,
        "nearest_stop_distance_km": 0.842,
    }
    at = {"poi_type": "restaurant", "City": "Delhi"}
    return rows_of(
        "poi_nearest_stops",
        {"PoI": "Karim's", "place_id": "eateries:1", **at, **found},
        {"PoI": "Karim's - Jama Masjid", "place_id": "eateries:2", **at},
    )


def distance_matrix() -> pa.Table:
    pairs = itertools.permutations((name for name, *_ in _CITIES), 2)
    return rows_of(
        "distance_matrix",
        *(
            {"origin": one, "destination": other, "great_circle_km": 100.0 + number, "road_status": "not_asked"}
            for number, (one, other) in enumerate(pairs)
        ),
    )


def rejects() -> pa.Table:
    found = ((8, "not_a_number", "avg_cost", "<b>cheap</b>"), (9, "torn_row", None, None), (10, "torn_row", None, None))
    return quarantine_table(
        Reject("restaurants", "eateries", f"restaurants.csv#{number}", code, f"record {number}", column, value)
        for number, code, column, value in found
    )


def draft(folder: Path, **changes: Any) -> Draft:
    """A draft whose files stand in `folder`; `changes` replace its fields, tables given as rows are written."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "city_set": city_set(),
        "restaurants": restaurants(),
        "transit_stops": transit_stops(),
        "poi_nearest_stops": poi_nearest_stops(),
        "distance_matrix": distance_matrix(),
    } | changes.pop("rows", {})
    for name, rows in tables.items():
        write_table(rows, folder / f"{name}.parquet")
    write_table(rejects(), folder / "rejects.parquet")
    merge = Merge("restaurants", "eateries", "restaurants.csv#11", "eateries", "restaurants.csv#1", "same_id")
    write_table(merges_table([merge]), folder / "merges.parquet")
    whole = Draft(
        region="toy",
        origin="files",
        audience="internal",
        tables={name: folder / f"{name}.parquet" for name in tables},
        absent={name: f"no mapping brings {name}" for name in TABLES if name not in tables},
        contributions=(contribution(),),
        checks=(check(), check(name="name_substring", passed=False, is_blocking=False, summary="1 name in another")),
        code_version="0.1.0+abc",
        built_at=BUILT_AT,
        quarantine={"staged/eateries": folder / "rejects.parquet"},
        merges={"derived/restaurants": folder / "merges.parquet"},
    )
    return replace(whole, **changes)


def contribution(**changes: Any) -> Contribution:
    whole = Contribution(
        source="eateries",
        table="restaurants",
        title="Eateries of a toy land",
        file="restaurants/eateries.csv",
        sha256=SHA256,
        terms=Terms(address="javascript:alert(1)", license="CC-BY-4.0", attribution_text="Eateries"),
        observed_at=None,
        rows_in=11,
        kept=7,
        merged=1,
        quarantined={"not_a_number": 1, "torn_row": 2},
        unmapped={"cuisines": {"<i>Lunar</i>": 3, "Martian": 1}, "cities": {"Atlantis": 1}},
        unused_columns=("Has <Table> booking",),
        remarks=("One remark.",),
    )
    return replace(whole, **changes)


def check(**changes: Any) -> CheckResult:
    whole = CheckResult("restaurants", "keys_unique", True, True, "restaurants: no key stands twice", 0, [], False)
    return replace(whole, **changes)
