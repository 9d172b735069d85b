"""What is true of the trains of the constructed world: where and when they call, on which days, under which names.

Trains run between the railway stations of a region, so another region has other trains. How late they are stands in
`delays`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

import numpy as np

from sources.sandbox.ground import CONSTRUCTED
from sources.sandbox.roads import great_circle_km

Tracking = Literal["whole", "seasonal", "none", "unlisted"]

# Codes that other programs take for something else than a text.
_ODD_CODES = {"in-pune/rail/1": "ON", "in-nagpur/rail/1": "NIL", "in-lucknow/rail/1": "NAN", "in-jaipur/rail/1": "NO"}
_HASHED_LETTERS = 4

_TRAINS_PER_CITY = 2.5
_TRAINS_MORE = 10
_MOST_DETOUR = 1.3
_RAIL_DETOUR = 1.25
_DAY_MIN = 24 * 60


class _Kind(NamedTuple):
    """A kind of train: its code, how its names end, the numbers that it takes, kilometres an hour, and classes."""

    chance: float
    code: str | None
    noun: str
    numbers: range
    kmh: int
    classes: tuple[str, ...]


_SUBURBAN = _Kind(0, "SUB", "Local", range(90_000, 99_999), 35, ("II", "FC"))
_SPECIAL = _Kind(0, "SPL", "Special", range(1_000, 9_999), 45, ("SL", "3A"))
_KINDS = (
    _Kind(0.30, "SF", "SF Express", range(22_100, 22_999), 55, ("SL", "3A", "2A")),
    _Kind(0.35, "O", "Express", range(11_000, 19_999), 47, ("2S", "SL", "3A", "2A", "1A")),
    _Kind(0.10, "RAJ", "Rajdhani", range(20_400, 20_999), 70, ("3A", "2A", "1A")),
    _Kind(0.15, "SHT", "Shatabdi", range(12_000, 12_999), 70, ("CC", "EC")),
    _Kind(0.10, None, "Passenger", range(51_000, 59_999), 32, ()),
)


class Station(NamedTuple):
    """A railway station; `id` is that of its stop in the world."""

    id: str
    city_id: str
    code: str
    name: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class TrueCall:
    """One stop of a train. Times are `HH:MM`, None where it begins or ends.

    `day` is that of the arrival and `departs_day` that of the departure, 1 being the day on which the train begins; a
    halt over midnight has two. `is_reported`: somebody notes when the train is there.
    """

    station_code: str
    station_name: str
    stop_id: str
    city_id: str
    arrives: str | None
    departs: str | None
    day: int
    departs_day: int
    distance_km: int
    is_reported: bool


@dataclass(frozen=True)
class TrueTrain:
    """A train. `days_of_operation` are seven flags, Monday first, of the day on which it begins.

    `train_type` is None and `classes` are empty where nobody tells. A loop train calls twice at one station. `tracking`
    says what history there is: of the whole year, of a `season` that is over, `none` though the train is listed, or the
    train is not even `unlisted`.
    """

    number: str
    name: str
    train_type: str | None
    days_of_operation: str
    classes: tuple[str, ...]
    calls: tuple[TrueCall, ...]
    tracking: Tracking


def station_code(stop_id: str, city_name: str) -> str:
    """Return the code of a station; no two of India have the same."""
    digest = int.from_bytes(blake2b(stop_id.encode(), digest_size=8).digest(), "big")
    letters = (chr(ord("A") + digest // 26**place % 26) for place in range(_HASHED_LETTERS))
    return _ODD_CODES.get(stop_id) or city_name[0].upper() + "".join(letters)


def trains_of(stations: Sequence[Station], seed: int) -> tuple[TrueTrain, ...]:
    """Construct the trains between some stations: none where they all lie in one city."""
    plan = _Plan(stations, seed)
    return tuple(plan.trains())


class _Plan:
    """The trains of some stations, drawn from these and the seed."""

    def __init__(self, stations: Sequence[Station], seed: int) -> None:
        self._by_city: dict[str, list[Station]] = {}
        for station in stations:
            self._by_city.setdefault(station.city_id, []).append(station)
        self._cities = list(self._by_city)
        points = np.array([self._by_city[city][0][-2:] for city in self._cities], np.float64).reshape(-1, 2)
        self._km = great_circle_km(points, points)
        self._seed = seed
        self._numbers: set[int] = set()
        self._names: set[str] = set()

    def trains(self) -> Iterator[TrueTrain]:
        count = round(_TRAINS_PER_CITY * len(self._cities) + _TRAINS_MORE) if len(self._cities) > 1 else 0
        for ordinal in range(count):
            random = Random(f"{self._seed}:trains:{ordinal}")
            suburb = self._suburb(random) if ordinal % 13 == 5 else None
            if suburb:
                yield self._train(suburb, _SUBURBAN, "unlisted", random)
            elif ordinal % 13 == 7:
                yield self._train(self._route(random), _SPECIAL, "seasonal", random)
            else:
                kind = random.choices(_KINDS, [kind.chance for kind in _KINDS])[0]
                route = self._route(random)
                route = [*route[:-1], route[0]] if ordinal == 0 else route
                midnight = {1: "arrival", 2: "halt"}.get(ordinal)
                tracking: Tracking = "none" if ordinal % 13 == 11 else "whole"
                yield self._train(route, kind, tracking, random, midnight, has_silent_call=ordinal % 4 == 3)

    def _suburb(self, random: Random) -> list[Station] | None:
        large = [stations for stations in self._by_city.values() if len(stations) >= 4]
        return random.choice(large)[:8] if large else None

    def _route(self, random: Random) -> list[Station]:
        """Choose two cities and some on the way; large ones may be called at twice, at two stations."""
        origin, destination = random.sample(range(len(self._cities)), 2)
        detour = (self._km[origin] + self._km[:, destination]) / max(1.0, self._km[origin, destination])
        others = [place for place in np.argsort(detour, kind="stable").tolist() if place not in (origin, destination)]
        on_the_way = sum(detour[place] <= _MOST_DETOUR for place in others)
        passed = others[: max(2, min(on_the_way, random.randint(2, 6)))]
        passed.sort(key=lambda place: self._km[origin, place])
        ends = [self._by_city[self._cities[place]] for place in (origin, destination)]
        first, last = ([*stations[: 1 + (random.random() < 0.4)]] for stations in ends)
        return [*first, *(random.choice(self._by_city[self._cities[place]]) for place in passed), *last[::-1]]

    def _train(
        self,
        route: list[Station],
        kind: _Kind,
        tracking: Tracking,
        random: Random,
        midnight: str | None = None,
        *,
        has_silent_call: bool = False,
    ) -> TrueTrain:
        silent = random.randrange(1, len(route) - 1) if has_silent_call else None
        return TrueTrain(
            number=self._number(kind, random),
            name=self._name(route, kind),
            train_type=kind.code,
            days_of_operation=_days(random),
            classes=kind.classes,
            calls=tuple(_calls(route, kind, random, midnight, silent)),
            tracking=tracking,
        )

    def _number(self, kind: _Kind, random: Random) -> str:
        number = next(one for _ in iter(int, 1) if (one := random.choice(kind.numbers)) not in self._numbers)
        self._numbers.add(number)
        return f"{number:05d}"

    def _name(self, route: list[Station], kind: _Kind) -> str:
        """Name a train by its ends, and by a number where another one has that name."""
        ends = (station.city_id.partition("-")[2].replace("-", " ").title() for station in (route[0], route[-1]))
        plain = f"{CONSTRUCTED} {' '.join(ends)} {kind.noun}"
        names = (plain if serial == 1 else f"{plain} {serial}" for serial in range(1, 10_000))
        name = next(name for name in names if name not in self._names)
        self._names.add(name)
        return name


def _days(random: Random) -> str:
    draw = random.random()
    if draw < 0.5:
        return "1111111"
    running = random.sample(range(7), 1 if draw < 0.65 else random.randint(2, 6))
    return "".join("1" if day in running else "0" for day in range(7))


def _calls(
    route: list[Station], kind: _Kind, random: Random, midnight: str | None, silent: int | None
) -> Iterator[TrueCall]:
    """Lay out a timetable; `midnight` says what of the second call falls on it, where anything must."""
    times, distances = _times(route, kind, random)
    departure = 5 * random.randrange(_DAY_MIN // 5)
    if midnight:
        times[1] = (times[1][0], max(times[1][1], times[1][0] + 4))
        departure = (-times[1][0] - (2 if midnight == "halt" else 0)) % _DAY_MIN
    last = len(route) - 1
    for place, (station, (arrival, leaving), km) in enumerate(zip(route, times, distances, strict=True)):
        arrival, leaving = arrival + departure, leaving + departure
        yield TrueCall(
            station_code=station.code,
            station_name=station.name,
            stop_id=station.id,
            city_id=station.city_id,
            arrives=_clock(arrival) if place else None,
            departs=_clock(leaving) if place < last else None,
            day=arrival // _DAY_MIN + 1,
            departs_day=leaving // _DAY_MIN + 1,
            distance_km=km,
            is_reported=place != silent,
        )


def _times(route: list[Station], kind: _Kind, random: Random) -> tuple[list[tuple[int, int]], list[int]]:
    """Return minutes of arrival and departure since the train began, and kilometres."""
    times, distances = [(0, 0)], [0]
    for before, station in pairwise(route):
        apart = great_circle_km(np.array([before[-2:]]), np.array([station[-2:]])).item()
        km = max(1, round(apart * _RAIL_DETOUR))
        arrival = times[-1][1] + max(3, round(km / kind.kmh * 60))
        times.append((arrival, arrival + random.choice((2, 2, 3, 5, 10))))
        distances.append(distances[-1] + km)
    times[-1] = (times[-1][0], times[-1][0])
    return times, distances


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
