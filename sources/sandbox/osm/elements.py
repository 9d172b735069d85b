"""The world as OpenStreetMap has it: nodes, ways and relations with tags, doubles and gaps included."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from sources.sandbox.world import Double, Mode, TrueAirport, TrueStop, World

Kind = Literal["node", "way", "relation"]
Tags = dict[str, str]

# Far above all ids of the real map, and exact in a JSON number.
_FIRST_ID = 900_000_000_000_000
_FIRST_AIRPORT_ID = 800_000_000_000_000

# Half the size of a building, platform or station area, in degrees (some 40 m).
_REACH = 0.0004
_NODE_FORMS = ("stop_position", "opposite", "entrance")
_ORDER: dict[Kind, int] = {"node": 0, "way": 1, "relation": 2}


@dataclass(frozen=True)
class Element:
    """One element; `reach` is half its size in degrees, `stop_id` the true stop that it is (part of), if any.

    Ids are unique per kind alone, as on the real map.
    """

    kind: Kind
    id: int
    latitude: float
    longitude: float
    reach: float
    tags: Tags
    stop_id: str | None


def encode(world: World) -> tuple[Element, ...]:
    """Return all elements of a world in the order of answers: nodes, ways, relations, each by id."""
    elements = [element for stop in world.stops for element in _of_stop(stop, world.seed)]
    elements += [_of_airport(airport) for airport in world.airports]
    return tuple(sorted(elements, key=lambda element: (_ORDER[element.kind], element.id)))


def _of_stop(stop: TrueStop, seed: int) -> list[Element]:
    random = Random(f"{seed}:osm:{stop.id}")
    taken: dict[Kind, int] = {"node": 0, "way": 0, "relation": 0}

    def element(kind: Kind, where: TrueStop | Double, tags: Tags) -> Element:
        number = _FIRST_ID + stop.number * 10 + taken[kind]
        taken[kind] += 1
        reach = 0.0 if kind == "node" else _REACH
        return Element(kind, number, where.latitude, where.longitude, reach, tags, stop.id)

    names = _names(stop, random)
    main = element("way" if stop.shape == "area" else "node", stop, names | _stop_tags(stop, random))
    return [main, *(element(_kind_of(double), double, _double_tags(double, stop, names, taken["node"]))
                    for double in stop.doubles)]  # fmt: skip


def _kind_of(double: Double) -> Kind:
    if double.form in _NODE_FORMS:
        return "node"
    return "relation" if double.form == "stop_area" else "way"


def _stop_tags(stop: TrueStop, random: Random) -> Tags:
    tags: Tags = {}
    if stop.code:
        tags["ref" if random.random() < 0.7 else "local_ref"] = stop.code
    if stop.mode == "bus":
        tags |= _bus_tags(stop, random)
    else:
        tags |= _tags_of_mode(random)[stop.mode]
    if random.random() < 0.3:
        tags["wheelchair"] = "yes"
    return tags


def _names(stop: TrueStop, random: Random) -> Tags:
    """Write names as mappers do: by no rule the local script or the Latin one comes first."""
    if stop.name is None:
        return {"name:hi": stop.local_name} if stop.local_name else {}
    if stop.local_name is None:
        return {"name": stop.name}
    if random.random() < 0.5:
        return {"name": stop.name, "name:hi": stop.local_name}
    return {"name": stop.local_name, "name:en": stop.name, "name:hi": stop.local_name}


def _tags_of_mode(random: Random) -> dict[Mode, Tags]:
    is_even = random.random() < 0.5
    return {
        "rail": {"network": "IR", "operator": "Constructed Railway", "railway": "station" if is_even else "halt"}
        | ({"public_transport": "station", "train": "yes"} if random.random() < 0.5 else {})
        | ({"internet_access": "wlan"} if random.random() < 0.3 else {}),
        "metro": {"network": "Constructed Metro", "railway": "station"}
        | ({"station": "subway"} if is_even else {"public_transport": "station", "subway": "yes"}),
        "tram": {"railway": "tram_stop", "tram": "yes"} | ({"public_transport": "platform"} if is_even else {}),
        "ferry": {"amenity": "ferry_terminal", "ferry": "yes"} | ({"public_transport": "station"} if is_even else {}),
    }


def _bus_tags(stop: TrueStop, random: Random) -> Tags:
    if stop.is_bus_station:
        tags = {"amenity": "bus_station", "public_transport": "station", "bus": "yes"}
        return tags | ({"building": "yes"} if stop.shape == "area" else {})
    tags = {"highway": "bus_stop", "network": "Constructed Buses"}
    if random.random() < 0.6:
        tags |= {"bus": "yes", "public_transport": "platform"}
    if random.random() < 0.3:
        tags["route_ref"] = f"{stop.number % 900 + 100};{stop.number % 700 + 200}"
    if random.random() < 0.2:
        tags["shelter"] = "yes" if random.random() < 0.5 else "no"
    return tags


def _double_tags(double: Double, stop: TrueStop, names: Tags, nodes_before: int) -> Tags:
    """Return the tags of a double: the names of its stop, but for platforms and entrances, which have none."""
    match double.form:
        case "building":
            return {"building": "train_station", **names, "public_transport": "station", "railway": "station"}
        case "stop_area":
            return {"type": "public_transport", "public_transport": "stop_area", **names}
        case "platform":
            return {"public_transport": "platform", "railway": "platform", "ref": "1;2"}
        case "entrance":
            return {"railway": "subway_entrance", "ref": "ABC"[nodes_before - 1]}
        case "opposite":
            return {"highway": "bus_stop", **names}
        case "stop_position":
            vehicle = {"rail": "train", "metro": "subway"}.get(stop.mode, stop.mode)
            tags = {vehicle: "yes", "public_transport": "stop_position", **names}
            return tags | ({} if stop.mode == "bus" else {"railway": "stop"})


def _of_airport(airport: TrueAirport) -> Element:
    tags = {"aeroway": "aerodrome", "name": airport.name}
    if airport.iata:
        tags |= {"iata": airport.iata, "type": "public"}
    number = _FIRST_AIRPORT_ID + airport.number
    return Element("way", number, airport.latitude, airport.longitude, 0.01, tags, None)
