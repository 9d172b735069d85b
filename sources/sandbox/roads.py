"""What is true of the roads of the constructed world, for each ordered pair of cities: whether a road leads there, how
long it is, and how long it takes by free flow, as a rule and now. How a provider writes that stands in its package.

A pair has the same truth in every region that holds both cities: it is drawn from their ids, their points and the seed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from schemas.region import City

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

# In this order they stand for the numbers 0 to 3.
STATUSES = ("ok", "no_route", "map_matching", "out_of_region")
OK, NO_ROUTE, MAP_MATCHING, OUT_OF_REGION = range(len(STATUSES))

EARTH_RADIUS_KM = 6371.009
_MEAN_DELAY_S = 52 * 60.0
_OFF_ROAD = 1 / 150
_OUT_OF_REGION = 1 / 2000
_DETOUR = 1 / 200
_FERRY = 1 / 100
_FASTER_THAN_FREE = 0.03
_WITHOUT_DELAY = 0.03
# A table of more pairs is no reading for people and makes the truth of a region ten times as large.
_MOST_WRITTEN = 20_000


class Measures(NamedTuple):
    """Matrices over the cities, origins down and destinations across. Numbers hold where the status is OK alone.

    `status` is a place in STATUSES. Times are seconds: `seconds` at any time of the week, the others at a departure
    now. `delay_s` is what traffic holds up now; it is no difference of the others. A city is 0 from itself.
    """

    status: Ints
    is_by_ferry: Flags
    metres: Ints
    seconds: Ints
    free_flow_s: Ints
    historical_s: Ints
    live_s: Ints
    delay_s: Ints


@dataclass(frozen=True)
class Roads:
    """The roads between cities; what is true of them is drawn when it is first looked at."""

    seed: int
    cities: tuple[City, ...]

    @cached_property
    def measures(self) -> Measures:
        """Return what is true of all ordered pairs."""
        apart_km = self._great_circle_km()
        long_way = np.where(self.draw("detour") < _DETOUR, 1.6 + 0.5 * self.draw("detour length"), 1.0)
        both_ways = 1.18 + 0.37 * self._draw_alike("length")
        metres = 1000 * apart_km * both_ways * (0.98 + 0.05 * self.draw("length")) * long_way
        kmh = 38 + 17 * (1 - np.exp(-apart_km / 250)) + 18 * self._draw_alike("speed")
        seconds = metres / 1000 / (kmh * (0.98 + 0.04 * self.draw("speed"))) * 3600
        historical = seconds * (0.97 + 0.06 * self.draw("historical"))
        is_odd = self.draw("free flow") < _FASTER_THAN_FREE
        share = self.draw("free flow share")
        free_flow = historical * np.where(is_odd, 1.01 + 0.03 * share, 0.78 + 0.2 * share)
        # Most journeys lose little and few lose hours: the mean lies far above the middle one.
        lost = np.minimum(-np.log1p(-self.draw("delay")), 8.0) * (self.draw("no delay") >= _WITHOUT_DELAY)
        delay = _MEAN_DELAY_S * lost * (1 - np.exp(-metres / 150_000))
        live = historical + delay * (0.55 + 0.4 * self.draw("live"))
        numbers = [metres, seconds, free_flow, historical, live, delay]
        return Measures(
            self._status(),
            (self.draw("ferry") < _FERRY) & (apart_km > 0),
            *(np.rint(number).astype(np.int64) for number in numbers),
        )

    @cached_property
    def is_off_road(self) -> Flags:
        """Return for each city whether its point lies off every road."""
        return _unit(_mixed(self._keys ^ _number("off road"))) < _OFF_ROAD

    def pairs(self) -> pa.Table:
        """Return a row for each ordered pair of two cities; numbers are null where no road is known.

        Columns: origin_city_id, destination_city_id, status (one of STATUSES), and those of Measures.
        """
        origin, destination = np.nonzero(~np.eye(len(self.cities), dtype=np.bool_))
        status = self.measures.status[origin, destination]
        ids = pa.array([city.city_id for city in self.cities], pa.string())
        columns = {
            "origin_city_id": ids.take(pa.array(origin)),
            "destination_city_id": ids.take(pa.array(destination)),
            "status": pa.array(STATUSES).take(pa.array(status)),
        }
        for name, matrix in self.measures._asdict().items():
            if name != "status":
                columns[name] = pa.array(matrix[origin, destination], mask=status != OK)
        return pa.table(columns)

    def truth(self) -> Mapping[str, Any]:
        """Return how many pairs there are, and the columns of `pairs()`, but None for more pairs than one can read."""
        count = len(self.cities) * (len(self.cities) - 1)
        return {"pairs": count, "columns": self.pairs().to_pydict() if count <= _MOST_WRITTEN else None}

    def draw(self, name: str) -> Floats:
        """Return a matrix of numbers in [0, 1), of its own for each name; A to B has another one than B to A."""
        return _unit(_mixed(_mixed(self._keys[:, None] ^ _number(name)) + self._keys[None, :]))

    def _draw_alike(self, name: str) -> Floats:
        """Return a matrix as `draw` does, in which A to B has the number of B to A."""
        return _unit(_mixed((self._keys[:, None] + self._keys[None, :]) ^ _number(name)))

    @cached_property
    def _keys(self) -> npt.NDArray[np.uint64]:
        return np.array([_number(f"{self.seed}:{city.city_id}") for city in self.cities], np.uint64)

    def _status(self) -> Ints:
        # What a state is called tells for each city by itself that no road leads out of it.
        is_island = np.array(["island" in city.state.casefold() for city in self.cities], np.bool_)
        cases = [
            self.is_off_road[:, None] | self.is_off_road[None, :],
            is_island[:, None] | is_island[None, :],
            self.draw("out of region") < _OUT_OF_REGION,
        ]
        status = np.select(cases, [MAP_MATCHING, NO_ROUTE, OUT_OF_REGION], OK).astype(np.int64)
        np.fill_diagonal(status, OK)
        return status

    def _great_circle_km(self) -> Floats:
        points = np.array([(city.latitude, city.longitude) for city in self.cities]).reshape(-1, 2)
        return great_circle_km(points, points)


def great_circle_km(origins: Floats, destinations: Floats) -> Floats:
    """Return the distances of all of m points to all of n others, (m, n); points are rows of latitude, longitude."""
    one, two = np.radians(origins)[:, None, :], np.radians(destinations)[None, :, :]
    half = np.sin((two - one) / 2) ** 2
    along = half[..., 0] + np.cos(one[..., 0]) * np.cos(two[..., 0]) * half[..., 1]
    kilometres: Floats = 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(along))
    return kilometres


def _number(text: str) -> np.uint64:
    return np.uint64(int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big"))


def _mixed(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return keys in which every bit depends on every bit (the finalizer of SplitMix64)."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _unit(keys: npt.NDArray[np.uint64]) -> Floats:
    return (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53
