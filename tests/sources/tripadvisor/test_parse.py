"""What answers of TripAdvisor mean: rows of places, or a refusal that names what is wrong."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sources.protocol.cuts import CUT
from sources.protocol.types import Answer, Refusal, Skipped
from sources.tripadvisor.parse import parse
from tests.sources.tripadvisor.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    FOLDER,
    SUBJECT,
    answer,
    assert_usable,
    document,
    endpoint_of,
    hours,
    of_document,
    of_file,
    refusals,
    rows,
    skipped,
    unknown,
)

RETRYABLE = {
    "forbidden", "rate_limited", "html", "not_json", "wrong_charset", "duplicate_key", "expired",
    "http_status__details_bad_gateway", "error_document__search_beside_data",
}  # fmt: skip


def only(parsed: Any) -> dict[str, Any]:
    (row,) = rows(parsed)
    return row


def changed(name: str, **values: Any) -> Answer:
    return of_document(name.partition("_")[0], document(name) | values)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_has_no_fault(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    assert not refusals(items)
    assert not unknown(items)


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_a_counterexample_causes_the_error_that_it_is_named_after(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    (refusal,) = refusals(items)
    assert refusal.code == path.name.partition("__")[0]
    endpoint, _ = endpoint_of(path)
    # Wrong hours cost themselves alone, a wrong hit or location itself alone, a wrong answer everything.
    assert not rows(items, "place_hours")
    is_of_list = refusal.where.startswith("data[")
    good = len(json.loads(path.read_bytes())["data"]) - 1 if is_of_list else 0
    assert len(rows(items)) == (1 if refusal.table == "place_hours" else good if "terra" in endpoint else 0)
    assert sum(skipped(items).values()) == (0 if "terra" in endpoint else good)


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_only_what_may_be_gone_tomorrow_is_asked_again(path: Path) -> None:
    (refusal,) = refusals(parse(of_file(path)))
    assert refusal.is_retryable is bool(RETRYABLE & {path.name.partition(".")[0], refusal.code})


def test_every_code_of_the_parser_has_a_counterexample() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r'(?:Refusal|UnfitError|_NotJsonError)\(\s*"(\w+)"', code))
    # The last three are properties of an answer that no file can show.
    shown = {path.name.partition("__")[0] for path in COUNTEREXAMPLES}
    assert used == shown | {"expired", "too_large", "unknown_endpoint"}


def test_a_hotel_is_read_as_a_person_reads_it() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "details_hotel.json")))
    assert only(items) == {
        "source_id": "900000001",
        "name": "Constructed Palace",
        "latitude": 12.9719,
        "longitude": 77.5937,
        "rating": 4.5,
        "address": "1 Constructed Road, Bengaluru 560001 India",
        "locality": "Constructed Quarter",
        "website": "https://www.tripadvisor.com/Hotel_Review-g297628-d900000001-Reviews-Constructed.html?m=1",
        "city_name": "Bengaluru",
        "state_name": "Karnataka",
        "search_city_id": "in-bengaluru",
        "property_type": "Hotel",
        "source_amenities": ["Pool", "Wifi", "Free Wifi", "Laundry Service"],
        "source_styles": ["Budget", "Family"],
    }
    assert hours(items) == []
    assert len(items) == 1


def test_a_restaurant_is_read_as_a_person_reads_it() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "details_restaurant.json")))
    row = only(items)
    # In the order of the vocabulary; fast food is of any cuisine.
    cuisines = ["Indian Subcontinent", "Mediterranean/Middle Eastern", "Seafood/Steak/Grill"]
    assert (row["cuisines"], row["price_tier"]) == (cuisines, 2)
    assert hours(items) == [
        (1, "closed", None, None, None),
        (2, "open", "13:00", "16:00", 0),
        (2, "open", "18:00", "23:00", 0),
        (3, "open", "10:00", "06:00", 1),
        (4, "open", "18:00", "00:00", 1),
        (5, "open", "00:00", "02:00", 0),
        (5, "open", "08:00", "23:30", 0),
        (6, "ambiguous", None, None, None),
        (7, "open", "10:00", "18:00", 0),
    ]
    assert {(row["poi_type"], row["source_id"]) for row in rows(items, "place_hours")} == {("restaurant", "900000002")}


def test_an_attraction_is_read_as_a_person_reads_it() -> None:
    row = only(parse(of_file(FOLDER / "examples" / "details_attraction.json")))
    assert row["subcategories"] == ["Nature & Parks", "Zoos & Aquariums"]
    assert row["source_categories"] == ["Zoos & Aquariums", "Nature & Parks", "Other", "Zoos", "Parks"]


def test_what_is_not_known_is_null() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "details_unrated.json")))
    row = only(items)
    assert [row[name] for name in ("rating", "cuisines", "price_tier")] == [None, None, None]
    assert hours(items) == []


def test_numbers_may_be_numbers_or_texts() -> None:
    as_numbers = only(parse(of_file(FOLDER / "examples" / "details_numbers.json")))
    assert [as_numbers[name] for name in ("source_id", "latitude", "longitude", "rating")] == [
        "900000005", 12.9719, 77.5937, 4.7,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rating", "reviews", "read"),
    [("0.0", "0", None), (0, 0, None), (None, "0", None), (None, None, None), ("1.0", "3", 1.0), (5, 7, 5.0)],
)
def test_a_rating_that_nobody_gave_is_null(rating: Any, reviews: Any, read: float | None) -> None:
    assert only(parse(changed("details_hotel", rating=rating, num_reviews=reviews)))["rating"] == read


@pytest.mark.parametrize(
    "value", ["null", "NaN", "nan", "inf", "1,234", "4,5", "", " 4", "+4", "0x4", "٤", True, False, [], {}, "4" * 99]
)
def test_what_looks_like_a_number_only_to_a_program_is_none(value: Any) -> None:
    for name in ("latitude", "longitude", "rating", "num_reviews"):
        items = list(parse(changed("details_hotel", **{name: value})))
        assert [item.code for item in refusals(items)] == ["bad_number"]
        assert rows(items) == []


@pytest.mark.parametrize("level", ["$", "$$", "$$ - $$$", "$$$", "$$$$"])
def test_the_price_tier_is_the_number_of_signs_and_of_a_range_the_lower(level: str) -> None:
    assert only(parse(changed("details_restaurant", price_level=level)))["price_tier"] == len(level.partition(" ")[0])


def test_words_that_no_map_knows_are_reported_and_lead_nowhere() -> None:
    strange = [{"name": "lunar", "localized_name": "Lunar"}]
    items = list(parse(changed("details_restaurant", cuisine=strange)))
    assert (only(items)["cuisines"], unknown(items)) == (None, ["cuisine[].name: lunar"])
    items = list(parse(changed("details_attraction", groups=[{"name": "Craters"}])))
    # The codes beside the groups still say what it is.
    assert (only(items)["subcategories"], unknown(items)) == (
        ["Nature & Parks", "Zoos & Aquariums"],
        ["groups[].name: Craters"],
    )
    items = list(parse(changed("details_attraction", groups=[], subcategory=strange)))
    assert (only(items)["subcategories"], unknown(items)) == (None, ["subcategory[].name: lunar"])


def test_a_tour_has_no_category_of_the_vocabulary() -> None:
    tours = [{"name": "Tours", "localized_name": "Tours", "categories": [{"name": "", "localized_name": ""}]}]
    items = list(parse(changed("details_attraction", groups=tours, subcategory=[])))
    assert (only(items)["subcategories"], only(items)["source_categories"]) == (None, ["Tours"])
    assert unknown(items) == []


def test_the_documented_words_of_the_provider_are_all_in_the_maps() -> None:
    codes = ("indian", "asian", "middle_eastern", "fast_food", "cafe", "bar", "seafood", "pizza", "healthy",
             "international", "turkish", "grill")  # fmt: skip
    cuisine = [{"name": code, "localized_name": code} for code in codes]
    assert unknown(parse(changed("details_restaurant", cuisine=cuisine))) == []
    kinds = ("landmarks", "nature_parks", "museums", "shopping", "sightseeing_tours", "transportation", "other",
             "attractions", "activities", "outdoor_activities", "zoos_aquariums")  # fmt: skip
    subcategory = [{"name": code, "localized_name": code} for code in kinds]
    assert unknown(parse(changed("details_attraction", groups=[], subcategory=subcategory))) == []


def test_an_address_without_city_and_state_takes_them_from_the_areas_around() -> None:
    bare = {"country": "India", "address_string": "Bengaluru India"}
    row = only(parse(changed("details_hotel", address_obj=bare)))
    assert (row["city_name"], row["state_name"]) == ("Bengaluru", "Karnataka")


def test_a_stray_is_told_by_what_was_asked_about() -> None:
    (path,) = (path for path in COUNTEREXAMPLES if path.name.startswith("wrong_country__details_address"))
    (refusal,) = refusals(parse(of_file(path)))
    assert (refusal.table, refusal.value) == ("attractions", "900000003")
    there = {**SUBJECT, "country": "CV", "country_name": "Cape Verde"}
    assert only(parse(of_file(path, subject=there)))["search_city_id"] == "in-bengaluru"
    # Nobody knows what a saved file was asked about.
    assert only(parse(of_file(path, subject={})))["search_city_id"] is None


def test_unknown_fields_are_reported_with_their_path() -> None:
    found = document("details_hotel")
    found["surprise"] = {"value": 1}
    found["ancestors"][0]["mood"] = 1
    found["subratings"]["0"]["mood"] = 1
    found["ranking_data"] = "first"
    items = list(parse(of_document("details", found)))
    assert sorted(unknown(items)) == ["ancestors[].mood", "ranking_data: str", "subratings.0.mood", "surprise"]
    assert len(rows(items)) == 1


def test_of_terra_nothing_is_guessed() -> None:
    found = document("terra_nearby_page")
    found["data"][0]["location"] |= {"hours": {"monday": "09:00"}, "cuisines": ["indian"]}
    items = list(parse(of_document("terra_nearby", found)))
    assert unknown(items) == ["data[].location.hours", "data[].location.cuisines"]
    assert [sorted(row) for row in rows(items)] == [sorted(rows(items)[0])] * 2
    assert hours(items) == []


def test_a_location_of_terra_is_read_as_a_person_reads_it() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "terra_nearby_page.json")))
    first, second = rows(items, "attractions")
    assert first == {
        "source_id": "900000031",
        "name": "Constructed Fort",
        "latitude": 12.97,
        "longitude": 77.59,
        "rating": 4.6,
        "address": "1 Constructed Road, Bengaluru 560001 India",
        "locality": None,
        "website": "https://www.tripadvisor.com/Attraction_Review-g297628-d900000031-Reviews-Constructed.html",
        "city_name": "Bengaluru",
        "state_name": "Karnataka",
        "search_city_id": "in-bengaluru",
    }
    assert second["rating"] is None


def test_what_a_location_is_follows_from_the_question_else_from_its_page() -> None:
    found = document("terra_nearby_page")
    for urls in ({}, {"tripadvisor": {"main": "https://www.tripadvisor.com/900000031"}}):
        found["data"][0]["location"]["urls"] = urls
        assert rows(parse(of_document("terra_nearby", found, params={"category": "RESTAURANT"})), "restaurants")
        (refusal, *_) = refusals(parse(of_document("terra_nearby", found, params={"category": ""})))
        assert refusal.code == "unknown_category"
    bare = of_file(FOLDER / "examples" / "terra_locations_one.json")
    assert len(rows(parse(bare), "attractions")) == 1


@pytest.mark.parametrize(
    ("endpoint", "params", "subject", "table"),
    [
        ("location_search", {"category": "hotels"}, {}, "accommodations"),
        ("location_nearby_search", {"category": "restaurants"}, {}, "restaurants"),
        ("terra_search", {"category": "ATTRACTION"}, {}, "attractions"),
        ("terra_nearby", {"category": "RESTAURANT"}, {}, "restaurants"),
        ("location_details", {"location_id": "1"}, {"category": "attractions"}, "attractions"),
        ("location_details", {"location_id": "1"}, {}, None),
        ("terra_locations", {"id": "1"}, {}, None),
        ("location_search", {"category": "geos"}, {}, None),
    ],
)
def test_what_a_whole_answer_lost_is_booked_to_the_table_that_it_was_for(
    endpoint: str, params: dict[str, str], subject: dict[str, str], table: str | None
) -> None:
    for body, status in ((b"", 503), (b"[]", 200), (b'{"surprise": 1}', 200)):
        (refusal,) = refusals(parse(answer(body, endpoint, params, subject=subject, status=status)))
        assert refusal.table == table, refusal


def test_a_body_that_is_not_there_is_said_to_be() -> None:
    for given, code in ((answer(None), "expired"), (answer(b"", headers=CUT), "too_large")):
        assert [item.code for item in refusals(parse(given))] == [code]
    assert [item.code for item in refusals(parse(answer(b"{}", "weather")))] == ["unknown_endpoint"]


def test_what_is_dropped_is_counted() -> None:
    assert list(parse(of_file(FOLDER / "examples" / "photos_one.json"))) == [
        Skipped("a photo, of which nothing is kept", 1)
    ]
    assert list(parse(of_file(FOLDER / "examples" / "reviews_one.json"))) == [
        Skipped("a review, of which nothing is kept", 1)
    ]
    assert list(parse(of_file(FOLDER / "examples" / "details_area.json"))) == [Skipped("an area, which is no place", 1)]
    assert list(parse(of_file(FOLDER / "examples" / "search_hits.json"))) == [
        Skipped("a hit whose details are asked for", 3)
    ]


def test_the_first_thing_said_of_an_answer_that_failed_is_that_it_failed() -> None:
    for endpoint in ("search", "terra_nearby", "photos"):
        first = next(iter(parse(of_document(endpoint, {"data": None, "surprise": 1}))))
        assert isinstance(first, Refusal)


@pytest.mark.parametrize("depth", [500, 5_000, 200_000])
def test_deep_nesting_is_refused_and_does_not_break_anything(depth: int) -> None:
    for key in ("category", "subratings", "hours"):
        body = f'{{"location_id": "1", "{key}": '.encode() + b"[" * depth + b"]" * depth + b"}"
        assert len(refusals(parse(answer(body)))) == 1


# Table -> rows, then refusals, then what is skipped.
Outcome = tuple[dict[str, int], list[str], dict[str, int]]
HITS = "a hit whose details are asked for"
SAMPLES: dict[str, tuple[str, Outcome]] = {
    "error_documented_envelope.http400.constructed.json": ("details", ({}, ["bad_request"], {})),
    "error_gateway.http403.json": ("details", ({}, ["forbidden"], {})),
    "error_other_api_errors_list.http401.json": ("details", ({}, ["forbidden"], {})),
    "location_details_attraction_closed_days.json": ("details", ({"attractions": 1, "place_hours": 7}, [], {})),
    "location_details_attraction_hours.json": ("details", ({"attractions": 1, "place_hours": 7}, [], {})),
    "location_details_attraction_no_hours.json": ("details", ({"attractions": 1}, [], {})),
    "location_details_geo.json": ("details", ({}, [], {"an area, which is no place": 1})),
    "location_details_hotel.json": ("details", ({"accommodations": 1}, [], {})),
    "location_details_restaurant_rebuilt.json": ("details", ({"restaurants": 1, "place_hours": 7}, [], {})),
    "location_nearby_search_hotels.json": ("nearby", ({}, [], {HITS: 10})),
    "location_photos.json": ("photos", ({}, [], {"a photo, of which nothing is kept": 3})),
    "location_reviews.json": ("reviews", ({}, [], {"a review, of which nothing is kept": 3})),
    "location_search_empty.json": ("search", ({}, [], {})),
    "location_search_mixed.json": ("search", ({}, [], {HITS: 10})),
    "terra_error_validation.http400.constructed.json": ("terra_search", ({}, ["bad_request"], {})),
    "terra_locations_nearby.constructed.json": ("terra_nearby", ({"attractions": 1}, [], {})),
    "terra_locations_search.constructed.json": ("terra_search", ({"attractions": 1}, [], {})),
}


@pytest.fixture(scope="session")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "tripadvisor"


def of_sample(path: Path, subject: dict[str, str] | None = None) -> Answer:
    status = re.search(r"\.http(\d+)\.", path.name)
    endpoint, params = endpoint_of(Path(SAMPLES[path.name][0] + "_"))
    return answer(
        path.read_bytes(), endpoint, params, status=int(status[1]) if status else 200, subject=subject or {}
    )  # fmt: skip


def test_every_sample_of_the_provider_has_the_outcome_of_its_description(samples: Path) -> None:
    paths = sorted(samples.glob("*.json"))
    assert [path.name for path in paths] == sorted(SAMPLES)
    for path in paths:
        items = list(parse(of_sample(path)))
        assert_usable(items)
        tables = {table: len(found) for table in ("accommodations", "attractions", "place_hours", "restaurants")
                  if (found := rows(items, table))}  # fmt: skip
        codes = [item.code for item in refusals(items)]
        assert (tables, codes, skipped(items)) == SAMPLES[path.name][1], path.name
        assert unknown(items) == [], path.name


def test_all_samples_but_those_of_india_are_strays_when_india_was_asked_about(samples: Path) -> None:
    for path in sorted(samples.glob("location_details_*.json")):
        items = list(parse(of_sample(path, SUBJECT)))
        is_area = path.name == "location_details_geo.json"
        assert [item.code for item in refusals(items)] == ([] if is_area else ["wrong_country"])
        assert rows(items) == []
    found = [item.code for item in refusals(parse(of_sample(samples / "location_search_mixed.json", SUBJECT)))]
    assert found == ["wrong_country"] * 10


def test_the_places_of_the_samples_are_read_as_a_person_reads_them(samples: Path) -> None:
    found = {
        path.name.removeprefix("location_details_").removesuffix(".json"): only(parse(of_sample(path)))
        for path in sorted(samples.glob("location_details_*.json"))
        if "geo" not in path.name
    }
    columns = ("source_id", "name", "latitude", "longitude", "rating", "city_name", "state_name", "locality")
    assert {name: tuple(row[column] for column in columns) for name, row in found.items()} == {
        "attraction_closed_days": (
            "195124", "L\u2019Aquarium de Barcelona", 41.37685, 2.184366, 3.5, "Barcelona", "Province of Barcelona",
            "Port Vell (Old Port)",
        ),
        "attraction_hours": (
            "244821", "Barcelona Zoo", 41.386208, 2.187119, 3.5, "Barcelona", "Province of Barcelona", "Sant Pere",
        ),
        "attraction_no_hours": (
            "191048", "Barcelona Cathedral", 41.387398, 2.168568, 4.5, "Barcelona", "Province of Barcelona",
            "Barrio Gotico (Barri Gotic)",
        ),
        "hotel": ("299048", "Ambassador Motor Inn", -27.49268, 153.02167, 3.5, "Brisbane", "Queensland", None),
        "restaurant_rebuilt": (
            "10876691", "Mado Jumeirah", 25.2048, 55.2708, 5.0, "Dubai", "Emirate of Dubai", None,
        ),
    }  # fmt: skip
    assert found["attraction_hours"]["subcategories"] == ["Nature & Parks", "Outdoor Activities", "Zoos & Aquariums"]
    assert found["attraction_no_hours"]["source_categories"] == ["Sights & Landmarks", "Churches & Cathedrals"]
    assert (found["hotel"]["source_styles"], len(found["hotel"]["source_amenities"])) == (["Budget", "Mid-range"], 29)
    assert (found["restaurant_rebuilt"]["cuisines"], found["restaurant_rebuilt"]["price_tier"]) == (
        ["Mediterranean/Middle Eastern", "Seafood/Steak/Grill"], 2,
    )  # fmt: skip
    closed = list(parse(of_sample(samples / "location_details_attraction_closed_days.json")))
    assert [state for _, state, *_ in hours(closed)] == ["closed"] * 3 + ["open"] * 4
    late = list(parse(of_sample(samples / "location_details_restaurant_rebuilt.json")))
    assert hours(late)[0] == (1, "open", "08:00", "01:00", 1)
    assert hours(late)[6] == (7, "open", "08:00", "02:00", 1)
