"""Days on which something runs: 7 flags, Monday first, whatever their source begins with.

Which weekday comes first, and at which station the flags hold, is a convention of each layout. Flags of a layout whose
convention is not known are unknown, and so is `S M T W T F S`: such a page greys days out by style, which texts lose.
"""

import re

from schemas.text import clean, fold, is_placeholder
from sources.tripozo.unfit import UnfitError, shown

SUNDAY_FIRST, MONDAY_FIRST = 6, 0

_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FLAGS = re.compile("[01YN]{7}")
_INITIALS = frozenset({"smtwtfs", "mtwtfss"})
_DAILY = frozenset({"daily", "all days", "everyday"})
_NEVER = "0" * 7


def read_days(text: str | None, first: int | None, where: str) -> str | None:
    """Return the flags in a text, or None where it does not tell; `first` is the weekday of the first flag, 0 Monday.

    Names of weekdays (`Mon, Thu`) need no convention. Raises UnfitError for other texts and for no day at all.
    """
    written = clean(text or "")
    if is_placeholder(written) or written.replace(" ", "").lower() in _INITIALS:
        return None
    if _FLAGS.fullmatch(written):
        flags = written.replace("Y", "1").replace("N", "0")
        if flags == _NEVER:
            raise UnfitError("bad_days", "it runs on no day of the week", where)
        return None if first is None else shifted(flags, first)
    if fold(written) in _DAILY:
        return "1" * 7
    named = {word[:3] for word in re.split(r"[,\s]+", fold(written)) if word}
    if not named or not named <= set(_NAMES):
        raise UnfitError("bad_days", f"{shown(written)!r} names no days of the week", where)
    return "".join("1" if name in named else "0" for name in _NAMES)


def shifted(flags: str, days: int) -> str:
    """Return the flags of what happens so many days later (below 0: earlier)."""
    by = -days % 7
    return flags[by:] + flags[:by]


def either(one: str | None, other: str | None) -> str | None:
    """Return the days of two listings of one train; unknown where any of them is, as it may hold further days."""
    if one is None or other is None:
        return None
    return "".join("1" if "1" in pair else "0" for pair in zip(one, other, strict=True))
