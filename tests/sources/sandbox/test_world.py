"""The truth: the same for the same seed, on the real geography, and never to be taken for real."""

import json
from dataclasses import replace

from schemas.region import Region
from sources.sandbox.ground import CONSTRUCTED, CONSTRUCTED_HI, Point, distance_km
from sources.sandbox.world import World, build_world


def test_the_same_seed_gives_the_same_world_and_another_seed_another_one(region: Region, world: World) -> None:
    assert build_world(region, seed=1).to_json() == world.to_json()
    assert build_world(region, seed=2).stops != world.stops


def test_a_city_has_the_same_stops_in_every_region(region: Region, world: World) -> None:
    alone = build_world(replace(region, cities=region.cities[-1:]), seed=1)
    assert alone.stops == tuple(stop for stop in world.stops if stop.city_id == region.cities[-1].city_id)


def test_no_two_cities_are_copies_of_each_other(region: Region, world: World) -> None:
    centres = {city.city_id: city for city in region.cities}
    firsts = [stop for stop in world.stops if stop.id.endswith("/rail/1")]
    turns = {
        round((s.latitude - centres[s.city_id].latitude) / (s.longitude - centres[s.city_id].longitude), 1)
        for s in firsts
    }
    assert len(turns) > len(firsts) / 2


def test_stops_lie_around_their_city(region: Region, world: World) -> None:
    centres = {city.city_id: Point(city.latitude, city.longitude) for city in region.cities}
    apart = [distance_km(centres[stop.city_id], Point(stop.latitude, stop.longitude)) for stop in world.stops]
    assert 10 < max(apart) < 15


def test_every_city_has_rail_and_buses_and_the_large_ones_have_a_metro(region: Region, world: World) -> None:
    modes = {
        city.city_id: {stop.mode for stop in world.stops if stop.city_id == city.city_id} for city in region.cities
    }
    assert all({"rail", "bus"} <= found for found in modes.values())
    assert all(("metro" in modes[city.city_id]) == (city.population >= 2_000_000) for city in region.cities)
    assert modes["in-mumbai"] == {"rail", "metro", "bus", "tram", "ferry"}


def test_every_name_says_that_it_is_constructed(world: World) -> None:
    assert all(place.name is None or place.name.split()[0] == CONSTRUCTED for place in (*world.stops, *world.airports))
    assert all(stop.local_name is None or stop.local_name.split()[0] == CONSTRUCTED_HI for stop in world.stops)


def test_ids_and_numbers_are_unique(world: World) -> None:
    assert len({stop.id for stop in world.stops}) == len({stop.number for stop in world.stops}) == len(world.stops)
    assert len({airport.number for airport in world.airports}) == len(world.airports)


def test_no_two_stops_of_a_mode_and_name_could_be_taken_for_one(world: World) -> None:
    by_name: dict[tuple[str, str], list[Point]] = {}
    for stop in world.stops:
        for name in filter(None, (stop.name, stop.local_name)):
            by_name.setdefault((stop.mode, name), []).append(Point(stop.latitude, stop.longitude))
    namesakes = [points for points in by_name.values() if len(points) > 1]
    apart = [distance_km(one, two) for points in namesakes for one in points for two in points if one != two]
    assert namesakes
    assert min(apart) >= 1.5


def test_a_double_lies_close_to_its_stop_and_only_named_stops_have_one(world: World) -> None:
    pairs = [(stop, double) for stop in world.stops for double in stop.doubles]
    assert all(stop.name for stop, _ in pairs)
    assert {double.form for _, double in pairs} == {
        "building", "stop_position", "stop_area", "platform", "opposite", "entrance",
    }  # fmt: skip
    apart = [
        distance_km(Point(stop.latitude, stop.longitude), Point(double.latitude, double.longitude))
        for stop, double in pairs
    ]
    assert 0.05 < max(apart) < 0.16


def test_some_stops_have_no_name_some_only_one_in_local_script_and_some_both(world: World) -> None:
    kinds = {(stop.name is not None, stop.local_name is not None) for stop in world.stops if stop.mode == "bus"}
    assert kinds == {(True, True), (True, False), (False, True), (False, False)}


def test_airports_are_those_of_the_region_and_each_has_an_airstrip_without_a_code(region: Region, world: World) -> None:
    coded = {(airport.iata, airport.latitude, airport.longitude) for airport in world.airports if airport.iata}
    assert coded == {(airport.iata, airport.latitude, airport.longitude) for airport in region.airports}
    assert sum(airport.iata is None for airport in world.airports) == len(region.airports)


def test_the_truth_as_json_holds_every_field_of_every_stop(world: World) -> None:
    truth = json.loads(world.to_json())
    assert truth["constructed"] is True
    assert (truth["region"], truth["seed"]) == ("sample", 1)
    assert [stop["id"] for stop in truth["stops"]] == [stop.id for stop in world.stops]
    first = world.stops[0]
    assert truth["stops"][0] == {**vars(first), "doubles": [vars(double) for double in first.doubles]}
