"""Fares and ratings: numbers where a text holds one, null where it says that there is none. Nothing is ever 0."""

import re
from collections.abc import Iterable

from schemas.text import clean, fold, is_placeholder
from sources.tripozo.unfit import UnfitError, shown

# Sellers write it where they sell nothing.
PLACEHOLDER_FARE = 12345.0

_FARE = re.compile(r"(?:₹|rs\.?|inr)? ?([0-9,]{1,15})(\.[0-9]{1,2})?(?: ?/-)?", re.IGNORECASE)
# By thousands, or by lakhs and crores.
_GROUPS = re.compile(r"[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")
_NO_FARE = frozenset({"sold out", "not available", "na", "null", "none"})
_RATING = re.compile(r"([0-5](?:\.[0-9]{1,2})?)(?: ?\(?([0-9]{1,7})\)?)?")
_NO_RATING = frozenset({"new", "na", "null", "none", "not rated"})


def read_fare(text: str | None, where: str) -> float | None:
    """Return INR: of `₹1,02,345`, `₹ 745`, `745.00`, `Rs. 650/-`, `INR 161`. None for words of absence, and for 0."""
    written = clean(text or "")
    if is_placeholder(written) or fold(written) in _NO_FARE:
        return None
    found = _FARE.fullmatch(written)
    if found is None or not _GROUPS.fullmatch(found[1]):
        raise UnfitError("bad_fare", f"{shown(written)!r} is no amount in rupees", where)
    return float(found[1].replace(",", "") + (found[2] or "")) or None


def lowest_fare(texts: Iterable[str | None], where: str) -> tuple[float | None, bool]:
    """Return the lowest of several fares, None without any, and whether a placeholder was among them."""
    fares = [fare for text in texts if (fare := read_fare(text, where)) is not None]
    real = [fare for fare in fares if fare != PLACEHOLDER_FARE]
    return min(real, default=None), len(real) < len(fares)


def read_rating(text: str | None, where: str) -> float | None:
    """Return a rating up to 5: of `3.6`, `4.2 (118)`, and `3.3 49`, which is a rating and a count. None for 0."""
    written = clean(text or "")
    if is_placeholder(written) or fold(written) in _NO_RATING:
        return None
    found = _RATING.fullmatch(written)
    if found is None or float(found[1]) > 5:
        raise UnfitError("bad_rating", f"{shown(written)!r} is no rating from 1 to 5", where)
    return float(found[1]) or None
