"""From distinct raw texts to values: one parser per kind. Parsers never guess; what they cannot read gets a code.

A parser takes an Arrow array of cleaned texts (null: unknown) and returns values and codes of the same length. A code
is null where the value is good; where it is set the value is null.
"""

import datetime as dt
import json
import re
from collections.abc import Callable
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from schemas.text import clean
from sources.tables.grammar import Column

MESSAGES = {
    "not_a_number": "is not a number",
    "not_an_integer": "is not a whole number",
    "not_a_date": "is not a date in the declared form",
    "not_a_boolean": "is none of the declared words for yes and no",
    "not_a_list": "is not a JSON list of texts",
    "not_a_clock": "is no time of a day in the form 09:05",
    "not_running_days": "is no row of seven declared marks of which one says yes",
    "not_a_span": "is no span of time in the form 26h 5m",
    "contradicts_clock": "does not lead to the clock of the arrival",
    "out_of_range": "lies outside the possible range",
    "not_in_vocabulary": "is not in the vocabulary",
    "pattern": "does not have the form of the column",
    "placeholder": "says that there is no value; name such words under `null` where the value may be unknown",
}

_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?$"
_INTEGER = r"^[+-]?[0-9]{1,18}(\.0*)?$"
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CLOCK = r"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"
_SPAN = r"^[0-9]{1,3}h [0-9]{1,2}m$"
_WEEK = 7
DAY_MIN = 1440
# Everything but printable ASCII with single inner blanks may be changed by `clean`.
_MAY_BE_UNCLEAN = r"[^\x20-\x7e]|^ | $|  "


_NO_TEXT = pa.scalar(None, pa.string())


class Parsed(NamedTuple):
    """Values and codes of the same length."""

    values: pa.Array
    codes: pa.Array


def each(texts: pa.Array, function: Callable[[str], str | None]) -> pa.Array:
    """Apply a function to every text that is set."""
    changed = [None if text is None else function(text) for text in texts.to_pylist()]
    return pa.array(changed, pa.string())


def cleaned(texts: pa.Array) -> pa.Array:
    """Return the texts as `schemas.text.clean` leaves them, null where nothing is left."""
    unclean = pc.fill_null(pc.match_substring_regex(texts, _MAY_BE_UNCLEAN), False)
    if pc.any(unclean).as_py():
        texts = pc.replace_with_mask(texts, unclean, each(texts.filter(unclean), clean))
    return pc.if_else(pc.equal(texts, ""), _NO_TEXT, texts)


def number(texts: pa.Array) -> Parsed:
    """Parse decimal numbers; `nan`, `inf` and what is too large for a double are no numbers."""
    looks_good = pc.match_substring_regex(texts, _NUMBER)
    digits = pc.replace_substring_regex(texts, r"^\+", "")
    values = pc.cast(pc.if_else(looks_good, digits, _NO_TEXT), pa.float64())
    values = pc.if_else(pc.is_finite(values), values, pa.scalar(None, pa.float64()))
    return _judged(texts, values, "not_a_number")


def integer(texts: pa.Array) -> Parsed:
    """Parse whole numbers of up to 18 digits; `12.0` is one, `12.5` and `1e3` are none."""
    looks_good = pc.match_substring_regex(texts, _INTEGER)
    digits = pc.replace_substring_regex(pc.replace_substring_regex(texts, r"\.0*$", ""), r"^\+", "")
    values = pc.cast(pc.if_else(looks_good, digits, _NO_TEXT), pa.int64())
    return _judged(texts, values, "not_an_integer")


def date(texts: pa.Array, date_format: str | None) -> Parsed:
    """Parse days in a `strptime` format, or as `2018-01-31`."""
    values = pa.array([None if text is None else _day(text, date_format) for text in texts.to_pylist()], pa.date32())
    return _judged(texts, values, "not_a_date")


def _day(text: str, date_format: str | None) -> dt.date | None:
    try:
        if date_format is not None:
            return dt.datetime.strptime(text, date_format).date()
        return dt.date.fromisoformat(text) if _ISO_DATE.fullmatch(text) else None
    except ValueError:
        return None


def boolean(texts: pa.Array, yes: frozenset[str], no: frozenset[str]) -> Parsed:
    """Parse the declared words."""
    words = dict.fromkeys(yes, True) | dict.fromkeys(no, False)
    return _judged(texts, pa.array([words.get(text) for text in texts.to_pylist()], pa.bool_()), "not_a_boolean")


