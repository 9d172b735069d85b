"""Numbeo's list of cities: which of its entries is a city of the region. Its spellings are its own (Allahabad, Mysore).

A name stands for several cities of a country, so the nearest entry of a spelling counts, and none that is far off.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from geopy.distance import great_circle

from schemas.region import City
from schemas.text import clean, fold
from sources.numbeo.envelope import Document, is_number, shown, unknown_fields
from sources.protocol.types import Parsed, Refusal, Skipped

TABLE = "cost_of_living"
# The points of two gazetteers for one large city differ by some kilometres, two namesakes by far more.
FARTHEST_KM = 60.0

_FIELDS = frozenset({"city", "country", "city_id", "latitude", "longitude"})
_DEGREES = {"latitude": 90, "longitude": 180}


class Entry(NamedTuple):
    """A city as Numbeo lists it; `point` (latitude, longitude) is None where the list does not give it."""

    number: int
    name: str
    country: str
    point: tuple[float, float] | None


def read_cities(document: Document | list[Any]) -> Iterator[Entry | Refusal]:
    """Yield the cities of a list, and a refusal for each member that is none."""
    members = document.get("cities") if isinstance(document, dict) else None
    if not isinstance(members, list):
        yield Refusal("bad_type", "the answer has no list of cities", "cities", table=TABLE)
        return
    for place, member in enumerate(members):
        yield _entry(member, f"cities[{place}]")


def parse_cities(document: Document | list[Any]) -> Iterator[Parsed]:
    """Yield what is wrong or new in a list of cities; the list itself is of no table."""
    entries = 0
    for entry in read_cities(document):
        if isinstance(entry, Refusal):
            yield entry
        else:
            entries += 1
    if isinstance(document, dict):
        yield from unknown_fields(document, frozenset({"cities"}))
        members = document.get("cities")
        for member in members if isinstance(members, list) else ():
            if isinstance(member, dict):
                yield from unknown_fields(member, _FIELDS, "cities[].")
    if entries:
        yield Skipped("a city in the list of cities, which holds no prices", entries)


def entry_of(city: City, country: str, entries: Iterable[Entry]) -> Entry | None:
    """Return Numbeo's entry for a city, None where it has none.

    An entry under the city's own name counts before one under an alias, then the nearer one.
    """
    spellings = [fold(name) for name in (city.name, *city.aliases)]
    found = []
    for entry in entries:
        name = fold(entry.name)
        km = great_circle((city.latitude, city.longitude), entry.point).km if entry.point and name in spellings else 0
        if name in spellings and fold(entry.country) == fold(country) and km <= FARTHEST_KM:
            found.append((spellings.index(name), km, entry.number, entry))
    return min(found)[-1] if found else None


def _entry(member: Any, where: str) -> Entry | Refusal:
    if not isinstance(member, dict):
        return Refusal("bad_type", "a city must be an object", where, table=TABLE)
    number, name, country = member.get("city_id"), member.get("city"), member.get("country")
    if type(number) is not int or not 0 < number < 2**31:
        return Refusal("bad_id", "a city needs a number as its id", f"{where}.city_id", False, TABLE, shown(number))
    if not (isinstance(name, str) and clean(name) and isinstance(country, str) and clean(country)):
        return Refusal("bad_name", "a city needs its name and its country", where, table=TABLE)
    if all(member.get(axis) is None for axis in _DEGREES):
        return Entry(number, clean(name), clean(country), None)
    for axis, most in _DEGREES.items():
        if not is_number(member.get(axis), most):
            return Refusal("bad_point", "no degrees", f"{where}.{axis}", False, TABLE, shown(member.get(axis)))
    return Entry(number, clean(name), clean(country), (float(member["latitude"]), float(member["longitude"])))
