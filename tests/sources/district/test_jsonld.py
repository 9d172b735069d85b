"""Events of schema.org, whichever site wrote them: where they are in a document, and what each says."""

from typing import Any

import pytest

from schemas.vocab import term_map, vocabulary
from sources.district.cities import city_in_address
from sources.district.jsonld import events_in, kinds_of, place_of, segment_of
from tests.sources.district.answers import EVENT, event


@pytest.mark.parametrize(
    "document",
    [
        EVENT,
        [EVENT],
        {"@graph": [{"@type": "WebPage"}, EVENT]},
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": EVENT}]},
        {"itemListElement": {"item": [[EVENT]]}},
        event(**{"@type": ["Thing", "https://schema.org/MusicEvent"]}),
    ],
)
def test_an_event_is_found_in_any_wrapping(document: Any) -> None:
    (found,) = events_in(document)
    assert found["name"] == EVENT["name"]


@pytest.mark.parametrize(
    "document",
    [None, 5, "Event", [], {}, {"@type": "Place"}, {"@type": None}, {"@type": "EventVenue"}, {"about": EVENT}],
)
def test_what_is_no_event_is_none(document: Any) -> None:
    assert list(events_in(document)) == []


def test_events_keep_their_order_and_any_depth_is_read() -> None:
    deep: Any = [event(name=str(number)) for number in range(5)]
    for _ in range(3000):
        deep = [deep]
    assert [found["name"] for found in events_in(deep)] == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("address", "city", "state"),
    [
        ("Shop 12, MG Road, Sector 29, Gurgaon, Haryana, 122001, India", "Gurgaon", "Haryana"),
        ("Plot 37, New Thippasandra, Bengaluru, Karnataka 560075, India", "Bengaluru", "Karnataka"),
        ("Hall 5, Pitampura, नई दिल्ली, Delhi, 110034, India", "Delhi", "Delhi"),
        ("Dwarka, New Delhi, Delhi 110075", "Delhi", "Delhi"),
        ("Sector 17, Chandigarh, 160 017", "Chandigarh", "Chandigarh"),
        ("Subko, Koramangala, Bangalore", "Bangalore", None),
        ("Example Farm, S.P. Ring Road, Ahmedabad", "Ahmedabad", None),
        ("1 Constructed Road, Pune - 411001", "Pune", None),
        ("1 Constructed Road, Pune, MAHARASHTRA.", "Pune", "Maharashtra"),
        ("1 Constructed Road, Constructedpur, Bihar", "Constructedpur", "Bihar"),
        ("Maison de Medusa", None, None),
        ("Maison de Medusa, ", None, None),
        ("Constructed Fort, Goa", None, "Goa"),
        ("110034", None, None),
        ("", None, None),
    ],
)
def test_the_city_at_the_end_of_an_address(address: str, city: str | None, state: str | None) -> None:
    found = city_in_address(address)
    assert (found.city, found.state) == (city, state)


def test_a_city_that_only_stands_in_the_place_of_one_is_not_known() -> None:
    assert city_in_address("1 Constructed Road, Constructedpur, Bihar").is_known is False
    assert city_in_address("1 Constructed Road, Patna, Bihar").is_known is True


@pytest.mark.parametrize(
    ("location", "street", "city"),
    [
        ({"name": "Hall", "address": {"streetAddress": "1 Road", "addressLocality": "Agra"}}, "1 Road", "Agra"),
        ({"name": "Hall", "address": {"streetAddress": "1 Road, Agra"}}, "1 Road, Agra", "Agra"),
        ([{"name": "Hall", "address": "1 Road, Agra"}], "1 Road, Agra", "Agra"),
        ({"name": "Hall, 1 Road, Agra, India"}, "Hall, 1 Road, Agra, India", "Agra"),
        ({"type": "Place", "name": "Hall", "address": ["1 Road, Agra"]}, "1 Road, Agra", "Agra"),
        ("Hall, Agra", "Hall, Agra", "Agra"),
        ({"name": "Hall", "address": {"addressLocality": "Agra"}}, "Hall", "Agra"),
        ({"name": None, "address": 5}, None, None),
        (None, None, None),
    ],
    ids=str,
)
def test_where_an_event_is_stands_in_many_forms(location: Any, street: str | None, city: str | None) -> None:
    place = place_of(event(location=location))
    assert (place.street, place.city) == (street, city)


@pytest.mark.parametrize(
    ("kind", "keywords", "segment"),
    [
        ("MusicEvent", None, "Music"),
        ("Event", ["UNDERLINE", "Theatre"], "Arts & Theatre"),
        ("Event", "Food & Drinks, Music", "Music"),
        ("MusicEvent", ["Concerts"], "Concerts"),
        ("Event", ["Music", "Sports"], None),
        ("SocialEvent", ["INDIRANAGAR"], None),
        ("Event", {"name": "Music"}, None),
        (["MusicEvent", "SportsEvent"], None, None),
        ("Event", ["Screenings"], None),
    ],
    ids=str,
)
def test_a_segment_is_named_by_words_that_are_known_and_never_guessed(
    kind: Any, keywords: Any, segment: str | None
) -> None:
    assert segment_of(event(**{"@type": kind}, keywords=keywords)) == segment


def test_every_segment_has_a_word_that_leads_to_it() -> None:
    led_to = {token for tokens in term_map("event_segments").terms.values() for token in tokens}
    assert led_to == set(vocabulary("event_segments").tokens)


def test_kinds_are_the_words_at_the_end_of_their_addresses() -> None:
    assert kinds_of({"@type": ["http://schema.org/Event", 5, "Thing"]}) == ["Event", "Thing"]
