"""What is true of how punctual a flight of the constructed world was, counted over its single runs."""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev

_LATE, _VERY_LATE, _EXCESSIVE = 15, 30, 45
_WEEKS = 8.6
# Most delays are short and few are very long; weighted by their shares the two means make up 40.6 minutes.
_SHORT_MEAN_MIN, _LONG_MEAN_MIN, _LONG_SHARE = 22.0, 146.0, 0.15
_LONGEST_MIN = 1_400.0
_CANCELLED, _DIVERTED = 0.015, 0.003
_WITHOUT, _NEW, _PARTLY_SOLD = 0.08, 0.06, 0.05


@dataclass(frozen=True)
class TruePunctuality:
    """The runs of one flight between two airports: `observations` of them, each counted in one of six ways.

    `codeshares` of them were flown by another airline. Delays are minutes of the `delay_observations` runs that were
    late at all, None where there was none; a single one deviates by 0.
    """

    observations: int
    on_time: int
    late: int
    very_late: int
    excessive: int
    cancelled: int
    diverted: int
    codeshares: int
    delay_observations: int
    delay_mean_min: float | None
    delay_std_min: float | None
    delay_min_min: int | None
    delay_max_min: int | None


def draw_punctuality(days_a_week: int, random: Random) -> TruePunctuality | None:
    """Draw the runs of two months. Some flights were never measured, some only a few times."""
    draw = random.random()
    runs = 1 + int(random.random() * 4) if draw < _WITHOUT + _NEW else round(days_a_week * _WEEKS)
    lateness, scale = 0.35 + 0.3 * random.random(), 0.75 + 0.5 * random.random()
    outcomes = [_run(lateness, scale, random) for _ in range(runs)]
    codeshares = int(random.random() * runs / 3) if random.random() < _PARTLY_SOLD else 0
    return None if draw < _WITHOUT else _counted(outcomes, codeshares)


def single(number: float) -> float:
    """Return a number as eight digits of its single-precision form, which is how it is stored and printed."""
    stored: float = struct.unpack("f", struct.pack("f", number))[0]
    return float(f"{stored:.8g}")


def _run(lateness: float, scale: float, random: Random) -> str | int | None:
    """Return minutes of delay, None for a run that was not late at all, or the word for how it failed."""
    draw = random.random()
    if draw < _CANCELLED:
        return "cancelled"
    if draw < _CANCELLED + _DIVERTED:
        return "diverted"
    if random.random() > lateness:
        return None
    mean = _LONG_MEAN_MIN if random.random() < _LONG_SHARE else _SHORT_MEAN_MIN
    # Seconds late are no minute late, and late all the same.
    return int(min(_LONGEST_MIN, -mean * scale * math.log(1 - random.random())) + 0.5)


def _counted(outcomes: list[str | int | None], codeshares: int) -> TruePunctuality:
    delays = [outcome for outcome in outcomes if isinstance(outcome, int)]
    groups = list(_groups(delays))
    return TruePunctuality(
        observations=len(outcomes),
        on_time=outcomes.count(None) + groups.count("on_time"),
        late=groups.count("late"),
        very_late=groups.count("very_late"),
        excessive=groups.count("excessive"),
        cancelled=outcomes.count("cancelled"),
        diverted=outcomes.count("diverted"),
        codeshares=codeshares,
        delay_observations=len(delays),
        delay_mean_min=float(int(fmean(delays) + 0.5)) if delays else None,
        delay_std_min=single(stdev(delays)) if len(delays) > 1 else 0.0 if delays else None,
        delay_min_min=min(delays, default=None),
        delay_max_min=max(delays, default=None),
    )


def _groups(delays: list[int]) -> Iterator[str]:
    for delay in delays:
        yield (
            "on_time" if delay < _LATE else
            "late" if delay < _VERY_LATE else
            "very_late" if delay < _EXCESSIVE else
            "excessive"
        )  # fmt: skip
