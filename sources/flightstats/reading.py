"""How single values of a record are read: exactly, or not at all; and records that stand twice in one answer."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Optional

from sources.protocol.types import Parsed, Refusal, Row, Skipped, Unknown

Record = Mapping[str, Any]

# The fields of an object: name -> the fields below it, None where nothing below is looked at.
Fields = Mapping[str, Optional["Fields"]]

# Five hundred flights a day for two years, and two months of minutes: above, a number is a fault.
_MOST_COUNT = 400_000
_MOST_MINUTES = 90_000

_REPEATED = "a record that stands twice alike"

# Timetables print short numbers with zeros before them, ratings do not.
_NUMBER = re.compile("0*([1-9][0-9]{0,3})")


class UnfitError(ValueError):
    """A value that cannot be used: the code of the refusal, what is wrong in words, and its field."""

    def __init__(self, code: str, message: str, field: str, value: object = None) -> None:
        super().__init__(message)
        self.code, self.message, self.field, self.value = code, message, field, shown(value)


def text(record: Record, field: str) -> str:
    """Return a text that is not empty. Raises UnfitError."""
    value = record.get(field)
    if not isinstance(value, str) or not value:
        raise UnfitError("bad_type", f"{field} must be a text", field, value)
    return value


def flight_number(record: Record) -> str:
    """Return the digits of a flight number, without zeros before them. Raises UnfitError."""
    written = text(record, "flightNumber")
    found = _NUMBER.fullmatch(written)
    if not found:
        raise UnfitError("bad_flight_number", "a flight number is one to four digits", "flightNumber", written)
    return found[1]


def count(record: Record, field: str) -> int:
    """Return a whole number of flights; exports write it as `60` or `60.0`. Raises UnfitError."""
    value = _number(record, field, _MOST_COUNT)
    if value != int(value):
        raise UnfitError("bad_number", f"{field} must be a whole number", field, record[field])
    return int(value)


def minutes(record: Record, field: str) -> float:
    """Return a time in minutes. Raises UnfitError."""
    return float(_number(record, field, _MOST_MINUTES))


def share(record: Record, field: str) -> float | None:
    """Return a share of all, from 0 to 1, None for anything else."""
    value: Any = record.get(field)
    return float(value) if type(value) in (int, float) and 0 <= value <= 1 else None


def _number(record: Record, field: str, most: int) -> float:
    value: Any = record.get(field)
    if type(value) not in (int, float) or not 0 <= value <= most:
        raise UnfitError("bad_number", f"{field} must be a number from 0 to {most}", field, value)
    number: float = value
    return number


def settled(
    table: str, members: Iterable[Any], where: str, key: tuple[str, ...], read: Callable[[Record], list[Row | Skipped]]
) -> Iterator[Parsed]:
    """Yield the rows of a list of records, what is to be said of them, and why others have none.

    Two rows with one key must be alike. Where they are not, nobody knows which is right, and neither is a row.
    """
    rows: dict[Hashable, list[tuple[Row, str]]] = {}
    skipped: Counter[str] = Counter()
    for place, member in enumerate(members):
        path = f"{where}[{place}]"
        try:
            if not isinstance(member, dict):
                raise UnfitError("bad_type", "a record must be an object", "", member)
            items = read(member)
        except UnfitError as error:
            field = f"{path}.{error.field}" if error.field else path
            yield Refusal(error.code, error.message, field, table=table, value=error.value)
            continue
        for item in items:
            if isinstance(item, Row):
                rows.setdefault(tuple(item.values[column] for column in key), []).append((item, path))
            else:
                skipped[item.reason] += item.times
    for alike in rows.values():
        (first, _), *others = alike
        if all(other == first for other, _ in others):
            yield first
            if others:
                skipped[_REPEATED] += len(others)
        else:
            for _, path in alike:
                yield Refusal("contradiction", "the same flight stands here twice, and differs", path, table=table)
    yield from (Skipped(reason, times) for reason, times in skipped.items())


def unknown(value: Any, fields: Fields, prefix: str = "") -> Iterator[Unknown]:
    """Yield what a value holds beyond its fields, as paths with `[]` for any member of a list."""
    if isinstance(value, list):
        for one in value:
            yield from unknown(one, fields, f"{prefix}[]")
    elif isinstance(value, dict):
        for name, inner in value.items():
            path = f"{prefix}.{shown(name)}" if prefix else str(shown(name))
            if name not in fields:
                yield Unknown(path)
            else:
                below = fields[name]
                if below is not None:
                    yield from unknown(inner, below, path)


def shown(value: object) -> str | None:
    """Return a value as text that can stand in any file, cut; None for None."""
    if value is None:
        return None
    plain = value if isinstance(value, str) else type(value).__name__ if isinstance(value, dict | list) else repr(value)
    return plain[:200].encode("utf-8", "backslashreplace").decode()
