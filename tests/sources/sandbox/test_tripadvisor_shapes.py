"""What is served in TripAdvisor's name has the shape of genuine answers, field by field."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sources.sandbox.places import TruePlace
from sources.sandbox.world import World
from tests.sources.sandbox.asking_tripadvisor import Document, content, details, found, terra

# Documented or reported, but in none of the samples.
_BEYOND_SAMPLES = {
    "restaurant": {"email", "phone", "website", "description", "review_rating_count"},
    "hotel": {"email", "phone", "website", "brand", "parent_brand"},
    "attraction": set[str](),
}
_ALWAYS = {
    "location_id", "name", "web_url", "address_obj", "ancestors", "latitude", "longitude", "timezone", "write_review",
    "num_reviews", "photo_count", "see_all_photos", "category", "subcategory", "neighborhood_info", "trip_types",
    "awards",
}  # fmt: skip
_NEW_KEY = "constructed_new_key"


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "tripadvisor"


@pytest.fixture(scope="module")
def pages(address: str, world: World) -> list[Document]:
    return [details(address, place.number) for place in world.places if place.trap != "gone"]


def _read(samples: Path, name: str) -> Any:
    return json.loads((samples / f"{name}.json").read_text(encoding="utf-8"))


def fields(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and type of each value; members of a list share a path, as do numbered keys."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from fields(member, f"{path}.{'#' if key.isdigit() else key}")
    elif isinstance(value, list):
        yield path, "list"
        for member in value:
            yield from fields(member, f"{path}[]")
    else:
        yield path, type(value).__name__


def types(documents: Iterable[Any]) -> dict[str, str]:
    """Return the type of each path that any document has; one path never has two types."""
    known: dict[str, str] = {}
    for document in documents:
        for path, kind in fields(document):
            assert known.setdefault(path, kind) == kind, path
    return known


def _without(found: dict[str, str], *prefixes: str) -> dict[str, str]:
    return {path: kind for path, kind in found.items() if not path.startswith(prefixes)}


def test_results_of_a_search_have_the_fields_of_genuine_ones(address: str, samples: Path) -> None:
    genuine = types([_read(samples, "location_search_mixed")])
    ours = types([content(address, "search", searchQuery=query).json() for query in ("Pune", "Mumbai", "Agra")])
    assert ours == genuine


def test_a_search_that_finds_nothing_is_answered_as_a_genuine_one(address: str, samples: Path) -> None:
    assert content(address, "search", searchQuery="Atlantis").json() == _read(samples, "location_search_empty")


def test_results_of_a_search_nearby_have_the_fields_of_genuine_ones(address: str, samples: Path) -> None:
    genuine = _read(samples, "location_nearby_search_hotels")
    ours = content(address, "nearby_search", latLong="19.07,72.88", category="hotels").json()
    assert types([ours]) == types([genuine])
    assert [*ours["data"][0]] == [*genuine["data"][0]]
    bearings = {item["bearing"] for item in genuine["data"]}
    assert bearings <= {"north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"}
    assert {item["bearing"] for item in ours["data"]} & bearings


def _genuine_details(samples: Path, category: str) -> list[Document]:
    names = {
        "attraction": ("attraction_closed_days", "attraction_hours", "attraction_no_hours"),
        "restaurant": ("restaurant_rebuilt",),
        "hotel": ("hotel",),
    }[category]
    return [_read(samples, f"location_details_{name}") for name in names]


@pytest.mark.parametrize("category", ["attraction", "restaurant", "hotel"])
def test_details_have_the_fields_and_types_of_genuine_ones(category: str, pages: list[Document], samples: Path) -> None:
    every = types(
        [document for kind in ("attraction", "restaurant", "hotel") for document in _genuine_details(samples, kind)]
    )
    genuine = types(_genuine_details(samples, category))
    ours = types([page for page in pages if page["category"]["name"] == category])
    ours = _without(ours, f".{_NEW_KEY}")
    # Awards, quarters and parts of an address are in some samples alone, by chance and not by category.
    shared = {path for path in every if path.startswith((".awards", ".neighborhood_info", ".address_obj"))}
    beyond = {path for path in ours if path.split(".")[1] in _BEYOND_SAMPLES[category]}
    assert {path for path in ours if path not in genuine} <= beyond | shared
    assert all(every.get(path, kind) == kind for path, kind in ours.items())
    assert set(genuine) <= set(ours)


def test_what_every_genuine_page_has_every_page_has(pages: list[Document]) -> None:
    assert all(set(page) >= _ALWAYS for page in pages)


def test_numbers_are_text_in_details(pages: list[Document]) -> None:
    kinds = types(pages)
    wanted = (".latitude", ".rating", ".num_reviews", ".ranking_data.ranking", ".review_rating_count.#",
              ".subratings.#.value", ".trip_types[].value", ".location_id", ".ancestors[].location_id")  # fmt: skip
    assert {kinds[path] for path in wanted} == {"str"}
    assert kinds[".hours.periods[].open.day"] == "int"


def test_fields_of_one_category_are_on_its_pages_alone(pages: list[Document]) -> None:
    for page in pages:
        category = page["category"]["name"]
        assert ("groups" in page) == (category == "attraction")
        assert category == "restaurant" or not {"features", "cuisine"} & set(page)
        assert category == "hotel" or not {"amenities", "styles", "subratings"} & set(page)
        assert category != "hotel" or "hours" not in page


def test_a_page_of_a_city_has_the_fields_of_a_genuine_area(address: str, samples: Path) -> None:
    genuine = _read(samples, "location_details_geo")
    city = found(content(address, "search", searchQuery="Pune", category="geos"))[0]
    ours = details(address, int(city["location_id"]))
    assert _without(types([ours]), ".address_obj.state") == types([genuine])
    assert ours["category"] == genuine["category"]


def test_reviews_have_the_fields_and_types_of_genuine_ones(address: str, world: World, samples: Path) -> None:
    genuine = types(_read(samples, "location_reviews")["data"])
    ours = types(_opinions(address, world.places[:40], "reviews"))
    answers = {path for path in ours if path.startswith(".owner_response")}
    assert answers
    assert _without(ours, ".owner_response") == genuine
    assert (ours[".rating"], ours[".location_id"], ours[".user.user_location.id"]) == ("int", "int", "str")


def test_photos_have_the_fields_and_types_of_genuine_ones(address: str, world: World, samples: Path) -> None:
    photos = _opinions(address, world.places[:40], "photos")
    assert types(photos) == types(_read(samples, "location_photos")["data"])
    assert {"original" in photo["images"] for photo in photos} == {True, False}
    assert len({len(photo["published_date"]) for photo in photos}) > 2


def _opinions(address: str, places: Iterable[TruePlace], what: str) -> list[Document]:
    listed = [place for place in places if place.trap != "gone"]
    return [member for place in listed for member in found(content(address, f"{place.number}/{what}"))]


def test_errors_have_the_shapes_of_genuine_ones(address: str, samples: Path) -> None:
    envelope = types([_read(samples, "error_documented_envelope.http400.constructed")])
    bad, unknown = content(address, "search"), content(address, "5/details")
    keyless, refused = content(address, "search", key=None), content(address, "search", key="refused-key")
    assert [answer.status_code for answer in (bad, unknown, keyless, refused)] == [400, 404, 401, 403]
    assert [types([answer.json()]) for answer in (bad, unknown, keyless)] == [envelope] * 3
    assert [answer.json()["error"]["code"] for answer in (bad, unknown, keyless)] == [400, 404, 401]
    assert refused.json() == _read(samples, "error_gateway.http403")


@pytest.mark.parametrize(
    ("name", "question", "params"),
    [
        ("terra_locations_search.constructed", "search", {"query": "Fort Pune"}),
        (
            "terra_locations_nearby.constructed",
            "nearby",
            {"lat": 18.52, "lon": 73.86, "radius": 20, "category": "ATTRACTION"},
        ),
    ],
)
def test_lists_of_terra_have_the_fields_of_the_samples(
    name: str, question: str, params: dict[str, object], address: str, samples: Path
) -> None:
    genuine, ours = _read(samples, name), terra(address, question, **params).json()
    assert ours["data"]
    members = ".data[].location.phone_numbers[]"
    assert _without(types([ours]), members) == types([genuine])


def test_a_wrong_parameter_is_answered_with_the_problem_document_of_terra(address: str, samples: Path) -> None:
    answer = terra(address, "search", query="Pune", size=50)
    assert (answer.status_code, answer.json()) == (400, _read(samples, "terra_error_validation.http400.constructed"))
