"""The crowd object of a place, as evaluators read it (contract 4.3), from its levels by hour.

Hours stand in the order of the venue's day, which begins at 06:00. Levels are those of the source, -2 to 2, None where
the venue is closed.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from schemas.vocab import vocabulary

# The hours of a venue's day, in its order.
HOURS = (*range(6, 24), *range(6))

# Choice A13: what holds on fewer days of the week is not of the average day.
FEWEST_DAYS = 4

WEEKDAYS = {1: "Mon", 2: "Tue", 3: "Wed", 4: "Thu", 5: "Fri", 6: "Sat", 7: "Sun"}

Peak = tuple[int, int]
_TIERS = vocabulary("crowd_tiers")
_LOWEST = -2


class Day(NamedTuple):
    """A day on which the venue is open: its levels in the order of HOURS, its quiet hours, its peak (inclusive)."""

    levels: tuple[int | None, ...]
    quiet: tuple[int, ...] = ()
    peak: Peak | None = None


def week_object(week: Mapping[int, Day]) -> str | None:
    """Return the object of each weekday (1 Monday) under `days`, as JSON; None where no day has an open hour."""
    days = {}
    for weekday, day in sorted(week.items()):
        tiers = _tiers(day.levels)
        if any(tier is not None for tier in tiers):
            days[WEEKDAYS[weekday]] = _bounds(tiers) | _crowd(tiers, day.quiet, [day.peak] if day.peak else [])
    return json.dumps({"I": _legend(), "days": days}) if days else None


def average_object(week: Mapping[int, Day]) -> str | None:
    """Return the object of the average day as JSON; None where the venue is open at no hour on enough days.

    An hour has the mean of its tiers, rounded half up; an hour is quiet that is so on enough days; the peak is the one
    seen on most days, of equals the longer, then the earlier.
    """
    tiers = [_mean(day_tiers) for day_tiers in zip(*(_tiers(day.levels) for day in week.values()), strict=True)]
    if all(tier is None for tier in tiers):
        return None
    quiet = Counter(hour for day in week.values() for hour in set(day.quiet))
    peaks = Counter(day.peak for day in week.values() if day.peak)
    ordered = sorted(peaks, key=lambda peak: (-peaks[peak], -len(_hours(peak)), HOURS.index(peak[0])))
    crowd = _crowd(tiers, [hour for hour, days in quiet.items() if days >= FEWEST_DAYS], ordered)
    return json.dumps({**_bounds(tiers), "I": _legend(), "avg_day": crowd})


def _tiers(levels: Sequence[int | None]) -> list[int | None]:
    return [None if level is None else level - _LOWEST for level in levels]


def _mean(tiers: Iterable[int | None]) -> int | None:
    known = [tier for tier in tiers if tier is not None]
    # In whole numbers, so that a half is a half.
    return (2 * sum(known) + len(known)) // (2 * len(known)) if len(known) >= FEWEST_DAYS else None


def _bounds(tiers: Sequence[int | None]) -> dict[str, int]:
    """Return when the day's first window begins and its last one ends."""
    is_open = [place for place, tier in enumerate(tiers) if tier is not None]
    return {"o": HOURS[is_open[0]], "c": (HOURS[is_open[-1]] + 1) % 24}


def _legend() -> dict[str, str]:
    return {token: _TIERS.terms[token]["label"] for token in _TIERS.tokens}


def _crowd(tiers: Sequence[int | None], quiet: Iterable[int], peaks: Iterable[Peak]) -> dict[str, Any]:
    """Return windows, quiet hours and peak; of the peaks the first that lies within the windows."""
    is_open = {hour for hour, tier in zip(HOURS, tiers, strict=True) if tier is not None}
    peak = next((peak for peak in peaks if _hours(peak) and is_open.issuperset(_hours(peak))), None)
    calm = (set(quiet) & is_open) - set(_hours(peak) if peak else ())
    found: dict[str, Any] = {"cw": [*_windows(tiers)]}
    if calm:
        found["q"] = [hour for hour in HOURS if hour in calm]
    if peak:
        found["p"] = [*peak]
    return found


def _windows(tiers: Sequence[int | None]) -> Iterator[list[int | str]]:
    begin = 0
    for place, tier in enumerate(tiers):
        if place + 1 == len(tiers) or tiers[place + 1] != tier:
            if tier is not None:
                yield [HOURS[begin], HOURS[place], _TIERS.tokens[tier]]
            begin = place + 1


def _hours(peak: Peak) -> tuple[int, ...]:
    """Return the hours of a window in the venue's day, its last one included; none where it would end in the next."""
    start, end = (HOURS.index(hour) for hour in peak)
    return HOURS[start : end + 1]
