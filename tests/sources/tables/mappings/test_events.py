"""Events of four exports: what those read by hand become, and the account of all of them."""

from datetime import date
from pathlib import Path

import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import assert_account, assert_equal_built, assert_rows, stage_shipped

UNDERLINE = "3rd Floor, above Blue Tokai 24, 3rd A Cross, 1st Main Rd"


@pytest.fixture(scope="module")
def built(shared_data: Path) -> dict[str, Built]:
    names = ("mapindia", "puttingscene", "skillboxes", "underline")
    return {name: stage_shipped(f"{name}_events", shared_data) for name in names}


def test_a_museum_without_places_leaves_the_city_open(built: dict[str, Built]) -> None:
    assert_rows(
        built["mapindia"],
        {
            "1.1": {
                "name": "Family Day - Fifth Edition",
                "url": "https://map-india.org/map-events/family-day-fifth-edition/",
                "event_date": date(2026, 8, 30),
                "streetAddress": None,
                "city_name": None,
                "state_name": None,
                "segmentName": None,
            },
            "2.1": {
                "name": "Knowing is Doing: Understanding Artist Rights",
                "event_date": date(2026, 8, 29),
                "city_name": "Bengaluru",
                "segmentName": None,
            },
        },
    )


def test_a_city_is_told_by_the_address_alone(built: dict[str, Built]) -> None:
    assert_rows(
        built["puttingscene"],
        {
            "1.1": {
                "name": "Petals & Matcha - DIY Bouquet & Matcha Experience",
                "url": "https://puttingscene.com/events/5573",
                "source_id": "events/5573",
                "event_date": date(2026, 8, 22),
                "streetAddress": "Maison de Medusa",
                "city_name": None,
            },
            "2.1": {"streetAddress": "Subko The Craftery, Koramangala, Bangalore", "city_name": "Bangalore"},
            "3.1": {"streetAddress": "Brik Oven - Woodfired Style Pizzas (Indiranagar)", "city_name": None},
            "4.1": {"streetAddress": "MKF Museum of Art, Ashok Nagar, Bangalore", "city_name": "Bangalore"},
            "6.1": {"name": "Bengaluru Rising: Imaginarium Exhibition", "source_id": "events/5643"},
            "7.1": {"url": "https://puttingscene.com/events/5576", "event_date": date(2026, 8, 22)},
            "8.1": {"url": "https://puttingscene.com/events/5576", "event_date": date(2026, 8, 22)},
            "10.1": {"name": "Hear Me Out: Vault 66", "streetAddress": "CONCEPT01", "city_name": None},
            "15.1": {"name": "Dasa Vaibhava: Violin Duet", "segmentName": None, "city_name": "Bangalore"},
            "18.1": {"name": "Alaikadal", "streetAddress": "Museum of Art & Photography (MAP)", "city_name": None},
            "22.1": {"event_date": date(2026, 8, 22), "streetAddress": "The Humming Tree, Indiranagar, Bangalore"},
            "25.1": {"event_date": date(2026, 8, 23), "streetAddress": "Malleshwaram, Bangalore"},
            "33.1": {"streetAddress": "Science Gallery Bengaluru, Ganganagar, Bangalore", "city_name": "Bangalore"},
            "55.1": {"name": "Onam Sadya | PayTey Style", "event_date": date(2026, 8, 26), "city_name": None},
            "64.1": {"event_date": date(2026, 8, 29), "streetAddress": "Quest Learning Observatory"},
            "9.1": {"name": "Padel Beginners Clinic", "url": "https://puttingscene.com/events/5647"},
            "20.1": {"event_date": date(2026, 8, 22), "city_name": "Bangalore"},
            "44.1": {"streetAddress": "the*spark | Pullur Centre", "city_name": None},
            "60.1": {"event_date": date(2026, 8, 29), "segmentName": None},
            "68.1": {"event_date": date(2026, 10, 6), "city_name": "Bangalore"},
        },
    )


