"""Trains between cities, made of the stops of their timetables, and the mean delays at their destinations."""

import numpy as np
import pyarrow as pa

from schemas.model import PROVENANCE_MARKS
from schemas.rows import Built, Notes
from schemas.vocab import vocabulary
from warehouse.derive.clocks import DAY_MIN, clock_texts, shifted_days, sift_times
from warehouse.derive.columns import Indices, flat, group_codes, is_set, numbers, rank_by
from warehouse.derive.doors import Sieve, keep_one
from warehouse.derive.identity import merge_equal
from warehouse.derive.timetables import stop_times
from warehouse.derive.visibility import publish_form

_TABLE = "trains"

# Contract 3.3.
SHORTEST_MIN, LONGEST_MIN, MOST_DAYS = 10, 6_000, 4


def build_trains(train_stops: pa.Table, stations: pa.Table) -> Built:
    """Build `trains` from the timetables (`train_stops`, one for each train) and the cities of `stations`.

    Every ordered pair of stops of a train in two different cities is a row, also where a city has several stations. Of
    the pairs that one departure makes with a station at which the train calls twice, the first arrival stays. Running
    days are those at the station where one gets on. A row carries the provenance of the stop where one gets on.
    """
    rows = train_stops.sort_by([("Train Number", "ascending"), ("stop_sequence", "ascending")]).combine_chunks()
    trains = group_codes(rows["Train Number"])
    times = stop_times(rows, trains)
    cities = _cities(rows, stations)
    known = np.flatnonzero(is_set(cities))
    origin, destination = (known[ends] for ends in _pairs(trains[known]))
    codes = group_codes(cities)
    is_pair = (codes[origin] != codes[destination]) & ~np.isnan(times.departs[origin] + times.arrives[destination])
    origin, destination = origin[is_pair], destination[is_pair]

    departs, arrives = times.departs[origin], times.arrives[destination]
    day = np.floor(departs / DAY_MIN)
    pairs = pa.table(
        {
            **{name: rows[name].take(origin) for name in ("Train Number", "Train Name", "classes", "Price")},
            "OriginStation": rows["station_code"].take(origin),
            "DestStation": rows["station_code"].take(destination),
            "OriginCityName": cities.take(origin),
            "DestCityName": cities.take(destination),
            "DepTime": clock_texts(departs),
            "ArrTime": clock_texts(arrives),
            "arr_day_offset": (np.floor(arrives / DAY_MIN) - day).astype(np.int64),
            "duration_min": (arrives - departs).astype(np.int64),
            "days_of_operation": shifted_days(rows["days_of_operation"].take(origin), day),
            **{name: rows[name].take(origin) for name in PROVENANCE_MARKS},
            "value_class": pa.repeat("derived", len(origin)),
        }
    )
    sieve = Sieve(_TABLE, pairs)
    sift_times(sieve, SHORTEST_MIN, LONGEST_MIN, MOST_DAYS)
    rows, merges = keep_one(sieve.rows, _TABLE, _first_arrivals(sieve.rows), "first_arrival")
    return Built(publish_form(rows, _TABLE), Notes(len(pairs)), sieve.quarantine, merges)


def with_delays(trains: pa.Table, train_delays: pa.Table) -> pa.Table:
    """Return `trains` with the mean delays at the station where one gets off; a train that runs early has none."""
    asked = trains.select(["Train Number", "DestStation"]).to_pandas()
    told = train_delays.select(["Train Number", "station_code", "horizon", "avg_delay_min"]).to_pandas()
    told = told.rename(columns={"station_code": "DestStation"}).dropna(subset=["avg_delay_min"])
    horizons = vocabulary("delay_horizons").terms
    for horizon, told_of in told.groupby("horizon"):
        found = asked.merge(told_of, how="left", on=["Train Number", "DestStation"], validate="many_to_one")
        column = horizons[str(horizon)]["column"]
        means = pa.array(found["avg_delay_min"].clip(lower=0), pa.float64(), from_pandas=True)
        trains = trains.set_column(trains.column_names.index(column), trains.schema.field(column), means)
    return trains


def _cities(rows: pa.Table, stations: pa.Table) -> pa.Array:
    """Return the City of the station of each row, null where it has none."""
    named = dict(zip(flat(stations["station_code"]).to_pylist(), flat(stations["City"]).to_pylist(), strict=True))
    encoded = flat(rows["station_code"]).dictionary_encode()
    cities = pa.array([named.get(code) for code in encoded.dictionary.to_pylist()], pa.string())
    return cities.take(encoded.indices)


def _pairs(groups: Indices) -> tuple[Indices, Indices]:
    """Return every ordered pair of rows of one group; rows of a group stand together."""
    place = np.arange(len(groups))
    is_last = np.append(groups[1:] != groups[:-1], True)[: len(groups)]
    ends = np.flatnonzero(is_last)
    later = ends[np.searchsorted(ends, place)] - place
    origin = np.repeat(place, later)
    begins = np.repeat(np.cumsum(later) - later, later)
    return origin, origin + 1 + np.arange(len(origin)) - begins


def _first_arrivals(rows: pa.Table) -> Indices:
    keys = [rows[name] for name in ("Train Number", "OriginStation", "DestStation", "DepTime")]
    return merge_equal(group_codes(*keys), rank_by(numbers(rows, "duration_min"), np.arange(len(rows))))
