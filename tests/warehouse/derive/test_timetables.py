"""One timetable for each train, of those that the sources tell."""

from datetime import date
from typing import Any

import numpy as np
import pytest

from schemas.rows import Built
from warehouse.derive.timetables import build_train_stops, stop_times

Row = dict[str, Any]


def stop(sequence: int, code: str, arrives: str | None, departs: str | None, day: int = 1, **more: Any) -> Row:
    train = {"Train Number": "12976", "Train Name": "Jaipur Express", "station_name": code.title()}
    times = {"arrives": arrives, "departs": departs, "day": day}
    return {**train, "stop_sequence": sequence, "station_code": code, **times, **more}


TWO_STOPS = (stop(1, "NGP", None, "18:00"), stop(2, "JP", "06:45", None, 2))
THREE_STOPS = (stop(1, "NGP", None, "18:00"), stop(2, "ET", "23:00", "23:05"), stop(3, "JP", "06:45", None, 2))


def _codes(built: Built) -> list[str]:
    return [str(code) for code in built.rows["station_code"].to_pylist()]


def _rejected(built: Built) -> list[tuple[str, str]]:
    return [(row["code"], row["source_ref"]) for row in built.quarantine.to_pylist()]


def test_the_timetable_with_the_most_stops_stays_and_the_others_are_merged_into_it(staged: Any) -> None:
    trusted, other = staged("train_stops", *TWO_STOPS), staged("train_stops", *THREE_STOPS, source="two")
    built = build_train_stops([trusted, other])
    assert _codes(built) == ["NGP", "ET", "JP"]
    assert set(built.rows["source"].to_pylist()) == {"two"}
    assert [(row["source_ref"], row["into_ref"]) for row in built.merges.to_pylist()] == [
        ("one.csv#1", "two.csv#1"),
        ("one.csv#2", "two.csv#1"),
    ]
    assert built.notes.rows_in == 5 == len(built.rows) + len(built.merges)


def test_of_two_timetables_of_as_many_stops_the_more_trusted_then_the_newer_stays(staged: Any) -> None:
    built = build_train_stops([staged("train_stops", *TWO_STOPS), staged("train_stops", *TWO_STOPS, source="two")])
    assert set(built.rows["source"].to_pylist()) == {"one"}
    newer = [{**row, "observed_at": date(2026, 3, 2), "departs": row["departs"] and "19:00"} for row in TWO_STOPS]
    older = [{**row, "observed_at": date(2026, 3, 1)} for row in TWO_STOPS]
    for rows in ((*newer, *older), (*older, *newer)):
        built = build_train_stops([staged("train_stops", *rows)])
        assert built.rows["departs"].to_pylist() == ["19:00", None]


def test_a_train_that_a_source_repeats_is_two_timetables_and_never_a_mixture(staged: Any) -> None:
    longer = [{**row, "Train Name": "Long"} for row in THREE_STOPS]
    built = build_train_stops([staged("train_stops", *TWO_STOPS, *longer)])
    assert built.rows["Train Name"].to_pylist() == ["Long"] * 3


def test_stops_in_any_order_are_one_timetable(staged: Any) -> None:
    built = build_train_stops([staged("train_stops", *reversed(THREE_STOPS))])
    assert _codes(built) == ["NGP", "ET", "JP"]


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ((stop(1, "NGP", None, "18:00"), stop(2, "JP", "17:45", None)), "timetable_runs_backwards"),
        ((stop(1, "NGP", None, "18:00"), stop(2, "JP", "18:01", None, 2)), "lost_day"),
        ((stop(1, "NGP", None, "18:00"), stop(2, "ET", "20:00", "19:55"), stop(3, "JP", "21:00", None, 2)), "lost_day"),
    ],
)
def test_a_timetable_that_cannot_be_true_is_quarantined_whole(staged: Any, rows: tuple[Row, ...], code: str) -> None:
    built = build_train_stops([staged("train_stops", *rows)])
    assert len(built.rows) == 0
    assert _rejected(built) == [(code, f"one.csv#{number}") for number in range(1, len(rows) + 1)]


@pytest.mark.parametrize(("distance_km", "is_kept"), [(1800.0, True), (60.0, False), (None, False)])
def test_days_between_two_stops_are_believed_where_the_way_is_long_enough(
    staged: Any, distance_km: float | None, is_kept: bool
) -> None:
    rows = (stop(1, "NGP", None, "18:00", distance_km=0.0), stop(2, "JP", "20:00", None, 3, distance_km=distance_km))
    built = build_train_stops([staged("train_stops", *rows)])
    assert (len(built.rows), len(built.quarantine)) == ((2, 0) if is_kept else (0, 2))


def test_a_timetable_that_cannot_be_true_leaves_the_train_to_another_source(staged: Any) -> None:
    wrong = (*THREE_STOPS[:2], stop(3, "JP", "22:00", None))
    built = build_train_stops([staged("train_stops", *wrong), staged("train_stops", *TWO_STOPS, source="two")])
    assert (_codes(built), len(built.quarantine), len(built.merges)) == (["NGP", "JP"], 3, 0)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"station_code": None}, "required"),
        ({"Train Number": None}, "required"),
        ({"day": None}, "required"),
        ({"arrives": None, "departs": None}, "no_time"),
        ({"arrives": "25:10", "departs": None}, "no_time"),
    ],
)
def test_a_stop_that_says_too_little_is_quarantined_alone(staged: Any, change: Row, code: str) -> None:
    built = build_train_stops([staged("train_stops", THREE_STOPS[0], THREE_STOPS[1] | change, THREE_STOPS[2])])
    assert (_codes(built), _rejected(built)) == (["NGP", "JP"], [(code, "one.csv#2")])


def test_stations_have_the_codes_of_today(staged: Any) -> None:
    built = build_train_stops([staged("train_stops", stop(1, "MGS", None, "18:00"), stop(2, "JHS", "23:00", None))])
    assert _codes(built) == ["DDU", "VGLJ"]


@pytest.mark.parametrize("day", [1, 2])
def test_midnight_in_a_halt_is_read_alike_whether_the_day_is_that_of_arrival_or_of_departure(
    staged: Any, day: int
) -> None:
    rows = (stop(1, "STA", None, "21:00"), stop(2, "JBP", "23:55", "00:05", day), stop(3, "ET", "03:50", None, 2))
    built = build_train_stops([staged("train_stops", *rows)])
    times = stop_times(built.rows, np.zeros(3, dtype=np.int64))
    assert times.arrives.tolist()[1:] == [1435, 1670]
    assert times.departs.tolist()[:2] == [1260, 1445]
    assert len(built.quarantine) == 0


def test_no_timetables_are_no_rows(staged: Any) -> None:
    assert len(build_train_stops([]).rows) == len(build_train_stops([staged("train_stops")]).rows) == 0
