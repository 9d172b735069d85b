"""A page without data for search engines, read as people read it: its title, one date with a year, one address.

Nothing is guessed: a date without a year, several dates, or an address that ends with no city are none.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sources.district.cities import Whereabouts, city_in_address

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DATE = re.compile(
    r"(?:([a-z]{3})[a-z]{0,6},? )?(\d{1,2}) ([a-z]{3})[a-z]{0,6},? (\d{4})(?:,.{0,60})?", re.ASCII | re.IGNORECASE
)
_LONGEST = 300


class Visible(NamedTuple):
    """What people see of an event: its day, and its address with city and state."""

    day: date
    street: str | None
    where: Whereabouts


def read_visible(texts: Sequence[str]) -> Visible | None:
    """Return what the texts of a page say, None where they do not name exactly one day."""
    days = [(place, day) for place, text in enumerate(texts) if (day := _day(text))]
    if len({day for _, day in days}) != 1:
        return None
    place, day = days[0]
    for text in texts[place + 1 :]:
        is_address = "," in text and len(text) <= _LONGEST
        if is_address and (where := city_in_address(text)).city:
            return Visible(day, text, where)
    return Visible(day, None, Whereabouts(None, None, False))


def _day(text: str) -> date | None:
    """Return the day of a text like `Fri, 9 Oct 2026, 7:30 PM onwards`; its weekday must be right."""
    found = _DATE.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or found[3].lower() not in _MONTHS:
        return None
    try:
        day = date(int(found[4]), _MONTHS.index(found[3].lower()) + 1, int(found[2]))
    except ValueError:
        return None
    is_right = found[1] is None or found[1].lower() == _WEEKDAYS[day.weekday()]
    return day if is_right else None
