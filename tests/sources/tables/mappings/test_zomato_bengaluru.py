"""Restaurants of Bengaluru on Zomato: what rows read by hand from the raw file become, and the account of all rows."""

from pathlib import Path

import pyarrow.compute as pc
import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import (
    assert_account,
    assert_equal_built,
    assert_merged,
    assert_rows,
    stage_shipped,
)

SAME = "same_name_and_locality"


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("zomato_bengaluru", shared_data)


def test_an_ordinary_restaurant_stands_in_its_own_quarter_and_costs_half_of_what_two_pay(built: Built) -> None:
    assert_rows(
        built,
        {
            2: {
                "name": "#L-81 Cafe",
                "city_name": "Bengaluru",
                "state_name": "Karnataka",
                "locality": "HSR",
                "address": None,
                "cuisines": None,
                "avg_cost": 200.0,
                "avg_cost_method": "observed",
                "rating": 3.9,
                "latitude": None,
                "longitude": None,
                "price_tier": None,
                "source_id": None,
            },
            12: {
                "name": "1131 Bar + Kitchen",
                "locality": "Indiranagar",
                "cuisines": ["Asian", "European", "Indian Subcontinent", "Pizza/Italian Specialties"],
                "avg_cost": 750.0,
                "rating": 4.4,
            },
            3562: {
                "name": "Le Cirque Signature - The Leela Palace",
                "cuisines": ["European", "Pizza/Italian Specialties"],
                "avg_cost": 3000.0,
            },
            6837: {
                "name": "Veganbreak24x7",
                "cuisines": ["Asian", "European", "Indian Subcontinent"],
                "avg_cost": 99.5,
                "rating": 2.8,
            },
            19: {"name": "1947", "locality": "Rajajinagar", "rating": 3.9},
        },
    )


def test_cuisine_words_lead_to_groups_and_words_without_one_to_none(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {"name": "#FeelTheROLL", "cuisines": None, "avg_cost": 100.0, "rating": 3.4},
            9: {"name": "1000 B.C", "cuisines": ["American", "Mediterranean/Middle Eastern"], "avg_cost": 150.0},
            650: {"name": "BBQ Ride 46", "cuisines": ["Seafood/Steak/Grill"], "locality": "South Bangalore"},
            1546: {"name": "Coffee Mechanics", "cuisines": ["Bar/Pub/Cafe", "European"], "avg_cost": 350.0},
            4553: {"name": "Paanwadi", "cuisines": None},
            6657: {"cuisines": ["Eastern European/Russian", "European", "Indian Subcontinent"], "avg_cost": 650.0},
        },
    )


def test_an_empty_cost_or_rating_is_null(built: Built) -> None:
    assert_rows(
        built,
        {
            106: {"name": "Aahar Cafe", "avg_cost": 50.0, "rating": None},
            126: {"name": "ABC Grand", "avg_cost": None, "rating": 3.5},
            5945: {"name": "Super Chef's (New Royal treat)", "avg_cost": None, "rating": None},
        },
    )


def test_names_decoded_wrongly_several_times_are_put_right_and_sound_ones_stay(built: Built) -> None:
    assert_rows(
        built,
        {
            10: {"name": "100°C", "locality": "BTM", "avg_cost": 225.0, "rating": 3.7},
            372: {"name": "Andy's Café", "rating": 3.1},
            980: {"name": "Brother\u2019s Bar & Kitchen", "avg_cost": 500.0},
            4078: {"name": "Mum\u2019s Kitchen", "rating": 3.5},
            4708: {"name": "Piñata", "cuisines": None, "avg_cost": 200.0},
            5272: {"name": "Santé Spa Cuisine", "cuisines": ["Mediterranean/Middle Eastern"], "rating": 4.9},
        },
    )


def test_the_text_mark_of_a_spreadsheet_is_no_part_of_a_name(built: Built) -> None:
    assert_rows(built, {4: {"name": "@ Biryani Central", "avg_cost": 275.0, "rating": 2.7}, 6: {"name": "@99"}})


def test_one_restaurant_found_in_several_lists_is_one_record(built: Built) -> None:
    assert_rows(
        built,
        {
            1046: {"name": "Café Delight", "locality": "Marathahalli", "avg_cost": 200.0, "rating": 3.2},
            1048: {
                "name": "Café Felix",
                "locality": "MG Road",
                "cuisines": ["American", "Bar/Pub/Cafe", "European"],
                "avg_cost": 850.0,
                "rating": 4.4,
            },
            3555: {"name": "Le Casse Croûte", "cuisines": ["European"], "avg_cost": 225.0},
        },
    )
    assert_merged(built, 1053, into=1046, rule=SAME)
    assert_merged(built, 1054, into=1048, rule=SAME)
    assert_merged(built, 1059, into=1048, rule=SAME)
    assert_merged(built, 3556, into=3555, rule=SAME)


def test_no_name_keeps_a_sign_of_damage(built: Built) -> None:
    assert not pc.any(pc.match_substring_regex(built.rows.column("name"), "[\x80-\x9fÃÂ]")).as_py()


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=7105, kept=7077, merged=28, quarantined={})
    assert built.notes.unmapped == {}
    assert built.notes.unused_columns == ()


def test_what_rows_miss_is_counted_column_by_column(built: Built) -> None:
    columns = ("name", "locality", "cuisines", "avg_cost", "rating", "latitude", "price_tier")
    assert {name: built.rows.column(name).null_count for name in columns} == {
        "name": 0,
        "locality": 0,
        "cuisines": 1121,
        "avg_cost": 57,
        "rating": 68,
        "latitude": 7077,
        "price_tier": 7077,
    }


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("zomato_bengaluru", shared_data))
