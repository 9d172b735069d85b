"""Opening hours of the Content API: from periods and lines of text to intervals per weekday.

The periods are what counts. The lines, which may be in any language, are held against them as far as they can be read.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from sources.protocol.types import Unknown
from sources.tripadvisor.reading import Record, UnfitError, inner, members, whole

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_TIME = re.compile(r"([01][0-9]|2[0-3])([0-5][0-9])")
_LINE = re.compile(r"\s*([A-Za-z]+)\s*:\s*(.*?)\s*")
_SPAN = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])\s*[-\u2013]\s*([01][0-9]|2[0-3]):([0-5][0-9])")
_CLOSED = "closed"
_DAY_MIN = 24 * 60


class Span(NamedTuple):
    """From when to when a place is open, as `HH:MM`; one that closes at or before it opens does so the next day."""

    opens: str
    closes: str


class Interval(NamedTuple):
    """One row of opening hours; `state` is a token of `hours_states`, weekday 1 is Monday."""

    weekday: int
    state: str
    opens: str | None = None
    closes: str | None = None
    closes_day_offset: int | None = None


def intervals(record: Record) -> Iterator[Interval | Unknown]:
    """Yield the hours of a place by weekday, nothing where they are unknown, which differs from closed.

    A day without a period is closed, unless it has a line of text that cannot be read: then it is ambiguous. So is a
    day on which a place closes when it opens (it may be always open or not at all), or whose intervals overlap each
    other or those of a day beside it. Raises UnfitError where periods and text contradict each other.
    """
    hours = inner(record, "hours")
    periods = _periods(hours)
    lines, unread = _lines(hours)
    if unread:
        yield Unknown("hours.weekday_text[]")
    if not periods and not lines:
        return
    for day, spans in lines.items():
        if set(spans) != set(periods.get(day, ())):
            message = f"periods and text tell different hours of {WEEKDAYS[day - 1]}"
            raise UnfitError("contradictory_hours", message, "hours")
    unclear = _unclear_days(periods) | (unread - periods.keys())
    for day in range(1, 8):
        if day in unclear:
            yield Interval(day, "ambiguous")
        elif day in periods:
            for span in periods[day]:
                yield Interval(day, "open", span.opens, span.closes, int(span.closes < span.opens))
        elif periods or day in lines:
            yield Interval(day, "closed")


def _unclear_days(periods: dict[int, list[Span]]) -> set[int]:
    found = {day for day, spans in periods.items() if any(one.opens == one.closes for one in spans) or _overlap(spans)}
    for day, spans in periods.items():
        following = _day_after(day)
        tail = max((span.closes for span in spans if span.closes < span.opens), default="")
        if following in periods and periods[following][0].opens < tail:
            found |= {day, following}
    return found


def _overlap(spans: list[Span]) -> bool:
    end = -1
    for span in spans:
        opens, closes = _minutes(span.opens), _minutes(span.closes)
        if opens < end:
            return True
        end = closes if closes > opens else closes + _DAY_MIN
    return False


def _minutes(clock: str) -> int:
    return 60 * int(clock[:2]) + int(clock[3:])


def _periods(hours: Record) -> dict[int, list[Span]]:
    """Return the spans of each weekday that has any, each once, in order of time."""
    found: dict[int, set[Span]] = {}
    for period in members(hours, "periods"):
        (day, opens), (last_day, closes) = _moment(period, "open"), _moment(period, "close")
        # What day is given for a close after midnight was never seen; it may be either.
        if last_day != day and (closes > opens or last_day != _day_after(day)):
            raise UnfitError("bad_hours", "a period lasts for more than a day", "hours.periods")
        found.setdefault(day, set()).add(Span(opens, closes))
    return {day: sorted(spans) for day, spans in found.items()}


def _day_after(day: int) -> int:
    return day % 7 + 1


def _moment(period: Record, name: str) -> tuple[int, str]:
    moment = inner(period, name)
    day, time = whole(moment, "day", 1, 7), moment.get("time")
    parts = _TIME.fullmatch(time) if isinstance(time, str) else None
    if day is None or parts is None:
        raise UnfitError("bad_hours", "a period needs day and time, as HHMM, for open and close", "hours.periods")
    return day, f"{parts[1]}:{parts[2]}"


def _lines(hours: Record) -> tuple[dict[int, list[Span]], set[int]]:
    """Return the spans of each weekday whose line can be read (none: closed), and the days of the other lines (0: of
    none that can be told)."""
    given: Any = hours.get("weekday_text")
    if given is None:
        return {}, set()
    if not isinstance(given, list):
        raise UnfitError("bad_type", "weekday_text is no list", "hours.weekday_text")
    found: dict[int, list[Span]] = {}
    unread: set[int] = set()
    for line in given:
        parts = _LINE.fullmatch(line) if isinstance(line, str) else None
        word = parts[1].capitalize() if parts else ""
        day = WEEKDAYS.index(word) + 1 if word in WEEKDAYS else 0
        spans = _spans(parts[2]) if parts else None
        if not day or spans is None:
            unread.add(day)
            continue
        if day in found:
            raise UnfitError("contradictory_hours", f"{WEEKDAYS[day - 1]} has two lines of text", "hours.weekday_text")
        found[day] = spans
    return found, unread


def _spans(text: str) -> list[Span] | None:
    if text.lower() == _CLOSED:
        return []
    found = [_SPAN.fullmatch(part.strip()) for part in text.split(",")]
    if None in found:
        return None
    return [Span(f"{one[1]}:{one[2]}", f"{one[3]}:{one[4]}") for one in found if one]
