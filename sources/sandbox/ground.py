"""What every part of the world stands on: points and distances, and the word that each name begins with."""

import math
from typing import NamedTuple

# The first word of every name in Latin and in Devanagari script.
CONSTRUCTED = "Constructed"
CONSTRUCTED_HI = "निर्मित"

KM_PER_DEGREE = 111.2
KM_PER_MILE = 1.609344


class Point(NamedTuple):
    """Degrees, with the seven decimals that maps keep."""

    latitude: float
    longitude: float


def distance_km(one: Point, other: Point) -> float:
    """Return the distance of two points, on a plane: right to a percent within a city."""
    north = (one.latitude - other.latitude) * KM_PER_DEGREE
    east = (one.longitude - other.longitude) * KM_PER_DEGREE * math.cos(math.radians(one.latitude))
    return math.hypot(north, east)


def moved(point: Point, km: float, bearing: float) -> Point:
    """Return the point at `km` from another; `bearing` is in turns, clockwise from north."""
    angle = bearing * math.tau
    north = km * math.cos(angle) / KM_PER_DEGREE
    east = km * math.sin(angle) / KM_PER_DEGREE / math.cos(math.radians(point.latitude))
    return Point(round(point.latitude + north, 7), round(point.longitude + east, 7))
