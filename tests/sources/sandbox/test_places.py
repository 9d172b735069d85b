"""The truth of places: as many as real cities have, in the words of the vocabularies, with every trap among them."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from schemas.region import Region, load_region
from schemas.vocab import vocabulary
from sources.sandbox.ground import CONSTRUCTED, CONSTRUCTED_HI, Point, distance_km
from sources.sandbox.opening import TrueHours
from sources.sandbox.places import TruePlace
from sources.sandbox.world import World, build_world

INDIA = Path(__file__).resolve().parents[3] / "pipeline" / "regions" / "india"
TABLES = ("attractions", "restaurants", "accommodations")


def _where(place: TruePlace) -> Point:
    return Point(place.latitude, place.longitude)


def _first(place: TruePlace, world: World) -> TruePlace:
    return next(each for each in world.places if (each.near, each.table) == (place.near, place.table))


def _trapped(world: World, trap: str) -> list[TruePlace]:
    found = [place for place in world.places if place.trap == trap]
    assert found
    return found


def test_a_city_has_the_same_places_in_every_region_and_others_with_another_seed(region: Region, world: World) -> None:
    last = region.cities[-1]
    alone = build_world(replace(region, cities=(last,)), seed=1)
    assert alone.places == tuple(place for place in world.places if place.near == last.city_id)
    assert build_world(region, seed=2).places != world.places


def test_a_sample_is_small_and_a_country_has_as_many_places_as_the_real_one() -> None:
    counts = [
        Counter(place.table for place in build_world(load_region(folder), seed=1).places)
        for folder in (INDIA.parent / "sample", INDIA)
    ]
    wanted = [(100, 130, 90), (3000, 3400, 3700)]
    for counted, numbers in zip(counts, wanted, strict=True):
        assert [counted[table] for table in TABLES] == pytest.approx(numbers, rel=0.1)


def test_great_cities_have_more_places_of_a_table_than_one_search_gives(world: World) -> None:
    counts = Counter((place.near, place.table) for place in world.places)
    assert counts["in-mumbai", "attractions"] > 10
    assert counts["in-mumbai", "restaurants"] > 10
    assert min(counts.values()) > 3


def test_ids_and_numbers_are_unique_and_no_number_is_that_of_a_real_place_or_needs_more_than_31_bits() -> None:
    places = build_world(load_region(INDIA), seed=1).places
    assert len({place.id for place in places}) == len({place.number for place in places}) == len(places)
    assert all(10**8 < place.number < 2**31 for place in places)


def test_every_name_address_and_quarter_says_that_it_is_constructed(world: World) -> None:
    for place in world.places:
        assert place.name.startswith(f"{CONSTRUCTED} ")
        assert CONSTRUCTED in place.street
        assert CONSTRUCTED in place.address
        assert place.local_name is None or place.local_name.startswith(f"{CONSTRUCTED_HI} ")
        assert place.locality is None or place.locality.startswith((CONSTRUCTED, CONSTRUCTED_HI))


def test_names_are_unique_in_a_city_and_table_but_for_branches(world: World) -> None:
    counts = Counter((place.near, place.table, place.name.casefold()) for place in world.places)
    assert sum(count - 1 for count in counts.values()) == len(_trapped(world, "branch"))


def test_meanings_are_tokens_of_the_vocabularies_and_each_of_a_place_is_there(world: World) -> None:
    categories = vocabulary("attraction_categories").tokens
    used = {token for place in world.places if place.table == "attractions" for token in place.categories}
    assert used == set(categories)
    cuisines = {token for place in world.places if place.table == "restaurants" for token in place.categories}
    assert cuisines == set(vocabulary("cuisine_groups").tokens)
    hotels = [place.hotel for place in world.places if place.hotel]
    assert {hotel.house_type for hotel in hotels} == {*vocabulary("house_types").tokens, None}
    for column in ("house_rules", "facilities_amenities", "services"):
        tokens = {token for hotel in hotels for token in getattr(hotel, column) or ()}
        name = {"facilities_amenities": "facilities"}.get(column, column)
        assert tokens
        assert tokens <= set(vocabulary(name).tokens)
    assert {hotel.max_occupancy for hotel in hotels} == {None, 2, 3, 4}


def test_what_belongs_to_one_table_is_told_of_that_table_alone(world: World) -> None:
    for place in world.places:
        assert (place.hotel is not None) == (place.table == "accommodations")
        assert place.table != "accommodations" or (place.hours is None and place.categories == ())
        assert place.table != "attractions" or place.price_tier is None


def test_some_places_lack_a_rating_a_price_hours_categories_or_every_word_about_the_house(world: World) -> None:
    assert {place.rating is None for place in world.places} == {True, False}
    tiers = {table: {place.price_tier for place in world.places if place.table == table} for table in TABLES}
    assert tiers == {"attractions": {None}, "restaurants": {None, 1, 2, 4}, "accommodations": {None, 1, 2, 3, 4}}
    assert any(place.categories == () for place in world.places if place.table == "attractions")
    assert any(place.categories == () for place in world.places if place.table == "restaurants")
    silent = [place.hotel for place in world.places if place.hotel and not place.hotel.amenities]
    assert silent
    assert all(
        (hotel.house_type, hotel.house_rules, hotel.facilities_amenities, hotel.services, hotel.max_occupancy)
        == (None,) * 5
        for hotel in silent
    )


@pytest.mark.parametrize(
    ("word", "column", "meaning"),
    [
        ("Spa", "facilities_amenities", "Wellness_Spa"),
        ("Restaurant", "facilities_amenities", "Dining_Drinks"),
        ("Bar / Lounge", "facilities_amenities", "Dining_Drinks"),
        ("Laundry Service", "services", "Cleaning_Laundry"),
        ("Evening Entertainment", "services", "Entertainment"),
        ("Non-smoking hotel", "house_rules", "No_Smoking"),
        ("Pets Not Allowed", "house_rules", "No_Pets"),
        ("Adults Only", "house_rules", "No_Children"),
        ("Luxury", "house_type", "Luxury_Boutique"),
        ("Boutique", "house_type", "Luxury_Boutique"),
        ("Family", "house_type", "Family_Friendly"),
        ("Beachfront", "house_type", "Resort_Beach"),
        ("Aparthotel", "house_type", "Apartment_Extended"),
        ("Family Rooms", "max_occupancy", 4),
    ],
)
def test_a_word_of_a_hotel_means_what_people_mean_by_it(word: str, column: str, meaning: object, world: World) -> None:
    hotels = [place.hotel for place in world.places if place.hotel]
    saying = [hotel for hotel in hotels if word in (*hotel.amenities, *hotel.styles, hotel.property_type)]
    assert saying
    for hotel in saying:
        told = getattr(hotel, column)
        assert meaning == told or (isinstance(told, tuple) and meaning in told)


def test_what_a_house_allows_is_no_rule_of_it(world: World) -> None:
    allowing = [h for p in world.places if (h := p.hotel) and "Pets Allowed ( Dog / Pet Friendly )" in h.amenities]
    assert any("No_Pets" not in (hotel.house_rules or ()) for hotel in allowing)


def test_a_week_of_known_hours_tells_of_all_seven_days(world: World) -> None:
    weeks = [place.hours for place in world.places if place.hours is not None]
    assert len(weeks) > 100
    for week in weeks:
        assert [*dict.fromkeys(hours.weekday for hours in week)] == [1, 2, 3, 4, 5, 6, 7]
        assert all((hours.state == "open") == (hours.opens is not None) for hours in week)


def test_hours_go_past_midnight_twice_a_day_on_to_the_next_day_or_are_closed_ambiguous_or_unknown(world: World) -> None:
    weeks = [place.hours or () for place in world.places]
    days = [[hours for hours in week if hours.weekday == day] for week in weeks for day in range(1, 8)]
    every = [hours for week in weeks for hours in week]
    assert any(len(day) == 2 for day in days)
    assert {hours.state for hours in every} == {"open", "closed", "ambiguous"}
    assert TrueHours(1, "open", "10:00", "06:00", 1) in every
    assert TrueHours(1, "open", "18:00", "00:00", 1) in every
    assert TrueHours(2, "open", "00:00", "02:00", 0) in every
    assert any(all(hours.state == "ambiguous" for hours in week) for week in weeks if week)
    assert any({hours.state for hours in week} == {"open", "ambiguous"} for week in weeks if week)
    share = sum(place.hours is None for place in world.places if place.table == "restaurants") / 130
    assert 0.2 < share < 0.45


def test_hours_close_on_the_next_day_exactly_where_they_close_no_later_than_they_open(world: World) -> None:
    spans = [hours for place in world.places for hours in place.hours or () if hours.opens and hours.closes]
    assert {hours.closes_day_offset for hours in spans} == {0, 1}
    assert all(hours.closes_day_offset == (str(hours.closes) < str(hours.opens)) for hours in spans)


def test_places_lie_in_their_city_but_for_those_abroad_and_far_off(region: Region, world: World) -> None:
    centres = {city.city_id: Point(city.latitude, city.longitude) for city in region.cities}
    for place in world.places:
        apart = distance_km(centres[place.near], _where(place))
        assert (apart > 79) == (place.trap in ("far", "abroad"))
        assert apart < 14 or place.trap in ("far", "abroad")
    assert all(79 < distance_km(centres[place.near], _where(place)) < 101 for place in _trapped(world, "far"))


def test_a_place_abroad_belongs_to_no_city_and_bears_the_name_of_one(region: Region, world: World) -> None:
    names = {city.city_id: city.name for city in region.cities}
    for place in world.places:
        assert (place.city_id is None) == (place.country != "India") == (place.trap == "abroad")
    assert all(names[place.near] in place.name for place in _trapped(world, "abroad"))


def test_two_places_at_one_address_have_two_names(world: World) -> None:
    for place in _trapped(world, "same_address"):
        first = _first(place, world)
        assert (place.address, _where(place)) == (first.address, _where(first))
        assert place.name != first.name


def test_a_branch_has_the_name_of_another_place_in_another_street_and_quarter(world: World) -> None:
    for place in _trapped(world, "branch"):
        first = _first(place, world)
        assert place.name == first.name
        assert place.address != first.address
        assert place.locality != first.locality
        assert distance_km(_where(place), _where(first)) > 2


def test_names_that_break_the_grammar_of_plans_are_marked_as_such(world: World) -> None:
    words = {"from", "stay", "visit"}
    hazards = [place for place in world.places if "(" in place.name or words & set(place.name.casefold().split())]
    assert {place.trap for place in hazards if place.trap != "branch"} == {"grammar_word"}
    assert len(hazards) >= len(_trapped(world, "grammar_word"))


def test_a_name_may_hold_another_city(region: Region, world: World) -> None:
    own = {city.city_id: city.name for city in region.cities}
    for place in _trapped(world, "other_city_in_name"):
        assert any(name in place.name for name in own.values() if name != own[place.near])


def test_some_postal_codes_are_dummies_and_some_are_missing(world: World) -> None:
    assert {None, "1234", "1017 SG"} < {place.postcode for place in world.places}


def test_the_truth_as_json_holds_every_place(world: World) -> None:
    truth = json.loads(world.to_json())["places"]
    assert [place["id"] for place in truth] == [place.id for place in world.places]
    assert {*truth[0]} == {*vars(world.places[0])}
