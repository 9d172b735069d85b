"""When places are open: the hours that their records tell, joined to the places that stay."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schemas.rows import MERGES_SCHEMA, Built, Notes
from schemas.tables import PLACE_TABLES
from warehouse.derive.clocks import DAY_MIN, clock_minutes
from warehouse.derive.columns import (
    Indices,
    Mask,
    combine,
    day_numbers,
    equals,
    flat,
    floats,
    group_codes,
    is_set,
    numbers,
    rank_by,
)
from warehouse.derive.doors import Sieve, merged
from warehouse.derive.geodesy import Floats
from warehouse.derive.identity import merge_equal
from warehouse.derive.stops import POI_TYPES
from warehouse.derive.visibility import publish_form

_TABLE = "place_hours"
_TIMES = ("opens", "closes", "closes_day_offset")
_ROW_KEY = ["source", "source_ref"]
_NOBODY = pd.DataFrame(columns=["poi_type", "record", "place_id", "City", "is_own"], dtype=object)


@dataclass(frozen=True)
class Places:
    """A derived table of places: its `rows`, the staged `records` that they were made of, the `merges` of these."""

    rows: pa.Table
    records: Sequence[pa.Table] = ()
    merges: pa.Table = field(default_factory=MERGES_SCHEMA.empty_table)


def build_place_hours(staged: Sequence[pa.Table], places: Mapping[str, Places]) -> Built:
    """Build `place_hours` from staged tables and the derived places, by table name.

    All hours of a place come from one record: its own, else one that was merged into it; of several the one that was
    asked for last. A weekday of which any interval cannot be true is quarantined whole: what is left of it would tell
    that the place is closed in between. Hours of no place are quarantined.
    """
    rows = combine(staged, _TABLE)
    rows_in = len(rows)
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking("poi_type", "source_id", "weekday", "hours_state")
    sieve.rows = _joined(sieve.rows, places)
    message = "no place of the release has this record, nor was it merged into one"
    sieve.reject(~is_set(sieve.rows["place_id"]), "unknown_place", message, "source_id")

    same_place = _one_record_each(sieve)
    same_interval = _one_interval_each(sieve)
    _sift_days(sieve)
    return Built(
        publish_form(sieve.rows, _TABLE),
        Notes(rows_in),
        sieve.quarantine,
        pa.concat_tables([same_place, same_interval]),
    )


def _joined(rows: pa.Table, places: Mapping[str, Places]) -> pa.Table:
    """Add `place_id` and `City` of the place that each row's record became, and `_is_own`: whether it stayed itself."""
    owners = [_owners(POI_TYPES[name], places[name]) for name in PLACE_TABLES if name in places]
    asked = pd.DataFrame({"poi_type": rows["poi_type"].to_pandas(), "record": _record_ids(rows).to_pandas()})
    found = asked.merge(pd.concat([_NOBODY, *owners]), how="left", on=["poi_type", "record"])
    for name in ("place_id", "City"):
        rows = rows.append_column(name, pa.array(found[name], pa.string(), from_pandas=True))
    return rows.append_column("_is_own", pa.array(found["is_own"].eq("yes"), pa.bool_()))


def _owners(poi_type: str, places: Places) -> pd.DataFrame:
    """Return the place of each record of a place table: the record itself, or the one that it was merged into."""
    stays = places.rows.select([*_ROW_KEY, "place_id", "City"]).to_pandas()
    own = stays.assign(record=stays["place_id"], is_own="yes")
    merges = places.merges.select([*_ROW_KEY, "into_source", "into_ref"]).to_pandas()
    into = stays.rename(columns={"source": "into_source", "source_ref": "into_ref"})
    followers = [
        part.select(_ROW_KEY)
        .append_column("record", _record_ids(part))
        .to_pandas()
        .merge(merges, on=_ROW_KEY)
        .merge(into, on=["into_source", "into_ref"])
        .assign(is_own="no")
        for part in places.records
    ]
    every: pd.DataFrame = pd.concat([own, *followers]).assign(poi_type=poi_type)[_NOBODY.columns]
    return every.dropna(subset=["record"]).drop_duplicates("record")


def _record_ids(rows: pa.Table) -> pa.Array:
    """Return the id that a record's place has where it stays (`places`)."""
    return pc.binary_join_element_wise(flat(rows["source"]), flat(rows["source_id"]), ":")