def clock_minutes(texts: pa.Array) -> Parsed:
    """Parse clocks into minutes since midnight; `24:00` is the midnight at the end of the day, 1440."""
    told = pc.if_else(pc.match_substring_regex(texts, _CLOCK), texts, _NO_TEXT)
    hours, minutes = (pc.utf8_slice_codeunits(told, start, start + 2).cast(pa.int64()) for start in (0, 3))
    return _judged(texts, pc.add(pc.multiply(hours, 60), minutes), "not_a_clock")


def clock(texts: pa.Array, *, may_end_day: bool = False) -> Parsed:
    """Parse clocks; `24:00` is `00:00` where another column can take the day that this adds, else no clock."""
    minutes, codes = clock_minutes(texts)
    is_end = pc.fill_null(pc.equal(minutes, DAY_MIN), False)
    if may_end_day:
        return Parsed(pc.if_else(is_end, "00:00", pc.if_else(pc.is_valid(minutes), texts, _NO_TEXT)), codes)
    values = pc.if_else(pc.and_(pc.is_valid(minutes), pc.invert(is_end)), texts, _NO_TEXT)
    return _judged(texts, values, "not_a_clock")


def span_minutes(texts: pa.Array) -> Parsed:
    """Parse spans of time in the form `26h 5m` into minutes."""
    told = pc.if_else(pc.match_substring_regex(texts, _SPAN), texts, _NO_TEXT)
    hours, minutes = (
        pc.replace_substring_regex(told, pattern, "").cast(pa.int64()) for pattern in ("h.*$", "^.*h |m$")
    )
    return _judged(texts, pc.add(pc.multiply(hours, 60), minutes), "not_a_span")


def weekdays(texts: pa.Array, yes: frozenset[str], no: frozenset[str], first_day: str) -> Parsed:
    """Parse running days, a mark for each day from `first_day` (`monday` or `sunday`), into flags, Monday first.

    A train that runs on no day tells nothing and is none.
    """
    flags = dict.fromkeys(yes, "1") | dict.fromkeys(no, "0")
    found = [None if text is None else _flags(text, flags, first_day) for text in texts.to_pylist()]
    return _judged(texts, pa.array(found, pa.string()), "not_running_days")


def _flags(text: str, flags: dict[str, str], first_day: str) -> str | None:
    if len(text) != _WEEK or any(mark not in flags for mark in text):
        return None
    days = "".join(map(flags.__getitem__, text))
    from_monday = days[1:] + days[0] if first_day == "sunday" else days
    return from_monday if "1" in days else None


def members(texts: pa.Array, separator: str | None) -> Parsed:
    """Split into cleaned members without empty ones and repeats; null where none is left."""
    split = [None if text is None else _split(text, separator) for text in texts.to_pylist()]
    values = pa.array([found or None for found in split], pa.list_(pa.string()))
    is_bad = [found is None and text is not None for found, text in zip(split, texts.to_pylist(), strict=True)]
    return Parsed(values, pa.array(["not_a_list" if bad else None for bad in is_bad], pa.string()))


def _split(text: str, separator: str | None) -> list[str] | None:
    if separator is not None:
        found = text.split(separator)
    else:
        try:
            listed = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
        except (ValueError, RecursionError):
            return None
        if not isinstance(listed, list) or any(not isinstance(item, str | None) for item in listed):
            return None
        found = [item for item in listed if item is not None]
    return list(dict.fromkeys(item for item in map(clean, found) if item))


def parse(texts: pa.Array, column: Column) -> Parsed:
    """Parse cleaned texts in the way a column declares."""
    match column.parse:
        case "number":
            return number(texts)
        case "integer":
            return integer(texts)
        case "date":
            return date(texts, column.date_format)
        case "boolean":
            return boolean(texts, column.yes, column.no)
        case "list":
            return members(texts, column.separator)
        case "clock":
            return clock(texts, may_end_day=column.may_end_day)
        case "weekdays":
            return weekdays(texts, column.yes, column.no, column.first_day)
        case _:
            return Parsed(_with_zeros(texts, column.zero_pad), pa.nulls(len(texts), pa.string()))


def _with_zeros(texts: pa.Array, digits: int) -> pa.Array:
    if not digits:
        return texts
    is_short = pc.match_substring_regex(texts, "^[0-9]+$")
    return pc.if_else(is_short, pc.utf8_lpad(texts, digits, "0"), texts)


def _judged(texts: pa.Array, values: pa.Array, code: str) -> Parsed:
    is_bad = pc.and_(pc.is_valid(texts), pc.is_null(values))
    return Parsed(values, pc.if_else(is_bad, code, _NO_TEXT))
