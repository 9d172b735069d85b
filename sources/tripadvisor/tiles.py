"""The circles in which places are looked for around a city. A circle with too many places is cut in four.

A circle stands for the square within it: its four parts stand for the quarters of that square, without a gap.
"""

import math
from typing import NamedTuple

from schemas.region import City

KM_PER_DEGREE = 111.2  # of a meridian, on a sphere


class Tile(NamedTuple):
    """A circle: its centre in degrees, its radius in kilometres."""

    latitude: float
    longitude: float
    radius_km: float

    @property
    def center(self) -> str:
        """Latitude and longitude as the API takes them, to five decimals, a metre or so."""
        return f"{_degrees(self.latitude)},{_degrees(self.longitude)}"

    @property
    def radius(self) -> str:
        """The radius in kilometres, as the API takes it."""
        return _short(f"{self.radius_km:.4f}")

    def quarters(self, smallest_km: float) -> tuple["Tile", ...]:
        """Return the four parts, none where they would be smaller than the smallest."""
        half = self.radius_km / 2
        if half < smallest_km:
            return ()
        aside_km = half / math.sqrt(2)
        up = aside_km / KM_PER_DEGREE
        east = up / max(math.cos(math.radians(self.latitude)), 0.01)
        return tuple(
            Tile(
                max(-90.0, min(90.0, self.latitude + north * up)), _turned(self.longitude + right * east), half
            )
            for north in (-1, 1)
            for right in (-1, 1)
        )  # fmt: skip


def around(city: City, radius_km: float) -> Tile:
    """Return the circle around the centre of a city."""
    return Tile(city.latitude, city.longitude, radius_km)


def _turned(longitude: float) -> float:
    return (longitude + 180) % 360 - 180


def _degrees(value: float) -> str:
    # Adding zero turns a rounded -0 into 0.
    return _short(f"{round(value, 5) + 0.0:.5f}")


def _short(decimal: str) -> str:
    return decimal.rstrip("0").rstrip(".")
