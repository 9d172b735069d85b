"""How single values are read: exactly, or not at all. What a value means stands in `days`, `hours` and `venues`.

Numbers come as numbers, and in some fields and ages as texts or whole fractions; those forms are read, and nothing
looser. No value is ever quoted in an error, as it may be a key.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Optional

from schemas.text import clean, is_placeholder
from sources.protocol.types import Unknown

Record = Mapping[str, Any]
# The fields of an object: name -> the fields below it, None where nothing below is looked at.
Fields = Mapping[str, Optional["Fields"]]

_WHOLE = re.compile(r"-?[0-9]{1,4}")
_HALF_LETTER = re.compile("[\ud800-\udfff]")
_SHOWN = 80


class UnfitError(ValueError):
    """A value that cannot be used: the code of the refusal, what is wrong in words, and where in the record."""

    def __init__(self, code: str, message: str, where: str) -> None:
        self.code, self.message, self.where = code, message, where
        super().__init__(message)


def as_whole(value: Any) -> int | None:
    """Return the whole number that a value is, None where it is none; a text of digits is one, as is 4.0."""
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def whole(record: Record, name: str, low: int, high: int) -> int | None:
    """Return a whole number from `low` to `high`, None where there is none."""
    value = record.get(name)
    if value is None:
        return None
    number = as_whole(value)
    if number is None:
        raise UnfitError("bad_number", f"{name} is no whole number", name)
    if not low <= number <= high:
        raise UnfitError("out_of_range", f"{name} does not lie between {low} and {high}", name)
    return number


def needed(record: Record, name: str, low: int, high: int) -> int:
    """Return a whole number that must be there."""
    number = whole(record, name, low, high)
    if number is None:
        raise UnfitError("bad_number", f"{name} is missing", name)
    return number


def degrees(record: Record, name: str, most: float) -> float:
    """Return an angle that must be there and lie within `most` of 0."""
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnfitError("bad_point", f"{name} is no number", name)
    # Of what is no number at all nothing is below anything.
    if not abs(value) <= most:
        raise UnfitError("bad_point", f"{name} does not lie on the earth", name)
    return float(value)


def text(record: Record, name: str) -> str | None:
    """Return a cleaned text, None where there is none or where it only says that there is none."""
    value = record.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise UnfitError("bad_type", f"{name} is no text", name)
    if _HALF_LETTER.search(value):
        raise UnfitError("bad_text", f"{name} holds half a letter, which cannot be written", name)
    cleaned = clean(value)
    return None if is_placeholder(cleaned) else cleaned


def inner(record: Record, name: str) -> dict[str, Any]:
    """Return an object within an object, empty where there is none."""
    value = record.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnfitError("bad_type", f"{name} is no object", name)
    return value


def members(record: Record, name: str) -> list[dict[str, Any]]:
    """Return the objects of a list, empty where there is none."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise UnfitError("bad_type", f"{name} is no list of objects", name)
    return value


def wholes(record: Record, name: str, low: int, high: int) -> list[int]:
    """Return the whole numbers of a list, each from `low` to `high`; empty where there is none."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise UnfitError("bad_type", f"{name} is no list", name)
    return [needed({name: one}, name, low, high) for one in value]


def unknown(value: Any, fields: Fields, prefix: str = "") -> Iterator[Unknown]:
    """Yield what a value holds beyond its fields, as paths; also what is no object where fields are known."""
    if isinstance(value, list):
        for one in value:
            yield from unknown(one, fields, f"{prefix}[]")
    elif isinstance(value, dict):
        for name, below in value.items():
            known = fields.get(name, ...)
            # Most fields have nothing below them, and no path is made for those.
            if known is None or (below is None and known is not ...):
                continue
            path = f"{prefix}.{shown(name)}" if prefix else shown(name)
            if known is ...:
                yield Unknown(path)
            else:
                yield from unknown(below, known, path)
    else:
        yield Unknown(f"{prefix}: {type(value).__name__}")


def shown(name: str) -> str:
    """Return the name of a field as text that can stand in any file."""
    return name[:_SHOWN].encode("utf-8", "backslashreplace").decode()
