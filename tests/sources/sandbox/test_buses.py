"""The truth of buses: between cities that lie near, the same in every region, at times sold out."""

import json
from dataclasses import replace

from schemas.region import Region
from schemas.vocab import term_map
from sources.sandbox.buses import FARTHEST_KM, Buses
from sources.sandbox.ground import CONSTRUCTED
from sources.sandbox.world import World


def test_a_pair_has_the_same_buses_in_every_region_and_others_with_another_seed(region: Region, india: Region) -> None:
    mumbai, pune = (next(city for city in region.cities if city.name == name) for name in ("Mumbai", "Pune"))
    here, there = (Buses(1, one.cities) for one in (region, india))
    assert here.between(mumbai, pune) == there.between(mumbai, pune) != ()
    assert Buses(2, region.cities).between(mumbai, pune) != here.between(mumbai, pune)
    assert here.between(pune, mumbai) != here.between(mumbai, pune)


def test_buses_are_as_many_as_a_sample_needs_and_lead_to_no_far_city(region: Region, world: World) -> None:
    buses = world.buses.all
    assert 60 < len(buses) < 250
    pairs = {(bus.origin_city_id, bus.destination_city_id) for bus in buses}
    assert all(one != other for one, other in pairs)
    assert FARTHEST_KM == 700.0
    assert ("in-mumbai", "in-chennai") not in pairs
    assert world.buses.between(region.cities[0], region.cities[0]) == ()


def test_the_clocks_of_a_bus_agree_with_its_duration(world: World) -> None:
    for bus in world.buses.all:
        departs, arrives = (int(clock[:2]) * 60 + int(clock[3:]) for clock in (bus.departs, bus.arrives))
        assert departs + bus.duration_min == arrives + 1440 * bus.arr_day_offset
        assert 30 <= bus.duration_min < 1440


def test_kinds_are_those_that_the_words_on_the_bus_mean(world: World) -> None:
    kinds = term_map("bus_types")
    assert len({bus.kind for bus in world.buses.all}) > 4
    assert all(kinds.lookup(bus.kind_text) == (bus.kind,) for bus in world.buses.all)


def test_some_are_sold_out_or_unrated_and_then_have_no_number(world: World) -> None:
    buses = world.buses.all
    assert {bus.price is None for bus in buses} == {bus.rating is None for bus in buses} == {True, False}
    assert all((bus.price is None) == (bus.seats == 0) for bus in buses)
    assert all((bus.rating is None) == (bus.votes == 0) for bus in buses)
    assert all(bus.price is None or bus.price > 0 for bus in buses)
    assert all(bus.operator.startswith(CONSTRUCTED) for bus in buses)


def test_no_two_buses_of_a_pair_leave_at_once(world: World) -> None:
    buses = world.buses.all
    assert len({bus.id for bus in buses}) == len(buses)


def test_the_truth_that_is_written_is_that_of_uncertainty_cities(region: Region, world: World) -> None:
    assert len(json.loads(world.to_json())["buses"]) == len(world.buses.all)
    few = tuple(replace(city, is_uncertainty_city=city.name in ("Mumbai", "Pune")) for city in region.cities)
    ends = {(bus["origin_city_id"], bus["destination_city_id"]) for bus in Buses(1, few).truth()}
    assert ends == {("in-mumbai", "in-pune"), ("in-pune", "in-mumbai")}
