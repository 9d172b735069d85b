"""Buses between cities. Their delay is that of the road between the two cities (`roads`)."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.region import Region
from schemas.rows import Built, Notes
from warehouse.derive.cities import CityIndex, unresolved
from warehouse.derive.clocks import sift_times
from warehouse.derive.columns import (
    Indices,
    combine_by_trust,
    day_numbers,
    flat,
    floats,
    folded,
    group_codes,
    numbers,
    rank_by,
)
from warehouse.derive.doors import Sieve, keep_one
from warehouse.derive.identity import merge_equal
from warehouse.derive.visibility import missing_count, publish_form

_TABLE = "buses"
_ENDS = {"OriginCityName": ("origin_name", "origin_state"), "DestCityName": ("destination_name", "destination_state")}

# No bus of a country takes longer than four days; one of under ten minutes connects no two cities.
SHORTEST_MIN, LONGEST_MIN, MOST_DAYS = 10, 6_000, 4


def build_buses(staged: Sequence[pa.Table], region: Region) -> Built:
    """Build `buses` from staged tables; those between places that are no cities of the region stay, hidden.

    Buses of one operator, kind, pair of cities and departure are one: the row with the fewest missing required values
    stays, then the one with the lowest fare, then that of the most trusted source, then the newest.
    """
    rows = combine_by_trust(staged, _TABLE)
    rows_in = len(rows)
    lost = lost_places(rows, region)
    for column, cities in cities_of_buses(rows, region).items():
        rows = rows.append_column(column, cities)
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking("Operator")
    is_loop = flat(pc.equal(sieve.rows["OriginCityName"], sieve.rows["DestCityName"])).fill_null(False)
    is_same = np.asarray(is_loop.to_numpy(zero_copy_only=False), dtype=np.bool_)
    sieve.reject(is_same, "same_city", "the bus ends in the city where it begins", "destination_name")
    sift_times(sieve, SHORTEST_MIN, LONGEST_MIN, MOST_DAYS)
    rows = sieve.rows
    key = [folded(rows["Operator"]), *(rows[name] for name in ("BusType", *_ENDS, "DepTime"))]
    rows, merges = keep_one(rows, _TABLE, merge_equal(group_codes(*key), _rank(rows)), "same_bus")
    notes = Notes(rows_in, {"cities": lost} if lost else {})
    return Built(publish_form(rows, _TABLE), notes, sieve.quarantine, merges)


def cities_of_buses(rows: pa.Table, region: Region) -> dict[str, pa.Array]:
    """Return the cities between which buses run, by column; null for a place that is no city of the region."""
    index = CityIndex(region)
    return {column: index.resolve(rows[name], rows[state]) for column, (name, state) in _ENDS.items()}


def lost_places(rows: pa.Table, region: Region) -> dict[str, int]:
    """Count the places of staged buses that lead to no city of the region, most frequent first."""
    counts: dict[str, int] = {}
    for column, cities in cities_of_buses(rows, region).items():
        name, state = _ENDS[column]
        for place, count in unresolved(rows[name], rows[state], cities).items():
            counts[place] = counts.get(place, 0) + count
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _rank(rows: pa.Table) -> Indices:
    prices = np.nan_to_num(floats(rows, "Price"), nan=np.inf)
    missing, trust = missing_count(rows, _TABLE), numbers(rows, "_trust")
    return rank_by(missing, prices, trust, -day_numbers(rows), -np.arange(len(rows)))
