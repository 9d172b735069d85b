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

    A day without a period is closed. A day is ambiguous where a place closes when it opens (it may be always open or
    not at all), or where its intervals overlap. Raises UnfitError where periods and text contradict each other.
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
    for day in range(1, 8):
        if day in periods:
            yield from _of_day(day, periods[day])
        elif periods or day in lines:
            yield Interval(day, "closed")


def _of_day(day: int, spans: list[Span]) -> Iterator[Interval]:
    if any(span.opens == span.closes for span in spans) or _overlap(spans):
        yield Interval(day, "ambiguous")
        return
    for span in spans:
        yield Interval(day, "open", span.opens, span.closes, int(span.closes < span.opens))


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
        # What day is given for a close after midnight was never seen, so it is not looked at there.
        if closes > opens and last_day != day:
            raise UnfitError("bad_hours", "a period lasts for more than a day", "hours.periods")
        found.setdefault(day, set()).add(Span(opens, closes))
    return {day: sorted(spans) for day, spans in found.items()}


def _moment(period: Record, name: str) -> tuple[int, str]:
    moment = inner(period, name)
    day, time = whole(moment, "day", 1, 7), moment.get("time")
    parts = _TIME.fullmatch(time) if isinstance(time, str) else None
    if day is None or parts is None:
        raise UnfitError("bad_hours", "a period needs day and time, as HHMM, for open and close", "hours.periods")
    return day, f"{parts[1]}:{parts[2]}"


def _lines(hours: Record) -> tuple[dict[int, list[Span]], bool]:
    """Return the spans of each weekday whose line can be read (none: closed), and whether a line cannot be."""
    given: Any = hours.get("weekday_text")
    if given is None:
        return {}, False
    if not isinstance(given, list):
        raise UnfitError("bad_type", "weekday_text is no list", "hours.weekday_text")
    found: dict[int, list[Span]] = {}
    for line in given:
        parts = _LINE.fullmatch(line) if isinstance(line, str) else None
        spans = _spans(parts[2]) if parts else None
        if parts is None or spans is None or parts[1].capitalize() not in WEEKDAYS:
            continue
        day = WEEKDAYS.index(parts[1].capitalize()) + 1
        if day in found:
            raise UnfitError("contradictory_hours", f"{WEEKDAYS[day - 1]} has two lines of text", "hours.weekday_text")
        found[day] = spans
    return found, len(found) < len(given)


def _spans(text: str) -> list[Span] | None:
    if text.lower() == _CLOSED:
        return []
    found = [_SPAN.fullmatch(part.strip()) for part in text.split(",")]
    if None in found:
        return None
    return [Span(f"{one[1]}:{one[2]}", f"{one[3]}:{one[4]}") for one in found if one]
