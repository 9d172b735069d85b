"""Terra as it behaves: pages, many ids at once, names by language, and problem documents."""

import pytest
import requests

from sources.sandbox.ground import Point, distance_km
from sources.sandbox.places import TruePlace
from sources.sandbox.process import running
from sources.sandbox.world import World
from tests.sources.sandbox.asking import log
from tests.sources.sandbox.asking_tripadvisor import KEY, Document, content, found, terra

CATEGORIES = {"ATTRACTION": "attractions", "RESTAURANT": "restaurants", "HOTEL": "accommodations"}
MUMBAI = {"lat": 19.07283, "lon": 72.88261, "radius": 20, "unit": "KM"}


def _tells_the_truth(location: Document, place: TruePlace) -> None:
    assert (location["id"], location["names"][0]["value"]) == (place.number, place.name)
    assert location["coordinates"] == {"latitude": place.latitude, "longitude": place.longitude}
    assert location["addresses"][0]["formatted"] == place.address
    assert location["addresses"][0]["country_code"] == place.country_code
    assert location["traveler_ratings"].get("overall", {}).get("rating") == place.rating
    assert location["status"]["value"] == ("CLOSED" if place.trap == "gone" else "OPEN")
    local = [name["value"] for name in location["names"] if name["language"] == "hi"]
    assert local == ([place.local_name] if place.local_name else [])


def test_many_ids_are_answered_with_the_truth_and_unknown_ones_dropped(address: str, world: World) -> None:
    seen: list[int] = []
    for start in range(0, len(world.places), 40):
        places = world.places[start : start + 40]
        answer = terra(address, "", id=[*(place.number for place in places), 7])
        assert [*answer.json()] == ["data"]
        for location, place in zip(found(answer), places, strict=True):
            _tells_the_truth(location, place)
            seen.append(location["id"])
    assert seen == [place.number for place in world.places]


def test_one_id_is_answered_with_the_place_itself(address: str, world: World) -> None:
    for place in (world.places[0], next(place for place in world.places if place.trap == "gone")):
        _tells_the_truth(terra(address, str(place.number)).json(), place)


def test_an_unknown_id_is_not_found(address: str) -> None:
    answer = terra(address, "7")
    assert (answer.status_code, answer.json()) == (404, {"message": "Not Found"})


