"""Points as they travel: in the JSON texts of a matrix, and in the address of a route. Digit for digit, either way.

A city is found again by its point, so that a point must come back as the very number that was sent.
"""

import json
from collections.abc import Iterable
from functools import lru_cache

from schemas.region import City

Point = tuple[float, float]
"""Latitude and longitude in degrees."""


def point_of(city: City) -> Point:
    """Return the point of a city."""
    return city.latitude, city.longitude


def points_text(points: Iterable[Point]) -> str:
    """Return points as the JSON text of the origins, or of the destinations, of a matrix."""
    members = [{"point": {"latitude": latitude, "longitude": longitude}} for latitude, longitude in points]
    return json.dumps(members, separators=(",", ":"))


@lru_cache(maxsize=1024)
def read_points(text: str) -> tuple[Point, ...] | None:
    """Return what `points_text` made a text of; None for any other text."""
    try:
        members = json.loads(text)
        points = tuple((member["point"]["latitude"], member["point"]["longitude"]) for member in members)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return tuple(map(_floats, points)) if points and all(map(_is_on_earth, points)) else None


def locations_text(origin: Point, destination: Point) -> str:
    """Return two points as the address of a route has them: `lat,lon:lat,lon`."""
    return ":".join(f"{latitude!r},{longitude!r}" for latitude, longitude in (origin, destination))


def read_locations(text: str) -> tuple[Point, Point] | None:
    """Return what `locations_text` made a text of; None for any other text."""
    try:
        (south, west), (north, east) = (map(float, place.split(",")) for place in text.split(":"))
    except ValueError:
        return None
    pair = (south, west), (north, east)
    return pair if all(map(_is_on_earth, pair)) else None


def _floats(point: Point) -> Point:
    return float(point[0]), float(point[1])


def _is_on_earth(point: Point) -> bool:
    return {type(number) for number in point} <= {int, float} and abs(point[0]) <= 90 and abs(point[1]) <= 180
