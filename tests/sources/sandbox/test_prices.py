"""What is true of prices: the same city by city, plausible, and with every trap that a reader may fall into."""

from collections import Counter

from schemas.region import Region
from sources.sandbox.prices import MORTGAGE_RATE, RATES, prices_of
from sources.sandbox.world import World


def test_a_city_has_the_same_prices_in_every_region_that_holds_it(world: World, india: Region) -> None:
    cities = {city.city_id: city for city in india.cities}
    assert {prices.city_id for prices in world.prices} <= set(cities)
    assert all(prices_of(cities[prices.city_id], 1) == prices for prices in world.prices)
    assert any(prices_of(cities[prices.city_id], 2) != prices for prices in world.prices)


def test_the_sample_holds_every_trap_and_most_of_its_cities_have_prices(world: World) -> None:
    traps = Counter(prices.trap for prices in world.prices)
    assert set(traps) == {None, "unlisted", "without_prices", "moved", "in_dollars", "old"}
    assert traps[None] >= 6


def test_rupees_are_what_a_price_in_dollars_is_worth(world: World) -> None:
    (prices,) = (each for each in world.prices if each.trap == "in_dollars")
    meal = next(price for price in prices.prices if price.item == 1)
    assert prices.rupees(1) == meal.average * RATES["INR"]
    # A meal costs a few dollars, and some hundred rupees.
    assert 1 < meal.average < 6
    assert 100 < (prices.rupees(1) or 0) < 500
    assert prices.rupees(999) is None


def test_prices_lie_between_their_bounds_and_a_rate_in_percent_is_among_them(world: World) -> None:
    every = [price for prices in world.prices for price in prices.prices]
    for price in every:
        if price.lowest is not None and price.highest is not None:
            assert 0 < price.lowest <= price.average <= price.highest
    assert any(price.lowest is None for price in every)
    assert any(price.lowest == price.highest for price in every if price.lowest)
    assert all(5 < price.average < 15 for price in every if price.item == MORTGAGE_RATE)


def test_some_cities_are_listed_under_another_name_of_theirs(world: World, region: Region) -> None:
    cities = {city.city_id: city for city in region.cities}
    for prices in world.prices:
        city = cities[prices.city_id]
        assert prices.name in (city.name, *city.aliases)
    assert any(prices.name != cities[prices.city_id].name for prices in world.prices)
