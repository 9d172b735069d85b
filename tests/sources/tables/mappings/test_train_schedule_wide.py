"""Timetables in wide records: what stops read by hand from the raw file become, and the account of all stops."""

from pathlib import Path

import pandas as pd
import pyarrow.compute as pc
import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import assert_account, assert_equal_built, assert_rows, stage_shipped

COLUMNS = ("Train Number", "stop_sequence", "station_code", "station_name", "arrives", "departs", "day", "distance_km")

# Record and slot: number of the train, then what the slot holds, `--` as None.
READ_BY_HAND = {
    "1.1": ("10103", 1, "CSMT", "C Shivaji Mah T", None, "07:10", 1, 0),
    "1.2": ("10103", 2, "DR", "Dadar", "07:22", "07:25", 1, 9),
    "1.4": ("10103", 5, "PNVL", "Panvel", "08:30", "08:35", 1, 69),
    "1.20": ("10103", 23, "MAO", "Madgaon", "19:10", None, 1, 765),
    "3.3": ("10111", 3, "TNA", "Thane", "23:45", "23:50", 1, 34),
    "3.4": ("10111", 5, "PNVL", "Panvel", "00:25", "00:30", 2, 69),
    "331.57": ("12507", 58, "SCL", "Silchar", "16:15", None, 4, 3917),
    "940.65": ("16317", 66, "SVDK", "Shmata Vd Katra", "10:45", None, 4, 3797),
    "1329.14": ("52454", 14, "KLK", "Kalka", "22:55", None, 1, 96),
    "1238.7": ("22487", 7, "ASR", "Amritsar Jn", "20:45", None, 1, 447),
    "777.54": ("14645", 56, "PGW", "Phagwara Jn", "01:23", "01:25", 3, 1332),
}


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("train_schedule_wide", shared_data)


def test_each_filled_slot_of_a_record_becomes_a_stop(built: Built) -> None:
    assert_rows(built, {name: dict(zip(COLUMNS, row, strict=True)) for name, row in READ_BY_HAND.items()})


def test_slots_whose_names_the_header_lost_stand_in_their_place(built: Built) -> None:
    columns = ("stop_sequence", "station_code", "arrives", "departs", "day", "distance_km")
    stops = {
        "683.55": (56, "VSKP", "13:05", "13:25", 2, 1539),
        "683.56": (57, "SCM", "13:43", "13:45", 2, 1547),
        "683.84": (88, "BKSC", "08:05", "08:15", 3, 2486),
        "683.85": (89, "CRP", "08:51", "08:53", 3, 2501),
        "683.87": (91, "DHN", "10:50", None, 3, 2535),
    }
    assert_rows(built, {name: dict(zip(columns, stop, strict=True)) for name, stop in stops.items()})


def test_a_stop_carries_what_its_record_says_of_the_train(built: Built) -> None:
    assert_rows(
        built,
        {
            "1.20": {
                "source": "train_schedule_wide",
                "source_ref": "trains/train_schedule_wide.csv#1.20",
                "Train Name": "Mandovi Express",
                "train_type": "O",
                "days_of_operation": "1111111",
                "classes": ["1A", "2A", "3A", "3E", "SL"],
                "Price": None,
                "observed_at": None,
                "value_class": "observed",
            },
            "80.9": {"Train Number": "12009", "train_type": "S", "classes": ["EA", "EV", "EC", "CC"]},
            "307.1": {"Train Number": "12462", "train_type": "VB, S", "classes": ["EC", "CC"]},
        },
    )


def test_days_that_begin_on_sunday_begin_on_monday(built: Built) -> None:
    days = {
        "17.1": "0000001",  # YNNNNNN: Sunday
        "991.1": "1000000",  # NYNNNNN: Monday
        "1329.1": "1111111",
        "80.1": "1111110",  # NYYYYYY: not on Sundays
        "1238.1": "1111011",  # YYYYYNY: not on Fridays
        "883.1": "0000010",  # NNNNNNY: Saturday
        "313.1": "0101000",  # NNYNYNN: Tuesday and Thursday
    }
    assert_rows(built, {name: {"days_of_operation": flags} for name, flags in days.items()})


def test_codes_that_look_like_other_things_stay_text(built: Built) -> None:
    assert_rows(
        built,
        {
            "8.16": {"station_code": "NAN", "station_name": "Nandgaon Road", "arrives": "08:36"},
            "52.10": {"station_code": "ON", "station_name": "Unnao Jn", "departs": "10:58"},
            "959.1": {"station_code": "NIL", "station_name": "Nilambur Road", "arrives": None, "departs": "21:30"},
            "927.4": {"station_code": "Y", "station_name": "Yeliyur", "day": 1},
        },
    )


def test_where_midnight_falls_into_the_halt_the_day_is_that_of_the_arrival(built: Built) -> None:
    assert_rows(
        built,
        {
            "171.5": {"station_code": "SRE", "arrives": "23:10", "departs": "23:20", "day": 1},
            "171.6": {"station_code": "RK", "arrives": "23:59", "departs": "00:01", "day": 1},  # 2 in the file
            "171.7": {"station_code": "LRJ", "arrives": "00:20", "departs": "00:22", "day": 2},
            "313.5": {"station_code": "UMB", "arrives": "23:55", "departs": "00:00", "day": 1},  # 2 in the file
            "313.6": {"station_code": "SRE", "arrives": "01:06", "departs": "01:15", "day": 2},
        },
    )


def test_an_arrival_at_midnight_before_a_halt_of_fifteen_hours_is_none(built: Built) -> None:
    assert_rows(built, {"474.2": {"station_code": "MYS", "arrives": None, "departs": "15:15", "day": 1}})


def test_a_list_of_stops_that_begins_late_keeps_its_numbers_and_days(built: Built) -> None:
    assert_rows(
        built,
        {"285.1": {"Train Number": "12423", "stop_sequence": 2, "station_code": "DBRG", "arrives": "20:54", "day": 1}},
    )


def test_coaches_that_go_another_way_count_from_one_again(built: Built) -> None:
    assert_rows(
        built,
        {
            "806.38": {"stop_sequence": 46, "station_code": "KGM", "arrives": "05:05", "departs": None},
            "806.39": {"stop_sequence": 1, "station_code": "MB", "departs": "02:32"},
            "806.41": {"stop_sequence": 3, "station_code": "RMR", "arrives": "04:15"},
        },
    )


def test_no_train_but_those_with_such_coaches_is_at_a_stop_before_it_left_the_one_before(built: Built) -> None:
    rows = built.rows.select(["Train Number", "arrives", "departs", "day"]).to_pandas()
    arrives, departs = (pd.to_timedelta(rows[clocks] + ":00") for clocks in ("arrives", "departs"))
    midnight = pd.to_timedelta(rows["day"].astype(int) - 1, unit="D")
    here = midnight + arrives.fillna(departs)
    left = midnight + departs.fillna(arrives) + pd.to_timedelta((departs < arrives).astype(int), unit="D")
    before = left.groupby(rows["Train Number"]).shift()
    assert set(rows["Train Number"][here < before]) == {"15013", "15035"}


def test_every_stop_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=31345, kept=31345, merged=0, quarantined={})
    assert pc.count_distinct(built.rows["Train Number"]).as_py() == 1338
    assert built.notes.unused_columns == ()
    assert built.notes.unmapped == {}
    # 1,323 times `--` in either column, and 12786 at Mysuru.
    assert (built.rows["arrives"].null_count, built.rows["departs"].null_count) == (1324, 1323)


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("train_schedule_wide", shared_data))
