"""Trains between cities, made of timetables, and their delays."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.arrow import staged_schema, table_schema
from schemas.rows import Built
from warehouse.derive.delays import build_train_delays
from warehouse.derive.timetables import build_train_stops
from warehouse.derive.trains import build_trains, with_delays
from warehouse.quality import gx

Row = dict[str, Any]
CITIES = {"NDLS": "Delhi", "DLI": "Delhi", "NGP": "Nagpur", "SBC": "Bengaluru", "AWB": "Sambhajinagar", "ET": None}


def _stop(sequence: int, code: str, arrives: str | None, departs: str | None, day: int = 1, **more: Any) -> Row:
    train = {"Train Number": "01064", "Train Name": "Special", "station_name": code, "stop_sequence": sequence}
    return {**train, "station_code": code, "arrives": arrives, "departs": departs, "day": day, **more}


def _stations() -> pa.Table:
    rows = [{"station_code": code, "City": city} for code, city in CITIES.items()]
    schema = table_schema("stations")
    return pa.Table.from_pylist([dict.fromkeys(schema.names) | row for row in rows], schema=_nullable(schema))


def _nullable(schema: pa.Schema) -> pa.Schema:
    return pa.schema([field.with_nullable(True) for field in schema])


def _trains(staged: Any, *rows: Row) -> Built:
    return build_trains(build_train_stops([staged("train_stops", *rows)]).rows, _stations())


LONG = (
    _stop(1, "NDLS", None, "18:00", days_of_operation="1000001", classes=["SL"]),
    _stop(2, "ET", "23:00", "23:05", days_of_operation="1000001"),
    _stop(3, "NGP", "23:55", "00:05", days_of_operation="1000001"),
    _stop(4, "AWB", "09:00", "09:10", 2, days_of_operation="1000001"),
    _stop(5, "SBC", "06:00", None, 3, days_of_operation="1000001"),
)


def test_every_ordered_pair_of_stops_in_two_cities_is_a_train(staged: Any) -> None:
    rows = _trains(staged, *LONG).rows.to_pylist()
    assert {(row["OriginStation"], row["DestStation"]) for row in rows} == {
        *combinations(("NDLS", "NGP", "AWB", "SBC"), 2)
    }
    (whole,) = [row for row in rows if (row["OriginStation"], row["DestStation"]) == ("NDLS", "SBC")]
    expected = {
        "Train Number": "01064",
        "OriginCityName": "Delhi",
        "DestCityName": "Bengaluru",
        "DepTime": "18:00",
        "ArrTime": "06:00",
        "arr_day_offset": 2,
        "duration_min": 2160,
        "days_of_operation": "1000001",
        "classes": ["SL"],
        "source_ref": "one.csv#1",
        "value_class": "derived",
        "evaluator_visible": True,
    }
    assert expected.items() <= whole.items()


def test_running_days_are_those_at_the_station_where_one_gets_on(staged: Any) -> None:
    rows = _trains(staged, *LONG).rows.to_pylist()
    days = {row["OriginStation"]: row["days_of_operation"] for row in rows}
    # At Nagpur the train arrives on the first day and leaves after midnight, on the second one.
    assert days == {"NDLS": "1000001", "NGP": "1100000", "AWB": "1100000"}
    offsets = {(row["OriginStation"], row["DestStation"]): row["arr_day_offset"] for row in rows}
    assert (offsets["NDLS", "NGP"], offsets["NGP", "AWB"], offsets["NGP", "SBC"]) == (0, 0, 1)


def test_each_station_of_a_city_has_a_row_of_its_own_and_none_to_the_same_city(staged: Any) -> None:
    rows = (_stop(1, "DLI", None, "18:00"), _stop(2, "NDLS", "18:20", "18:30"), _stop(3, "NGP", "09:00", None, 2))
    built = _trains(staged, *rows)
    pairs = zip(built.rows["OriginStation"].to_pylist(), built.rows["DepTime"].to_pylist(), strict=True)
    assert sorted(pairs) == [("DLI", "18:00"), ("NDLS", "18:30")]


def test_a_station_at_which_a_train_calls_twice_is_reached_at_the_first_call(staged: Any) -> None:
    rows = (
        _stop(1, "NDLS", None, "10:00"),
        _stop(2, "NGP", "20:00", "20:10"),
        _stop(3, "AWB", "23:00", "23:10"),
        _stop(4, "NGP", "04:00", None, 2),
    )
    built = _trains(staged, *rows)
    reached = [row for row in built.rows.to_pylist() if row["OriginStation"] == "NDLS" and row["DestStation"] == "NGP"]
    assert [row["ArrTime"] for row in reached] == ["20:00"]
    assert built.merges["rule"].to_pylist() == ["first_arrival"]
    assert built.notes.rows_in == len(built.rows) + len(built.merges)


def test_a_ride_of_under_ten_minutes_is_quarantined(staged: Any) -> None:
    built = _trains(staged, _stop(1, "NDLS", None, "10:00"), _stop(2, "NGP", "10:09", None))
    assert (built.quarantine["code"].to_pylist(), len(built.rows)) == (["impossible_duration"], 0)


def test_a_stop_at_which_nobody_gets_on_or_off_makes_no_pair(staged: Any) -> None:
    rows = (_stop(1, "NDLS", None, "10:00"), _stop(2, "NGP", "20:00", None), _stop(3, "SBC", "23:00", None))
    pairs = _trains(staged, *rows).rows["OriginStation"].to_pylist()
    assert pairs == ["NDLS", "NDLS"]


def test_pairs_hold_the_identity_and_the_published_schema(staged: Any) -> None:
    rows = _trains(staged, *LONG).rows
    assert rows.schema == table_schema("trains")
    kept, wrong = gx.split(rows, "trains")
    assert (kept.num_rows, wrong.num_rows) == (6, 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(sorted(CITIES)), min_size=1, max_size=6), max_size=5))
def test_pairs_are_those_that_a_loop_over_the_stops_finds(trains: Sequence[Sequence[str]]) -> None:
    stops = [
        {
            **dict.fromkeys(staged_schema("train_stops").names),
            **_stop(place + 1, code, f"{2 * place + 1:02d}:00", f"{2 * place + 2:02d}:00"),
            "Train Number": f"{number:05d}",
            "source": "one",
            "source_ref": f"#{number}.{place}",
            "snapshot_id": "f" * 16,
            "value_class": "observed",
        }
        for number, codes in enumerate(trains)
        for place, code in enumerate(codes)
    ]
    staged = pa.Table.from_pylist(stops, schema=staged_schema("train_stops"))
    built = build_trains(build_train_stops([staged]).rows, _stations())
    expected = {
        (f"{number:05d}", f"{2 * one + 2:02d}:00", codes[one], codes[other])
        for number, codes in enumerate(trains)
        for one, other in combinations(range(len(codes)), 2)
        if CITIES[codes[one]] and CITIES[codes[other]] and CITIES[codes[one]] != CITIES[codes[other]]
    }
    told = ("Train Number", "DepTime", "OriginStation", "DestStation")
    found = [tuple(row[name] for name in told) for row in built.rows.to_pylist()]
    assert sorted(found) == sorted(expected)


def _delay(horizon: str, minutes: float | None, station: str = "SBC", **more: Any) -> Row:
    where = {"Train Number": "01064", "station_code": station, "horizon": horizon, "avg_delay_min": minutes}
    return {**where, "delay_basis": "given", **more}


def test_delays_are_those_at_the_station_where_one_gets_off_and_never_below_zero(staged: Any) -> None:
    rows = [_delay("1year", 24.5), _delay("1week", -3.0), _delay("1year", 8.0, "AWB"), _delay("1month", None)]
    delays = build_train_delays([staged("train_delays", *rows)]).rows
    trains = with_delays(_trains(staged, *LONG).rows, delays)
    found = {
        (row["OriginStation"], row["DestStation"]): (
            row["avg_delay_1week"],
            row["avg_delay_1month"],
            row["avg_delay_1year"],
        )
        for row in trains.to_pylist()
    }
    assert found["NDLS", "SBC"] == found["AWB", "SBC"] == (0.0, None, 24.5)
    assert found["NDLS", "AWB"] == (None, None, 8.0)
    assert found["NDLS", "NGP"] == (None, None, None)
    assert trains.schema == table_schema("trains")


@pytest.mark.parametrize("code", ["MGS", "DDU"])
def test_delays_find_their_station_under_a_former_code(staged: Any, code: str) -> None:
    delays = build_train_delays([staged("train_delays", _delay("1year", 5.0, code))]).rows
    assert delays["station_code"].to_pylist() == ["DDU"]
