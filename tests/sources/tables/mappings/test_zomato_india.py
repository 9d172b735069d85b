"""Restaurants of India on Zomato: what rows read by hand from the raw file become, and the account of all rows."""

import csv
from pathlib import Path

import pyarrow.compute as pc
import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import (
    assert_account,
    assert_equal_built,
    assert_reject,
    assert_rows,
    stage_shipped,
)


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("zomato_india", shared_data)


def test_an_ordinary_restaurant_keeps_all_it_has_and_costs_half_of_what_two_pay(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {
                "source_id": "3400025",
                "name": "Jahanpanah",
                "city_name": "Agra",
                "state_name": None,
                "locality": "Agra Cantt",
                "address": "E 23, Shopping Arcade, Sadar Bazaar, Agra Cantt, Agra",
                "latitude": 27.16166111,
                "longitude": 78.01154444,
                "cuisines": ["Indian Subcontinent"],
                "avg_cost": 425.0,
                "avg_cost_method": "observed",
                "price_tier": 3,
                "rating": 3.9,
                "website": None,
                "observed_at": None,
                "value_class": "observed",
            },
            531: {
                "name": "The Fisherman's Wharf",
                "city_name": "Goa",
                "latitude": 15.15794444,
                "longitude": 73.95088889,
                "cuisines": ["European", "Indian Subcontinent", "Seafood/Steak/Grill"],
                "avg_cost": 550.0,
                "price_tier": 4,
                "rating": 4.6,
            },
            515: {"name": "Pind Balluchi", "city_name": "Ghaziabad", "avg_cost": 500.0, "price_tier": 3, "rating": 1.8},
            1877: {"name": "Hotel RRR Mysore", "city_name": "Mysore", "avg_cost": 145.0, "price_tier": 1},
            6920: {
                "name": "Orient Express - Taj Palace Hotel",
                "locality": "The Taj Palace Hotel, Chanakyapuri",
                "cuisines": ["European"],
                "avg_cost": 4000.0,
                "price_tier": 4,
                "rating": 4.0,
            },
        },
    )


def test_a_point_of_zeros_and_half_a_point_are_no_point(built: Built) -> None:
    nowhere = {"latitude": None, "longitude": None}
    assert_rows(
        built,
        {
            2: nowhere | {"name": "Rangrezz Restaurant", "avg_cost": 350.0, "price_tier": 2, "rating": 3.5},
            6: nowhere
            | {
                "locality": "Courtyard by Marriott Agra, Tajganj",
                "cuisines": ["European", "Indian Subcontinent"],
                "avg_cost": 1000.0,
            },
            # Latitude 28, longitude 0.
            7997: nowhere | {"name": "InnerChef", "city_name": "Noida", "avg_cost": 250.0, "rating": 3.3},
        },
    )


def test_a_cost_of_zero_is_unknown_and_takes_the_price_level_with_it(built: Built) -> None:
    unpriced = {"avg_cost": None, "price_tier": None}
    assert_rows(
        built,
        {
            11: unpriced
            | {
                "name": "The Latitude - Radisson Blu",
                "cuisines": ["Asian", "European", "Indian Subcontinent"],
                "rating": 3.9,
            },
            14: unpriced
            | {
                "name": "Sheroes Hangout",
                "cuisines": ["Asian", "Bar/Pub/Cafe", "Indian Subcontinent"],
                "rating": 4.9,
            },
        },
    )


def test_a_rating_of_zero_is_no_rating(built: Built) -> None:
    assert_rows(
        built,
        {
            890: {
                "name": "Coffee to Cocktail Bar - Hyatt Place",
                "cuisines": ["Bar/Pub/Cafe"],
                "avg_cost": 1050.0,
                "rating": None,
            },
            1377: {"name": "Chawla'sí", "cuisines": ["Asian", "Indian Subcontinent"], "rating": None},
        },
    )


def test_the_rating_is_zero_exactly_where_the_file_says_not_rated(shared_data: Path) -> None:
    with (shared_data / "restaurants" / "zomato_india.csv").open(encoding="utf-8", newline="") as stream:
        pairs = {(row["Aggregate rating"] == "0", row["Rating text"] == "Not rated") for row in csv.DictReader(stream)}
    assert pairs == {(True, True), (False, False)}


def test_cuisine_words_lead_to_groups_and_words_without_one_to_none(built: Built) -> None:
    assert_rows(
        built,
        {
            28: {
                "cuisines": [
                    "Bar/Pub/Cafe",
                    "European",
                    "Indian Subcontinent",
                    "Latin/South American",
                    "Pizza/Italian Specialties",
                ],
            },
            40: {"name": "Mazzo", "cuisines": ["American", "Bar/Pub/Cafe", "European"], "avg_cost": 275.0},
            135: {"name": "Papa Mexicano", "cuisines": ["American", "Latin/South American"], "avg_cost": 175.0},
            2144: {"name": "Habibi Express", "cuisines": ["African", "Mediterranean/Middle Eastern"]},
            66: {"name": "Brijwasi Chat Bhandar", "cuisines": None, "avg_cost": 75.0, "rating": 3.6},
            554: {"name": "Good to Go", "cuisines": None, "rating": None},
            1291: {"name": "Burj Al Arab", "cuisines": None},
            1937: {"name": "Food Cloud", "cuisines": None, "latitude": None, "longitude": None},
        },
    )


def test_names_and_addresses_stay_text_and_lost_signs_are_not_guessed(built: Built) -> None:
    assert_rows(
        built,
        {
            28: {"name": "Blue - Rooftop Cafe Restaurant Bistro"},
            898: {"name": "Longitude 77é03' Bar - Le Meridien Gurgaon", "cuisines": None},
            1395: {"name": "Chawla'sí", "rating": 2.2},
            1928: {"name": "12212", "city_name": "Nashik", "cuisines": None, "avg_cost": 200.0},
            2958: {"name": "Khan Chacha", "address": "Lower Ground Floor, FCí8, Epicuria, Nehru Place, New Delhi"},
            8324: {"name": "Let's Burrrp", "locality": "Sector 71", "rating": None},
        },
    )


def test_a_test_record_of_the_provider_goes_to_quarantine(built: Built) -> None:
    assert_reject(built, 2890, "test_record", "address")
    # A restaurant that is merely called so stays.
    assert_rows(built, {4736: {"name": "The Test", "cuisines": ["Indian Subcontinent"]}})


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=8652, kept=8651, merged=0, quarantined={"test_record": 1})
    assert built.notes.unmapped == {}
    assert built.notes.unused_columns == ()


def test_what_rows_miss_is_counted_column_by_column(built: Built) -> None:
    columns = ("cuisines", "avg_cost", "price_tier", "rating", "latitude", "longitude")
    assert {name: built.rows.column(name).null_count for name in columns} == {
        "cuisines": 1685,
        "avg_cost": 9,
        "price_tier": 9,
        "rating": 2138,
        "latitude": 496,
        "longitude": 496,
    }


def test_enough_restaurants_have_all_that_an_evaluator_needs(built: Built) -> None:
    complete = pc.is_valid(built.rows.column("name"))
    for name in ("city_name", "cuisines", "avg_cost", "rating", "latitude", "longitude", "price_tier"):
        complete = pc.and_(complete, pc.is_valid(built.rows.column(name)))
    assert pc.sum(complete).as_py() == 5175


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("zomato_india", shared_data))
