"""What a file of saved exchanges is read into, whatever its form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from schemas.errors import DataError

SHOWN = 120


class CaptureError(DataError):
    """A file that holds nothing that can be taken; the message says why."""


class Unusable(Exception):
    """An exchange, or what should be one, that cannot be taken; the text says why."""


@dataclass(frozen=True)
class Asked:
    """A question as it was sent, keys included: never to be shown or kept. Header names are in lower case."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True)
class Exchange:
    """A question and its answer, unpacked; `at` is UTC. `where` is its place in the file."""

    where: str
    asked: Asked
    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    at: datetime


class Passed(NamedTuple):
    """A place in a file from which nothing is taken, what was asked there where that is known, and why."""

    where: str
    asked: Asked | None
    reason: str


def utc(text: object) -> datetime:
    """Return a moment that a file states. Raises Unusable for what is none, or has no time zone."""
    try:
        moment = datetime.fromisoformat(str(text))
        if moment.tzinfo is None:
            raise Unusable(f"its time {text} has no time zone")
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unusable(f"its time {str(text)[:SHOWN]!r} is none") from None


def check_status(status: int) -> None:
    """Raise Unusable for a status with which no answer comes."""
    if not 200 <= status <= 599:
        raise Unusable(f"it was never answered (status {status})")
    if 300 <= status <= 399:
        raise Unusable(f"it leads elsewhere, or to what was known before (status {status})")
