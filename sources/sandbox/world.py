"""What is true in the constructed world: its stops, airports, places, roads and flights, on real geography.

The truth is the same for the same region and seed, city by city: a city has the same stops in every region that holds
it. How a provider writes a stop down, with all its oddities, stands in the package of that provider.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import Literal, TypeVar

from schemas.region import City, Region
from sources.sandbox.buses import Buses
from sources.sandbox.crowd import TrueCrowd, crowd_of
from sources.sandbox.flights import TrueFlight, flights_of
from sources.sandbox.ground import CONSTRUCTED, CONSTRUCTED_HI, Point, distance_km, moved
from sources.sandbox.happenings import TrueHappening, happenings_of
from sources.sandbox.places import TruePlace, places_of
from sources.sandbox.prices import TruePrices, prices_of
from sources.sandbox.roads import Roads
from sources.sandbox.trains import Station, TrueTrain, station_code, trains_of

Mode = Literal["rail", "metro", "bus", "tram", "ferry"]
Shape = Literal["point", "area"]
T = TypeVar("T")
DoubleForm = Literal["building", "stop_position", "stop_area", "platform", "opposite", "entrance"]

_METRO_FROM = 2_000_000
_TRAM_AND_FERRY_FROM = 4_000_000

# A name may stand twice in a city where nobody could take the two stops for one.
_NAMESAKES_APART_KM = 1.5

_NOUNS: dict[Mode, dict[str, str]] = {
    "rail": {"Junction": "जंक्शन", "Road": "रोड", "Cantonment": "छावनी", "Terminus": "टर्मिनस", "Halt": "हॉल्ट"},
    "metro": {"Metro": "मेट्रो"},
    "bus": {"Stop": "ठहराव", "Chowk": "चौक", "Market": "बाज़ार", "Gate": "द्वार"},
    "tram": {"Tram": "ट्राम"},
    "ferry": {"Jetty": "घाट"},
}
_BUS_STATION = ("Bus Station", "बस अड्डा")


@dataclass(frozen=True)
class Double:
    """Something else on the map that is the same stop, or a nameless part of it (a platform, an entrance)."""

    form: DoubleForm
    latitude: float
    longitude: float


@dataclass(frozen=True)
class TrueStop:
    """One stop. `number` is unique in all worlds; providers make their ids of it.

    `name` is None for a stop without a name in Latin script; it may then have a `local_name` (Devanagari), or neither.
    `code` is a short code of the stop, where it has one. Only stops with a name have doubles.
    """

    id: str
    number: int
    city_id: str
    mode: Mode
    is_bus_station: bool
    shape: Shape
    name: str | None
    local_name: str | None
    code: str | None
    latitude: float
    longitude: float
    doubles: tuple[Double, ...]


@dataclass(frozen=True)
class TrueAirport:
    """An airport of the region at its real point; `iata` is None for an airstrip without scheduled flights."""

    number: int
    iata: str | None
    name: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class World:
    """All that is true for one region and seed."""

    region: str
    seed: int
    stops: tuple[TrueStop, ...]
    airports: tuple[TrueAirport, ...]
    places: tuple[TruePlace, ...]
    roads: Roads
    buses: Buses
    flights: tuple[TrueFlight, ...]
    trains: tuple[TrueTrain, ...]
    prices: tuple[TruePrices, ...]
    happenings: tuple[TrueHappening, ...]
    crowd: tuple[TrueCrowd, ...]

    def to_json(self) -> str:
        """Return the truth as one JSON document; the same world gives the same text."""
        truth = {"constructed": True, **asdict(self), "roads": self.roads.truth(), "buses": self.buses.truth()}
        return json.dumps(truth, ensure_ascii=False, indent=1) + "\n"


def build_world(region: Region, seed: int) -> World:
    """Construct the world of a region."""
    stops = tuple(stop for city in region.cities for stop in _CityPlan(city, seed).stops())
    places = tuple(place for city in region.cities for place in places_of(city, seed))
    flights = tuple(flights_of(region, seed))
    trains = trains_of(_stations(stops), seed)
    prices = tuple(prices_of(city, seed) for city in region.cities)
    happenings = tuple(one for city in region.cities for one in happenings_of(city, region.dates, seed))
    return World(
        region.id,
        seed,
        stops,
        tuple(_airports(region)),
        places,
        Roads(seed, region.cities),
        Buses(seed, region.cities),
        flights,
        trains,
        prices=prices,
        happenings=happenings,
        crowd=tuple(crowd_of(places, _uncertainty_cities(region), seed)),
    )


def _stations(stops: tuple[TrueStop, ...]) -> list[Station]:
    rail = (stop for stop in stops if stop.mode == "rail")
    return [
        Station(stop.id, stop.city_id, stop.code, stop.name, stop.latitude, stop.longitude)
        for stop in rail
        if stop.code and stop.name
    ]


def _uncertainty_cities(region: Region) -> Iterator[str]:
    return (city.city_id for city in region.cities if city.is_uncertainty_city)


def _airports(region: Region) -> Iterator[TrueAirport]:
    for airport in region.airports:
        number = int(airport.iata, 36)
        point = Point(airport.latitude, airport.longitude)
        yield TrueAirport(number * 2, airport.iata, f"{CONSTRUCTED} Airport {airport.iata}", *point)
        strip = moved(point, 5.0, number % 360 / 360)
        yield TrueAirport(number * 2 + 1, None, f"{CONSTRUCTED} Airstrip near {airport.iata}", *strip)


def _between(low: int, value: float, high: int) -> int:
    return max(low, min(int(value), high))


class _CityPlan:
    """The stops of one city, drawn from its population, its point and the seed."""

    def __init__(self, city: City, seed: int) -> None:
        self.city = city
        self.centre = Point(city.latitude, city.longitude)
        self.radius_km = max(3.0, min(2.0 + 3.5 * math.sqrt(city.population / 1e6), 14.0))
        self.random = Random(f"{seed}:{city.city_id}")

    def stops(self) -> Iterator[TrueStop]:
        ordinal = 0
        for mode, count in self._counts().items():
            named: list[tuple[str, Point]] = []
            for serial in range(1, count + 1):
                ordinal += 1
                stop = self._stop(mode, serial, self.city.geonames_id * 10_000 + ordinal, named)
                if stop.name:
                    named.append((stop.name, Point(stop.latitude, stop.longitude)))
                yield stop

    def _counts(self) -> dict[Mode, int]:
        people = self.city.population
        is_metropolis = people >= _TRAM_AND_FERRY_FROM
        return {
            "rail": _between(1, people / 600_000, 12),
            "metro": _between(6, people / 250_000, 30) if people >= _METRO_FROM else 0,
            "bus": _between(6, people / 25_000, 300),
            "tram": 3 if is_metropolis else 0,
            "ferry": 1 if is_metropolis else 0,
        }

    def _stop(self, mode: Mode, serial: int, number: int, named: list[tuple[str, Point]]) -> TrueStop:
        # Stops lie denser in the middle of a city, as real ones do.
        point = moved(self.centre, self.radius_km * self.random.random(), self.random.random())
        is_bus_station = mode == "bus" and serial == 1
        noun, noun_hi = _BUS_STATION if is_bus_station else self._choice(tuple(_NOUNS[mode].items()))
        name: str | None = f"{CONSTRUCTED} {noun} {serial} {self.city.name}"
        local_name: str | None = f"{CONSTRUCTED_HI} {noun_hi} {serial} {self.city.name}"
        draw = self.random.random()
        if mode == "bus" and not is_bus_station and draw < 0.23:
            name, local_name = None, local_name if draw < 0.08 else None
        elif draw < 0.6:
            local_name = None
        if mode == "bus" and self.random.random() < 0.04:
            near = {other for other, place in named if distance_km(point, place) < _NAMESAKES_APART_KM}
            far = tuple(other for other, _ in named if other not in near)
            name, local_name = (self._choice(far), None) if name and far else (name, local_name)
        return TrueStop(
            id=f"{self.city.city_id}/{mode}/{serial}",
            number=number,
            city_id=self.city.city_id,
            mode=mode,
            is_bus_station=is_bus_station,
            shape="area" if is_bus_station and self.random.random() < 0.5 else "point",
            name=name,
            local_name=local_name,
            code=self._code(mode, serial),
            latitude=point.latitude,
            longitude=point.longitude,
            doubles=tuple(self._doubles(mode, point)) if name else (),
        )

    def _code(self, mode: Mode, serial: int) -> str | None:
        """Return the code of a station; other stops have at times a number of their operator's."""
        has_code = self.random.random() < 0.3
        if mode == "rail":
            return station_code(f"{self.city.city_id}/rail/{serial}", self.city.name)
        return f"X{serial}" if has_code else None

    def _doubles(self, mode: Mode, point: Point) -> Iterator[Double]:
        """Draw doubles: form, chance and farthest distance in kilometres."""
        chances: dict[Mode, tuple[tuple[DoubleForm, float, float], ...]] = {
            "rail": (
                ("building", 0.5, 0.12), ("stop_position", 0.3, 0.1), ("stop_area", 0.2, 0.06), ("platform", 0.3, 0.15),
            ),
            "metro": (("entrance", 0.6, 0.08), ("entrance", 0.6, 0.08), ("stop_position", 0.4, 0.03)),
            "bus": (("stop_position", 0.25, 0.015), ("opposite", 0.2, 0.04)),
            "tram": (("stop_position", 0.5, 0.015),),
            "ferry": (),
        }  # fmt: skip
        for form, chance, farthest_km in chances[mode]:
            if self.random.random() < chance:
                distance, bearing = self.random.random(), self.random.random()
                yield Double(form, *moved(point, farthest_km * distance, bearing))

    def _choice(self, members: tuple[T, ...]) -> T:
        return members[int(self.random.random() * len(members))]