@pytest.mark.parametrize("category", CATEGORIES)
def test_pages_of_a_search_nearby_hold_all_places_of_a_category_once(address: str, world: World, category: str) -> None:
    pages = [terra(address, "nearby", **MUMBAI, category=category, size=4, page=page).json() for page in range(1, 8)]
    ids = [item["location"]["id"] for page in pages for item in page["data"]]
    centre = Point(MUMBAI["lat"], MUMBAI["lon"])
    wanted = {
        place.number
        for place in world.places
        if place.table == CATEGORIES[category] and distance_km(centre, Point(place.latitude, place.longitude)) <= 20
    }
    assert sorted(ids) == sorted(wanted)
    assert pages[-1]["data"] == []
    totals = {"total_pages": -(-len(wanted) // 4), "total_elements": len(wanted)}
    assert [page["pagination"] for page in pages] == [{"page": n, "size": 4, **totals} for n in range(1, 8)]


def test_nearby_is_sorted_by_distance_or_by_rating_and_tells_both_units(address: str) -> None:
    near = found(terra(address, "nearby", **MUMBAI))
    apart = [item["distance_kilometers"] for item in near]
    assert apart == sorted(apart)
    assert all(item["distance_miles"] * 1.609 == pytest.approx(item["distance_kilometers"], abs=0.02) for item in near)
    best = [item["location"]["traveler_ratings"]["overall"]["rating"]
            for item in found(terra(address, "nearby", **MUMBAI, sort="rating", min_rating=4))]  # fmt: skip
    assert best == sorted(best, reverse=True)
    assert min(best) >= 4


def test_a_box_and_a_place_are_centres_too(address: str, world: World) -> None:
    place = world.places[0]
    box = {"sw_lat": place.latitude - 0.01, "sw_lon": place.longitude - 0.01, "ne_lat": place.latitude + 0.01,
           "ne_lon": place.longitude + 0.01}  # fmt: skip
    inside = {
        each.number
        for each in world.places
        if abs(each.latitude - place.latitude) <= 0.01 and abs(each.longitude - place.longitude) <= 0.01
    }
    assert {item["location"]["id"] for item in found(terra(address, "nearby", **box))} == inside
    around = found(terra(address, "nearby", location_id=place.number, radius=1))
    assert around[0]["location"]["id"] == place.number


def test_a_radius_is_in_miles_unless_said(address: str) -> None:
    totals = [
        terra(address, "nearby", lat=19.07283, lon=72.88261, radius=4, **unit).json()["pagination"]["total_elements"]
        for unit in ({}, {"unit": "MI"}, {"unit": "KM"})
    ]
    assert totals[0] == totals[1] > totals[2]


def test_a_search_needs_every_word_in_any_script_and_knows_no_borders(address: str, world: World) -> None:
    named = next(place for place in world.places if place.local_name and place.trap is None)
    assert named.local_name
    for query in (named.name, named.name.upper(), named.local_name):
        first = found(terra(address, "search", query=query))[0]
        assert first["location"]["id"] == named.number
    assert first["matched_value"] == {"language": "hi", "value": named.local_name}
    assert found(terra(address, "search", query=f"{named.name} Atlantis")) == []
    abroad = next(place for place in world.places if place.trap == "abroad")
    everywhere, in_india = (found(terra(address, "search", query=abroad.name, **only))
                            for only in ({}, {"country_code": "IN"}))  # fmt: skip
    assert abroad.number in {item["location"]["id"] for item in everywhere}
    assert abroad.number not in {item["location"]["id"] for item in in_india}


def test_a_search_may_be_kept_to_a_city_or_a_postal_code(address: str, world: World) -> None:
    cities = {
        item["location"]["addresses"][0]["city"]
        for item in found(terra(address, "search", query="Constructed", geo_name="agra"))
    }
    assert cities == {"Agra"}
    code = next(place.postcode for place in world.places if place.postcode)
    items = found(terra(address, "search", query="Constructed", geo_name="agra", postal_code=code))
    assert {item["location"]["addresses"][0]["postal_code"] for item in items} == {code}


@pytest.mark.parametrize(
    ("question", "params", "field"),
    [
        ("search", {}, "query"),
        ("search", {"query": "x" * 501}, "query"),
        ("search", {"query": "Pune", "size": 21}, "size"),
        ("search", {"query": "Pune", "size": 0}, "size"),
        ("search", {"query": "Pune", "page": 0}, "page"),
        ("search", {"query": "Pune", "page": "one"}, "page"),
        ("search", {"query": "Pune", "category": "hotels"}, "category"),
        ("nearby", {}, "lat"),
        ("nearby", {"lat": 18.5}, "lat"),
        ("nearby", {"lat": 18.5, "lon": 73.8}, "radius"),
        ("nearby", {"lat": 18.5, "lon": 73.8, "radius": 0}, "radius"),
        ("nearby", {"lat": 18.5, "lon": 73.8, "radius": 2, "unit": "km"}, "unit"),
        ("nearby", {"lat": 18.5, "lon": 73.8, "radius": 2, "location_id": 5}, "lat"),
        ("nearby", {"sw_lat": 18.5, "sw_lon": 73.8}, "sw_lat"),
        ("nearby", {"location_id": 5, "radius": 2}, "location_id"),
        ("", {}, "id"),
        ("", {"id": 2**31}, "id"),
        ("", {"id": [*range(1, 52)]}, "id"),
        (str(2**31), {}, "id"),
        ("singular", {}, "id"),
    ],
)
def test_a_wrong_parameter_is_named_in_a_problem_document(
    address: str, question: str, params: dict[str, object], field: str
) -> None:
    answer = terra(address, question, **params)
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["title"]) == (400, 400, "Bad Request")
    assert [error["field"] for error in problem["field_errors"]] == [field]


@pytest.mark.parametrize("key", [None, "refused-constructed-key"])
def test_a_bad_key_is_refused_and_repeated(address: str, key: str | None) -> None:
    for question in ("search", "7", "7/photos"):
        answer = terra(address, question, key=key, query="Pune")
        assert answer.status_code == answer.json()["status"] == 401
        assert repr(key or "") in answer.json()["detail"]


def test_reviews_and_photos_are_beyond_the_plan(address: str, world: World) -> None:
    for what in ("reviews", "photos"):
        answer = terra(address, f"{world.places[0].number}/{what}")
        assert (answer.status_code, answer.json()["title"]) == (403, "Forbidden")


def test_both_apis_know_a_place_by_one_id(address: str, world: World) -> None:
    number = world.places[0].number
    assert (
        terra(address, str(number)).json()["names"][0]["value"] == content(address, f"{number}/details").json()["name"]
    )


def test_ten_calls_a_second_are_answered_apart_from_those_of_the_content_api() -> None:
    with running("sample", time_scale=0.01) as slow, requests.Session() as session:
        session.headers["X-API-Key"] = KEY
        where = f"{slow}/tripadvisor/api/locations/search"
        answers = [session.get(where, params={"query": "Pune"}, timeout=10) for _ in range(12)]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
        assert answers[-1].json()["title"] == "Too Many Requests"
        assert content(slow, "search", searchQuery="Pune").status_code == 200
        lines = log(slow)
        assert [line["calls_in_window"] for line in lines] == [*range(1, 13), 1]
        assert [line["limit_calls"] for line in lines] == [10] * 12 + [50]
