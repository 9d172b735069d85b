"""What is asked next, given what is known: all places of a city past the ten of one answer, and none twice."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest
from geopy.distance import great_circle

from schemas.region import Region, load_region
from sources.protocol.discovery import load_source
from sources.protocol.types import Account, Answer, Request
from sources.tripadvisor.parse import parse
from sources.tripadvisor.requests import requests
from tests.sources.tripadvisor.answers import FOLDER, answer, document, refusals, rows

SAMPLE = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")
ONE_CITY = replace(SAMPLE, cities=SAMPLE.cities[:1])
ACCOUNTS = load_source(FOLDER).declaration.accounts
CITY = ONE_CITY.cities[0]


class Archive:
    """Answers by request, as a fetch leaves them, and the account that is asked with."""

    def __init__(self, account: str, **limits: float) -> None:
        declared = ACCOUNTS[account]
        self.account = Account(account, {**declared.limits, **limits})
        self.held: dict[str, Answer] = {}
        self.asked: list[Request] = []

    def answer(self, request: Request) -> Answer | None:
        return self.held.get(request.id)

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return [self.held[key] for key in sorted(self.held) if self.held[key].endpoint == endpoint]


class World:
    """Places at points, with both interfaces in front of them."""

    def __init__(self, places: Mapping[int, tuple[str, float, float]]) -> None:
        self.places = places

    def __call__(self, request: Request) -> Answer:
        return self.said(request, json.dumps(getattr(self, request.endpoint)(request.params)).encode())

    @staticmethod
    def said(request: Request, body: bytes, status: int = 200) -> Answer:
        return answer(body, request.endpoint, request.params, subject=request.subject, status=status)

    def location_search(self, _: Mapping[str, str]) -> object:
        return {"data": []}

    def location_nearby_search(self, params: Mapping[str, str]) -> object:
        latitude, longitude = map(float, params["latLong"].split(","))
        found = self._within(latitude, longitude, float(params["radius"]), params["category"])
        return {"data": [hit(number) for number in found[:10]]}

    def location_details(self, params: Mapping[str, str]) -> object:
        return document("details_hotel") | {"location_id": params["location_id"]}

    def terra_search(self, _: Mapping[str, str]) -> object:
        return {"data": []}

    def terra_nearby(self, params: Mapping[str, str]) -> object:
        category = f"{params['category'].lower()}s"
        found = self._within(float(params["lat"]), float(params["lon"]), float(params["radius"]), category)
        first = 20 * (int(params["page"]) - 1)
        return {"data": [{"location": location(number, params["category"])} for number in found[first : first + 20]]}

    def _within(self, latitude: float, longitude: float, km: float, category: str) -> list[int]:
        return [
            number
            for number, (kind, north, east) in self.places.items()
            if kind == category and great_circle((latitude, longitude), (north, east)).km <= km
        ]


def hit(number: int, country: str = "India") -> dict[str, object]:
    return {"location_id": str(number), "name": "Constructed", "address_obj": {"country": country}}


def location(number: int, category: str) -> dict[str, object]:
    page = f"https://www.tripadvisor.com/{category.capitalize()}_Review-d{number}.html"
    whole: dict[str, object] = document("terra_locations_one")
    return whole | {"id": number, "urls": {"tripadvisor": {"main": page}}}


def ask_all(region: Region, archive: Archive, world: World) -> int:
    """Ask in rounds until nothing is left; return how many rounds that took."""
    rounds = 0
    while asked := [one for one in requests(region, archive) if one.id not in archive.held]:
        rounds += 1
        assert rounds < 40
        for request in asked:
            assert request.id not in archive.held, "asked twice"
            archive.held[request.id] = world(request)
        archive.asked += asked
    return rounds


def grid(count: int, step: float, category: str = "hotels", first: int = 1) -> dict[int, tuple[str, float, float]]:
    """Places in a square around the first city, `step` degrees apart."""
    side = int(count**0.5)
    return {
        first + row * side + column: (
            category,
            CITY.latitude + (row - side / 2) * step,
            CITY.longitude + (column - side / 2) * step,
        )
        for row in range(side)
        for column in range(side)
    }


def asked_ids(archive: Archive) -> list[str]:
    return [one.params["location_id"] for one in archive.asked if one.endpoint == "location_details"]


def test_the_first_round_asks_by_name_and_around_for_each_city_and_category() -> None:
    asked = list(requests(SAMPLE, Archive("content")))
    assert len(asked) == 2 * 3 * len(SAMPLE.cities)
    assert len({one.id for one in asked}) == len(asked)
    by_name, around = asked[:2]
    assert by_name.params == {"searchQuery": CITY.name, "category": "hotels", "language": "en"}
    assert (around.params["category"], around.params["radius"], around.params["radiusUnit"]) == ("hotels", "20", "km")
    assert {tuple(sorted(one.subject.items())) for one in asked[:6]} == {
        (("city_id", CITY.city_id), ("country", "IN"), ("country_name", "India"))
    }
    assert not {name for one in asked for name in one.params} & {"key", "city_id"}


def test_places_past_the_ten_of_one_answer_are_found_by_smaller_circles() -> None:
    places = grid(64, 0.02)
    archive = Archive("content", most_places_per_category=1000)
    ask_all(ONE_CITY, archive, World(places))
    assert sorted(map(int, asked_ids(archive))) == sorted(places)


def test_details_are_asked_once_for_each_place_whoever_found_it() -> None:
    # Both cities, all tiles and the search by name find the same ten places.
    region = replace(
        SAMPLE, cities=(CITY, replace(CITY, city_id="xx-beside", name="Beside", latitude=CITY.latitude + 0.05))
    )

    class ByName(World):
        def location_search(self, _: Mapping[str, str]) -> object:
            return {"data": [hit(number) for number in [*self.places, *self.places]]}

    archive = Archive("content")
    ask_all(region, archive, ByName(grid(9, 0.005)))
    assert sorted(map(int, asked_ids(archive))) == list(range(1, 10))
    details = [one for one in archive.asked if one.endpoint == "location_details"]
    assert {one.subject["city_id"] for one in details} == {CITY.city_id}
    assert {one.subject["category"] for one in details} == {"hotels"}


def test_cutting_ends_at_the_smallest_circle_however_many_places_there_are() -> None:
    here = dict.fromkeys(range(1, 31), ("hotels", CITY.latitude, CITY.longitude))
    archive = Archive("content", most_places_per_category=1000, smallest_radius_km=4)
    rounds = ask_all(ONE_CITY, archive, World(here))
    radii = {float(one.params["radius"]) for one in archive.asked if "radius" in one.params}
    assert (radii, len(asked_ids(archive))) == ({20, 10, 5}, 10)
    assert rounds <= 4


def test_the_most_places_of_a_city_bound_circles_and_details() -> None:
    archive = Archive("content", most_places_per_category=12)
    ask_all(ONE_CITY, archive, World(grid(100, 0.01)))
    assert len(asked_ids(archive)) == 12
    assert len([one for one in archive.asked if one.endpoint == "location_nearby_search"]) == 3 + 4
    assert list(ACCOUNTS["content"].limits) == ["most_places_per_category", "radius_km", "smallest_radius_km"]


def test_a_full_answer_is_told_by_what_it_holds_and_not_by_what_is_new() -> None:
    class Doubled(World):
        def location_nearby_search(self, _: Mapping[str, str]) -> object:
            return {"data": [hit(7)] * 10}

    archive = Archive("content", smallest_radius_km=10)
    ask_all(ONE_CITY, archive, Doubled({}))
    assert asked_ids(archive) == ["7"]
    assert len([one for one in archive.asked if one.endpoint == "location_nearby_search"]) == 3 * (1 + 4)


def test_hits_abroad_are_not_asked_about_and_take_nobodys_place() -> None:
    class Abroad(World):
        def location_search(self, _: Mapping[str, str]) -> object:
            return {"data": [hit(1, "Cape Verde"), hit(2)]}

    archive = Archive("content", most_places_per_category=1)
    ask_all(ONE_CITY, archive, Abroad({}))
    assert asked_ids(archive) == ["2"]


def test_pages_of_terra_are_asked_until_one_is_empty_and_not_until_one_is_short() -> None:
    class Short(World):
        def terra_nearby(self, params: Mapping[str, str]) -> object:
            whole: dict[str, list[object]] = json.loads(json.dumps(super().terra_nearby(params)))
            return {"data": whole["data"][: 3 if params["page"] == "1" else 20]}

    archive = Archive("terra", most_places_per_category=1000)
    ask_all(ONE_CITY, archive, Short(grid(49, 0.005)))
    asked = [one for one in archive.asked if one.params["category"] == "HOTEL"]
    assert [one.params["page"] for one in asked if one.endpoint == "terra_nearby"] == ["1", "2", "3", "4"]
    assert [one.params["page"] for one in asked if one.endpoint == "terra_search"] == ["1"]
    assert {one.params["size"] for one in asked} == {"20"}
    found = [row["source_id"] for one in archive.held.values() for row in rows(parse(one), "accommodations")]
    assert len(found) == len(set(found)) == 3 + 20 + 9


def test_the_most_places_of_a_city_bound_the_pages_of_terra() -> None:
    archive = Archive("terra", most_places_per_category=21)
    ask_all(ONE_CITY, archive, World(grid(49, 0.005)))
    pages = [one.params["page"] for one in archive.asked if one.params["category"] == "HOTEL"]
    assert pages == ["1", "1", "2"]


def test_an_answer_that_failed_settles_its_request_and_leads_to_no_other() -> None:
    for account in ("content", "terra"):
        archive = Archive(account)
        asked = list(requests(ONE_CITY, archive))
        archive.held |= {one.id: World.said(one, b'{"Message": "constructed"}', 403) for one in asked}
        assert list(requests(ONE_CITY, archive)) == []


@pytest.mark.parametrize("account", ["content", "terra"])
@pytest.mark.parametrize("kept", range(0, 60, 3))
def test_a_fetch_that_was_cut_short_asks_for_the_rest_of_what_one_that_was_not_asks_for(
    account: str, kept: int
) -> None:
    world = World(grid(64, 0.02) | grid(49, 0.005, "restaurants", 100))
    whole, broken = Archive(account), Archive(account)
    ask_all(ONE_CITY, whole, world)
    # In the order in which it was asked, but for some that got lost on the way.
    for number, request in enumerate(whole.asked[: kept + 10]):
        if number % 7 != kept % 7:
            broken.held[request.id] = world(request)
    ask_all(ONE_CITY, broken, world)
    assert set(whole.held) == set(broken.held)


def test_the_limits_of_both_accounts_are_declared() -> None:
    assert list(ACCOUNTS) == ["terra", "content"]
    declaration = load_source(FOLDER).declaration
    assert declaration.stand_in_account == "content"
    follows = declaration.endpoints["location_details"].follows
    assert follows is not None
    assert follows.most == ACCOUNTS["content"].limits["most_places_per_category"]
    for name, endpoint in declaration.endpoints.items():
        (secret,) = endpoint.secrets
        is_terra = name.startswith("terra_")
        assert (secret.place, secret.name) == (("header", "X-API-Key") if is_terra else ("query", "key"))
        assert declaration.base_of(endpoint).startswith(
            "https://terra.tripadvisor.com/api" if is_terra else "https://api.content.tripadvisor.com/api/v1"
        )


@pytest.mark.parametrize("account", ["content", "terra"])
def test_what_is_asked_leads_to_rows_of_its_city(account: str) -> None:
    archive = Archive(account)
    ask_all(ONE_CITY, archive, World(grid(9, 0.005)))
    items = [item for one in archive.held.values() for item in parse(one)]
    assert refusals(items) == []
    assert {row["search_city_id"] for row in rows(items)} == {CITY.city_id}
    assert sorted(row["source_id"] for row in rows(items)) == [str(number) for number in range(1, 10)]
