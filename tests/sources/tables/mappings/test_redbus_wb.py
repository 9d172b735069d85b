"""Buses of West Bengal on redBus: what rows read by hand from the raw file become, and the account of all rows."""

from pathlib import Path

import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import assert_account, assert_equal_built, assert_rows, stage_shipped


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("redbus_wb", shared_data)


def test_what_the_page_joins_is_taken_apart(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {
                "Operator": "WBTC (CTC) HABRA-DIGHA via Bally - 26",
                "BusType": "Non AC Seater",
                "bus_type_text": "Non AC Seater (2+3)",
                "origin_name": "Digha",
                "destination_name": "Barasat",
                "origin_state": None,
                "destination_state": "West Bengal",
                "DepTime": "10:00",
                "ArrTime": "14:45",
                "arr_day_offset": 0,
                "duration_min": 285,
                "Price": 161.0,
                "bus_rating": 3.3,
            },
            4: {
                "Operator": "WBTC (CTC) HABRA - DIGHA (AC-VOLVO) - 89",
                "BusType": "AC Seater",
                "duration_min": 225,
                "bus_rating": 4.2,
            },
            13: {"DepTime": "10:20", "origin_name": "Durgapur", "destination_name": "Calcutta", "Price": 150.0},
            20: {
                "Operator": "SBSTC-DURGAPUR - KOLKATA - 12:00 (DGP DEPOT) - 131",
                "DepTime": "12:00",
                "duration_min": 210,
                "bus_rating": 3.6,
            },
            34: {
                "Operator": "SBSTC-DIGHA - GARIA - 10:30 (DIGHA DEPOT) - 2680",
                "DepTime": "10:30",
                "ArrTime": "16:00",
                "bus_rating": 3.8,
            },
            53: {
                "Operator": "WBTC (CTC) Kolkata - Digha - 124",
                "origin_name": "Kolkata",
                "duration_min": 265,
                "Price": 145.0,
            },
            81: {
                "Operator": "SBSTC-KOLKATA - SURI - 16: 30 - (Suri Depot) - 653",
                "destination_name": "Suri",
                "duration_min": 330,
                "Price": 190.0,
            },
            90: {
                "origin_state": "West Bengal",
                "destination_name": "Kolaghat",
                "destination_state": None,
                "duration_min": 85,
                "Price": 69.0,
            },
            92: {"destination_name": "Contai", "destination_state": None, "bus_rating": 3.4},
        },
    )


def test_operators_keep_their_brackets(built: Built) -> None:
    assert_rows(
        built,
        {
            32: {"Operator": "Greenline (Karunamoyee)", "BusType": "AC Seater", "Price": 486.0, "bus_rating": 4.6},
            64: {
                "Operator": "Sagufta Travels(Maa Chandi)",
                "DepTime": "23:57",
                "ArrTime": "05:10",
                "arr_day_offset": 1,
                "duration_min": 313,
            },
            12: {"Operator": "The Joy Ride", "arr_day_offset": 1, "duration_min": 380, "Price": 650.0},
        },
    )


def test_an_arrival_at_midnight_stands_for_none(built: Built) -> None:
    unknown = {"ArrTime": None, "arr_day_offset": None, "duration_min": None}
    assert_rows(
        built,
        {
            38: {"DepTime": "11:20", "Price": 170.0, **unknown},
            71: {"DepTime": "11:15", "bus_rating": 5.0, **unknown},
            84: {"DepTime": "10:45", "Price": 110.0, **unknown},
            91: {"bus_rating": 3.8, **unknown},
        },
    )


def test_a_fare_may_lack_its_currency_and_a_new_bus_its_rating(built: Built) -> None:
    assert_rows(
        built,
        {
            62: {"Price": 315.0, "bus_rating": 4.3},
            68: {"Operator": "SANTOSH BUS SERVICE", "Price": 219.0, "bus_rating": None},
            74: {"Price": 196.0, "bus_rating": None},
        },
    )


def test_a_kind_that_tells_neither_seat_nor_berth_is_null(built: Built) -> None:
    assert_rows(built, {11: {"bus_type_text": "A/C Executive (2+3)", "BusType": None, "Price": 420.0}})


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=92, kept=92, merged=0, quarantined={})
    assert (built.notes.unmapped, built.notes.unused_columns) == ({}, ())
    counts = {name: built.rows.column(name).null_count for name in ("BusType", "ArrTime", "Price", "bus_rating")}
    assert counts == {"BusType": 1, "ArrTime": 10, "Price": 0, "bus_rating": 3}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("redbus_wb", shared_data))
