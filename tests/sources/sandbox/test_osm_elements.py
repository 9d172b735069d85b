"""The world as a map: every true stop is on it, with the doubles and gaps that real maps have."""

from collections import Counter

from sources.sandbox.osm.elements import Element, encode
from sources.sandbox.world import World


def _is_main(element: Element, world: World) -> bool:
    points = {(stop.id, stop.latitude, stop.longitude) for stop in world.stops}
    return (element.stop_id, element.latitude, element.longitude) in points


def test_every_stop_and_every_double_is_one_element(world: World) -> None:
    counted = Counter(element.stop_id for element in encode(world) if element.stop_id)
    assert counted == {stop.id: 1 + len(stop.doubles) for stop in world.stops}


def test_elements_stand_in_the_order_of_answers_and_ids_are_unique_per_kind_alone(world: World) -> None:
    elements = encode(world)
    kinds = {"node": 0, "way": 1, "relation": 2}
    assert [*elements] == sorted(elements, key=lambda element: (kinds[element.kind], element.id))
    assert len({(element.kind, element.id) for element in elements}) == len(elements)
    assert len({element.id for element in elements}) < len(elements)


def test_no_id_can_be_that_of_a_real_element_or_lose_digits_as_a_number_of_json(world: World) -> None:
    assert all(10**14 < element.id < 2**53 for element in encode(world))


def test_the_names_on_the_map_are_those_of_the_truth(world: World) -> None:
    stops = {stop.id: stop for stop in world.stops}
    for element in encode(world):
        written = {value for key, value in element.tags.items() if key.partition(":")[0] == "name"}
        if element.stop_id:
            stop = stops[element.stop_id]
            known = {stop.name, stop.local_name} - {None}
            assert written == known or (not written and element.tags.get("railway") in {"platform", "subway_entrance"})


def test_a_station_is_there_as_node_and_way_with_equal_names(world: World) -> None:
    by_stop: dict[str | None, list[Element]] = {}
    for element in encode(world):
        by_stop.setdefault(element.stop_id, []).append(element)
    twins = [
        found
        for stop_id, found in by_stop.items()
        if stop_id and "/rail/" in stop_id and {"node", "way"} <= {element.kind for element in found}
    ]
    buildings = [
        next(e for e in found if "building" in e.tags) for found in twins if any("building" in e.tags for e in found)
    ]
    assert buildings
    assert all(building.tags["name"] == by_stop[building.stop_id][0].tags["name"] for building in buildings)


def test_every_oddity_of_real_maps_is_there(world: World) -> None:
    tags = [element.tags for element in encode(world)]
    assert any("name" not in found and "name:hi" in found for found in tags)
    assert any(found.get("highway") == "bus_stop" and not {"name", "name:hi"} & {*found} for found in tags)
    assert any(found.get("name") == found.get("name:hi") and "name:en" in found for found in tags)
    assert any(found.get("public_transport") == "stop_position" for found in tags)
    assert any(";" in found.get("route_ref", "") for found in tags)
    assert any("local_ref" in found for found in tags)
    assert any(found.get("railway") == "station" and found.get("station") == "subway" for found in tags)
    assert any(found.get("railway") == "station" and found.get("subway") == "yes" for found in tags)
    assert any(found.get("aeroway") == "aerodrome" and "iata" not in found for found in tags)


def test_some_bus_stations_are_areas(world: World) -> None:
    stations = [element for element in encode(world) if element.tags.get("amenity") == "bus_station"]
    assert {element.kind for element in stations} == {"node", "way"}
    assert all(_is_main(element, world) for element in stations)
