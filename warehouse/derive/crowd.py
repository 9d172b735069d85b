"""How crowded venues are: `venue_crowd`, and the crowd objects of the places (contract 4.3) that are made of it."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schemas.rows import Built, Notes
from warehouse.derive.columns import (
    Indices,
    Mask,
    combine_by_trust,
    coordinates,
    day_numbers,
    equals,
    flat,
    floats,
    folded,
    group_codes,
    is_set,
    numbers,
    rank_by,
)
from warehouse.derive.crowd_objects import HOURS, Day, average_object, week_object
from warehouse.derive.doors import Sieve, merged
from warehouse.derive.geodesy import great_circle_km
from warehouse.derive.identity import merge_equal
from warehouse.derive.stops import POI_TYPES
from warehouse.derive.visibility import publish_form

_TABLE = "venue_crowd"
_PLACE = ("poi_type", "asked_place_id")


def build_venue_crowd(staged: Sequence[pa.Table], places: Mapping[str, pa.Table]) -> Built:
    """Build `venue_crowd` from staged tables and the derived places, by table name.

    All days of a place come from one answer: that of the most trusted source, then the newest. A venue that was
    answered for several places is that of the place with its very name, then of the nearest; what it tells of the
    other places is quarantined, as is what is told of no place.
    """
    rows = combine_by_trust(staged, _TABLE)
    rows_in = len(rows)
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking(*_PLACE, "venue_id", "weekday", "day_state")
    _sift_days(sieve)
    sieve.rows = _with_places(sieve.rows, places)
    message = "no place of the release has this id"
    sieve.reject(~is_set(sieve.rows["_name"]), "unknown_place", message, "asked_place_id")
    owner = merge_equal(group_codes(sieve.rows["venue_id"]), _likeness(sieve.rows))
    asked = group_codes(*(sieve.rows[name] for name in _PLACE))
    message = "the venue is that of another place, which bears its name or lies nearer to it"
    sieve.reject(asked != asked[owner], "venue_of_another_place", message, "venue_id")

    rows, into = sieve.rows, _one_answer_each(sieve.rows)
    gone = into != np.arange(len(rows))
    merges = merged(rows, _TABLE, gone, into, "same_place")
    return Built(publish_form(rows.filter(~gone), _TABLE), Notes(rows_in), sieve.quarantine, merges)


def with_crowd(places: pa.Table, table: str, venue_crowd: pa.Table) -> pa.Table:
    """Return the rows of a place table with the crowd objects of their venues; null where there is none."""
    told = venue_crowd.filter(
        equals(venue_crowd["poi_type"], POI_TYPES[table]) & equals(venue_crowd["day_state"], "open")
    )
    # One venue at a time: a crowd object is a text of its own for each.
    days: dict[str, dict[int, Day]] = {}
    for row in told.to_pylist():
        peak = (row["peak_start_hour"], row["peak_end_hour"])
        day = Day(tuple(row["hourly_levels"]), tuple(row["quiet_hours"] or ()), None if None in peak else peak)
        days.setdefault(row["asked_place_id"], {})[row["weekday"]] = day
    objects = {place: (week_object(week), average_object(week)) for place, week in days.items()}
    ids = flat(places["place_id"]).to_pylist()
    for number, name in enumerate(("besttime_analysis", "avg_besttime_analysis")):
        texts = pa.array([objects.get(place, (None, None))[number] for place in ids], pa.string())
        places = places.set_column(places.column_names.index(name), places.schema.field(name), texts)
    return places


def _sift_days(sieve: Sieve) -> None:
    is_open = equals(sieve.rows["day_state"], "open")
    members = pc.list_value_length(flat(sieve.rows["hourly_levels"])).fill_null(0).to_numpy(zero_copy_only=False)
    message = "an open day has a level for each of its 24 hours, another day has none"
    sieve.reject(members != np.where(is_open, len(HOURS), 0), "not_24_hours", message, "hourly_levels")


def _with_places(rows: pa.Table, places: Mapping[str, pa.Table]) -> pa.Table:
    """Add name and point of the place that was asked about: `_name`, `_latitude`, `_longitude`."""
    columns = ["place_id", "source_name", "latitude", "longitude"]
    frames = [
        places[table].select(columns).to_pandas().assign(poi_type=poi_type)
        for table, poi_type in POI_TYPES.items()
        if table in places
    ]
    nobody = pd.DataFrame({name: pd.Series(dtype="object") for name in (*columns, "poi_type")})
    known = pd.concat(frames or [nobody]).rename(columns={"place_id": "asked_place_id"})
    asked = rows.select(_PLACE).to_pandas().merge(known, how="left", on=list(_PLACE), validate="many_to_one")
    rows = rows.append_column("_name", pa.array(asked["source_name"], pa.string(), from_pandas=True))
    for axis in ("latitude", "longitude"):
        rows = rows.append_column(f"_{axis}", pa.array(asked[axis], pa.float64(), from_pandas=True))
    return rows


def _likeness(rows: pa.Table) -> Indices:
    """Rank what is told of a venue by how well the place fits: its name first, then how near it lies."""
    is_other_name = ~_are_equal(folded(rows["venue_name"]), folded(rows["_name"]))
    kilometres = great_circle_km(*coordinates(rows), floats(rows, "_latitude"), floats(rows, "_longitude"))
    asked = flat(pc.binary_join_element_wise(*(flat(rows[name]) for name in _PLACE), " "))
    by_id = np.unique(asked.to_numpy(zero_copy_only=False).astype(str), return_inverse=True)[1]
    return rank_by(is_other_name, np.nan_to_num(kilometres, nan=np.inf), by_id, np.arange(len(rows)))


def _are_equal(one: pa.Array, other: pa.Array) -> Mask:
    return np.asarray(pc.equal(one, other).fill_null(False).to_numpy(zero_copy_only=False), dtype=np.bool_)


def _one_answer_each(rows: pa.Table) -> Indices:
    """Return for each row the row that stands for it: itself, or the first one of the answer that stays."""
    answers = pc.list_element(pc.split_pattern(flat(rows["source_ref"]), "#", max_splits=1), 0)
    answer = group_codes(*(rows[name] for name in _PLACE), rows["source"], answers)
    rank = rank_by(numbers(rows, "_trust"), -day_numbers(rows), -answer, np.arange(len(rows)))
    first = merge_equal(group_codes(*(rows[name] for name in _PLACE)), rank)
    of_day = merge_equal(group_codes(*(rows[name] for name in (*_PLACE, "weekday")), pa.array(answer)), rank)
    return np.where(answer == answer[first], of_day, first)
