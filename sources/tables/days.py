"""Days of a journey: which day a train is at a stop tells only a number beside clocks.

The table wants the day of the arrival, 1 being the day on which the train leaves its origin; where there is no arrival
it is the day of the departure. A clock of 24:00 belongs to the day after.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from schemas.fields import FIELDS
from sources.tables import parsers
from sources.tables.cells import StagedColumn, checked, row_texts
from sources.tables.grammar import Column
from sources.tables.parsers import DAY_MIN, Parsed

_Floats = npt.NDArray[np.float64]


def stage_day(column: Column, clocks: Mapping[str, Column], raw: Mapping[str, pa.Array]) -> StagedColumn:
    """Turn a raw column into days, beside the columns `arrives` and `departs` of the mapping, where it has them."""
    texts = row_texts(column, raw)
    arrives, departs = (_minutes(clocks.get(name), raw, len(texts)) for name in ("arrives", "departs"))
    match column.parse:
        case "day_after":
            parsed = _after(texts, raw[str(column.since)], arrives)
        case _:
            given = parsers.integer(texts)
            later = _days_later(arrives, departs, is_departure=column.parse == "day_of_departure")
            parsed = Parsed(pc.add(given.values, pa.array(later)), given.codes)
    values, codes = checked(FIELDS[column.name], parsed)
    return StagedColumn(column.name, np.arange(len(texts)), raw[column.raw], values, codes)


def _days_later(arrives: _Floats, departs: _Floats, *, is_departure: bool) -> npt.NDArray[np.int64]:
    """Return how many days the day of the arrival is later than the day that is given."""
    has_arrival, has_departure = ~np.isnan(arrives), ~np.isnan(departs)
    is_of_departure = has_departure & (is_departure | ~has_arrival)
    is_end = np.where(is_of_departure, departs, arrives) == DAY_MIN
    over_midnight = is_of_departure & has_arrival & (np.mod(departs, DAY_MIN) < np.mod(arrives, DAY_MIN))
    return np.asarray(is_end.astype(np.int64) - over_midnight, np.int64)


def _after(texts: pa.Array, since: pa.Array, arrives: _Floats) -> Parsed:
    """Days after so much time since a clock of day 1; the time of day that this gives must be that of the arrival."""
    took, codes = parsers.span_minutes(texts)
    begin = parsers.clock_minutes(parsers.cleaned(since)).values
    end = pc.add(took, begin)
    days = pc.add(pc.divide(end, DAY_MIN), 1)
    off = np.mod(_floats(end), DAY_MIN) != np.mod(arrives, DAY_MIN)
    is_off = pa.array(off & ~np.isnan(arrives) & ~np.isnan(_floats(end)))
    return Parsed(pc.if_else(is_off, pa.scalar(None, pa.int64()), days), pc.if_else(is_off, "contradicts_clock", codes))


def _minutes(column: Column | None, raw: Mapping[str, pa.Array], rows: int) -> _Floats:
    if column is None:
        return np.full(rows, np.nan)
    return _floats(parsers.clock_minutes(row_texts(column, raw)).values)


def _floats(values: pa.Array) -> _Floats:
    return np.asarray(values.cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
