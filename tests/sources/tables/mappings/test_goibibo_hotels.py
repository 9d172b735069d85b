"""Hotels of India on Goibibo: what rows read by hand from the raw file become, and the account of all rows."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import (
    assert_account,
    assert_equal_built,
    assert_rows,
    stage_shipped,
)

PAGES = "http://www.goibibo.com/hotels/detail/"


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("goibibo_hotels", shared_data)


def test_an_ordinary_hotel_keeps_all_it_has_and_nothing_is_made_up_for_what_it_lacks(built: Built) -> None:
    assert_rows(
        built,
        {
            13: {
                "source_id": "6911500444483426513",
                "name": "AS Clarks inn",
                "city_name": "Dalhousie",
                "state_name": "Himachal Pradesh",
                "locality": "The Mall",
                "address": "NT Mall Road, Dalhousie ,176304(HP)",
                "website": f"{PAGES}Dalhousie/hn/3084536095241319598/6911500444483426513/na/hq/",
                "property_type": "Hotel",
                "star_rating": 3.0,
                "rating": 4.2,
                "price_per_night": None,
                "max_occupancy": None,
                "house_type": None,
                "house_rules": None,
                "facilities_amenities": None,
                "services": None,
                "minimum_nights": None,
                "latitude": None,
                "longitude": None,
            },
            66: {
                "name": "Avasa Hotel",
                "city_name": "Hyderabad",
                "state_name": "Andhra Pradesh",
                "locality": "Hi-Tech City",
                "star_rating": 5.0,
                "rating": 4.5,
            },
            4: {"name": "Apple Inn Cottage", "address": "Simsa", "property_type": "Cottage", "rating": 5.0},
            232: {
                "name": "Champions Yacht - Free Spirit",
                "city_name": "Goa",
                "property_type": "Luxury Yacht",
                "star_rating": None,
                "rating": None,
            },
        },
    )


def test_no_stars_and_no_reviews_are_null(built: Built) -> None:
    assert_rows(
        built,
        {
            2: {"name": "Asian Suites A- 585", "star_rating": None, "rating": 4.5},
            7: {"name": "Balaji Residency", "star_rating": 2.0, "rating": None},
            12: {
                "name": "Bhadrawati Safari Lodge",
                "website": f"{PAGES}Sawai Madhopur/hn/8314560716455433059/7084914320933501817/na/hq/",
                "star_rating": None,
                "rating": None,
            },
        },
    )


def test_a_locality_or_address_that_names_none_is_null(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {"name": "Baragarh Regency", "locality": None, "star_rating": 2.0, "rating": 4.0},
            140: {"name": "BLACK STONE HOTEL", "locality": None, "city_name": "Ghaziabad"},
            760: {"name": "Shree Garden and Resorts", "locality": None, "rating": 5.0},
            233: {"name": "Chennaibnb", "locality": "Guindy", "address": None, "star_rating": 3.0},
        },
    )


def test_page_codes_and_blanks_in_texts_are_put_right(built: Built) -> None:
    assert_rows(
        built,
        {
            79: {"name": "Citi Hotel & Suites Jharsa", "address": "Address- 329, Village Jharsa,Gurgaon Haryana"},
            93: {"name": "Central Ninamma Boutique Resort", "locality": "Paljor Stadium Road"},
            99: {"address": "Vill. - Pangot, Nainital, (Uttarakhand) Nainital Uttarakhand Pin Code : 263001"},
            174: {"locality": "14 & 15 Sector Road , Near Bus Stand , Opposite Bawa Tarana Cinema Hall"},
            332: {"name": "Colors Apart Hotel", "address": "COLORS Apart Hotel No 128, Santhome High Road"},
        },
    )


def test_telephone_numbers_their_remains_and_parts_of_a_page_are_cut_off_addresses(built: Built) -> None:
    assert_rows(
        built,
        {
            474: {"address": "Opp. Hindu College Parking, Near Gole Market, Gohana Road, Sonipat (Hr.)"},
            686: {"address": "Near Marwari College (Boys) Chowk, Lake Road."},
            788: {
                "address": "No.1/7, Dr Modi Road, West Of Chord Road, Rajajinagar, Bangalore - 560010, "
                "Near Modi Hospital"
            },
            1529: {"address": "Village : Boharakot, PO : Amgarhi, Dist, Nainital", "star_rating": 5.0},
            1928: {
                "address": "4-D Square Mall, Visat-Gandhinagar Highway , Opp. Indian Institute of Technology (IIT) "
                "Gandhinagar , Motera, Ahmedabad 382424"
            },
            2252: {"address": "Silverleef hotel at post dandeghar, panchgani", "name": "Hotel Silver Leef"},
        },
    )


def test_no_text_holds_a_way_to_reach_a_person(built: Built) -> None:
    contact = r"(?i)\[removed\]|[0-9]{10}|@[a-z0-9-]+\.[a-z]|\bmob\b|https?:"
    for name in ("name", "locality", "address", "city_name", "property_type"):
        texts = built.rows.column(name).drop_null()
        assert pc.filter(texts, pc.match_substring_regex(texts, contact)).to_pylist() == [], name


def test_names_keep_brackets_and_cities_their_spelling(built: Built) -> None:
    assert_rows(
        built,
        {
            603: {"name": "Exotica", "city_name": "NOIDA", "locality": None, "rating": 3.1},
            1085: {"name": "City International", "city_name": "Durgapur,WB", "state_name": "West Bengal"},
            1897: {"name": "The Taj West End (A Taj Hotel)", "city_name": "Bangalore", "state_name": "KARNATAKA"},
            1965: {"name": "The Retreat (A Family Run Heritage Homestay)", "property_type": "Lodge"},
        },
    )


def test_two_pages_are_two_houses_even_under_one_name(built: Built) -> None:
    assert_rows(
        built,
        {
            2248: {"name": "HOTEL SIAM INTERNATIONAL", "source_id": "2016002644669695117", "star_rating": 5.0},
            2665: {"name": "Hotel Siam International", "source_id": "419400087294242943", "star_rating": 3.0},
        },
    )


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=2682, kept=2682, merged=0, quarantined={})
    assert built.notes.unmapped == {}
    assert built.notes.unused_columns == ()


def test_what_rows_miss_is_counted_column_by_column(built: Built) -> None:
    columns = ("name", "source_id", "city_name", "state_name", "locality", "address", "star_rating", "rating")
    assert {name: built.rows.column(name).null_count for name in columns} == {
        "name": 0,
        "source_id": 0,
        "city_name": 0,
        "state_name": 0,
        "locality": 312,
        "address": 1,
        "star_rating": 1303,
        "rating": 1043,
    }
    for name in ("price_per_night", "max_occupancy", "house_type", "house_rules", "latitude", "longitude"):
        assert built.rows.column(name).null_count == 2682, name
    assert pa.types.is_string(built.rows.schema.field("source_id").type)


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("goibibo_hotels", shared_data))
