"""The cities, states and countries above the places: they have ids and pages of their own, as at the provider."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean
from zlib import crc32

from sources.sandbox.places import NUMBERS_PER_CITY, TruePlace

# Above the numbers of all places, and within the 31 bits that an id may have.
_FIRST_AREA = 2_100_000_000
_AREAS = 40_000_000


@dataclass(frozen=True)
class Geo:
    """A city with places; `number` is its id, at the middle of its places."""

    number: int
    name: str
    state_name: str
    country: str
    country_code: str
    time_zone: str
    latitude: float
    longitude: float


def geos_of(places: Iterable[TruePlace]) -> tuple[Geo, ...]:
    """Return the cities that places belong to, in the order of the places."""
    members: dict[int, list[TruePlace]] = {}
    for place in places:
        if place.trap is None:
            members.setdefault(city_number(place), []).append(place)
    return tuple(_geo(number, found) for number, found in members.items())


def city_number(place: TruePlace) -> int:
    """Return the id of the city that a place is listed under."""
    if place.city_id is None:
        return area_number(f"{place.city_name}, {place.country}")
    return place.number // NUMBERS_PER_CITY * NUMBERS_PER_CITY


def area_number(name: str) -> int:
    """Return the id of a district, state, country or quarter, by its full name."""
    return _FIRST_AREA + crc32(name.encode()) % _AREAS


def _geo(number: int, members: list[TruePlace]) -> Geo:
    first = members[0]
    latitude, longitude = (
        round(mean(getattr(place, axis) for place in members), 5) for axis in ("latitude", "longitude")
    )
    return Geo(
        number, first.city_name, first.state_name, first.country, first.country_code, first.time_zone,
        latitude, longitude,
    )  # fmt: skip
