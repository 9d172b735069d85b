"""Transit stops from several sources, and the nearest of them to every place that the evaluator sees.

How the nearest stop is found stands in `nearest`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from schemas.arrow import table_schema
from schemas.model import PROVENANCE_MARKS
from schemas.region import Region
from schemas.rows import Built, Notes
from schemas.text import fold
from warehouse.derive.cities import state_of, unresolved
from warehouse.derive.columns import (
    Indices,
    Mask,
    brought,
    combine,
    flat,
    folded,
    group_codes,
    is_set,
    map_text,
    rank_by,
    replaced,
    short_hash,
    space_points,
)
from warehouse.derive.doors import Sieve, merged
from warehouse.derive.geodesy import Floats
from warehouse.derive.identity import merge_equal, merge_near, number_repeats
from warehouse.derive.nearest import FARTHEST_STOP_M, nearest
from warehouse.derive.visibility import publish_form

_TABLE = "transit_stops"
POI_TYPES = {"attractions": "attraction", "restaurants": "restaurant", "accommodations": "accommodation"}

# Station codes are national for the railways only; two metros may use one code for two stations.
_MODE_OF_NATIONAL_CODES = "rail"

# Of the stations that two public files of India share, half lie within 90 m of each other and 97 in 100 within 5 km. Of
# the others every second is farther apart than 50 km: another place was meant.
POINTS_AGREE_M = 5_000.0

# A long-distance station stretches over half a kilometre; the platforms of two metro lines that meet, over 300 m.
SAME_STATION_M = 500.0
SAME_STOP_M = 300.0

# How sources shorten the words of a station's name; a word that leads to "" tells no two stations apart.
_STATION_WORDS = {
    "jn": "", "junction": "", "station": "", "stn": "", "railway": "", "rly": "",
    "rd": "road", "cantt": "cantonment", "cant": "cantonment", "ctrl": "central", "cntl": "central", "term": "terminus",
}  # fmt: skip


def station_key(name: str) -> str:
    """Return the form under which two spellings of a stop's name are compared: `NAGPUR JN.` is `Nagpur Junction`."""
    words = "".join(char if char.isalnum() else " " for char in fold(name)).split()
    return " ".join(filter(None, (_STATION_WORDS.get(word, word) for word in words))) or fold(name)


def build_transit_stops(staged: Sequence[pa.Table], region: Region) -> Built:
    """Build `transit_stops` from staged tables in the order of their priority.

    Rows of one railway code are one stop. Stops without such a code are one with a stop of the same mode and name
    nearby; one that has no name either stays, hidden. The row that stays keeps its own values, but for `stop_lines`: a
    stop has the lines of all its rows.
    """
    rows = combine(staged, _TABLE)
    rows_in = len(rows)
    states = map_text(rows["state_name"], state_of)
    lost = unresolved(rows["state_name"], None, states)
    sieve = _sifted(replaced(rows, "state_name", states), region)
    rows = sieve.rows

    itself = np.arange(len(rows))
    codes = _national_codes(rows)
    is_coded = codes >= 0
    choice = _choose_points(rows, codes)
    by_code = merge_equal(codes, rank_by(~choice.is_chosen, itself))
    has_no_point = ~(is_set(rows["latitude"]) & is_set(rows["longitude"]))
    own_ids = np.where(is_coded, -1, group_codes(rows["source"], rows["source_id"]))
    by_id = merge_equal(own_ids, rank_by(has_no_point, itself))
    # Coded rows that go into another row of their code still bear witness to where a source puts the station.
    names = group_codes(rows["stop_mode"], map_text(rows["stop_name"], station_key))
    radius = np.where(_is_mode(rows, "rail"), SAME_STATION_M, SAME_STOP_M)
    near = merge_near(
        np.where(by_id == itself, names, -1), space_points(rows), rank_by(~is_coded, itself), radius, stays=is_coded
    )
    into = by_code[near[by_id]]
    merges = [
        merged(rows, _TABLE, by_code != itself, into, "same_code"),
        merged(rows, _TABLE, by_id != itself, into, "same_id"),
        merged(rows, _TABLE, near != itself, into, "same_name_nearby"),
    ]
    ids = _stop_ids(rows, is_coded)
    rows = replaced(rows, "stop_lines", _united_lines(rows["stop_lines"], into)).append_column("stop_id", ids)
    rows = rows.filter(into == itself)
    rows = replaced(rows, "stop_id", number_repeats(rows["stop_id"], brought(rows, _TABLE)))
    return Built(
        publish_form(rows, _TABLE),
        Notes(rows_in, {"states": lost} if lost else {}, remarks=choice.remarks),
        sieve.quarantine,
        pa.concat_tables(merges),
    )


def build_poi_nearest_stops(places: Mapping[str, pa.Table], stops: pa.Table) -> Built:
    """Build `poi_nearest_stops`: a row for each visible place of the place tables, with its nearest visible stop.

    A place without a stop within FARTHEST_STOP_M has nulls. Rows carry the provenance of their place.
    """
    nobody = {name: table_schema(name).empty_table() for name in POI_TYPES}
    visible = pa.concat_tables([_visible_places(name, places.get(name, nobody[name])) for name in POI_TYPES])
    candidates = stops.filter(stops["evaluator_visible"]).combine_chunks()
    found = nearest(visible, candidates)
    has_stop = found.rows >= 0
    chosen = candidates.take(pa.array(found.rows, mask=~has_stop))
    kilometres = [round(metres / 1000, 3) for metres in found.metres.tolist()]
    rows = visible.drop_columns(["latitude", "longitude"]).append_column("nearest_stop_id", chosen["stop_id"])
    rows = rows.append_column("nearest_stop_name", chosen["stop_name"])
    rows = rows.append_column("nearest_stop_distance", pa.array(found.metres, mask=~has_stop))
    rows = rows.append_column("nearest_stop_distance_km", pa.array(kilometres, pa.float64(), mask=~has_stop))
    without = int((~has_stop).sum())
    remark = f"{without} of {len(rows)} visible places have no stop within {FARTHEST_STOP_M / 1000:.0f} km"
    notes = Notes(len(rows), remarks=(remark,) if without else ())
    return Built(publish_form(rows, "poi_nearest_stops"), notes)


