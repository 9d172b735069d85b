"""Numbeo's stand-in as it behaves: failures in 200, pages for expired keys, limits, and answers about other cities."""

import requests

from sources.sandbox.numbeo import LIMIT
from sources.sandbox.prices import RATES, TruePrices
from sources.sandbox.process import running
from sources.sandbox.world import World
from tests.sources.sandbox.asking import log
from tests.sources.sandbox.asking_numbeo import KEY, ask, told


def _plain(world: World) -> TruePrices:
    return next(prices for prices in world.prices if prices.trap is None)


def _trapped(world: World, trap: str) -> TruePrices:
    return next(prices for prices in world.prices if prices.trap == trap)


def test_a_city_is_answered_with_its_true_prices(address: str, world: World) -> None:
    for prices in world.prices:
        if prices.trap in (None, "in_dollars", "old"):
            document = told(address, "city_prices", city_id=prices.number)
            assert (document["name"], document["currency"]) == (f"{prices.name}, India", prices.currency)
            assert (document["yearLastUpdate"], document["monthLastUpdate"]) == (prices.year, prices.month)
            found = {price["item_id"]: price["average_price"] for price in document["prices"]}
            assert found == {price.item: price.average for price in prices.prices}


def test_another_currency_is_converted_on_demand_but_for_a_rate_in_percent(address: str, world: World) -> None:
    prices = next(each for each in world.prices if each.trap is None and {1, 106} <= {one.item for one in each.prices})
    document = told(address, "city_prices", city_id=prices.number, currency="USD")
    found = {price["item_id"]: price["average_price"] for price in document["prices"]}
    assert document["currency"] == "USD"
    assert found[1] == next(one.average for one in prices.prices if one.item == 1) / RATES["INR"]
    assert found[106] == next(one.average for one in prices.prices if one.item == 106)


def test_the_list_holds_each_listed_city_and_namesakes_far_off(address: str, world: World) -> None:
    entries = told(address, "cities", country="India")["cities"]
    numbers = {entry["city_id"]: entry for entry in entries}
    for prices in world.prices:
        assert (prices.number in numbers) == (prices.trap != "unlisted")
    names = [entry["city"] for entry in entries]
    assert len(set(names)) < len(names)


def test_what_fails_is_answered_with_status_200(address: str, world: World) -> None:
    unlisted = _trapped(world, "unlisted").number
    failures = [
        ask(address, "city_prices", city_id=unlisted),
        ask(address, "city_prices", query="Atlantis, India"),
        ask(address, "city_prices", city_id="x"),
        ask(address, "city_prices"),
        ask(address, "cities", country="Atlantis"),
        ask(address, "city_prices", city_id=_plain(world).number, currency="XXX"),
        ask(address, "no_such_question"),
        ask(address, "cities", key=""),
        ask(address, "cities", key="refused-key"),
    ]
    for answer in failures:
        assert answer.status_code == 200
        assert set(answer.json()) == {"error"}


def test_an_expired_key_gets_a_page(address: str) -> None:
    answer = ask(address, "cities", key="expired-key")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_a_listed_city_may_have_no_prices(address: str, world: World) -> None:
    document = told(address, "city_prices", city_id=_trapped(world, "without_prices").number)
    assert document.get("prices", []) == []


def test_the_id_of_a_moved_city_is_answered_with_another_one(address: str, world: World) -> None:
    moved = _trapped(world, "moved")
    document = told(address, "city_prices", city_id=moved.number)
    assert document["city_id"] == moved.number
    assert document["name"] != f"{moved.name}, India"


def test_free_text_may_lead_to_another_city(address: str, world: World) -> None:
    name = _plain(world).name
    assert told(address, "city_prices", query=f"{name}, India")["name"] == f"{name}, India"
    assert told(address, "city_prices", query=f"{name[:3]}xyz, India")["name"] != f"{name[:3]}xyz, India"


def test_calls_beyond_the_limit_fail_and_are_counted() -> None:
    with running("sample", time_scale=0.01) as address:
        first, second = (ask(address, "items") for _ in range(2))
        assert ("items" in first.json(), "error" in second.json()) == (True, True)
        windows = [line["calls_in_window"] for line in log(address) if "numbeo" in line["path"]]
    assert windows == [1, 2]
    assert (LIMIT.calls, LIMIT.seconds) == (1, 1.0)


def test_answers_say_that_they_are_constructed_and_are_the_same_each_time(address: str, world: World) -> None:
    number = _plain(world).number
    one, other = (ask(address, "city_prices", city_id=number) for _ in range(2))
    assert one.content == other.content
    assert one.headers["x-constructed"] == "yes"
    url = f"{address}/numbeo/api/items?api_key={KEY}"
    assert requests.post(url, timeout=10).status_code == 405