def _one_record_each(sieve: Sieve) -> pa.Table:
    """Keep the hours of one record for each place; the rows of others are merged into its first row."""
    rows = sieve.rows
    # One answer may tell of many places, and one place may stand in many answers.
    answers = pc.list_element(pc.split_pattern(flat(rows["source_ref"]), "#", max_splits=1), 0)
    records = group_codes(rows["poi_type"], rows["source"], rows["source_id"], answers)
    is_follower = ~np.asarray(flat(rows["_is_own"]).to_numpy(zero_copy_only=False), dtype=np.bool_)
    # All rows of a record stand together in this order, so that the first row of a place tells its record.
    rank = rank_by(is_follower, -day_numbers(rows), -records, np.arange(len(rows)))
    first = merge_equal(group_codes(rows["poi_type"], rows["place_id"]), rank)
    return _leave(sieve, records != records[first], first, "same_place")


def _one_interval_each(sieve: Sieve) -> pa.Table:
    texts = [pc.coalesce(flat(sieve.rows[name]).cast(pa.string()), "") for name in _TIMES]
    codes = group_codes(*(sieve.rows[name] for name in ("poi_type", "place_id", "weekday", "hours_state")), *texts)
    first = merge_equal(codes, np.arange(len(codes)))
    return _leave(sieve, first != np.arange(len(codes)), first, "same_interval")


def _leave(sieve: Sieve, gone: Mask, into: Indices, rule: str) -> pa.Table:
    merges = merged(sieve.rows, _TABLE, gone, into, rule)
    sieve.rows = sieve.rows.filter(~gone)
    return merges


def _sift_days(sieve: Sieve) -> None:
    """Reject the weekdays that contradict themselves."""
    for find, code, message, column in _FAULTS:
        days = group_codes(*(sieve.rows[name] for name in ("poi_type", "place_id", "weekday")))
        sieve.reject(np.isin(days, days[find(sieve.rows, days)]), code, message, column)


def _contradicts_state(rows: pa.Table, _days: Indices) -> Mask:
    is_open = equals(rows["hours_state"], "open")
    return np.asarray(np.logical_or.reduce([is_set(rows[name]) != is_open for name in _TIMES]), dtype=np.bool_)


def _contradicts_others(rows: pa.Table, days: Indices) -> Mask:
    _, inverse, sizes = np.unique(days, return_inverse=True, return_counts=True)
    return np.asarray(~equals(rows["hours_state"], "open") & (sizes[inverse] > 1), dtype=np.bool_)


def _is_impossible(rows: pa.Table, _days: Indices) -> Mask:
    begin, end = _interval(rows)
    # Written so that a time that is none is wrong as well.
    return equals(rows["hours_state"], "open") & ~((end > begin) & (end - begin <= DAY_MIN))


def _overlaps(rows: pa.Table, days: Indices) -> Mask:
    begin, end = _interval(rows)
    frame = pd.DataFrame({"day": days, "begin": begin, "end": end}).sort_values(["day", "begin"])
    # If any two intervals of a day overlap, two that follow each other do.
    overlaps = (frame["begin"] < frame.groupby("day")["end"].shift()).sort_index()
    return np.asarray(overlaps, dtype=np.bool_)


def _runs_into_next_day(rows: pa.Table, _days: Indices) -> Mask:
    """Return the intervals that end after those of the next weekday begin, and those that begin before that."""
    begin, end = _interval(rows)
    week = 7 * group_codes(rows["poi_type"], rows["place_id"])
    weekday = numbers(rows, "weekday") - 1
    by_day = pd.DataFrame({"begin": begin, "tail": end - DAY_MIN}).groupby(week + weekday)
    first = by_day["begin"].min().reindex(week + (weekday + 1) % 7)
    tail = by_day["tail"].max().reindex(week + (weekday - 1) % 7)
    return np.asarray((end - DAY_MIN > first.to_numpy()) | (begin < tail.to_numpy()), dtype=np.bool_)


_FAULTS: tuple[tuple[Callable[[pa.Table, Indices], Mask], str, str, str], ...] = (
    (_contradicts_state, "hours_contradict_state", "the times must be set exactly when hours_state is open", "opens"),
    (_contradicts_others, "hours_contradict_state", "the weekday is both open and not open", "hours_state"),
    (_is_impossible, "impossible_interval", "an interval of the weekday does not end within a day", "closes"),
    (_overlaps, "overlapping_intervals", "two intervals of the weekday overlap", "opens"),
    (_runs_into_next_day, "overlapping_intervals", "an interval overlaps one of the next weekday", "opens"),
)


def _interval(rows: pa.Table) -> tuple[Floats, Floats]:
    """Return beginning and end in minutes of the weekday; NaN where a time is none."""
    begin, end = (clock_minutes(rows[name]) for name in ("opens", "closes"))
    return begin, end + DAY_MIN * floats(rows, "closes_day_offset")
