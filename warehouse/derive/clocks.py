"""Clock texts and minutes, by columns: how long a ride takes is told by its clocks alone (contract 3.3)."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.fields.patterns import CLOCK
from warehouse.derive.columns import flat, floats
from warehouse.derive.doors import Sieve
from warehouse.derive.geodesy import Floats

DAY_MIN = 1_440
_WEEK = 7


def clock_minutes(clocks: pa.Array | pa.ChunkedArray) -> Floats:
    """Return minutes since midnight; NaN where a text is no clock, or null."""
    is_clock = pc.match_substring_regex(flat(clocks), rf"\A(?:{CLOCK})\z")
    told = pc.if_else(is_clock, flat(clocks), pa.scalar(None, pa.string()))
    hours, minutes = (pc.utf8_slice_codeunits(told, start, start + 2).cast(pa.int32()) for start in (0, 3))
    total = pc.add(pc.multiply(hours, 60), minutes)
    return np.asarray(total.to_numpy(zero_copy_only=False), dtype=np.float64)


def elapsed_minutes(rows: pa.Table) -> Floats:
    """Return arrival less departure of rides, by the clocks and `arr_day_offset`; NaN where one of them is none."""
    days = floats(rows, "arr_day_offset")
    return clock_minutes(rows["ArrTime"]) + DAY_MIN * days - clock_minutes(rows["DepTime"])


def sift_times(sieve: Sieve, shortest_min: int, longest_min: int, most_days: int) -> None:
    """Reject rides whose duration is not what the clocks say, or is none of a ride (minutes, days inclusive).

    No clock, day or duration is repaired from the other ones; a ride that lacks one of them is not judged.
    """
    difference = floats(sieve.rows, "duration_min") - elapsed_minutes(sieve.rows)
    message = "duration_min is not arrival less departure"
    sieve.reject(np.abs(difference) > 0, "times_contradict_duration", message, "duration_min")
    duration = floats(sieve.rows, "duration_min")
    is_outside = (duration < shortest_min) | (duration > longest_min)
    message = f"the ride takes less than {shortest_min} or more than {longest_min:,} minutes"
    sieve.reject(is_outside, "impossible_duration", message, "duration_min")
    days = floats(sieve.rows, "arr_day_offset")
    message = f"the ride arrives before its day or more than {most_days} days later"
    sieve.reject((days < 0) | (days > most_days), "impossible_day", message, "arr_day_offset")


def shifted_days(days: pa.Array | pa.ChunkedArray, later: Floats) -> pa.Array:
    """Return the running days (7 flags, Monday first) of what happens so many days later; null where unknown."""
    texts = flat(days)
    shift = pa.array(np.mod(-np.nan_to_num(later), _WEEK).astype(np.int8))
    shifted = pa.nulls(len(texts), pa.string())
    for number in range(_WEEK):
        turned = pc.binary_join_element_wise(
            pc.utf8_slice_codeunits(texts, number), pc.utf8_slice_codeunits(texts, 0, number), ""
        )
        shifted = pc.if_else(pc.equal(shift, number), turned, shifted)
    return shifted


def clock_texts(minutes: Floats) -> pa.Array:
    """Return `HH:MM` of whole minutes since any midnight; null for NaN."""
    of_day = np.mod(np.nan_to_num(minutes), DAY_MIN).astype(np.int64)
    every = pa.array([f"{minute // 60:02d}:{minute % 60:02d}" for minute in range(DAY_MIN)], pa.string())
    return every.take(pa.array(of_day, mask=np.isnan(minutes)))
