"""The Content API as it behaves: ten hits at most, matching without borders, hours by weekday, and its refusals."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
import requests

from sources.sandbox.ground import KM_PER_MILE, Point, distance_km
from sources.sandbox.places import PlaceTable, TruePlace
from sources.sandbox.process import running
from sources.sandbox.world import World
from tests.sources.sandbox.asking import log
from tests.sources.sandbox.asking_tripadvisor import KEY, Document, content, details, found

CATEGORIES: dict[str, PlaceTable] = {
    "attractions": "attractions",
    "restaurants": "restaurants",
    "hotels": "accommodations",
}
UDAIPUR = "24.58584,73.71346"


@pytest.fixture(scope="module")
def pages(address: str, world: World) -> list[tuple[TruePlace, Document]]:
    return [(place, details(address, place.number)) for place in world.places if place.trap != "gone"]


def _ids(items: list[Document]) -> set[int]:
    return {int(item["location_id"]) for item in items}


def test_a_page_tells_the_truth_about_its_place(pages: list[tuple[TruePlace, Document]]) -> None:
    for place, page in pages:
        assert page["location_id"] == str(place.number)
        assert page["name"] == place.name
        assert (float(page["latitude"]), float(page["longitude"])) == (place.latitude, place.longitude)
        assert page["address_obj"]["address_string"] == place.address
        assert page["address_obj"]["country"] == place.country
        assert page["address_obj"].get("postalcode") == place.postcode
        assert (float(page["rating"]) if "rating" in page else None) == place.rating
        assert [quarter["name"] for quarter in page["neighborhood_info"]] == (
            [place.locality] if place.locality else []
        )


def test_nobody_counts_as_having_rated_a_place_without_a_rating(pages: list[tuple[TruePlace, Document]]) -> None:
    for place, page in pages:
        assert (page["num_reviews"] == "0") == (place.rating is None)
        assert ("review_rating_count" in page) == ("ranking_data" in page) == (place.rating is not None)


def test_price_levels_are_signs_and_restaurants_have_three(pages: list[tuple[TruePlace, Document]]) -> None:
    signs = {
        table: {(place.price_tier, page.get("price_level")) for place, page in pages if place.table == table}
        for table in CATEGORIES.values()
    }
    assert signs["attractions"] == {(None, None)}
    assert signs["restaurants"] == {(None, None), (1, "$"), (2, "$$ - $$$"), (4, "$$$$")}
    assert signs["accommodations"] == {(None, None), (1, "$"), (2, "$$"), (3, "$$$"), (4, "$$$$")}


def test_the_groups_of_a_sight_are_its_categories_and_sometimes_one_beyond_them(
    pages: list[tuple[TruePlace, Document]],
) -> None:
    beyond = {"Tours", "Transportation", "Other"}
    sights = [(place, page) for place, page in pages if place.table == "attractions"]
    for place, page in sights:
        names = {group["name"] for group in page["groups"]}
        assert names - beyond == set(place.categories)
        assert {kind["localized_name"] for kind in page["subcategory"]} == names | {"Attractions"}
    kinds = {kind["name"] for _, page in sights for group in page["groups"] for kind in group["categories"]}
    assert "" in kinds


def test_a_kitchen_of_no_group_has_no_cuisine_or_one_that_tells_nothing(
    pages: list[tuple[TruePlace, Document]],
) -> None:
    codes = {
        frozenset(word["name"] for word in page.get("cuisine", []))
        for place, page in pages
        if place.table == "restaurants" and not place.categories
    }
    assert frozenset() in codes
    assert frozenset.union(*codes) <= {"fast_food", "healthy", "street_food"}


def test_a_hotel_is_worded_as_the_truth_says(pages: list[tuple[TruePlace, Document]]) -> None:
    hotels = [(place.hotel, page) for place, page in pages if place.hotel]
    for hotel, page in hotels:
        assert page.get("amenities", []) == [*hotel.amenities]
        assert page.get("styles", []) == [*hotel.styles]
        assert [kind["localized_name"] for kind in page["subcategory"]] == [hotel.property_type]
    words = [set(hotel.amenities) for hotel, _ in hotels]
    assert any({"Wifi", "Free Wifi", "Internet"} <= found for found in words)


def _spans(page: Document) -> Iterator[tuple[int, str, str]]:
    for period in page.get("hours", {}).get("periods", []):
        opens, closes = (f"{period[end]['time'][:2]}:{period[end]['time'][2:]}" for end in ("open", "close"))
        yield period["open"]["day"], opens, closes


def test_hours_are_those_of_the_truth_and_a_closed_day_is_absent(pages: list[tuple[TruePlace, Document]]) -> None:
    for place, page in pages:
        assert ("hours" in page) == (place.hours is not None)
        true = place.hours or ()
        spans = [*_spans(page)]
        told = [(day, opens, closes) for day, opens, closes in spans if opens != closes]
        assert told == [(hours.weekday, hours.opens, hours.closes) for hours in true if hours.state == "open"]
        ambiguous = [day for day, opens, closes in spans if opens == closes]
        assert ambiguous == [hours.weekday for hours in true if hours.state == "ambiguous"]


def test_lines_say_what_the_periods_say_with_two_blanks_between_and_closed_for_none(
    pages: list[tuple[TruePlace, Document]],
) -> None:
    lines = []
    for _, page in pages:
        for day, line in enumerate(page.get("hours", {}).get("weekday_text", []), start=1):
            spans = [f"{opens} - {closes}" for weekday, opens, closes in _spans(page) if weekday == day]
            assert line.partition(": ")[2] == (",  ".join(spans) or "Closed")
            lines.append(line)
    assert {line.partition(":")[0] for line in lines} == {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    }  # fmt: skip
    assert any(line.endswith("Closed") for line in lines)
    assert any(",  18:30 - 01:30" in line for line in lines)


def test_what_closes_after_midnight_has_the_day_of_its_close_on_some_pages_and_of_its_opening_on_others(
    pages: list[tuple[TruePlace, Document]],
) -> None:
    gaps = Counter(
        (period["close"]["day"] - period["open"]["day"]) % 7
        for _, page in pages
        for period in page.get("hours", {}).get("periods", [])
        if period["close"]["time"] < period["open"]["time"]
    )
    assert set(gaps) == {0, 1}


def test_keys_come_in_more_than_one_order_and_now_and_then_there_is_a_new_one(
    pages: list[tuple[TruePlace, Document]],
) -> None:
    firsts = Counter(next(iter(page)) for _, page in pages)
    assert firsts["location_id"] > len(pages) / 2
    assert len(firsts) > 5
    new = sum("constructed_new_key" in page for _, page in pages)
    assert 0 < new < len(pages) / 30


def test_personal_fields_are_there_and_are_plainly_made_up(
    address: str, pages: list[tuple[TruePlace, Document]]
) -> None:
    for key in ("email", "phone", "website"):
        values = {page[key] for _, page in pages if key in page}
        assert len(values) == 1
        assert "constructed-contact" in values.pop()
    assert not any("@" in json.dumps(page) for _, page in pages)
    rated = next(place for place, _ in pages if found(content(address, f"{place.number}/reviews")))
    review = found(content(address, f"{rated.number}/reviews"))[0]
    assert review["user"]["username"].startswith("constructed-user")
    assert review["text"].startswith("Constructed review text")


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_search_gives_ten_hits_at_most_and_all_of_its_category(address: str, world: World, category: str) -> None:
    tables = {place.number: place.table for place in world.places}
    counts = []
    for query in ("Mumbai", "Agra", "Pune"):
        items = found(content(address, "search", searchQuery=query, category=category))
        assert {tables[number] for number in _ids(items)} == {CATEGORIES[category]}
        counts.append(len(items))
    assert max(counts) <= 10
    assert category == "hotels" or counts[0] == 10


def test_a_search_has_no_second_page(address: str) -> None:
    asked = {"searchQuery": "Mumbai", "category": "restaurants"}
    first = content(address, "search", **asked).content
    assert content(address, "search", **asked, offset=10, limit=10, page=2).content == first


def test_words_find_places_abroad_far_off_and_in_another_city(address: str, world: World) -> None:
    names = {place.near: place.city_name for place in world.places if place.trap is None}
    for trap in ("abroad", "far"):
        for place in (place for place in world.places if place.trap == trap):
            category = next(name for name, table in CATEGORIES.items() if table == place.table)
            items = found(content(address, "search", searchQuery=names[place.near], category=category))
            assert place.number in _ids(items)
    in_two = 0
    for place in (place for place in world.places if place.trap == "other_city_in_name"):
        category = next(name for name, table in CATEGORIES.items() if table == place.table)
        others = [name for name in names.values() if name in place.name and name != place.city_name]
        hits = [_ids(found(content(address, "search", searchQuery=name, category=category))) for name in others]
        in_two += any(place.number in each for each in hits)
    assert in_two > 2


def test_a_radius_keeps_a_search_near_a_point(address: str, world: World) -> None:
    asked = {"searchQuery": "Udaipur", "latLong": UDAIPUR, "radius": 20, "radiusUnit": "km"}
    inside = _ids(found(content(address, "search", **asked)))
    places = {place.number: place for place in world.places}
    assert inside & set(places)
    assert {places[number].trap for number in inside & set(places)}.isdisjoint({"abroad", "far"})


def test_without_a_category_a_city_itself_is_among_what_is_found(address: str, world: World) -> None:
    items = [found(content(address, "search", searchQuery=name)) for name in ("Agra", "Udaipur", "Varanasi", "Nashik")]
    numbers = {place.number for place in world.places}
    assert any(_ids(each) - numbers for each in items)
    geos = found(content(address, "search", searchQuery="Agra", category="geos"))
    assert "Agra" in [geo["name"] for geo in geos]
    assert not _ids(geos) & numbers


def test_nearby_gives_the_nearest_ten_in_no_order_of_distance(address: str, world: World) -> None:
    answer = content(address, "nearby_search", latLong="19.07283,72.88261", radius=20, category="restaurants")
    items = found(answer)
    centre = Point(19.07283, 72.88261)
    apart = {
        place.number: distance_km(centre, Point(place.latitude, place.longitude))
        for place in world.places
        if place.table == "restaurants" and place.trap != "gone"
    }
    assert _ids(items) == set(sorted(apart, key=lambda number: apart[number])[:10])
    miles = [float(item["distance"]) for item in items]
    assert miles != sorted(miles)
    for item, far in zip(items, miles, strict=True):
        assert far == pytest.approx(apart[int(item["location_id"])] / KM_PER_MILE, rel=1e-6)


@pytest.mark.parametrize(("radius", "unit"), [(3, "km"), (3000, "m"), (3 / KM_PER_MILE, "mi")])
def test_a_radius_may_be_in_kilometres_metres_or_miles(address: str, world: World, radius: float, unit: str) -> None:
    items = found(content(address, "nearby_search", latLong=UDAIPUR, radius=radius, radiusUnit=unit, category="hotels"))
    centre = Point(*map(float, UDAIPUR.split(",")))
    near = {
        place.number
        for place in world.places
        if place.table == "accommodations" and distance_km(centre, Point(place.latitude, place.longitude)) <= 3
    }
    assert _ids(items) == near
    assert 0 < len(near) < 10


def test_quarters_of_a_circle_find_all_that_one_circle_cuts_off(address: str, world: World) -> None:
    """As a client gets past ten hits: smaller circles whose squares lie side by side."""
    centre, waiting, seen = (19.07283, 72.88261), [(0.0, 0.0, 16.0)], set[int]()
    while waiting:
        north, east, half_km = waiting.pop()
        where = f"{centre[0] + north / 111.2},{centre[1] + east / 105.1}"
        items = found(content(address, "nearby_search", latLong=where, radius=half_km * 1.5, category="restaurants"))
        seen |= _ids(items)
        if len(items) == 10 and half_km > 0.3:
            half = half_km / 2
            waiting += [(north + up * half, east + right * half, half) for up in (-1, 1) for right in (-1, 1)]
    wanted = {
        place.number
        for place in world.places
        if (place.near, place.table) == ("in-mumbai", "restaurants") and place.trap not in ("abroad", "far", "gone")
    }
    assert len(wanted) > 10
    assert wanted <= seen


def test_a_place_that_is_gone_is_found_by_nobody_and_has_no_page(address: str, world: World) -> None:
    gone = [place for place in world.places if place.trap == "gone"]
    assert gone
    for place in gone:
        assert content(address, f"{place.number}/details").status_code == 404
        assert place.number not in _ids(found(content(address, "search", searchQuery=place.name)))
        where = f"{place.latitude},{place.longitude}"
        assert place.number not in _ids(found(content(address, "nearby_search", latLong=where, radius=1)))


def test_reviews_and_photos_come_five_at_a_time_until_a_list_is_empty(address: str, world: World) -> None:
    for what in ("reviews", "photos"):
        sizes = Counter[tuple[int, int, int]]()
        for place in world.places[:40]:
            pages = [found(content(address, f"{place.number}/{what}", offset=offset)) for offset in (0, 5, 10)]
            ids = [member["id"] for page in pages for member in page]
            assert len(ids) == len(set(ids))
            sizes[(len(pages[0]), len(pages[1]), len(pages[2]))] += 1
        assert {size[2] for size in sizes} == {0}
        assert any(size[0] == 5 and size[1] > 0 for size in sizes)
        assert any(size == (0, 0, 0) for size in sizes)


def test_reviews_are_of_one_language_and_photos_of_the_sources_asked_for(address: str, world: World) -> None:
    listed = [place for place in world.places[:40] if place.trap != "gone"]
    english = [len(found(content(address, f"{place.number}/reviews", language="en_IN"))) for place in listed]
    russian = [len(found(content(address, f"{place.number}/reviews", language="ru"))) for place in listed]
    assert (max(english), max(russian)) == (5, 0)
    sources = {
        photo["source"]["name"]
        for place in listed
        for photo in found(content(address, f"{place.number}/photos", source="Expert,Management"))
    }
    assert sources == {"Expert", "Management"}


@pytest.mark.parametrize(
    ("question", "params"),
    [
        ("search", {}),
        ("search", {"searchQuery": " "}),
        ("search", {"searchQuery": "Pune", "category": "HOTEL"}),
        ("search", {"searchQuery": "Pune", "language": "hi"}),
        ("search", {"searchQuery": "Pune", "latLong": "18.5"}),
        ("nearby_search", {}),
        ("nearby_search", {"latLong": "here,there"}),
        ("nearby_search", {"latLong": "98.5,73.8"}),
        ("nearby_search", {"latLong": "nan,73.8"}),
        ("nearby_search", {"latLong": UDAIPUR, "radius": 0}),
        ("nearby_search", {"latLong": UDAIPUR, "radius": -1}),
        ("nearby_search", {"latLong": UDAIPUR, "radius": 5, "radiusUnit": "ft"}),
        ("pune/details", {}),
        ("123/details", {"currency": "rupees"}),
        ("123/photos", {"limit": 50}),
    ],
)
def test_what_cannot_be_read_is_a_bad_request_that_repeats_the_address_with_its_key(
    address: str, world: World, question: str, params: dict[str, object]
) -> None:
    answer = content(address, question.replace("123", str(world.places[0].number)), **params)
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "BadRequestException"
    assert quote(KEY) in answer.json()["error"]["message"]


def test_an_unknown_id_is_not_found_whatever_is_asked_of_it(address: str) -> None:
    for what in ("details", "photos", "reviews"):
        assert content(address, f"999/{what}").status_code == 404


def test_the_same_question_gets_the_same_bytes_from_every_server_and_with_every_key(address: str, world: World) -> None:
    number = world.places[0].number
    questions: list[tuple[str, dict[str, object]]] = [
        ("search", {"searchQuery": "Pune"}),
        ("nearby_search", {"latLong": UDAIPUR}),
        (f"{number}/details", {}),
        (f"{number}/reviews", {}),
    ]
    with running("sample", time_scale=1e6, as_of=datetime.now(UTC).date()) as other:
        for question, params in questions:
            ours = content(address, question, **params)
            assert content(other, question, key="another-key", **params).content == ours.content
            assert ours.headers["x-constructed"] == "yes"
            assert ours.headers["content-type"] == "application/json"


def test_fifty_calls_a_second_are_answered_and_what_goes_beyond_is_refused_in_plain_text() -> None:
    # So slow a clock that all calls of the test fall into one second.
    with running("sample", time_scale=0.01) as slow, requests.Session() as session:
        asked = {"searchQuery": "Pune", "key": KEY}
        where = f"{slow}/tripadvisor/api/v1/location/search"
        answers = [session.get(where, params=asked, timeout=10) for _ in range(52)]
        assert [answer.status_code for answer in answers] == [200] * 50 + [429] * 2
        assert answers[-1].text == "Too Many Requests"
        assert answers[-1].headers["content-type"].startswith("text/plain")
        lines = log(slow)
        assert [line["calls_in_window"] for line in lines] == [*range(1, 53)]
        assert {(line["limit_calls"], line["limit_seconds"]) for line in lines} == {(50, 1.0)}


def test_the_key_is_not_in_the_log(address: str, world: World) -> None:
    details(address, world.places[0].number)
    assert KEY not in requests.get(f"{address}/_log", timeout=10).text
