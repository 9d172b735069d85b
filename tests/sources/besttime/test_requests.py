"""What is asked: the visible places of the cities with crowd data, each once, as many as the account allows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from schemas.region import City, load_region
from sources.besttime.requests import CREDITS, requests
from sources.protocol.discovery import load_source
from sources.protocol.types import Account, Answer, Request
from sources.transport.budget import cost_of
from tests.sources.besttime.answers import FOLDER, answer

SAMPLE = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")
DECLARATION = load_source(FOLDER).declaration
MUMBAI, NAGPUR = SAMPLE.cities[:2]

Row = Mapping[str, Any]


class Archive:
    """The rows of the tables that are needed, and answers by request."""

    def __init__(self, attractions: Sequence[Row] = (), restaurants: Sequence[Row] = (), most: float = 40) -> None:
        self._rows = {"attractions": attractions, "restaurants": restaurants}
        self.account = Account("basic", {"most_venues_per_city": most})
        self.held: dict[str, Answer] = {}

    def rows(self, table: str) -> Sequence[Row]:
        return self._rows[table]

    def answer(self, request: Request) -> Answer | None:
        return self.held.get(request.id)

    def answers(self, _: str) -> Iterable[Answer]:
        return self.held.values()


def place(number: int, city: City = MUMBAI, **changed: Any) -> Row:
    return {
        "place_id": f"source:{number}",
        "name": f"Constructed {number}",
        "source_name": f"Constructed {number}",
        "City": city.name,
        "address": f"{number} Constructed Road, Mumbai 400001 India",
        "latitude": 19.07,
        "longitude": 72.88,
        "evaluator_visible": True,
        **changed,
    }


def names(asked: Iterable[Request]) -> list[str]:
    return [one.params["venue_name"] for one in asked]


def test_a_question_holds_name_and_address_and_keeps_the_rest_to_itself() -> None:
    (request,) = requests(SAMPLE, Archive([place(1)]))
    assert request.params == {
        "venue_name": "Constructed 1",
        "venue_address": "1 Constructed Road, Mumbai 400001 India, Maharashtra",
    }
    assert request.subject == {
        "place_id": "source:1",
        "poi_type": "attraction",
        "latitude": "19.07",
        "longitude": "72.88",
        "time_zone": "Asia/Kolkata",
        "area": "Mumbai, Maharashtra, India",
    }
    assert (request.endpoint, request.scope) == ("forecasts", "in-mumbai/source:1")


def test_only_visible_places_of_cities_with_crowd_data_are_asked_about() -> None:
    quiet = replace(NAGPUR, is_uncertainty_city=False)
    region = replace(SAMPLE, cities=(MUMBAI, quiet))
    rows = [place(1), place(2, evaluator_visible=False), place(3, quiet), place(4, City=None), place(5, City="Delhi")]
    assert names(requests(region, Archive(rows))) == ["Constructed 1"]


def test_a_limit_cuts_attractions_and_restaurants_alike_and_each_city_for_itself() -> None:
    attractions = [*map(place, range(1, 6)), *(place(number, NAGPUR) for number in (20, 21))]
    known = Archive(attractions, [*map(place, (11, 12))], most=5)
    asked = list(requests(SAMPLE, known))
    wanted = ["1", "11", "2", "12", "3", "20", "21"]
    assert names(asked) == [f"Constructed {number}" for number in wanted]
    assert [one.subject["poi_type"] for one in asked[:2]] == ["attraction", "restaurant"]


def test_any_answer_settles_its_question_that_of_a_failure_too() -> None:
    known = Archive([place(1), place(2)], most=2)
    first, second = requests(SAMPLE, known)
    known.held[first.id] = answer(b'{"status": "Error"}', params=first.params, status=404)
    assert list(requests(SAMPLE, known)) == [second]


def test_what_is_settled_still_counts_for_the_limit() -> None:
    known = Archive([*map(place, range(9))], most=3)
    for request in requests(SAMPLE, known):
        known.held[request.id] = answer(b"{}")
    assert list(requests(SAMPLE, known)) == []


def test_one_name_at_one_address_is_one_question_about_the_first_place() -> None:
    twice = [place(1), place(2, name="Constructed 1", source_name="Constructed 1", address=place(1)["address"])]
    (request,) = requests(SAMPLE, Archive(twice))
    assert request.subject["place_id"] == "source:1"


def test_the_name_is_that_of_the_source_without_what_tells_two_apart() -> None:
    rows = [place(1, name="Constructed 1 (Bandra)"), place(2, source_name=None)]
    assert names(requests(SAMPLE, Archive(rows))) == ["Constructed 1", "Constructed 2"]


@pytest.mark.parametrize(
    ("street", "address"),
    [
        (None, "Mumbai, Maharashtra, India"),
        ("1 Road, MUMBAI, Mah\u0101r\u0101shtra", "1 Road, MUMBAI, Mah\u0101r\u0101shtra, India"),
    ],
)
def test_an_address_names_city_state_and_country_once(street: str | None, address: str) -> None:
    (request,) = requests(SAMPLE, Archive([place(1, address=street)]))
    assert request.params["venue_address"] == address


def test_no_text_is_longer_than_the_provider_takes() -> None:
    (request,) = requests(SAMPLE, Archive([place(1, source_name="x" * 999, address="y" * 9999)]))
    assert [len(text) for text in request.params.values()] == [256, 1024]


def test_a_try_costs_the_two_credits_of_one_that_succeeds() -> None:
    (request,) = requests(SAMPLE, Archive([place(1)]))
    cost = cost_of(request, DECLARATION.endpoints["forecasts"])
    assert (request.units, cost.units, cost.money) == (CREDITS, 2, {"USD": cost.units * type(cost.units)("0.04")})


def test_the_calls_declared_keep_both_limits_of_the_provider() -> None:
    rates = {endpoint.rate for endpoint in DECLARATION.endpoints.values()}
    assert all(rate.calls / rate.seconds * 60 <= 300 and rate.calls <= 10 for rate in rates)


@pytest.mark.parametrize("account", DECLARATION.accounts.values(), ids=lambda account: account.name)
def test_every_account_sets_the_limit_that_is_asked_for(account: Account) -> None:
    known = Archive([place(1)])
    known.account = account
    assert len(list(requests(SAMPLE, known))) == 1
