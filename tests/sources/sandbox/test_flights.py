"""The truth about flights: plausible, the same wherever two cities are looked at, and punctual as real flights are."""

from collections import Counter
from dataclasses import replace
from statistics import fmean, median

import pytest

from schemas.region import Region
from sources.sandbox.flights import TrueFlight, flights_of
from sources.sandbox.ground import Point, distance_km
from sources.sandbox.punctuality import TruePunctuality
from sources.sandbox.world import World


@pytest.fixture(scope="module")
def flights(india: Region) -> tuple[TrueFlight, ...]:
    return tuple(flights_of(india, 1))


@pytest.fixture(scope="module")
def measured(flights: tuple[TrueFlight, ...]) -> list[TruePunctuality]:
    return [flight.punctuality for flight in flights if flight.punctuality]


def minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def test_the_same_seed_gives_the_same_flights_and_another_seed_other_ones(region: Region, world: World) -> None:
    assert tuple(flights_of(region, 1)) == world.flights
    assert tuple(flights_of(region, 2)) != world.flights
    assert 100 < len(world.flights) < 150


def test_two_cities_have_the_same_flights_in_every_region(world: World, flights: tuple[TrueFlight, ...]) -> None:
    everywhere = {flight.id: flight for flight in flights}
    assert all(everywhere[flight.id] == flight for flight in world.flights)


def test_a_country_has_some_thousand_flights_between_a_part_of_its_airports(
    india: Region, flights: tuple[TrueFlight, ...]
) -> None:
    served = sum(bool(airport.city_id) for airport in india.airports)
    assert 3_000 < len(flights) < 5_000
    assert 0.05 < len({(one.origin, one.destination) for one in flights}) / (served * (served - 1)) < 0.25


def test_flights_lead_from_an_airport_of_one_city_to_that_of_another_far_off(
    india: Region, flights: tuple[TrueFlight, ...]
) -> None:
    airports = {airport.iata: airport for airport in india.airports}
    for flight in flights:
        origin, destination = airports[flight.origin], airports[flight.destination]
        assert (flight.origin_city_id, flight.destination_city_id) == (origin.city_id, destination.city_id)
        assert origin.city_id != destination.city_id
        points = (Point(one.latitude, one.longitude) for one in (origin, destination))
        apart_km = distance_km(*points)
        assert apart_km >= 150
        # As fast as an airliner, some time on the ground apart.
        assert 35 + apart_km / 13.5 <= flight.duration_min <= 55 + apart_km / 11.5


def test_times_are_those_on_the_clocks_and_some_flights_arrive_on_the_next_day(flights: tuple[TrueFlight, ...]) -> None:
    for flight in flights:
        shown = minutes(flight.arrives) + 1440 * flight.arr_day_offset - minutes(flight.departs)
        assert shown == flight.duration_min
        assert 30 <= flight.duration_min <= 600
    offsets = Counter(flight.arr_day_offset for flight in flights)
    assert set(offsets) == {0, 1}
    assert 0.05 < offsets[1] / len(flights) < 0.2


def test_between_two_time_zones_the_clocks_show_another_time_than_the_flight_takes(region: Region) -> None:
    moved = tuple(
        replace(city, time_zone="Asia/Dubai") if city.city_id == "in-mumbai" else city for city in region.cities
    )
    west = [one for one in flights_of(replace(region, cities=moved), 1) if one.destination == "BOM"]
    at_home = {one.id: one for one in flights_of(region, 1)}
    assert west
    for flight in west:
        shown = minutes(flight.arrives) + 1440 * flight.arr_day_offset - minutes(flight.departs)
        assert shown == flight.duration_min - 90
        assert flight.duration_min == at_home[flight.id].duration_min


def test_a_flight_has_one_id_and_its_number_another_pair_in_few_cases(flights: tuple[TrueFlight, ...]) -> None:
    assert len({flight.id for flight in flights}) == len(flights)
    pairs = Counter((flight.flight_number, flight.origin, flight.destination) for flight in flights)
    assert set(pairs.values()) == {1}
    numbers = Counter(flight.flight_number for flight in flights)
    assert 0.03 < sum(times > 1 for times in numbers.values()) / len(numbers) < 0.2
    assert all(flight.number == str(int(flight.number)) for flight in flights)
    assert min(len(flight.number) for flight in flights) <= 2


def test_some_flights_are_sold_under_numbers_that_no_flight_has(flights: tuple[TrueFlight, ...]) -> None:
    flown = {(flight.carrier, flight.number) for flight in flights}
    sold = {(share.carrier, share.number) for flight in flights for share in flight.codeshares}
    assert 0.1 < sum(bool(flight.codeshares) for flight in flights) / len(flights) < 0.4
    assert not flown & sold
    assert {share.carrier for flight in flights for share in flight.codeshares if flight.carrier == "9I"} == {"AI"}


def test_most_flights_are_daily_and_all_have_a_fare(flights: tuple[TrueFlight, ...]) -> None:
    assert 0.6 < sum(flight.days_of_operation == "1111111" for flight in flights) / len(flights) < 0.9
    assert all(len(flight.days_of_operation) == 7 and "1" in flight.days_of_operation for flight in flights)
    fares = [flight.fare_inr for flight in flights]
    assert 1_500 < min(fares) < 3_000
    assert 8_000 < max(fares) < 25_000


def test_every_run_is_counted_once(measured: list[TruePunctuality]) -> None:
    for one in measured:
        outcomes = one.on_time + one.late + one.very_late + one.excessive + one.cancelled + one.diverted
        assert outcomes == one.observations >= 1
        assert one.late + one.very_late + one.excessive <= one.delay_observations <= one.observations
        assert 0 <= one.codeshares < one.observations


def test_delays_are_there_where_a_run_was_late_and_nowhere_else(measured: list[TruePunctuality]) -> None:
    for one in measured:
        delays = (one.delay_mean_min, one.delay_std_min, one.delay_min_min, one.delay_max_min)
        assert (None in delays) == (one.delay_observations == 0)
        if one.delay_mean_min is not None and one.delay_max_min is not None:
            assert 0 <= one.delay_mean_min <= one.delay_max_min
            assert (one.delay_std_min == 0) == (one.delay_observations == 1 or one.delay_min_min == one.delay_max_min)
    assert any(one.delay_observations == 0 for one in measured)


def test_delays_are_skewed_around_a_mean_of_forty_minutes(measured: list[TruePunctuality]) -> None:
    means = [one.delay_mean_min for one in measured if one.delay_mean_min is not None]
    assert fmean(means) == pytest.approx(40.6, abs=2)
    assert median(means) < fmean(means)
    usual = [one for one in measured if one.delay_observations > 20]
    assert fmean((one.delay_std_min or 0) > (one.delay_mean_min or 0) for one in usual) > 0.7
    assert max(one.delay_max_min or 0 for one in measured) > 600
    assert 0.6 < sum(one.on_time for one in measured) / sum(one.observations for one in measured) < 0.8


def test_some_flights_were_never_measured_and_some_too_seldom(
    flights: tuple[TrueFlight, ...], measured: list[TruePunctuality]
) -> None:
    assert 0.05 < 1 - len(measured) / len(flights) < 0.12
    assert 0.03 < sum(one.observations < 5 for one in measured) / len(measured) < 0.1
    assert any(one.codeshares > 0 for one in measured)


def test_every_name_of_an_airline_says_that_it_is_constructed(flights: tuple[TrueFlight, ...]) -> None:
    sellers = {share.airline for flight in flights for share in flight.codeshares}
    assert {name.split()[0] for name in sellers | {flight.airline for flight in flights}} == {"Constructed"}
