"""What is true of the flights of the constructed world: timetable, days, fares, codeshares.

How punctual they were stands in `punctuality`, how a provider writes any of it in its package.

Two cities have the same flights between them in every region that holds both: they are drawn from the codes of the
airports and the seed. The world knows no summer time, so a flight has the same local times all year.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from schemas.region import Airport, City, Region
from sources.sandbox.ground import CONSTRUCTED, Point, distance_km
from sources.sandbox.punctuality import TruePunctuality, draw_punctuality

T = TypeVar("T")

DAILY = "1111111"

# Codes are those of IATA. Operators fly; partners only sell seats on their flights.
_OPERATORS = ("6E", "6E", "6E", "AI", "SG", "UK", "I5", "9I", "2T")
_REGIONAL = ("9I", "2T")
_PARTNERS = ("BA", "UA", "AC", "ET", "UL")
_FARE_CLASSES = ("Y", "M", "Q")
_DAY_PATTERNS = ("1111100", "1010101", "0101010", "1111011", "0000011")

# Numbers below sell no other's flight, so that no codeshare has the number of a flight.
_MOST_NUMBER = 6_999
_CODESHARE_FROM = 7_000
_NEAREST_KM = 150.0
_KM_PER_MIN = 12.2
_ON_THE_GROUND_MIN = 35
_DAY_MIN = 1_440
# Any day: offsets to UTC are those of this one.
_REFERENCE = datetime(2025, 1, 15, tzinfo=UTC)


class TrueCodeshare(NamedTuple):
    """Another number under which a flight is sold, with the airline that sells it."""

    carrier: str
    airline: str
    number: str


@dataclass(frozen=True)
class TrueFlight:
    """One flight number between two airports. A few numbers fly on, so that they are found between two pairs.

    `carrier` is the IATA code of the airline, `number` has digits alone and no leading zero. Times are local `HH:MM`;
    `duration_min` is that in the air and on the ground, whatever the time zones. `days_of_operation`: Monday first,
    by day of departure. `fare_inr` is that of `fare_class`, the lowest. `punctuality` is None where nobody measured it.
    """

    id: str
    carrier: str
    airline: str
    number: str
    origin: str
    destination: str
    origin_city_id: str
    destination_city_id: str
    departs: str
    arrives: str
    arr_day_offset: int
    duration_min: int
    days_of_operation: str
    fare_inr: float
    fare_class: str
    equipment: str
    codeshares: tuple[TrueCodeshare, ...]
    punctuality: TruePunctuality | None

    @property
    def flight_number(self) -> str:
        """Return airline and number as timetables print them: `6E-284`."""
        return f"{self.carrier}-{self.number}"


def airline_name(carrier: str) -> str:
    """Return the name of the airline with an IATA code."""
    return f"{CONSTRUCTED} Airline {carrier}"


def flights_of(region: Region, seed: int) -> Iterator[TrueFlight]:
    """Construct the flights between all airports that serve different cities, far enough apart to be worth a flight."""
    cities = {city.city_id: city for city in region.cities}
    ends = [_End(airport, cities[airport.city_id]) for airport in region.airports if airport.city_id in cities]
    for one, other in combinations(sorted(ends, key=lambda end: end.airport.iata), 2):
        if one.city != other.city:
            yield from _PairPlan(one, other, seed).flights()


class _End(NamedTuple):
    airport: Airport
    city: City

    @property
    def point(self) -> Point:
        return Point(self.airport.latitude, self.airport.longitude)


class _PairPlan:
    """The flights between two airports, both ways."""

    def __init__(self, one: _End, other: _End, seed: int) -> None:
        self._ends = one, other
        self._random = Random(f"{seed}:flights:{one.airport.iata}:{other.airport.iata}")
        self._apart_km = distance_km(one.point, other.point)
        self._taken: set[tuple[str, str]] = set()

    def flights(self) -> Iterator[TrueFlight]:
        random = self._random
        demand = math.sqrt(self._ends[0].city.population * self._ends[1].city.population) / 1e6
        if self._apart_km < _NEAREST_KM or random.random() > 1 - math.exp(-(demand**1.5) / 4):
            return
        for _ in range(1 + int(random.random() * min(demand, 6))):
            carrier = self._choice(_OPERATORS)
            number = self._number(carrier)
            yield self._flight(carrier, number, *self._ends, is_out=True)
            # A few numbers turn round and fly back.
            back = number if random.random() < 0.1 else self._number(carrier)
            yield self._flight(carrier, back, *self._ends[::-1], is_out=False)

    def _number(self, carrier: str) -> str:
        while True:
            # Some numbers are short, and are written with zeros before them.
            number = str(1 + int(self._random.random() * (98 if self._random.random() < 0.1 else _MOST_NUMBER)))
            if (carrier, number) not in self._taken:
                self._taken.add((carrier, number))
                return number

    def _flight(self, carrier: str, number: str, origin: _End, destination: _End, *, is_out: bool) -> TrueFlight:
        random = self._random
        duration_min = 5 * round((_ON_THE_GROUND_MIN + self._apart_km / _KM_PER_MIN) / 5 + random.random() * 3)
        departs_min = self._departs_min(is_out=is_out)
        arrives_min = departs_min + duration_min + _minutes_ahead(origin.city, destination.city)
        days = DAILY if random.random() < 0.75 else self._choice(_DAY_PATTERNS)
        pair = f"{origin.airport.iata}-{destination.airport.iata}"
        codeshares = tuple(self._codeshares(carrier, number))
        return TrueFlight(
            id=f"{carrier}-{number}/{pair}",
            carrier=carrier,
            airline=airline_name(carrier),
            number=number,
            origin=origin.airport.iata,
            destination=destination.airport.iata,
            origin_city_id=origin.city.city_id,
            destination_city_id=destination.city.city_id,
            departs=_clock(departs_min),
            arrives=_clock(arrives_min),
            arr_day_offset=arrives_min // _DAY_MIN,
            duration_min=duration_min,
            days_of_operation=days,
            fare_inr=float(round(1_500 + self._apart_km * (2.2 + 2.5 * random.random()))),
            fare_class=self._choice(_FARE_CLASSES),
            equipment="ATR" if carrier in _REGIONAL else "320",
            codeshares=codeshares,
            punctuality=draw_punctuality(days.count("1"), random),
        )

    def _departs_min(self, *, is_out: bool) -> int:
        """Draw a departure in steps of five minutes: out before noon and back after, and some of them at night."""
        draw = self._random.random()
        if draw < 0.08:
            low, high = 22 * 60 + 30, 24 * 60
        elif draw < 0.12:
            low, high = 0, 3 * 60
        else:
            low, high = (5 * 60, 13 * 60) if is_out else (13 * 60, 22 * 60 + 30)
        return low + 5 * int(self._random.random() * (high - low) / 5)

    def _codeshares(self, carrier: str, number: str) -> Iterator[TrueCodeshare]:
        if carrier == "9I":
            yield TrueCodeshare("AI", airline_name("AI"), str(9_000 + int(number) % 1_000))
        elif carrier in ("AI", "UK") and self._random.random() < 0.4:
            for partner in sorted({self._choice(_PARTNERS), self._choice(_PARTNERS)}):
                sold = _CODESHARE_FROM + int(self._random.random() * 2_000)
                yield TrueCodeshare(partner, airline_name(partner), str(sold))

    def _choice(self, members: tuple[T, ...]) -> T:
        return members[int(self._random.random() * len(members))]


def _minutes_ahead(origin: City, destination: City) -> int:
    """Return how many minutes the clocks of one city show more than those of another."""
    here, there = (_REFERENCE.astimezone(ZoneInfo(city.time_zone)).utcoffset() for city in (origin, destination))
    return ((there or timedelta()) - (here or timedelta())) // timedelta(minutes=1)


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
