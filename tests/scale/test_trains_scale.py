"""Timetables to trains between cities: 10,000 timetables in the benchmark, a share of them in every run."""

import time
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from schemas.arrow import staged_schema, table_schema
from schemas.region import load_region
from warehouse.derive.clocks import clock_texts
from warehouse.derive.timetables import build_train_stops
from warehouse.derive.trains import build_trains

INDIA = Path(__file__).parents[2] / "pipeline" / "regions" / "india"
STOPS = 24


def _timetables(trains: int) -> pa.Table:
    """Trains of 24 stops, 40 minutes apart, with two minutes at each; every second stop is in a city."""
    number, place = np.divmod(np.arange(trains * STOPS), STOPS)
    arrives = (number * 7 % 1440) + 40.0 * place
    days = np.floor(arrives / 1440) - np.floor((number * 7 % 1440) / 1440) + 1
    codes = np.array([f"Q{chr(65 + code // 26)}{chr(65 + code % 26)}" for code in range(504)])
    columns = {
        "Train Number": pa.array(np.char.zfill(number.astype(str), 5), pa.string()),
        "Train Name": pa.repeat("Constructed", len(number)),
        "stop_sequence": pa.array(place + 1, pa.int32()),
        "station_code": pa.array(codes[(number + 11 * place) % 504], pa.string()),
        "station_name": pa.repeat("Constructed", len(number)),
        "arrives": clock_texts(np.where(place == 0, np.nan, arrives)),
        "departs": clock_texts(np.where(place == STOPS - 1, np.nan, arrives)),
        "day": pa.array(days.astype(np.int8)),
        "days_of_operation": pa.repeat("1000100", len(number)),
        "source": pa.repeat("constructed", len(number)),
        "source_ref": pa.array([f"t#{row}" for row in range(len(number))]),
        "snapshot_id": pa.repeat("f" * 16, len(number)),
        "value_class": pa.repeat("constructed", len(number)),
    }
    schema = staged_schema("train_stops")
    absent = {field.name: pa.nulls(len(number), field.type) for field in schema if field.name not in columns}
    return pa.table([(columns | absent)[name] for name in schema.names], schema=schema)


def _stations() -> pa.Table:
    names = [city.name for city in load_region(INDIA).cities]
    schema = pa.schema([field.with_nullable(True) for field in table_schema("stations")])
    rows = [
        dict.fromkeys(schema.names)
        | {"station_code": f"Q{chr(65 + code // 26)}{chr(65 + code % 26)}", "City": names[code] if code % 2 else None}
        for code in range(504)
    ]
    return pa.Table.from_pylist(rows, schema=schema)


def _build(trains: int) -> tuple[int, float, float]:
    staged, stations = _timetables(trains), _stations()
    tracemalloc.start()
    start = time.perf_counter()
    rows = build_trains(build_train_stops([staged]).rows, stations).rows
    seconds = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return len(rows), seconds, peak


# Twelve of a train's stops are in cities, which makes 66 pairs.
def test_a_share_of_the_timetables_gives_all_its_pairs() -> None:
    pairs, seconds, _ = _build(300)
    assert pairs == 300 * 66
    assert seconds < 20


@pytest.mark.scale
def test_ten_thousand_timetables_take_under_twenty_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    pairs, seconds, peak = _build(10_000)
    with capsys.disabled():
        print(f"\ntrains: 10,000 timetables, {pairs:,} pairs: {seconds:.1f} s, {peak:,.0f} MB of numpy and Python")
    assert pairs == 660_000
    assert seconds < 20
