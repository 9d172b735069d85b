"""Averages of shorter horizons, out of the runs that the page of a year lists.

A window ends with the latest run of the page, as that is how far the page goes: of a train that runs once a week it may
be some days old. A train whose latest run is older than a week has stopped to run, or its page to grow: then windows
end with the day on which the page was fetched, so that nothing old passes for last week.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from schemas.fields.trains import LONGEST_DELAY_MIN
from sources.etrain.statistics import Counts, Runs

FROM_HORIZON = "1year"
HORIZON_DAYS = {"1week": 7, "1month": 30, "3month": 90, "6month": 180}

_MOST_LAG = timedelta(days=7)
# Averages of pages are rounded to a minute or to a tenth of it.
_ROUNDING_MIN = 0.5


class Window(NamedTuple):
    """What a station's runs of one horizon come to: all of them, the unknown ones, and the average of the known ones.

    The average has one decimal, rounded half up; None without a known run.
    """

    horizon: str
    code: str
    total: int
    unknown: int
    average: float | None


def bears_out(runs: Runs, counts: Counts) -> bool:
    """Return whether the runs of a station are those that its counts and its average were made of."""
    column = runs.columns.get(counts.code)
    if column is None or len(column) != counts.total:
        return False
    known = [delay for delay in column if delay is not None]
    if len(column) - len(known) != counts.unknown or any(abs(delay) > LONGEST_DELAY_MIN for delay in known):
        return False
    if counts.average is None or not known:
        return True
    return abs(sum(known) / len(known) - counts.average) <= _ROUNDING_MIN


def windows_of(runs: Runs, codes: Iterable[str], fetched: date) -> Iterator[Window]:
    """Yield the windows of some stations by horizon; a horizon in which no run began has none."""
    codes = list(codes)
    end = _end(runs.days, fetched)
    for horizon, length in HORIZON_DAYS.items():
        first = end - timedelta(days=length - 1)
        inside = [place for place, day in enumerate(runs.days) if first <= day]
        for code in codes if inside else ():
            column = runs.columns[code]
            known = [delay for place in inside if (delay := column[place]) is not None]
            yield Window(horizon, code, len(inside), len(inside) - len(known), _average(known))


def _end(days: Sequence[date], fetched: date) -> date:
    latest = max(days, default=fetched)
    return latest if fetched - latest <= _MOST_LAG else fetched


def _average(delays: Sequence[float]) -> float | None:
    return math.floor(10 * sum(delays) / len(delays) + 0.5) / 10 if delays else None
