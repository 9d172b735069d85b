"""Times of day, marks of later days, and durations: from texts to minutes, and what follows for an arrival.

`24:00` is the end of its day, which is 00:00 of the next one. An arrival belongs to the day that is stated, else to the
one that the duration gives, else to the next day when its clock does not lie after that of the departure. What is
stated twice must agree.
"""

import re
from datetime import date
from typing import NamedTuple

from schemas.text import clean, is_placeholder
from sources.tripozo.unfit import UnfitError, shown

DAY = 24 * 60

_CLOCK = re.compile(r"([0-9]{1,2})[:.]([0-5][0-9])(?::[0-5][0-9])?\s*(.*)")
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T](.{1,20})")
_END = re.compile(r"(?:source|destination|start|starts|end|ends|none|-*)\s*(\(.*\))?", re.IGNORECASE)
_LATER = re.compile(r"\(?\+ ?([0-9]) ?(?:d|days?)?\)?", re.IGNORECASE)
_NTH = re.compile(r"\(?(?:day ?)?([1-9][0-9]?)\)?", re.IGNORECASE)
_COLON = re.compile(r"([0-9]{1,3})[:.]([0-5][0-9]) ?h?", re.IGNORECASE)
_WORDS = re.compile(r"(?:([0-9]{1,3}) ?h(?:rs?|ours?)?)? ?(?:([0-9]{1,2}) ?m(?:ins?|inutes?)?)?", re.IGNORECASE)


class Clock(NamedTuple):
    """A time of day in minutes, up to 1440; None where there is none, as at the ends of a journey.

    `day` counts from 0, None where nothing marks it; `on` is the date where one is given.
    """

    minute: int | None
    day: int | None = None
    on: date | None = None


class Journey(NamedTuple):
    """A departure and an arrival as columns hold them. `days_late`: 1 where the departure is 24:00 of its day."""

    departs: str
    arrives: str
    day_offset: int
    duration_min: int
    days_late: int


def read_clock(text: str | None, where: str) -> Clock:
    """Return the time in a text: `09:40`, `16.50`, `24:00`, `00:35 +1 Day`, `Source (Day 1)`, a full moment."""
    written = clean(text or "")
    moment = _MOMENT.fullmatch(written)
    if moment:
        try:
            return read_clock(moment[2], where)._replace(on=date.fromisoformat(moment[1]))
        except ValueError:
            raise _bad_time(written, where) from None
    if is_placeholder(written):
        return Clock(None)
    end = _END.fullmatch(written)
    if end:
        return Clock(None, read_day(end[1], where))
    found = _CLOCK.fullmatch(written)
    minute = int(found[1]) * 60 + int(found[2]) if found else DAY + 1
    if found is None or minute > DAY:
        raise _bad_time(written, where)
    return Clock(minute, read_day(found[3], where))


def read_day(text: str | None, where: str) -> int | None:
    """Return how many days after the first a mark means: `+1` and `Day 2` are 1. None where there is no mark."""
    written = clean(text or "")
    if is_placeholder(written):
        return None
    later, nth = _LATER.fullmatch(written), _NTH.fullmatch(written)
    if later:
        return int(later[1])
    if nth:
        return int(nth[1]) - 1
    raise UnfitError("bad_day", f"{shown(written)!r} marks no day", where)


def read_duration(text: str | None, where: str) -> int | None:
    """Return minutes: of `15:46H`, `30h 5m`, `2h 10min`, `42:55`, and `17.15`, which is no decimal."""
    written = clean(text or "")
    if is_placeholder(written):
        return None
    found = _COLON.fullmatch(written) or _WORDS.fullmatch(written)
    minutes = int(found[1] or 0) * 60 + int(found[2] or 0) if found else 0
    if minutes == 0:
        raise UnfitError("bad_duration", f"{shown(written)!r} is no time in hours and minutes", where)
    return minutes


def journey(departs: Clock, arrives: Clock, day: int | None, duration: int | None) -> Journey:
    """Return what lies between a departure and an arrival; `day` is that of the arrival where it is stated.

    Raises UnfitError where a clock is missing, or where clocks, day and duration contradict each other.
    """
    if departs.minute is None or arrives.minute is None:
        where = "departs" if departs.minute is None else "arrives"
        raise UnfitError("no_time", "departure or arrival has no time", where)
    start = departs.minute
    if day is not None:
        end = arrives.minute + day * DAY
    elif duration is not None:
        end = start + duration
    else:
        end = arrives.minute + (0 if arrives.minute > start else DAY)
    is_contradiction = (end - arrives.minute) % DAY != 0 or (duration is not None and end - start != duration)
    if end <= start or is_contradiction:
        raise UnfitError("bad_duration", "times, day of arrival and duration contradict each other", "duration")
    days_late = start // DAY
    return Journey(hhmm(start), hhmm(end), end // DAY - days_late, end - start, days_late)


def hhmm(minute: int) -> str:
    """Return minutes since any midnight as a time of day."""
    hours, minutes = divmod(minute % DAY, 60)
    return f"{hours:02d}:{minutes:02d}"


def _bad_time(text: str, where: str) -> UnfitError:
    return UnfitError("bad_time", f"{shown(text)!r} is no time of day", where)
