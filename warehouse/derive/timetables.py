"""One timetable for each train, from the timetables of all sources: `train_stops`, and the times of its stops.

Which trains connect which cities stands in `trains`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from schemas.rows import Built, Notes
from schemas.vocab import term_map
from warehouse.derive.clocks import DAY_MIN, clock_minutes
from warehouse.derive.columns import (
    Indices,
    Mask,
    combine_by_trust,
    day_numbers,
    floats,
    group_codes,
    map_text,
    numbers,
    rank_by,
    replaced,
)
from warehouse.derive.doors import Sieve, merged
from warehouse.derive.geodesy import Floats
from warehouse.derive.identity import merge_equal
from warehouse.derive.visibility import publish_form

_TABLE = "train_stops"

# The longest halts take a few hours; one of more than half a day is an arrival and a departure in the wrong order.
_LONGEST_HALT_MIN = 720

# The slowest long trains, halts included, make some 20 km in an hour.
_SLOWEST_KMH = 15.0


class StopTimes(NamedTuple):
    """When a train is at its stops, in minutes since the midnight before it leaves its origin; NaN: not told."""

    arrives: Floats
    departs: Floats


def current_code(code: str) -> str:
    """Return the code that a station has today (map `station_codes`)."""
    return (term_map("station_codes").lookup(code) or (code,))[0]


def build_train_stops(staged: Sequence[pa.Table]) -> Built:
    """Build `train_stops` from staged tables in the order of their trust: the best timetable of each train.

    Of several timetables of one train the one with the most stops stays, then that of the most trusted source, then
    the newest. A timetable in which the train would be at a stop before it left the one before, or a day after without
    as long a way, is quarantined whole: any of its times may be the wrong one. Station codes are those of today.
    """
    rows = combine_by_trust(staged, _TABLE)
    rows_in = len(rows)
    rows = replaced(rows, "station_code", map_text(rows["station_code"], current_code))
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking("Train Number", "stop_sequence", "station_code", "day")
    lacks_times = np.isnan(clock_minutes(sieve.rows["arrives"])) & np.isnan(clock_minutes(sieve.rows["departs"]))
    sieve.reject(lacks_times, "no_time", "the train has no time at this stop", "departs")
    sieve.rows = _numbered(sieve.rows)
    _sift_timetables(sieve)

    rows = sieve.rows
    into = _best_timetable(rows)
    gone = numbers(rows, "_timetable") != numbers(rows, "_timetable")[into]
    merges = merged(rows, _TABLE, gone, into, "same_train")
    return Built(publish_form(rows.filter(~gone), _TABLE), Notes(rows_in), sieve.quarantine, merges)


def stop_times(rows: pa.Table, timetables: Indices) -> StopTimes:
    """Return the times of stops that stand in the order of their timetables (equal numbers: one timetable).

    `day` is that of the arrival. Where midnight falls into the halt, some sources give that of the departure: so it is
    read where otherwise the train would leave after it is at the next stop, or take more than a day to come here.
    """
    midnight = DAY_MIN * (floats(rows, "day") - 1)
    arrives, departs = (clock_minutes(rows[name]) for name in ("arrives", "departs"))
    is_overnight = departs < arrives
    times = StopTimes(arrives + midnight, departs + midnight + DAY_MIN * is_overnight)
    before, after = _gaps(times, timetables)
    is_late = is_overnight & ((after < 0) | (before > DAY_MIN))
    return StopTimes(times.arrives - DAY_MIN * is_late, times.departs - DAY_MIN * is_late)


def _gaps(times: StopTimes, timetables: Indices) -> tuple[Floats, Floats]:
    """Return the minutes from the stop before and those to the next stop; NaN at the ends."""
    here = np.where(np.isnan(times.arrives), times.departs, times.arrives)
    gone = np.where(np.isnan(times.departs), times.arrives, times.departs)
    between = np.where(timetables[1:] == timetables[:-1], here[1:] - gone[:-1], np.nan)
    return np.concatenate([[np.nan], between])[: len(here)], np.concatenate([between, [np.nan]])[: len(here)]


def _numbered(rows: pa.Table) -> pa.Table:
    """Sort rows by timetable and stop, and number the timetables: `_timetable`.

    The stops of a train at one source are one timetable, unless a stop stands twice. Then a new timetable begins
    wherever the numbers of the stops, in the order of the source, do not rise.
    """
    frame = pd.DataFrame(
        {
            "train": group_codes(rows["source"], rows["Train Number"]),
            "stop": numbers(rows, "stop_sequence"),
        }
    )
    in_order = frame.sort_values("train", kind="stable")
    begins = in_order.groupby("train")["stop"].diff().le(0)
    block = begins.groupby(in_order["train"]).cumsum().sort_index()
    is_repeated = frame.duplicated(["train", "stop"]).groupby(frame["train"]).transform("any")
    frame["block"] = block.where(is_repeated, 0)
    numbered = frame.groupby(["train", "block"]).ngroup().to_numpy(dtype=np.int64)
    order = np.lexsort((frame["stop"].to_numpy(), numbered))
    return rows.append_column("_timetable", pa.array(numbered)).take(order)


def _sift_timetables(sieve: Sieve) -> None:
    timetables = numbers(sieve.rows, "_timetable")
    times = stop_times(sieve.rows, timetables)
    before, _ = _gaps(times, timetables)
    _reject_whole(sieve, before < 0, "timetable_runs_backwards", "the train is at a stop before it left the last one")
    timetables = numbers(sieve.rows, "_timetable")
    times = stop_times(sieve.rows, timetables)
    before, _ = _gaps(times, timetables)
    kilometres = floats(sieve.rows, "distance_km")
    way = np.concatenate([[np.nan], np.diff(kilometres)])[: len(kilometres)]
    # A list names first and last stop alone, which may lie days apart; then the distance bears the days out.
    is_far = way >= before / 60 * _SLOWEST_KMH
    message = "the train takes more than a day between two stops, or stands as long at one"
    is_lost = ((before > DAY_MIN) & ~is_far) | (times.departs - times.arrives > _LONGEST_HALT_MIN)
    _reject_whole(sieve, is_lost, "lost_day", message)


def _reject_whole(sieve: Sieve, wrong: Mask, code: str, message: str) -> None:
    timetables = numbers(sieve.rows, "_timetable")
    sieve.reject(np.isin(timetables, timetables[wrong]), code, f"{message}, here or at another stop", "arrives")


def _best_timetable(rows: pa.Table) -> Indices:
    """Return for each row the first stop of the timetable that stays of its train."""
    timetables = numbers(rows, "_timetable")
    _, inverse, stops = np.unique(timetables, return_inverse=True, return_counts=True)
    newest = pd.Series(day_numbers(rows)).groupby(timetables).transform("max").to_numpy()
    rank = rank_by(-stops[inverse], numbers(rows, "_trust"), -newest, timetables, np.arange(len(rows)))
    return merge_equal(group_codes(rows["Train Number"]), rank)
