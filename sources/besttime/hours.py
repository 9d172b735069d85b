"""When a venue is open on one of its days, from any of the forms that the provider has written it in.

The old form is a pair of whole hours. The new one lists periods, at first without minutes (which then stand in the text
beside them alone), later with minutes and with flags. The flags have contradicted the hours, so they are not read.
"""

import re
from typing import Any, NamedTuple

from sources.besttime.reading import Record, UnfitError, inner, members, text, whole

_DAY_MIN = 24 * 60
_DAY_BEGINS_MIN = 6 * 60
_CLOSED = "closed"
_CLOCK = r"(\d{1,2})(?::([0-5]\d))?\s*(?:[ap]m)?"
_PERIOD = re.compile(rf"{_CLOCK}\s*[-\u2013\u2014]\s*{_CLOCK}", re.IGNORECASE | re.ASCII)


class Span(NamedTuple):
    """From when to when a venue is open, in minutes of the clock; equal ones mean always."""

    opens: int
    closes: int

    def covers(self, minute: int) -> bool:
        """Whether the venue is open from this minute of the clock on."""
        return (minute - self.opens) % _DAY_MIN < ((self.closes - self.opens) % _DAY_MIN or _DAY_MIN)


class Opening(NamedTuple):
    """The hours of a day as in `place_hours`: `HH:MM`, and 1 where the venue closes on the next day."""

    opens: str | None
    closes: str | None
    closes_day_offset: int | None


def says_closed(info: Record) -> bool:
    """Whether a day is said to be closed, in the old form or in the new one."""
    words = [info.get("venue_open"), info.get("venue_closed"), *_texts(inner(info, "venue_open_close_v2"))]
    return any(isinstance(word, str) and word.strip().casefold() == _CLOSED for word in words)


def spans(info: Record) -> list[Span]:
    """Return the periods of a day in the order of the venue's day, none where none are given or it is closed.

    The new form goes before the old one, which has whole hours and one pair for all periods.
    """
    form = inner(info, "venue_open_close_v2")
    periods, words = members(form, "24h"), _texts(form)
    found = [_span(period, words[place] if place < len(words) else "") for place, period in enumerate(periods)]
    if not found and not says_closed(info):
        opens, closes = whole(info, "venue_open", 0, 24), whole(info, "venue_closed", 0, 24)
        if (opens is None) != (closes is None):
            raise UnfitError("bad_opening", "of venue_open and venue_closed one is missing", "venue_open")
        found = [] if opens is None or closes is None else [_of_hours(opens, 0, closes, 0)]
    return sorted(found, key=lambda span: (span.opens - _DAY_BEGINS_MIN) % _DAY_MIN)


def outer(found: list[Span], is_always_open: bool) -> Opening:
    """Return from the first opening to the last closing of a day, nulls where nobody can tell.

    A venue that opens when it closes is always open where all of its hours say so, and else of unknown hours.
    """
    if any(span.opens == span.closes for span in found):
        return Opening("00:00", "00:00", 1) if is_always_open else Opening(None, None, None)
    if not found:
        return Opening(None, None, None)
    opens, closes = found[0].opens, found[-1].closes
    return Opening(_clock(opens), _clock(closes), int(closes <= opens))


def ends(found: list[Span]) -> set[int]:
    """Return the hours that begin when the venue closes; it is listed as open with the lowest level in them."""
    closing = {span.closes for span in found if span.closes % 60 == 0 and span.opens != span.closes}
    return {minute // 60 for minute in closing if not any(span.covers(minute) for span in found)}


def _span(period: Record, words: str) -> Span:
    opens, closes = whole(period, "opens", 0, 24), whole(period, "closes", 0, 24)
    if opens is None or closes is None:
        raise UnfitError("bad_opening", "a period needs the hours at which it opens and closes", "venue_open_close_v2")
    minutes = whole(period, "opens_minutes", 0, 59), whole(period, "closes_minutes", 0, 59)
    told = _PERIOD.fullmatch(words.strip())
    # Of the text no more is believed than the minutes, and those only where its hours are the same.
    is_same = told is not None and (int(told[1]) - opens) % 12 == (int(told[3]) - closes) % 12 == 0
    texts = (told[2], told[4]) if told is not None and is_same else (None, None)
    first, last = (
        int(lost or 0) if given is None else given for given, lost in zip(minutes, texts, strict=True)
    )  # fmt: skip
    return _of_hours(opens, first, closes, last)


def _of_hours(opens: int, opens_min: int, closes: int, closes_min: int) -> Span:
    return Span((60 * opens + opens_min) % _DAY_MIN, (60 * closes + closes_min) % _DAY_MIN)


def _texts(form: Record) -> list[str]:
    value: Any = form.get("12h")
    if value is None:
        return []
    if not isinstance(value, list):
        raise UnfitError("bad_type", "12h is no list", "venue_open_close_v2.12h")
    return [text({"12h": one}, "12h") or "" for one in value]


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
