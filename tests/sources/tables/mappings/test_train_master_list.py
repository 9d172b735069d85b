"""The list of trains: what records read by hand become, two stops each, and the account of all."""

from pathlib import Path

import pyarrow.compute as pc
import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import (
    assert_account,
    assert_equal_built,
    assert_merged,
    assert_reject,
    assert_rows,
    stage_shipped,
)

# Record: Train No, From, Dep, To, Arr, day of the arrival by Dep and Duration, Distance.
READ_BY_HAND = {
    1: ("12801", "PURI", "21:55", "NDLS", "04:00", 3, 1860),  # 30h 5m
    2: ("12802", "NDLS", "22:40", "PURI", "05:25", 3, 1860),  # 30h 45m
    3: ("12803", "VSKP", "08:20", "NZM", "18:45", 2, 2093),  # 34h 25m
    21: ("10108", "MAQ", "15:30", "MAO", "22:20", 1, 319),  # 6h 50m
    43: ("11025", "PUNE", "11:05", "AMI", "01:05", 2, 720),  # 14h 0m
    101: ("11114", "BSL", "17:30", "DVL", "23:15", 1, 263),  # 5h 45m
    102: ("11115", "BSL", "20:40", "ET", "06:00", 2, 307),  # 9h 20m
    133: ("11410", "NZB", "23:40", "PUNE", "19:00", 2, 773),  # 19h 20m
    473: ("12507", "TVC", "16:55", "SCL", "16:15", 4, 3916),  # 71h 20m
    1312: ("22503", "CAPE", "17:25", "DBRG", "21:00", 4, 4154),  # 75h 35m
    1431: ("16349", "TVCN", "21:00", "NIL", "06:05", 2, 384),  # 9h 5m
    55: ("22101", "LTT", "13:15", "MDU", "18:35", 2, 1695),  # 29h 20m
    4269: ("52076", "KBK", "12:50", "MJ", "15:45", 1, 47),  # 2h 55m
    4272: ("52106", "MAE", "16:00", "NRLN", "18:40", 1, 20),  # 2h 40m
    6931: ("54703", "BTI", "03:45", "JP", "18:05", 1, 553),  # 14h 20m
    6932: ("01431", "HDP", "07:05", "GCT", "20:15", 2, 1686),  # 37h 10m
    7679: ("91395", "CSMT", "14:16", "GMN", "15:11", 1, 26),  # 0h 55m
    7680: ("92001", "BVI", "04:40", "VR", "05:15", 1, None),  # 0h 35m, no info
    8664: ("98780", "ADH", "22:37", "CSMT", "23:20", 1, 21),  # 0h 43m
    114: ("22119", "CSMT", "05:50", "MAO", "15:00", 1, 581),  # 9h 10m
}


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("train_master_list", shared_data)


def test_a_record_becomes_two_stops_and_the_day_of_the_second_follows_from_the_duration(built: Built) -> None:
    columns = ("Train Number", "stop_sequence", "station_code", "arrives", "departs", "day", "distance_km")
    expected = {}
    for record, (number, origin, departs, destination, arrives, day, km) in READ_BY_HAND.items():
        first, last = (number, 1, origin, None, departs, 1, 0), (number, 2, destination, arrives, None, day, km)
        expected[f"{record}.1"] = dict(zip(columns, first, strict=True))
        expected[f"{record}.2"] = dict(zip(columns, last, strict=True))
    assert_rows(built, expected)


def test_days_that_the_page_told_by_colour_are_not_known_and_never_daily(built: Built) -> None:
    assert built.rows["days_of_operation"].null_count == built.rows.num_rows


def test_marks_are_no_part_of_the_name_and_suburban_trains_keep_their_type(built: Built) -> None:
    assert_rows(
        built,
        {
            "1.1": {"Train Name": "Purushottam Express", "train_type": "SF", "station_name": None},
            "21.1": {"Train Name": "Mangaluru Central - Madgaon MEMU Express", "train_type": "Exp"},
            "4272.1": {"Train Name": "Matheran - Neral Passenger (NG Hill Train)", "train_type": "Toy"},
            "8664.2": {"Train Name": "Andheri - Mumbai CSMT Slow Local", "train_type": "Mumb", "classes": ["FC"]},
        },
    )


def test_executive_chair_has_its_code(built: Built) -> None:
    assert_rows(built, {"114.1": {"classes": ["EV", "EC", "CC"]}})  # CC Ex EV


def test_a_train_found_under_several_numbers_stands_once(built: Built) -> None:
    assert_merged(built, "2389.1", "1312.1", "same_answer")  # 22503, found as 15905 before
    assert_merged(built, "2389.2", "1312.2", "same_answer")


def test_coaches_that_go_on_under_another_number_are_refused(built: Built) -> None:
    for name in ("2621.1", "2621.2", "2622.1", "2622.2"):
        assert_reject(built, name, "through_coaches")


def test_every_stop_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=17918, kept=15470, merged=2444, quarantined={"through_coaches": 4})
    assert pc.count_distinct(built.rows["Train Number"]).as_py() == 7735
    assert built.notes.unused_columns == ()
    assert built.notes.unmapped == {}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("train_master_list", shared_data))
