"""How single values are read: exactly, or not at all. What a value means stands in `content`, `terra` and `hours`.

Both APIs send numbers as numbers in one place and as texts in another; both forms are read, and nothing looser. No
value is ever quoted in an error: it may be a name, a number to call, or somebody's words.
"""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Optional

from schemas.text import clean, is_placeholder
from sources.protocol.types import Unknown

# The fields of an object: name -> the fields below it, None where nothing below is looked at. `*` stands for any name.
Fields = Mapping[str, Optional["Fields"]]
Record = Mapping[str, Any]

_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,30})?([eE]-?[0-9]{1,3})?")
_WHOLE = re.compile(r"[0-9]{1,12}")
_ID = re.compile(r"[1-9][0-9]{0,17}")
_HALF_LETTER = re.compile(r"[\ud800-\udfff]")
_SHOWN = 80


class UnfitError(ValueError):
    """A value that cannot be used: the code of the refusal, what is wrong in words, and where in the record."""

    def __init__(self, code: str, message: str, where: str) -> None:
        self.code, self.message, self.where = code, message, where
        super().__init__(message)


def location_id(record: Record, name: str = "location_id") -> str:
    """Return the id of a location as text; the APIs write it as a text or as a number."""
    value = record.get(name)
    text = str(value) if type(value) is int and 0 < value < 10**18 else value
    if not isinstance(text, str) or not _ID.fullmatch(text):
        raise UnfitError("bad_id", "a location needs an id of digits", name)
    return text


def number(record: Record, name: str, low: float, high: float) -> float | None:
    """Return a number from `low` to `high`, None where there is none."""
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    if type(value) not in (int, float) or (isinstance(value, float) and not math.isfinite(value)):
        raise UnfitError("bad_number", f"{name} is no number", name)
    if not low <= value <= high:
        raise UnfitError("out_of_range", f"{name} does not lie between {low:g} and {high:g}", name)
    return float(value)


def whole(record: Record, name: str, low: int, high: int) -> int | None:
    """Return a whole number from `low` to `high`, None where there is none."""
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        value = int(value)
    if type(value) is not int:
        raise UnfitError("bad_number", f"{name} is no whole number", name)
    if not low <= value <= high:
        raise UnfitError("out_of_range", f"{name} does not lie between {low} and {high}", name)
    return value


def point(record: Record) -> tuple[float, float] | tuple[None, None]:
    """Return latitude and longitude, None for both where neither is given."""
    latitude, longitude = number(record, "latitude", -90, 90), number(record, "longitude", -180, 180)
    if latitude is None and longitude is None:
        return None, None
    if latitude is None or longitude is None:
        raise UnfitError("bad_point", "one of latitude and longitude is missing", "latitude")
    if latitude == longitude == 0:
        raise UnfitError("bad_point", "0, 0 stands for an unknown point, not for a place", "latitude")
    return latitude, longitude


def rating(record: Record, name: str, reviews: int | None) -> float | None:
    """Return a mean rating, None where nobody has rated. The best is 5 and the worst is 1, so 0 is no rating."""
    value = number(record, name, 0, 5)
    if value == 0 and reviews == 0:
        return None
    if value is not None and value < 1:
        raise UnfitError("out_of_range", f"{name} lies below 1, the worst that anybody can give", name)
    return value


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


def texts(record: Record, name: str) -> list[str]:
    """Return the cleaned texts of a list, each once, empty where there is none."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise UnfitError("bad_type", f"{name} is no list", name)
    found = [text({name: one}, name) for one in value]
    return list(dict.fromkeys(filter(None, found)))


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


def unknown(value: Any, fields: Fields, prefix: str = "") -> Iterator[Unknown]:
    """Yield what a value holds beyond its fields, as paths; also what is no object where fields are known."""
    if isinstance(value, list):
        for one in value:
            yield from unknown(one, fields, f"{prefix}[]")
    elif isinstance(value, dict):
        for name, below in value.items():
            known = fields.get(name, fields.get("*", ...))
            path = f"{prefix}.{shown(name)}" if prefix else shown(name)
            if known is ...:
                yield Unknown(path)
            elif known is not None and below is not None:
                yield from unknown(below, known, path)
    else:
        yield Unknown(f"{prefix}: {type(value).__name__}")


def shown(name: str) -> str:
    """Return the name of a field, or a word of the provider, as text that can stand in any file."""
    return name[:_SHOWN].encode("utf-8", "backslashreplace").decode()
