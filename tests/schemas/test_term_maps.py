"""The maps from outside terms to our vocabularies: each word leads somewhere on purpose, or nowhere with a reason."""

import pytest

from schemas.text import fold
from schemas.textyaml import load_text
from schemas.vocab import FOLDER, map_names, term_map, vocabulary


@pytest.mark.parametrize("name", map_names())
def test_every_word_leads_to_known_tokens_without_repeats(name: str) -> None:
    terms = term_map(name)
    known = set(vocabulary(terms.vocabulary).tokens)
    for term, tokens in terms.terms.items():
        assert tokens, term
        assert set(tokens) <= known, term
        assert len(set(tokens)) == len(tokens), term


@pytest.mark.parametrize("name", map_names())
def test_no_word_both_leads_somewhere_and_is_dropped(name: str) -> None:
    written = load_text(FOLDER / "maps" / f"{name}.yaml")
    assert not {fold(term) for term in written["terms"]} & {fold(term) for term in written.get("dropped") or {}}


@pytest.mark.parametrize("name", map_names())
def test_a_dropped_word_says_why(name: str) -> None:
    for term, reason in term_map(name).dropped.items():
        assert reason, term


@pytest.mark.parametrize(
    ("term", "groups"),
    [
        ("North Indian", ("Indian Subcontinent",)),
        ("SRI LANKAN", ("Indian Subcontinent",)),
        ("Tibetan", ("Asian",)),
        ("Continental", ("European",)),
        ("Café", ("Bar/Pub/Cafe",)),
        ("Moroccan", ("African", "Mediterranean/Middle Eastern")),
        ("Tex-Mex", ("American", "Latin/South American")),
        ("Pizza", ("Pizza/Italian Specialties",)),
        ("Charcoal Grill", ("Seafood/Steak/Grill",)),
        ("Fast Food", ()),
        ("Street Food", ()),
        ("Martian", None),
    ],
)
def test_a_cuisine_word_leads_to_its_groups_alone(term: str, groups: tuple[str, ...] | None) -> None:
    assert term_map("cuisines").lookup(term) == groups


@pytest.mark.parametrize(
    ("term", "categories"),
    [
        ("Temple", ("Sights & Landmarks",)),
        ("national park", ("Nature & Parks",)),
        ("Theme Park", ("Water & Amusement Parks",)),
        ("Aquarium", ("Zoos & Aquariums",)),
        ("Mall", ("Shopping",)),
        ("Sculpture Garden", ("Nature & Parks", "Sights & Landmarks")),
        ("Cave", ()),
        ("Site", ()),
        ("Space Port", None),
    ],
)
def test_a_kind_of_place_leads_to_its_categories_alone(term: str, categories: tuple[str, ...] | None) -> None:
    assert term_map("attraction_categories").lookup(term) == categories


@pytest.mark.parametrize(
    ("name", "term", "tokens"),
    [
        ("house_types", "Service Apartment", ("Apartment_Extended",)),
        ("house_types", "Hotel", ()),
        ("house_rules", "Non-smoking hotel", ("No_Smoking",)),
        ("house_rules", "Non-smoking rooms", ()),
        ("house_rules", "Pets not allowed", ("No_Pets",)),
        ("house_rules", "Pets allowed", ()),
        ("facilities", "Free Wifi", ("Internet_Business",)),
        ("facilities", "BBQ Facilities", ("Dining_Drinks", "Outdoor_Areas")),
        ("services", "Airport transportation", ("Transport_Tours",)),
        ("services", "Hindi", ()),
        ("room_kinds", "Suites", ("Suite",)),
        ("room_kinds", "Haunted Room", None),
    ],
)
def test_a_word_of_a_house_states_what_it_says_and_no_more(
    name: str, term: str, tokens: tuple[str, ...] | None
) -> None:
    assert term_map(name).lookup(term) == tokens