def test_the_kind_is_told_by_key_words(built: dict[str, Built]) -> None:
    assert_rows(
        built["skillboxes"],
        {
            "1.1": {
                "name": "Unit 909 X Mob Mind Presents Lokier, Frozen Fader & Priaa",
                "event_date": date(2026, 9, 19),
                "city_name": "Bengaluru",
                "state_name": "Karnataka",
                "segmentName": "Music",
            },
            "3.1": {"name": "Aarzu India Tour Bengaluru", "event_date": date(2026, 9, 12), "segmentName": "Music"},
            "4.1": {"source_id": "events/mandragora-live-in-bangalore-sbhncodb", "segmentName": "Music"},
            "6.1": {"name": "Job Kurian Live", "event_date": date(2026, 10, 10), "city_name": "Bengaluru"},
            "11.1": {"event_date": date(2026, 9, 5), "state_name": "Karnataka", "segmentName": "Music"},
            "2.1": {"name": "Yatra with Aanchal || Bangalore", "segmentName": "Music"},
            "7.1": {"event_date": date(2026, 9, 4), "segmentName": "Arts & Theatre"},
            "9.1": {"event_date": date(2026, 9, 5), "segmentName": "Arts & Theatre"},
            "8.1": {"name": "Soul Jams | Bengaluru", "segmentName": None},
            "10.1": {"event_date": date(2026, 9, 12), "segmentName": None},
        },
    )


def test_an_event_of_several_days_has_a_row_for_each(built: dict[str, Built]) -> None:
    assert_rows(
        built["skillboxes"],
        {f"5.{day}": {"name": "The Grand Onam Sadhya", "event_date": date(2026, 8, 16 + day)} for day in range(1, 11)},
    )
    assert_rows(
        built["underline"],
        {
            "159.1": {"event_date": date(2026, 1, 28)},
            "159.5": {"event_date": date(2026, 2, 1)},
            "180.2": {"name": "Overnight Board Games with ReRoll", "event_date": date(2025, 12, 25)},
        },
    )


def test_an_evening_that_ends_after_midnight_is_one_day(built: dict[str, Built]) -> None:
    assert_rows(
        built["underline"], {"37.1": {"event_date": date(2026, 7, 31)}, "53.1": {"event_date": date(2026, 7, 17)}}
    )
    refs = [ref.rsplit("#")[1] for ref in built["underline"].rows.column("source_ref").to_pylist()]
    assert not {"37.2", "53.2"} & {*refs}


def test_an_event_without_an_address_has_that_of_its_own_page(built: dict[str, Built]) -> None:
    assert_rows(
        built["underline"],
        {
            "1.1": {
                "url": "https://www.district.in/gossip-the-gameshow-with-tasty-trivia-sep12-2026/event",
                "event_date": date(2026, 9, 12),
                "streetAddress": UNDERLINE,
                "city_name": "Bangalore",
                "state_name": "KA",
                "segmentName": None,
            },
            "20.1": {"url": "https://underline.center/t/970", "event_date": date(2026, 8, 22)},
            "2.1": {"event_date": date(2026, 9, 12), "segmentName": None},
            "3.1": {"url": "https://district.in/folding-ninjas-with-roligami/event", "event_date": date(2026, 9, 6)},
            "4.1": {"name": "The Clueless Crossword | Quiz Pro Quo", "event_date": date(2026, 9, 4)},
            "6.1": {"event_date": date(2026, 8, 30), "city_name": "Bangalore"},
            "10.1": {"name": "After Hours with Eleven AM Club", "event_date": date(2026, 8, 26)},
            "21.1": {"source_id": "weekend-games-with-reroll/event", "event_date": date(2026, 8, 22)},
            "57.1": {"name": "TheatreSports™ by Improv Lore", "event_date": date(2026, 7, 11)},
            "101.1": {"url": "https://underline.center/t/911", "event_date": date(2026, 5, 1)},
            "120.1": {"name": "IndieWebClub #23", "url": "https://district.in/indiewebclub-meetup/event"},
            "156.1": {"event_date": date(2026, 1, 31), "state_name": "KA"},
            "176.4": {"name": "Screening of Shrek (2001) with Cinema Next Door", "event_date": date(2026, 1, 4)},
            "200.1": {"event_date": date(2025, 11, 28), "streetAddress": UNDERLINE},
            "28.1": {"name": "IndieWebClub #32", "url": "https://underline.center/t/1000"},
        },
    )


@pytest.mark.parametrize(
    ("name", "events", "rows"),
    [("mapindia", 2, 2), ("puttingscene", 68, 68), ("skillboxes", 11, 20), ("underline", 200, 208)],
)
def test_every_event_is_accounted_for(built: dict[str, Built], name: str, events: int, rows: int) -> None:
    assert_account(built[name], rows_in=rows, kept=rows, merged=0, quarantined={})
    refs = built[name].rows.column("source_ref").to_pylist()
    assert {int(ref.rsplit("#")[1].split(".")[0]) for ref in refs} == {*range(1, events + 1)}
    assert built[name].notes.unused_columns == ()


def test_a_second_run_gives_the_same(built: dict[str, Built], shared_data: Path) -> None:
    for name, first in built.items():
        assert_equal_built(first, stage_shipped(f"{name}_events", shared_data))
