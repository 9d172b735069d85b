"""Mean delays of trains at their stations."""

from datetime import date
from typing import Any

import pytest

from schemas.rows import Built
from warehouse.derive.delays import build_train_delays

Row = dict[str, Any]
MEAN = {
    "Train Number": "12673",
    "station_code": "AVD",
    "station_name": "AVADI",
    "horizon": "1year",
    "delay_basis": "given",
    "avg_delay_min": 12.5,
}


def _runs(right: float, slight: float, significant: float, unknown: float, unit: str) -> Row:
    shares = {"runs_right_time": right, "runs_slight": slight, "runs_significant": significant}
    return {**shares, "runs_unknown": unknown, "runs_unit": unit}


def _mean(built: Built) -> Any:
    (row,) = built.rows.to_pylist()
    return row["avg_delay_min"]


@pytest.mark.parametrize(
    ("runs", "mean"),
    [
        (_runs(0.27, 0, 0, 99.73, "percent"), None),
        (_runs(10, 0, 0, 90, "percent"), None),
        (_runs(10.1, 0, 0, 89.9, "percent"), 12.5),
        (_runs(1, 0, 0, 9, "count"), None),
        (_runs(2, 0, 0, 9, "count"), 12.5),
        (_runs(0, 0, 0, 0, "count"), 12.5),
        ({}, 12.5),
    ],
)
def test_a_mean_of_which_nine_in_ten_runs_are_unknown_is_null(staged: Any, runs: Row, mean: float | None) -> None:
    assert _mean(build_train_delays([staged("train_delays", MEAN | runs)])) == mean


def test_early_runs_stay_negative(staged: Any) -> None:
    assert _mean(build_train_delays([staged("train_delays", {**MEAN, "avg_delay_min": -4.5})])) == -4.5


def test_shares_that_do_not_add_up_to_100_are_quarantined(staged: Any) -> None:
    rows = [MEAN | _runs(50, 30, 10, last, "percent") for last in (9.6, 10.6)]
    built = build_train_delays([staged("train_delays", *rows)])
    assert [(row["code"], row["source_ref"]) for row in built.quarantine.to_pylist()] == [
        ("runs_do_not_add_up", "one.csv#2")
    ]


def test_of_several_means_the_more_trusted_then_the_newer_then_the_given_one_stays(staged: Any) -> None:
    old, new = date(2026, 3, 1), date(2026, 3, 2)
    first = staged("train_delays", MEAN | {"observed_at": old, "avg_delay_min": 1.0})
    second = staged("train_delays", MEAN | {"observed_at": new, "avg_delay_min": 2.0}, source="two")
    assert _mean(build_train_delays([first, second])) == 1.0
    rows = [
        MEAN | {"observed_at": new, "avg_delay_min": 3.0, "delay_basis": "computed"},
        MEAN | {"observed_at": new, "avg_delay_min": 4.0},
        MEAN | {"observed_at": old, "avg_delay_min": 5.0},
    ]
    for order in (rows, rows[::-1]):
        built = build_train_delays([staged("train_delays", *order)])
        assert (_mean(built), len(built.merges)) == (4.0, 2)


@pytest.mark.parametrize("column", ["Train Number", "station_code", "horizon", "delay_basis"])
def test_a_mean_of_nothing_known_is_quarantined(staged: Any, column: str) -> None:
    built = build_train_delays([staged("train_delays", MEAN | {column: None})])
    assert [(row["code"], row["column"]) for row in built.quarantine.to_pylist()] == [("required", column)]
