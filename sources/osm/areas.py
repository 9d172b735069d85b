"""The areas in which the world is asked about: boxes of a fixed grid, and their quarters where a box is too much.

The grid hangs on the globe and not on the cities: a city that is added or moved changes no box that was asked before,
and two cities that share a box ask once.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from schemas.region import City

# A place may lie 75 km from its city and get a stop 50 km from the place. All those stops are asked for, so that no
# place gets a farther one because of where we asked; with one-degree boxes that is still fewer calls than cities.
REACH_KM = 125.0
SHORTEST_DEGREE_KM = 110.5  # of a meridian, at the equator; elsewhere the reach is a little longer

# A box of one degree holds at most some ten thousand stops; one sixteenth of a degree, some 7 km, is a town.
SMALLEST_DEPTH = 4


class Box(NamedTuple):
    """A box of `size` degrees either way; `depth` says how often a grid box was cut in four to get it."""

    south: float
    west: float
    depth: int = 0

    @property
    def size(self) -> float:
        """Degrees along each side: 1, 1/2, 1/4, ...; exact in binary and within four decimals."""
        return float(2.0**-self.depth)

    @property
    def id(self) -> str:
        """South, west, north, east in degrees, as `12,77,13,78`."""
        return ",".join(map(_degrees, (self.south, self.west, self.south + self.size, self.west + self.size)))

    def quarters(self) -> tuple["Box", ...]:
        """Return the four quarters, none of the smallest box."""
        if self.depth >= SMALLEST_DEPTH:
            return ()
        half = self.size / 2
        return tuple(
            Box(self.south + north * half, self.west + east * half, self.depth + 1)
            for north in (0, 1)
            for east in (0, 1)
        )


def is_smallest(box_id: str) -> bool:
    """Whether a text is the id of a box without quarters."""
    try:
        south, _, north, _ = map(float, box_id.split(","))
    except ValueError:
        return False
    return north - south <= 2.0**-SMALLEST_DEPTH


def _degrees(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def boxes_around(cities: Iterable[City], reach_km: float = REACH_KM) -> list[Box]:
    """Return each grid box that holds a point within `reach_km` of a city (and a few in corners), south-west first."""
    return sorted({box for city in cities for box in _around(city.latitude, city.longitude, reach_km)})


def _around(latitude: float, longitude: float, reach_km: float) -> Iterator[Box]:
    up = reach_km / SHORTEST_DEGREE_KM
    south, north = max(latitude - up, -90.0), min(latitude + up, 90.0)
    columns = range(-180, 180)
    if south > -90 and north < 90:
        # How far a circle on a sphere reaches east; a pole within it would be all around.
        aside = math.degrees(math.asin(min(1.0, math.sin(math.radians(up)) / math.cos(math.radians(latitude)))))
        columns = range(math.floor(longitude - aside), math.floor(longitude + aside) + 1)
    for row in range(math.floor(south), min(math.floor(north), 89) + 1):
        for column in columns:
            yield Box(float(row), float((column + 180) % 360 - 180))
