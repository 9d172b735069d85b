"""Timetables of the second collector: what stops read by hand from the raw file become, and the account of all."""

from pathlib import Path

import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import assert_account, assert_equal_built, assert_rows, stage_shipped

COLUMNS = ("Train Number", "stop_sequence", "station_code", "station_name", "arrives", "departs", "day", "distance_km")

# Record and slot: number of the train, then what the slot holds; `Start`, `Source`, `End`, `Destination` as None.
READ_BY_HAND = {
    "1.1": ("12801", 1, "PURI", "Puri", None, "21:55", 1, 0),
    "1.2": ("12801", 2, "KUR", "Khurda Road Jn", "22:30", "22:35", 1, 43),
    "1.5": ("12801", 5, "JJKR", "Jajpur Keonjhar Road", "00:23", "00:25", 2, 162),
    "1.33": ("12801", 33, "NDLS", "New Delhi", "04:00", None, 3, 1860),
    "2.2": ("12802", 2, "CNB", "Kanpur Ctrl", "04:00", "04:05", 2, 440),
    "2.32": ("12802", 32, "PURI", "Puri", "05:25", None, 3, 1860),
    "3.7": ("12803", 7, "BZA", "Vijayawada Jn", "13:55", "14:10", 1, 349),
    "3.10": ("12803", 10, "NGP", "Nagpur Jn", "00:20", "00:25", 2, 1007),
    "3.16": ("12803", 16, "VGLJ", "VGL Jhansi Jn", "11:42", "11:50", 2, 1690),
    "4.20": ("12804", 20, "VSKP", "Visakhapatnam Jn", "14:45", None, 2, 2093),
    "6.2": ("12806", 2, "CHZ", "Charlapalli", "07:15", "07:20", 1, 39),
    "7.38": ("12807", 38, "NZM", "Hazrat Nizamuddin", "18:10", None, 2, 1916),
    "8.1": ("10101", 1, "RN", "RATNAGIRI", None, "01:40", 1, 0),
    "8.2": ("10101", 2, "RAJP", "RAJAPUR ROAD", "02:41", "02:42", 1, 90),
    "9.14": ("10102", 14, "RN", "RATNAGIRI", "01:55", None, 2, 335),
    "10.20": ("10103", 20, "MAO", "Madgaon Jn", "19:10", None, 1, 580),
    "13.33": ("10106", 33, "DIVA", "Diva Jn", "20:10", None, 1, 464),
    "14.2": ("10107", 2, "MAQ", "Mangaluru Ctrl", "11:15", None, 1, 319),
    "16.2": ("10111", 2, "DR", "Dadar Ctrl", "23:13", "23:16", 1, 9),
    "21.13": ("10216", 13, "MAO", "Madgaon Jn", "23:55", None, 1, 728),
}


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("train_schedule_wide_alt21", shared_data)


def test_each_filled_slot_of_a_record_becomes_a_stop(built: Built) -> None:
    assert_rows(built, {name: dict(zip(COLUMNS, row, strict=True)) for name, row in READ_BY_HAND.items()})


def test_a_stop_carries_what_its_record_says_of_the_train(built: Built) -> None:
    assert_rows(
        built,
        {
            "1.1": {
                "Train Name": "PURUSHOTTAM SF",
                "train_type": None,
                "days_of_operation": "1111111",
                "classes": ["1A", "2A", "3A", "3E", "SL"],
                "observed_at": None,
            },
            "14.1": {
                "Train Name": "Madgaon - Mangaluru Central MEMU Express",
                "train_type": "Exp",
                "classes": ["2S"],
            },
        },
    )


def test_every_stop_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=419, kept=419, merged=0, quarantined={})
    assert (built.rows["arrives"].null_count, built.rows["departs"].null_count) == (21, 21)
    assert built.notes.unused_columns == ()
    assert built.notes.unmapped == {}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("train_schedule_wide_alt21", shared_data))
