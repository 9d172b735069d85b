"""A small region, and staged rows written as dictionaries, for the tests of the derivations."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from schemas.arrow import staged_schema
from schemas.region import Airport, City, Region

StagedRows = Callable[..., pa.Table]


def _city(name: str, state: str, latitude: float, longitude: float, *aliases: str, is_big: bool = False) -> City:
    slug = f"in-{name.lower().replace(' ', '-')}"
    return City(slug, len(slug), name, state, latitude, longitude, 10**6, "Asia/Kolkata", aliases, is_big)


CITIES = (
    _city("Delhi", "Delhi", 28.65195, 77.23149, "New Delhi", is_big=True),
    _city("Bengaluru", "Karnataka", 12.97194, 77.59369, "Bangalore"),
    _city("Nagpur", "Maharashtra", 21.14631, 79.08491),
    _city("Chhatrapati Sambhajinagar", "Maharashtra", 19.87757, 75.34226, "Aurangabad Maharashtra", "Sambhajinagar"),
    _city("Aurangabad Bihar", "Bihar", 24.75204, 84.3742),
    _city("Bilaspur", "Chhattisgarh", 22.08005, 82.15543),
)
AIRPORTS = (
    Airport("DEL", "VIDP", "Indira Gandhi International", 28.5665, 77.1031, "in-delhi", "nearest city"),
    Airport("IXZ", "", "Veer Savarkar", 11.6412, 92.7297, "", "no city of the region within 60 km"),
)


@pytest.fixture(scope="session")
def region() -> Region:
    return Region(
        id="small",
        title="Six cities",
        country="IN",
        currency="INR",
        time_zone="Asia/Kolkata",
        bbox=(6.5, 68.0, 37.5, 97.5),
        is_complete=False,
        states=tuple(sorted({city.state for city in CITIES})),
        dates=(date(2025, 11, 1), date(2025, 11, 30)),
        cities=CITIES,
        airports=AIRPORTS,
        floors={},
        snapshots={"cities.csv": "0123456789abcdef", "airports.csv": "fedcba9876543210"},
        former_states={"Telangana": ("Andhra Pradesh",)},
        trust={},
        road_pairs=(),
    )


@pytest.fixture(scope="session")
def empty_region(region: Region) -> Region:
    return replace(region, cities=(), airports=())


@pytest.fixture(scope="session")
def staged() -> StagedRows:
    """`staged(table, row, row, ..., source="one")`: rows of a source; what a row does not say is null."""

    def build(table: str, *rows: dict[str, Any], source: str = "one") -> pa.Table:
        schema = staged_schema(table)
        marks = {"source": source, "snapshot_id": "f" * 16, "value_class": "observed"}
        numbered = [
            {**marks, "source_ref": f"{source}.csv#{number}", **row} for number, row in enumerate(rows, start=1)
        ]
        return pa.Table.from_pylist([{name: row.get(name) for name in schema.names} for row in numbered], schema=schema)

    return build
