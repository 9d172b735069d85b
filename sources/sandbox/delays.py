"""What is true of the delays of trains: how late each run of the last year was at each call, and what it comes to.

Who keeps a history of it, and how it is written down, stands in the packages of providers.
"""

import math
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from sources.sandbox.trains import TrueCall, TrueTrain

HORIZON_DAYS = {"1week": 7, "1month": 30, "3month": 90, "6month": 180, "1year": 365}

_RIGHT_TIME_MIN, _SLIGHT_MIN = 15, 60
_LONGEST_DELAY_MIN = 700
_IS_CANCELLED, _IS_UNKNOWN = 0.03, 0.01
# A history that stopped to grow some days ago still tells of the week before; after that, time goes on without it.
_LAG_DAYS = 7
# Days ago.
_SEASON = range(100, 160)


class Runs(NamedTuple):
    """Runs by the day on which they began, oldest first, and per run the minutes late at each call; None is unknown."""

    days: tuple[date, ...]
    delays: tuple[tuple[int | None, ...], ...]


class Summary(NamedTuple):
    """How many runs were how late at one call; `average` has one decimal, rounded half up, None without known runs."""

    right_time: int
    slight: int
    significant: int
    unknown: int
    average: float | None


def runs_of(train: TrueTrain, seed: int, as_of: date) -> Runs:
    """Return the runs of the year that ends with a day; none of a train without history."""
    if train.tracking in ("none", "unlisted"):
        return Runs((), ())
    ago = _SEASON if train.tracking == "seasonal" else range(HORIZON_DAYS["1year"])
    days = [as_of - timedelta(days=back) for back in reversed(ago)]
    running = tuple(day for day in days if train.days_of_operation[day.weekday()] == "1")
    return Runs(running, tuple(_delays(train, seed, day) for day in running))


def within(runs: Runs, horizon: str, as_of: date) -> Runs:
    """Return the runs of a horizon: so many days until the latest run, or until today where that is too long ago."""
    if not runs.days:
        return runs
    end = runs.days[-1] if as_of - runs.days[-1] <= timedelta(days=_LAG_DAYS) else as_of
    first = end - timedelta(days=HORIZON_DAYS[horizon] - 1)
    skipped = sum(day < first for day in runs.days)
    return Runs(runs.days[skipped:], runs.delays[skipped:])


def summary(runs: Runs, call: int) -> Summary:
    """Return what is to be said of the call at a place of the train's calls."""
    known = [delay for run in runs.delays if (delay := run[call]) is not None]
    right_time = sum(delay <= _RIGHT_TIME_MIN for delay in known)
    significant = sum(delay > _SLIGHT_MIN for delay in known)
    average = (20 * sum(known) + len(known)) // (2 * len(known)) / 10 if known else None
    slight = len(known) - right_time - significant
    return Summary(right_time, slight, significant, len(runs.days) - len(known), average)


def _delays(train: TrueTrain, seed: int, day: date) -> tuple[int | None, ...]:
    """Draw a run: most lose little and few lose hours, more on the way, and the last stop has time to catch up."""
    usual = Random(f"{seed}:delays:{train.number}")
    typical_min, slack_min = usual.lognormvariate(3.85, 0.5), usual.uniform(5, 25)
    random = Random(f"{seed}:delays:{train.number}:{day}")
    if random.random() < _IS_CANCELLED:
        return (None,) * len(train.calls)
    lost_min = typical_min * random.lognormvariate(0.0, 0.9)
    last = len(train.calls) - 1
    return tuple(
        _delay(lost_min * (0.15 + 1.25 * place / last) - (slack_min if place == last else 0), call, day, random)
        for place, call in enumerate(train.calls)
    )


def _delay(minutes: float, call: TrueCall, day: date, random: Random) -> int | None:
    is_unknown, early = random.random() < _IS_UNKNOWN, random.uniform(0, 8)
    if not call.is_reported:
        # One report in a year, which came by chance.
        return 0 if day.toordinal() % HORIZON_DAYS["1year"] == 0 else None
    if is_unknown:
        return None
    return min(_LONGEST_DELAY_MIN, math.floor(minutes - (early if call.arrives else 0)))
