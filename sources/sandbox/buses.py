"""What is true of the buses of the constructed world: who runs when between two cities, in what, and for how much.

A pair of cities has the same buses in every region that holds both: they are drawn from their ids, their points and the
seed, when they are first asked for. How a provider writes them down stands in its package.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import permutations
from random import Random
from typing import Any

import numpy as np

from schemas.region import City
from sources.sandbox.ground import CONSTRUCTED
from sources.sandbox.roads import great_circle_km

# No bus runs farther: it would need more than a night and a day.
FARTHEST_KM = 700.0

_CHANCE = 0.75
_MOST_BUSES = 4
_DETOUR = 1.3
_SOLD_OUT = 0.06
_UNRATED = 0.2
_OPERATORS = ("Travels", "Tours & Travels", "Roadways - 789", "Bus Service", "Lines (Express)", "Parivahan")
# What is written on a bus -> its kind, as a token of the vocabulary, and rupees for a kilometre.
_KINDS: dict[str, tuple[str, float]] = {
    "A/C Sleeper (2+1)": ("AC Sleeper", 2.2),
    "A/C Volvo B11R Multi-Axle Sleeper (2+1)": ("AC Sleeper", 2.6),
    "AC Seater (2+2)": ("AC Seater", 1.7),
    "A/C Semi Sleeper (2+2)": ("AC Seater", 1.8),
    "A/C Seater / Sleeper (2+1)": ("AC Seater/Sleeper", 2.0),
    "NON A/C Sleeper (2+1)": ("Non AC Sleeper", 1.4),
    "Ordinary 3+2 Non AC Seater": ("Non AC Seater", 0.9),
    "Non AC Seater (2+3)": ("Non AC Seater", 1.0),
    "NON A/C Seater/ Sleeper (2+1)": ("Non AC Seater/Sleeper", 1.2),
}


@dataclass(frozen=True)
class TrueBus:
    """One bus, which runs every day. `price` is that of the cheapest seat in INR, None where every seat is sold.

    `kind` is a token of the vocabulary of bus types and `kind_text` what the operator calls it. `rating` is None, and
    `votes` are 0, where nobody has rated it.
    """

    id: str
    operator: str
    kind: str
    kind_text: str
    origin_city_id: str
    destination_city_id: str
    departs: str
    arrives: str
    arr_day_offset: int
    duration_min: int
    price: float | None
    seats: int
    rating: float | None
    votes: int


@dataclass(frozen=True)
class Buses:
    """The buses between cities; what is true of them is drawn when it is looked at."""

    seed: int
    cities: tuple[City, ...]

    def between(self, origin: City, destination: City) -> tuple[TrueBus, ...]:
        """Return the buses from one city to another, in the order of their departure."""
        km = self._km(origin, destination)
        random = Random(f"{self.seed}:buses:{origin.city_id}:{destination.city_id}")
        if origin == destination or km > FARTHEST_KM or random.random() > _CHANCE:
            return ()
        times = sorted(random.sample(range(0, 24 * 60, 5), 1 + int(random.random() * _MOST_BUSES)))
        return tuple(_bus(origin, destination, km, time, random) for time in times)

    @cached_property
    def all(self) -> tuple[TrueBus, ...]:
        """Return the buses of all ordered pairs."""
        points = np.array([(city.latitude, city.longitude) for city in self.cities]).reshape(-1, 2)
        near = great_circle_km(points, points) <= FARTHEST_KM
        pairs = permutations(range(len(self.cities)), 2)
        return tuple(
            bus
            for one, other in pairs
            if near[one, other]
            for bus in self.between(self.cities[one], self.cities[other])
        )

    def truth(self) -> list[Mapping[str, Any]]:
        """Return the buses between uncertainty cities; those of all cities of India are too many to read."""
        chosen = {city.city_id for city in self.cities if city.is_uncertainty_city}
        few = Buses(self.seed, tuple(city for city in self.cities if city.city_id in chosen))
        return [asdict(bus) for bus in few.all]

    def _km(self, origin: City, destination: City) -> float:
        one, other = (np.array([(city.latitude, city.longitude)]) for city in (origin, destination))
        return great_circle_km(one, other).item()


def _bus(origin: City, destination: City, km: float, departs: int, random: Random) -> TrueBus:
    kind_text = list(_KINDS)[int(random.random() * len(_KINDS))]
    kind, rupees = _KINDS[kind_text]
    kmh = 40 + 15 * random.random()
    duration = max(30, 5 * round(km * _DETOUR / kmh * 12))
    votes = 0 if random.random() < _UNRATED else 1 + int(random.random() * 150)
    is_sold_out = random.random() < _SOLD_OUT
    price = float(round(40 + km * _DETOUR * rupees * (0.8 + 0.5 * random.random())))
    return TrueBus(
        id=f"{origin.city_id}/{destination.city_id}/{departs:04d}",
        operator=f"{CONSTRUCTED} {_OPERATORS[int(random.random() * len(_OPERATORS))]}",
        kind=kind,
        kind_text=kind_text,
        origin_city_id=origin.city_id,
        destination_city_id=destination.city_id,
        departs=_clock(departs),
        arrives=_clock(departs + duration),
        arr_day_offset=(departs + duration) // (24 * 60),
        duration_min=duration,
        price=None if is_sold_out else price,
        seats=0 if is_sold_out else 1 + int(random.random() * 40),
        rating=round(2 + 3 * random.random(), 1) if votes else None,
        votes=votes,
    )


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
