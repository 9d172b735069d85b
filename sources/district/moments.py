"""Dates and times as events carry them, in many forms, and the local day that they mean. Pure.

A day of an event is a day in India: 20:00 in UTC is the next day there. A time without an offset is local.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any, NamedTuple

# Without summer time, and the same everywhere in India.
INDIA = timezone(timedelta(hours=5, minutes=30))

_YEARS = range(2000, 2100)
_FARTHEST = timedelta(hours=14)
_FORM = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?(Z|[+-]\d{1,2}:?\d{2}|[+-]\d{1,2}(?:\.\d{1,2})?)?)?",
    re.ASCII,
)


class Moment(NamedTuple):
    """A local day, and the local time on it; None where only the day is told."""

    day: date
    time: time | None


def read_moment(value: Any) -> Moment | None:
    """Return the local moment that a text means, None where it is no such text or no such moment."""
    found = _FORM.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 60 else None
    if found is None:
        return None
    year, month, day = (int(found[place]) for place in (1, 2, 3))
    try:
        if year not in _YEARS:
            return None
        if found[4] is None:
            return Moment(date(year, month, day), None)
        zone = INDIA if found[7] is None else _zone(found[7])
        moment = datetime(year, month, day, int(found[4]), int(found[5]), int(found[6] or 0), tzinfo=zone)
    except ValueError:
        return None
    local = moment.astimezone(INDIA)
    return Moment(local.date(), local.time())


def _zone(offset: str) -> timezone:
    """Return the zone of `Z`, `+05:30`, `+0530`, `+05`, or hours with a decimal point (`+5.5`). Raises ValueError."""
    if offset == "Z":
        return UTC
    sign, digits = (-1 if offset[0] == "-" else 1), offset[1:]
    if "." in digits or len(digits) < 3:
        ahead = timedelta(hours=float(digits))
    else:
        hours, minutes = int(digits[:-2].rstrip(":")), int(digits[-2:])
        if minutes > 59:
            raise ValueError
        ahead = timedelta(hours=hours, minutes=minutes)
    if ahead > _FARTHEST:
        raise ValueError
    return timezone(sign * ahead)
