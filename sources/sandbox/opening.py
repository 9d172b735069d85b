"""When a place of the constructed world is open: by weekday, past midnight, closed, ambiguous or unknown."""

from dataclasses import dataclass
from random import Random
from typing import Literal

HoursState = Literal["open", "closed", "ambiguous"]
WEEK = range(1, 8)


@dataclass(frozen=True)
class TrueHours:
    """One interval of a weekday (1 is Monday), or a weekday that is closed, or one of which nobody can tell.

    `opens` and `closes` are `HH:MM`, None unless open; `closes_day_offset` is 1 where it closes on the next day.
    """

    weekday: int
    state: HoursState
    opens: str | None = None
    closes: str | None = None
    closes_day_offset: int | None = None


# Each day of a pattern: the intervals as the source lists them, () for closed; "?" opens and closes at one time.
_Day = tuple[tuple[str, str], ...] | Literal["?"]
_Week = tuple[_Day, ...]

_DAY: _Day = (("09:00", "17:30"),)
_EVENING: _Day = (("11:00", "23:00"),)
_TWICE: _Day = (("12:00", "15:30"), ("19:00", "23:00"))
_MIDNIGHT: _Day = (("18:00", "00:00"),)
_NIGHT: _Day = (("10:00", "02:00"),)
_LONG_NIGHT: _Day = (("10:00", "06:00"),)
_TWICE_AND_NIGHT: _Day = (("12:30", "15:00"), ("18:30", "01:30"))
# The hours after midnight of the evening before stand on the day that they fall on.
_TAIL: _Day = (("00:00", "02:00"), ("08:00", "23:30"))

_UNKNOWN: None = None
_SIGHTS: tuple[tuple[float, _Week | None], ...] = (
    (0.40, _UNKNOWN),
    (0.22, (_DAY,) * 7),
    (0.14, ((), *(_DAY,) * 6)),
    (0.06, ((), (), (), _DAY, _DAY, _EVENING, _EVENING)),
    (0.06, (_TWICE,) * 7),
    (0.06, (*(_EVENING,) * 4, _NIGHT, _NIGHT, _MIDNIGHT)),
    (0.06, ("?",) * 7),
)
_MEALS: tuple[tuple[float, _Week | None], ...] = (
    (0.30, _UNKNOWN),
    (0.18, (_EVENING,) * 7),
    (0.12, (*(_TWICE,) * 6, ())),
    (0.08, (_MIDNIGHT,) * 7),
    (0.08, (*(_EVENING,) * 4, _NIGHT, _NIGHT, _EVENING)),
    (0.07, (_LONG_NIGHT,) * 7),
    (0.07, ((), *(_TWICE_AND_NIGHT,) * 6)),
    (0.05, (_TAIL,) * 7),
    (0.03, ("?",) * 7),
    (0.02, (*(_EVENING,) * 6, "?")),
)


def hours_of_sight(random: Random) -> tuple[TrueHours, ...] | None:
    """Draw the hours of an attraction; None where they are unknown."""
    return _drawn(_SIGHTS, random)


def hours_of_restaurant(random: Random) -> tuple[TrueHours, ...] | None:
    """Draw the hours of a restaurant; None where they are unknown."""
    return _drawn(_MEALS, random)


def _drawn(patterns: tuple[tuple[float, _Week | None], ...], random: Random) -> tuple[TrueHours, ...] | None:
    shares, weeks = zip(*patterns, strict=True)
    week: _Week | None = random.choices(weeks, shares)[0]
    if week is None:
        return None
    return tuple(hours for weekday, day in zip(WEEK, week, strict=True) for hours in _day(weekday, day))


def _day(weekday: int, day: _Day) -> list[TrueHours]:
    if day == "?":
        return [TrueHours(weekday, "ambiguous")]
    if not day:
        return [TrueHours(weekday, "closed")]
    return [TrueHours(weekday, "open", opens, closes, int(closes <= opens)) for opens, closes in day]
