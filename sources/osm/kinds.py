"""What the tags of an OpenStreetMap element say of a stop: whether it is one, what stops there, its name and code."""

import re
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from schemas.text import clean, fold

Tags = Mapping[str, str]

# How good a witness an element is of where its stop is: the lower, the better.
STATION, PLATFORM, TRACK = 0, 1, 2


class Kind(NamedTuple):
    """What stops here (`stop_modes`), the strength as a witness, and whether `name` is the name of the stop itself."""

    mode: str
    strength: int
    is_named_itself: bool = True


# In the order in which a stop of several modes is given one; railways first, since only they have national codes.
_MODES = {
    "train": "rail",
    "subway": "metro", "light_rail": "metro", "monorail": "metro",
    "tram": "tram",
    "ferry": "ferry",
    "bus": "bus", "trolleybus": "bus", "minibus": "bus", "coach": "bus",
}  # fmt: skip
_STATION_KINDS = {"subway": "metro", "light_rail": "metro", "monorail": "metro", "train": "rail", "rail": "rail"}
# Toy trains in parks and cable railways carry nobody across a city.
_NO_TRANSPORT = frozenset({"miniature", "model", "funicular", "museum"})
# The words of the query: what may be a stop. `requests` asks for all of these, and for airports.
STOPS = {
    "railway": ("station", "halt", "tram_stop", "subway_entrance"),
    "public_transport": ("station", "platform", "stop_position"),
    "highway": ("bus_stop",),
    "amenity": ("bus_station", "ferry_terminal"),
}
_AIRPORT = frozenset({"aerodrome", "terminal"})
_NOT_IN_SERVICE = ("construction", "proposed", "disused", "abandoned", "demolished", "razed")

_INDIAN_RAILWAYS = frozenset({"ir", "indian railway", "indian railways"})
_STATION_CODE = re.compile(r"[A-Z]{1,5}")
_ISO_DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")

# What mappers write where they know no name.
_NO_NAMES = frozenset({"bus stop", "busstop", "fixme", "n/a", "no name", "noname", "unknown", "unnamed"})


def kind_of(tags: Tags, day: date | None) -> Kind | str:
    """Return what kind of stop an element is on a day (None: not known which), or the reason why it is none.

    Reasons: `no_stop`, `airport`, `stop_area`, `not_in_service`, `not_yet_open`, `no_transport`, `mode_unknown`.
    """
    if tags.get("aeroway") in _AIRPORT and not any(tags.get(key) in STOPS[key] for key in ("railway", "highway")):
        return "airport"
    if not any(tags.get(key) in words for key, words in STOPS.items()):
        return "stop_area" if tags.get("public_transport") == "stop_area" else "no_stop"
    if any(tags.get(key, "no") != "no" for key in _NOT_IN_SERVICE):
        return "not_in_service"
    if day and _opens_after(tags.get("start_date", ""), day):
        return "not_yet_open"
    return _kind(tags)


def name_of(tags: Tags, kind: Kind) -> str | None:
    """Return the name of the stop, else its English name, else None; an entrance or platform has no name of a stop."""
    if not kind.is_named_itself:
        return None
    names = (clean(tags.get(key, "")) for key in ("name", "name:en"))
    return next((name for name in names if _is_name(name)), None)


def code_of(tags: Tags, kind: Kind) -> str | None:
    """Return the code of a railway station, None where it is not sure to be one.

    A code merges rows of all sources into one stop. A wrong one does harm, a missing one only leaves it to name and
    nearness: so a plain `ref` counts in the network of the Indian Railways alone.
    """
    if kind.mode != "rail" or tags.get("railway") not in ("station", "halt"):
        return None
    is_national = fold(tags.get("network", "")) in _INDIAN_RAILWAYS
    keys = ("ref:IR", "railway:ref", "ref") if is_national else ("ref:IR",)
    codes = (tags.get(key, "").strip() for key in keys)
    return next((code for code in codes if _STATION_CODE.fullmatch(code)), None)


def lines_of(tags: Tags) -> list[str] | None:
    """Return the lines that call here, each once, None where none is known."""
    if "route_ref" not in tags:
        return None
    return list(dict.fromkeys(filter(None, map(clean, tags["route_ref"].split(";"))))) or None


def _kind(tags: Tags) -> Kind | str:
    railway, transport = tags.get("railway"), tags.get("public_transport")
    if railway in ("station", "halt"):
        return _station(tags)
    if railway == "subway_entrance":
        return Kind("metro", TRACK, is_named_itself=False)
    if railway == "tram_stop":
        return Kind("tram", STATION)
    if tags.get("amenity") == "ferry_terminal":
        return Kind("ferry", STATION)
    if tags.get("highway") == "bus_stop" or tags.get("amenity") == "bus_station":
        return Kind("bus", STATION)
    mode = _mode_carried(tags) or ("bus" if tags.get("highway") == "platform" else None)
    if mode is None:
        return "mode_unknown"
    strength = {"station": STATION, "platform": PLATFORM}.get(transport or "", TRACK)
    # Platforms of trains are called `Platform 2`, those of buses and trams as their stop.
    return Kind(mode, strength, is_named_itself=transport != "platform" or mode not in ("rail", "metro"))


def _station(tags: Tags) -> Kind | str:
    kinds = set(tags.get("station", "").replace(" ", "").split(";"))
    if kinds & _NO_TRANSPORT:
        return "no_transport"
    said = {_STATION_KINDS[kind] for kind in kinds if kind in _STATION_KINDS}
    if len(said) == 1:
        return Kind(said.pop(), STATION)
    return Kind("metro" if _mode_carried(tags) == "metro" else "rail", STATION)


def _mode_carried(tags: Tags) -> str | None:
    return next((mode for key, mode in _MODES.items() if tags.get(key) == "yes"), None)


def _is_name(name: str) -> bool:
    return any(map(str.isalnum, name)) and name.casefold() not in _NO_NAMES


def _opens_after(start: str, day: date) -> bool:
    """Whether even the earliest day that an ISO date with one, two or three parts may mean lies after a day."""
    found = _ISO_DAY.fullmatch(start.strip())
    return found is not None and tuple(int(part or 1) for part in found.groups()) > (day.year, day.month, day.day)
