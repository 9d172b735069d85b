"""From a value of a JSON answer to what a staged column holds, or a reason why it cannot.

Only types stand here, those that the column's declaration gives. Whether a value is likely is judged in the warehouse,
with all others.
"""

import re
from datetime import date
from typing import Any

from schemas.fields import FIELDS
from schemas.text import clean, is_placeholder

_WHOLE = {"int8": 2**7, "int32": 2**31, "int64": 2**63}
# Half a letter, which no file can hold.
_SURROGATE = re.compile("[\ud800-\udfff]")


class UnfitValue(ValueError):
    """A value that its column cannot hold; the message says what was expected."""


def fitted(column: str, value: Any) -> Any:
    """Return a JSON value as the staged column holds it: text cleaned, a day as a date.

    None for null and for what sources write where they know nothing. Raises UnfitValue. Numbers in texts do not fit:
    what they mean is the parser's business.
    """
    if value is None:
        return None
    kind = FIELDS[column].type
    match kind, value:
        case "string", str():
            return _text(column, value)
        case "list<string>", list():
            return _texts(column, value)
        case "double", float() | int() if type(value) is not bool and abs(value) <= 1e15:
            return float(value)
        case "int8" | "int32" | "int64", int() if type(value) is not bool and abs(value) < _WHOLE[kind]:
            return value
        case "bool", bool():
            return value
        case "date", str():
            return _date(column, value)
    raise UnfitValue(f"{column} must be {kind}, found {_shown(value)}")


def _text(column: str, value: str) -> str | None:
    if _SURROGATE.search(value):
        raise UnfitValue(f"{column} holds half a letter")
    text = clean(value)
    return None if is_placeholder(text) else text


def _texts(column: str, values: list[Any]) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise UnfitValue(f"{column} must be a list of texts")
    return [text for text in (_text(column, value) for value in values) if text is not None]


def _date(column: str, value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise UnfitValue(f"{column} must be a day like 2026-03-01, found {_shown(value)}") from None


def _shown(value: object) -> str:
    return ascii(value)[:60] if isinstance(value, str | int | float) else type(value).__name__
