"""Buses on redBus in July 2024: what rows read by hand from the raw file become, and the account of all rows."""

from pathlib import Path

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


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("redbus_2024_07", shared_data)


def test_an_ordinary_bus_keeps_all_it_has(built: Built) -> None:
    assert_rows(
        built,
        {
            43: {
                "Operator": "Sonia Travels",
                "BusType": "AC Seater/Sleeper",
                "bus_type_text": "A/C Seater/Sleeper (2+1)",
                "origin_name": "Kozhikode",
                "destination_name": "Ernakulam",
                "origin_state": None,
                "destination_state": None,
                "DepTime": "23:30",
                "ArrTime": "04:29",
                "arr_day_offset": 1,
                "duration_min": 299,
                "Price": 600.0,
                "bus_rating": 4.2,
            },
            1440: {"Operator": "Rajesh Transports", "BusType": "AC Sleeper", "DepTime": "23:59", "ArrTime": "05:30",
                   "arr_day_offset": 1, "duration_min": 331, "Price": 1400.0},
            1502: {"BusType": "AC Sleeper", "DepTime": "21:10", "ArrTime": "06:20", "duration_min": 550},
            8966: {"Operator": "NEW RADHIKA TRAVEL", "BusType": "Non AC Seater/Sleeper", "bus_rating": 1.5},
        },
    )  # fmt: skip


def test_the_number_of_a_service_tells_buses_of_one_operator_apart(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {"Operator": "KSRTC (Kerala) - 789", "BusType": "Non AC Seater", "duration_min": 505, "Price": 473.0},
            224: {"Operator": "KSRTC (Kerala) - 564", "arr_day_offset": 0, "duration_min": 148},
            675: {
                "Operator": "SBSTC-GARIA - DIGHA - 22:30 (DIGHA DEPOT) - 3745",
                "origin_name": "Kolkata",
                "destination_name": "Digha",
                "duration_min": 270,
            },
            726: {"destination_name": "Siliguri", "DepTime": "20:00", "duration_min": 780, "Price": 500.0},
            2743: {"Operator": "APSRTC - 6533", "DepTime": "21:30", "ArrTime": "02:45", "Price": 345.0},
            2745: {"Operator": "APSRTC - 6333", "DepTime": "21:30", "ArrTime": "02:15", "Price": 340.0},
            621: {"Operator": "Kadamba Transport Corporation Limited (KTCL) - 60996"},
            8333: {"Operator": "UPSRTC - ALI0025", "origin_name": "Aligarh", "DepTime": "08:00", "ArrTime": "17:15"},
        },
    )


def test_states_stand_beside_names_and_districts_do_not(built: Built) -> None:
    assert_rows(
        built,
        {
            621: {"origin_name": "Goa", "destination_name": "Sangola", "destination_state": None},
            4651: {"origin_name": "Jammu", "destination_name": "Srinagar", "destination_state": None},
            4840: {"origin_name": "Jammu", "destination_name": "Katra", "destination_state": "jammu and kashmir"},
            10498: {"origin_name": "Delhi", "destination_name": "Chamba", "destination_state": "Himachal Pradesh"},
        },
    )


def test_a_bus_after_midnight_does_not_take_a_day_longer(built: Built) -> None:
    assert_rows(built, {118: {"DepTime": "01:15", "ArrTime": "06:00", "arr_day_offset": 0, "duration_min": 285}})


def test_37_a_broken_duration_is_what_the_clocks_say(built: Built) -> None:
    assert_rows(
        built,
        {
            1437: {"DepTime": "23:44", "ArrTime": "05:45", "arr_day_offset": 1, "duration_min": 361},
            1835: {"DepTime": "23:55", "ArrTime": "04:05", "arr_day_offset": 1, "duration_min": 250},
            3381: {"DepTime": "23:59", "ArrTime": "09:20", "arr_day_offset": 1, "duration_min": 561},
        },
    )


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (2353, "out_of_range"),
        (2381, "arrives_before_departure"),
        (4857, "arrives_before_departure"),
        (10500, "arrives_before_departure"),
        (1774, "takes_days"),
        (4805, "takes_days"),
        (1801, "unlike_route"),
        (2391, "unlike_route"),
        (7831, "unlike_route"),
        (8190, "unlike_route"),
        (8257, "unlike_route"),
    ],
)
def test_a_ride_that_cannot_be_right_is_refused(built: Built, number: int, code: str) -> None:
    assert_reject(built, number, code)


def test_a_stand_in_for_a_fare_or_a_rating_is_null(built: Built) -> None:
    assert_rows(
        built,
        {
            569: {"Operator": "Janatha Travels", "Price": None, "bus_rating": 3.5},
            589: {"Operator": "Janatha Travels", "Price": None, "duration_min": 655},
            157: {"Operator": "Balaji Tourist", "Price": 1600.0, "bus_rating": None},
        },
    )


def test_a_kind_whose_words_leave_something_open_is_null(built: Built) -> None:
    assert_rows(
        built,
        {
            5000: {"bus_type_text": "SUPER LUXURY (NON-AC, 2 + 2 PUSH BACK)", "BusType": "Non AC Seater"},
            751: {"bus_type_text": "AMARAVATHI (VOLVO / SCANIA A.C Multi Axle)", "BusType": None},
            768: {"bus_type_text": "NIGHT RIDER (SEATER CUM SLEEPER)", "BusType": None},
        },
    )
    assert built.notes.unmapped == {}


def test_a_record_that_stands_twice_is_one(built: Built) -> None:
    assert_merged(built, 415, 414, "same_record")
    assert_merged(built, 1858, 1857, "same_record")


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(
        built,
        rows_in=11170,
        kept=11114,
        merged=11,
        quarantined={"unlike_route": 25, "arrives_before_departure": 10, "takes_days": 7, "out_of_range": 3},
    )
    assert built.notes.unused_columns == ()


def test_what_rows_miss_is_counted_column_by_column(built: Built) -> None:
    required = ("Operator", "origin_name", "destination_name", "DepTime", "ArrTime", "arr_day_offset", "duration_min")
    assert {name: built.rows.column(name).null_count for name in required} == dict.fromkeys(required, 0)
    counts = {name: built.rows.column(name).null_count for name in ("BusType", "Price", "bus_rating")}
    assert counts == {"BusType": 349, "Price": 2, "bus_rating": 171}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("redbus_2024_07", shared_data))
