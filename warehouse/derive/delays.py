"""How late trains are at their stations: `train_delays`, one mean for each train, station and time."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from schemas.rows import Built, Notes
from warehouse.derive.columns import (
    Indices,
    combine_by_trust,
    day_numbers,
    equals,
    floats,
    group_codes,
    map_text,
    numbers,
    rank_by,
    replaced,
)
from warehouse.derive.doors import Sieve, keep_one
from warehouse.derive.geodesy import Floats
from warehouse.derive.identity import merge_equal
from warehouse.derive.timetables import current_code
from warehouse.derive.visibility import publish_form

# Contract 4.2: a mean over so few known runs is none; sources print 0 for it.
MOST_UNKNOWN = 0.9

_TABLE = "train_delays"
_RUNS = ("runs_right_time", "runs_slight", "runs_significant", "runs_unknown")
_PERCENT_TOLERANCE = 0.5


def build_train_delays(staged: Sequence[pa.Table]) -> Built:
    """Build `train_delays` from staged tables in the order of their trust; means of early runs stay negative.

    Of several means of one train, station and time the one of the most trusted source stays, then the newest, then a
    given one before a computed one, then the last. Station codes are those of today.
    """
    rows = combine_by_trust(staged, _TABLE)
    rows_in = len(rows)
    rows = replaced(rows, "station_code", map_text(rows["station_code"], current_code))
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking("Train Number", "station_code", "horizon", "delay_basis")
    is_share = equals(sieve.rows["runs_unit"], "percent")
    is_off = np.abs(_total(sieve.rows) - 100) > _PERCENT_TOLERANCE
    message = "the shares of the runs do not add up to 100"
    sieve.reject(is_share & is_off, "runs_do_not_add_up", message, "runs_unknown")
    rows = _without_unknown_means(sieve.rows)

    into = merge_equal(group_codes(*(rows[name] for name in ("Train Number", "station_code", "horizon"))), _rank(rows))
    rows, merges = keep_one(rows, _TABLE, into, "same_station_and_time")
    return Built(publish_form(rows, _TABLE), Notes(rows_in), sieve.quarantine, merges)


def _without_unknown_means(rows: pa.Table) -> pa.Table:
    with np.errstate(divide="ignore", invalid="ignore"):
        is_unknown = floats(rows, "runs_unknown") / _total(rows) >= MOST_UNKNOWN
    means = floats(rows, "avg_delay_min")
    return replaced(rows, "avg_delay_min", pa.array(means, pa.float64(), mask=is_unknown | np.isnan(means)))


def _total(rows: pa.Table) -> Floats:
    return np.asarray(sum(floats(rows, name) for name in _RUNS), dtype=np.float64)


def _rank(rows: pa.Table) -> Indices:
    is_computed = ~equals(rows["delay_basis"], "given")
    return rank_by(numbers(rows, "_trust"), -day_numbers(rows), is_computed, -np.arange(len(rows)))