def _visible_places(table_name: str, places: pa.Table) -> pa.Table:
    rows = places.filter(places["evaluator_visible"])
    carried = ["City", "place_id", "latitude", "longitude", *PROVENANCE_MARKS]
    taken = {"PoI": rows["name"], **{name: rows[name] for name in carried}}
    fixed = {"poi_type": pa.repeat(POI_TYPES[table_name], len(rows)), "value_class": pa.repeat("derived", len(rows))}
    return pa.table({**taken, **fixed})


def _sifted(rows: pa.Table, region: Region) -> Sieve:
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking("stop_mode")
    sieve.reject_unreadable("stop_name")
    sieve.reject_outside(region.bbox)
    return sieve


def _national_codes(rows: pa.Table) -> Indices:
    return np.where(_is_mode(rows, _MODE_OF_NATIONAL_CODES), group_codes(rows["stop_code"]), -1)


def _is_mode(rows: pa.Table, mode: str) -> Mask:
    return np.asarray(pc.equal(flat(rows["stop_mode"]), mode).to_numpy(zero_copy_only=False), dtype=np.bool_)


class _Choice(NamedTuple):
    """Per row whether its point is the one of its code, and what a reader should know of the choice."""

    is_chosen: Mask
    remarks: tuple[str, ...]


def _choose_points(rows: pa.Table, codes: Indices) -> _Choice:
    """Choose the point of each code: that of the most trusted source, unless most sources agree on another one.

    Where two sources contradict each other the more trusted one is believed, and the codes are listed: a station that
    is left out gives every place around it a wrong nearest stop, and of the contradictions that timetable distances
    could judge, the more trusted file was right in all but a few that its mapping now rejects.
    """
    points = space_points(rows)
    sources = flat(rows["source"]).to_numpy(zero_copy_only=False)
    pointed = np.flatnonzero((codes >= 0) & ~np.isnan(points).any(axis=1))
    _, first, inverse = np.unique(codes[pointed], return_index=True, return_inverse=True)
    is_chosen = np.zeros(len(rows), dtype=np.bool_)
    is_chosen[pointed[first]] = True
    apart = np.linalg.norm(points[pointed] - points[pointed[first[inverse]]], axis=1) > POINTS_AGREE_M
    disputed = pointed[np.isin(codes[pointed], codes[pointed[apart]])]
    settled, open_ = [], []
    for _, group in pd.Series(disputed).groupby(codes[disputed]):
        members = group.to_numpy()
        supported = _best_supported(points[members], sources[members])
        code = rows["stop_code"][int(members[0])].as_py()
        if supported is None:
            open_.append(code)
        else:
            is_chosen[members] = False
            is_chosen[members[supported]] = True
            settled.append(code)
    limit = f"{POINTS_AGREE_M / 1000:.0f} km"
    remarks = (
        _remark(open_, f"coded stops have the point of the most trusted source, as others differ by more than {limit}"),
        _remark(settled, f"coded stops have the point of most sources, as others differ by more than {limit}"),
    )
    return _Choice(is_chosen, tuple(filter(None, remarks)))


def _best_supported(points: Floats, sources: NDArray[np.object_]) -> int | None:
    """Return the first point that most sources agree on; None when as many agree on one elsewhere."""
    agrees = np.linalg.norm(points[:, None] - points[None], axis=2) <= POINTS_AGREE_M
    support = np.array([len({*sources[agrees[row]]}) for row in range(len(points))])
    best = np.flatnonzero(support == support.max())
    return int(best[0]) if agrees[best[0], best].all() else None


def _remark(codes: list[str], text: str) -> str:
    return f"{len(codes)} {text}: {', '.join(sorted(codes))}" if codes else ""


def _stop_ids(rows: pa.Table, is_coded: Mask) -> pa.Array:
    lines = pc.binary_join(flat(rows["stop_lines"]), ",")
    described = short_hash([folded(rows["stop_name"]), rows["stop_mode"], rows["state_name"], lines])
    own = pc.binary_join_element_wise(flat(rows["source"]), pc.coalesce(flat(rows["source_id"]), described), ":")
    coded = pc.binary_join_element_wise(_MODE_OF_NATIONAL_CODES, flat(rows["stop_code"]), ":")
    return pc.if_else(pa.array(is_coded), coded, own)


def _united_lines(lines: pa.Array | pa.ChunkedArray, into: Indices) -> pa.Array:
    """Return for each row that stays its lines and those of the rows merged into it, its own first; null for none."""
    lists = flat(lines)
    row = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False).astype(np.int64)
    frame = pd.DataFrame({"into": into[row], "is_others": into[row] != row, "line": pc.list_flatten(lists).to_pandas()})
    united = frame.sort_values(["into", "is_others"], kind="stable").drop_duplicates(["into", "line"])
    counts = np.bincount(united["into"], minlength=len(lists))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(offsets, pa.array(united["line"], pa.string()), mask=pa.array(counts == 0))
