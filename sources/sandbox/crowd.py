"""What is true of the crowd at the places of the constructed world: hour by hour of a usual week.

A day is one of the place: it begins at 06:00 and ends at 06:00 of the next morning. Sights fill at midday, markets and
stages in the evening, clubs at night, and people eat at noon and at nine. How a provider writes that stands in its
package.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from sources.sandbox.opening import WEEK, TrueHours
from sources.sandbox.places import TruePlace

CrowdState = Literal["open", "closed", "unknown"]
Spans = tuple[tuple[str, str], ...]
CrowdTrap = Literal["too_few_visitors", "unlisted", "mistaken"]

# The hours of a day, in its order.
HOURS = (*range(6, 24), *range(6))
ALWAYS = ("00:00", "00:00")

_TRAPS: tuple[tuple[float, CrowdTrap], ...] = ((0.10, "too_few_visitors"), (0.08, "unlisted"), (0.08, "mistaken"))
_UNKNOWN_DAY = 0.03
_DAY_BEGINS = "06:00"
_DAY_MIN = 24 * 60

# The hour around which people come, how many hours around it, and how many of them.
_Wave = tuple[float, float, float]
_MIDDAY: tuple[_Wave, ...] = ((13.0, 2.8, 1.0),)
_EVENING: tuple[_Wave, ...] = ((12.5, 2.0, 0.35), (19.0, 2.2, 1.0))
_NIGHT: tuple[_Wave, ...] = ((23.5, 2.0, 1.0),)
_MEALS: tuple[_Wave, ...] = ((13.3, 1.3, 0.75), (20.7, 1.7, 1.0))
_COFFEE: tuple[_Wave, ...] = ((10.5, 1.6, 0.7), (17.5, 2.2, 1.0))
_WAVES: dict[str, tuple[_Wave, ...]] = {
    "Nightlife": _NIGHT,
    "Casinos & Gambling": _NIGHT,
    "Shopping": _EVENING,
    "Food & Drink": _MEALS,
    "Concerts & Shows": _EVENING,
    "Fun & Games": _EVENING,
    "Bar/Pub/Cafe": _COFFEE,
}
_USUAL = {"attractions": _MIDDAY, "restaurants": _MEALS}
# When a place is open whose hours no listing tells.
_USUAL_SPAN = {"attractions": ("09:00", "18:00"), "restaurants": ("11:00", "23:00")}
_USUAL_NIGHT = ("18:00", "02:00")
# Monday to Sunday, in shares of the best day.
_WEEKDAYS = (0.62, 0.6, 0.64, 0.68, 0.82, 1.0, 0.95)


class Peak(NamedTuple):
    """A time of many visitors: its first, busiest and last hour, and its strength from 1 to 5."""

    start: int
    top: int
    end: int
    strength: int


@dataclass(frozen=True)
class TrueCrowdDay:
    """The crowd of one weekday (1 is Monday); nothing is told of it unless the state is open.

    `spans` are the times from when to when the place is open, in the order of its day, ALWAYS for one that never
    closes; `opens` to `closes` goes from the first of them to the last. `levels` (-2 to 2) and `shares` of the week's
    busiest hour (0 to 100, by fives) are in the order of HOURS, None where the place is closed for all of the hour.
    """

    weekday: int
    state: CrowdState
    spans: Spans
    opens: str | None = None
    closes: str | None = None
    closes_day_offset: int | None = None
    levels: tuple[int | None, ...] | None = None
    shares: tuple[int | None, ...] | None = None
    quiet_hours: tuple[int, ...] | None = None
    busy_hours: tuple[int, ...] | None = None
    peaks: tuple[Peak, ...] | None = None
    peak_start_hour: int | None = None
    peak_end_hour: int | None = None


@dataclass(frozen=True)
class TrueCrowd:
    """The week of a place. `trap` says why no service tells it, `days` is None then:

    - `too_few_visitors`: the place is known, and nobody can measure so few;
    - `unlisted`: the place is not known;
    - `mistaken`: whoever asks about the place is told about another one.
    """

    place_id: str
    days: tuple[TrueCrowdDay, ...] | None
    trap: CrowdTrap | None


def crowd_of(places: Iterable[TruePlace], cities: Iterable[str], seed: int) -> Iterator[TrueCrowd]:
    """Construct the crowd of the places to visit and to eat in some cities (ids), but of those that have closed."""
    chosen = frozenset(cities)
    for place in places:
        if place.table != "accommodations" and place.city_id in chosen and place.trap != "gone":
            random = Random(f"{seed}:crowd:{place.id}")
            trap = _trap(random)
            yield TrueCrowd(place.id, None if trap else tuple(_week(place, random)), trap)


def strongest(peaks: Sequence[Peak]) -> Peak | None:
    """Return the strongest of some peaks, of equal ones the first."""
    return max(peaks, key=lambda peak: peak.strength, default=None)


def _trap(random: Random) -> CrowdTrap | None:
    draw = random.random()
    for chance, trap in _TRAPS:
        draw -= chance
        if draw < 0:
            return trap
    return None


def _week(place: TruePlace, random: Random) -> Iterator[TrueCrowdDay]:
    waves = next((_WAVES[one] for one in place.categories if one in _WAVES), _USUAL[place.table])
    usual = [sum(_height(hour, wave) for wave in waves) for hour in HOURS]
    spans = [_spans(place, weekday) for weekday in WEEK]
    is_open = [[_is_open(hour, day) for hour in HOURS] for day in spans]
    states = [_state(day, random) for day in spans]
    heights = [
        [share * height * (0.92 + 0.16 * random.random()) * is_then for height, is_then in zip(usual, day, strict=True)]
        for share, day in zip(_WEEKDAYS, is_open, strict=True)
    ]
    most = max((max(day) for day, state in zip(heights, states, strict=True) if state == "open"), default=1.0)
    for weekday, state, day, opened, height in zip(WEEK, states, spans, is_open, heights, strict=True):
        if state != "open":
            yield TrueCrowdDay(weekday, state, day)
            continue
        shares = [5 * round(20 * one / most) for one in height]
        yield _open_day(
            weekday, day, [share if is_then else None for share, is_then in zip(shares, opened, strict=True)]
        )


def _state(spans: Spans, random: Random) -> CrowdState:
    if not spans:
        return "closed"
    return "unknown" if random.random() < _UNKNOWN_DAY else "open"


def _open_day(weekday: int, spans: Spans, shares: list[int | None]) -> TrueCrowdDay:
    levels = [None if share is None else _level(share) for share in shares]
    of_hours = list(zip(HOURS, levels, strict=True))
    peaks = tuple(_peaks(shares))
    best = strongest(peaks)
    opens, closes = spans[0][0], spans[-1][1]
    return TrueCrowdDay(
        weekday,
        "open",
        spans,
        opens,
        closes,
        int(closes <= opens),
        tuple(levels),
        tuple(shares),
        tuple(hour for hour, level in of_hours if level is not None and level < 0),
        tuple(hour for hour, level in of_hours if level is not None and level > 0),
        peaks,
        best.start if best else None,
        best.end if best else None,
    )


def _height(hour: int, wave: _Wave) -> float:
    centre, width, height = wave
    apart = (hour + 0.5 - centre + 12) % 24 - 12
    return height * math.exp(-0.5 * (apart / width) ** 2)


def _level(share: int) -> int:
    """Return the level of an hour by its share of the busiest hour."""
    return -2 if share <= 20 else -1 if share <= 45 else 0 if share <= 70 else 1 if share <= 80 else 2


def _peaks(shares: list[int | None]) -> Iterator[Peak]:
    """Yield the runs of hours with more than half of the busiest hour of a day."""
    top = max(share or 0 for share in shares)
    run: list[int] = []
    for place, share in enumerate([*shares, None]):
        if share is not None and top >= 20 and share > top / 2:
            run.append(place)
        elif run:
            best = max(run, key=lambda one: shares[one] or 0)
            yield Peak(HOURS[run[0]], HOURS[best], HOURS[run[-1]], max(1, (shares[best] or 0) // 20))
            run = []


def _spans(place: TruePlace, weekday: int) -> Spans:
    """Return the times of a day; what opens after midnight and before the day begins is still of the day before."""
    if place.hours is None:
        return (_USUAL_NIGHT if "Nightlife" in place.categories else _USUAL_SPAN[place.table],)
    today, tomorrow = _listed(place.hours, weekday), _listed(place.hours, weekday % 7 + 1)
    if any(hours.state == "ambiguous" for hours in today):
        return (ALWAYS,)
    by_day = [one for one in _times(today) if one[0] >= _DAY_BEGINS]
    after_midnight = [one for one in _times(tomorrow) if one[0] < _DAY_BEGINS]
    return (*by_day, *after_midnight)


def _listed(week: tuple[TrueHours, ...], weekday: int) -> list[TrueHours]:
    return [hours for hours in week if hours.weekday == weekday]


def _times(day: list[TrueHours]) -> list[tuple[str, str]]:
    return [(hours.opens, hours.closes) for hours in day if hours.opens and hours.closes]


def _is_open(hour: int, spans: Spans) -> bool:
    """Whether a place is open in any minute of an hour that the day still holds."""
    begin = (hour * 60 - 360) % _DAY_MIN
    for opens, closes in spans:
        first, last = _since_six(opens), _since_six(closes)
        if (opens, closes) == ALWAYS or (begin + 60 > first and begin < (last if last > first else _DAY_MIN)):
            return True
    return False


def _since_six(clock: str) -> int:
    return (int(clock[:2]) * 60 + int(clock[3:]) - 360) % _DAY_MIN
