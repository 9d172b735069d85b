"""When a call is made once more, and how long is waited before. Pure: the clock and chance are handed in."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_TRIES = 5
RETRIED = frozenset({408, 429, 500, 502, 503, 504})
LONGEST_WAIT_S = 300.0
"""A provider that wants a longer pause is left alone for now."""

_FIRST_S = 1.0
_CAP_S = 60.0
_AFTER_TOO_MANY_S = 30.0


def backoff(tries: int, status: int | None, chance: float) -> float:
    """Return the seconds to wait after so many tries; `chance` in [0, 1) spreads those who wait together.

    Twice as long each time up to a cap; after 429 never below half a minute.
    """
    longest = min(_CAP_S, _FIRST_S * 2.0**tries)
    floor = _AFTER_TOO_MANY_S if status == 429 else longest / 2
    return floor + chance * longest / 2


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or as a date; None without a readable one.

    A date is measured from the provider's own clock where it sent it.
    """
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    until = _date(text)
    if until is None:
        return None
    return max(0.0, (until - (_date(headers.get("date", "")) or now)).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    # "-0000" means UTC too, but is parsed without a zone.
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found
