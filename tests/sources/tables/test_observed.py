"""The day of each row, the later of two readings, and means that rest on too little."""

import datetime as dt

import pytest

from tests.sources.tables.conftest import Load, Stage
from tests.sources.tables.stops import merged, rows

DELAYS = """\
id: delays
table: train_delays
title: Delays
file: delays.csv
format: csv
observed: {at: 2025-09-30, from: read, extract: "^([0-9-]{10})T"}
constants: {horizon: 1year, delay_basis: given}
columns:
  Train Number: {from: train, parse: text}
  station_code: {from: code, parse: text}
  avg_delay_min: {from: mean, parse: number, null_at_least: {unknown: 90}}
repeats:
  - {rule: read_again, by: [Train Number, station_code], latest: read}
"""
HEADER = "train,code,mean,unknown,read\n"


def test_the_day_of_a_row_is_that_of_its_column_and_unknown_where_that_tells_none(stage_text: Stage) -> None:
    built = stage_text(DELAYS, HEADER + "12801,A,5,0,2025-09-27T20:46:18+00:00\n12801,B,5,0,\n12801,C,5,0,yesterday\n")
    assert rows(built, "observed_at") == [(dt.date(2025, 9, 27),), (None,), (None,)]


@pytest.mark.parametrize(
    ("mean", "unknown", "known"),
    [
        ("0", "99.73", None),
        ("53", "90", None),
        ("53", "89.99", 53.0),
        ("-4", "0", -4.0),
        ("0", "", 0.0),
        ("", "0", None),
    ],
)
def test_57_a_mean_is_null_from_a_share_of_unknown_runs_on(
    stage_text: Stage, mean: str, unknown: str, known: float | None
) -> None:
    built = stage_text(DELAYS, HEADER + f"12801,A,{mean},{unknown},2025-09-27T20:46:18+00:00\n")
    assert rows(built, "avg_delay_min") == [(known,)]


def test_of_repeats_the_latest_stays_whatever_its_place_and_zone(stage_text: Stage) -> None:
    readings = [
        "12801,A,1,0,2025-09-27T12:00:00.5+00:00",
        "12801,A,2,0,2025-09-27T18:00:00+05:30",  # half past noon in UTC
        "12801,A,3,0,2025-09-27T11:59:00+00:00",
        "12801,B,4,0,not known",
        "12801,B,5,0,2020-01-01T00:00:00+00:00",
    ]
    built = stage_text(DELAYS, HEADER + "\n".join(readings) + "\n")
    assert rows(built, "avg_delay_min") == [(2.0,), (5.0,)]
    assert merged(built) == [
        ("delays.csv#1", "delays.csv#2", "read_again"),
        ("delays.csv#3", "delays.csv#2", "read_again"),
        ("delays.csv#4", "delays.csv#5", "read_again"),
    ]


def test_of_equally_late_repeats_the_first_stays(stage_text: Stage) -> None:
    line = "12801,A,{},0,2025-09-27T12:00:00+00:00\n"
    built = stage_text(DELAYS, HEADER + "".join(line.format(mean) for mean in (1, 2, 3)))
    assert rows(built, "avg_delay_min") == [(1.0,)]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("from: read, ", "", "'extract' goes with 'from'"),
        ("at: 2025-09-30, ", "", "'at' missing"),
        ("{unknown: 90}", "{unknown: most}", "must be a number, found 'most'"),
        ("latest: read", "latest: ", "'latest' is empty"),
    ],
)
def test_a_mistake_is_named(load: Load, old: str, new: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        load(DELAYS.replace(old, new))


@pytest.mark.parametrize(("old", "new"), [("from: read", "from: seen"), ("latest: read", "latest: seen")])
def test_a_column_that_they_name_must_be_in_the_file(stage_text: Stage, old: str, new: str) -> None:
    with pytest.raises(ValueError, match="has no column 'seen'"):
        stage_text(DELAYS.replace(old, new), HEADER)
