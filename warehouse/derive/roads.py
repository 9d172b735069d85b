"""What was learned of the roads between cities: `distance_matrix`, which has every pair, and `road_delay`.

A row of a source finds its cities by their points, which it repeats digit for digit: a name may mean two cities, and a
number within an answer means nothing outside of it.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schemas.model import PROVENANCE_MARKS
from schemas.region import Region
from schemas.rows import Built, Notes
from schemas.vocab import vocabulary
from warehouse.derive.city_set import region_origin
from warehouse.derive.columns import (
    Indices,
    Mask,
    combine_by_trust,
    day_numbers,
    equals,
    flat,
    floats,
    is_set,
    numbers,
    rank_by,
)
from warehouse.derive.doors import Sieve, merged, merged_into
from warehouse.derive.geodesy import Floats, great_circle_km
from warehouse.derive.identity import merge_equal
from warehouse.derive.visibility import publish_form

# Contract 3.9.
SLOWEST_KMH, FASTEST_KMH = 10.0, 110.0
LONGEST_DRIVE_MIN = 1_440
# A way by road is longer than the straight one, by how much is not told with a delay: half the slowest leaves room.
SLOWEST_STRAIGHT_KMH = SLOWEST_KMH / 2
# Between two cities most of the way is open country: that usual traffic takes thrice the time of none is no delay.
MOST_TIMES_FREE_FLOW = 3.0

_MATRIX, _DELAY = "distance_matrix", "road_delay"
_NOT_ASKED, _SPOILED = "not_asked", "error"
_OUTCOMES = tuple(status for status in vocabulary("road_statuses").tokens if status != _NOT_ASKED)


def build_distance_matrix(region: Region, staged: Sequence[pa.Table] = ()) -> Built:
    """Build `distance_matrix`: every ordered pair of different cities once, n x (n - 1) rows.

    A pair that was asked for has the road that was found, or why there is none. Of several answers an `ok` is believed
    before any failure, then the more trusted source, then the latest, then the last. An answer that cannot be true is
    quarantined; a pair without another one keeps the status `error`.

    The pair itself is a fact of the region. It stays as a row of its own, or is merged into the answer to it.
    """
    pairs = _pairs(region)
    answers = _placed(staged, region, _MATRIX)
    sieve = _sifted(answers, region, _MATRIX)
    asked = numbers(sieve.rows, "_pair")
    _sift_roads(sieve, region)
    rows = sieve.rows
    spoiled = np.setdiff1d(asked, numbers(rows, "_pair"))

    into = merge_equal(numbers(rows, "_pair"), _rank(rows, ~_is_road(rows)))
    stays = np.flatnonzero(into == np.arange(len(rows)))
    answer_to = np.full(len(region.cities) ** 2, -1, dtype=np.int64)
    answer_to[numbers(rows, "_pair")[stays]] = stays
    answer = answer_to[numbers(pairs, "_pair")]
    is_answered = answer >= 0

    unanswered = pc.if_else(pa.array(np.isin(numbers(pairs, "_pair"), spoiled)), _SPOILED, _NOT_ASKED)
    found = rows.take(pa.array(answer, mask=~is_answered))
    own = pairs.append_column("road_status", unanswered)
    from_either = ("road_status", *PROVENANCE_MARKS)
    columns = {
        **{name: own[name] for name in ("origin", "destination", "great_circle_km")},
        **{name: found[name] for name in ("distance_km", "duration_min")},
        **{name: pc.if_else(pa.array(is_answered), flat(found[name]), flat(own[name])) for name in from_either},
    }
    is_idle = equals(columns["road_status"], _NOT_ASKED)
    feasible = pa.array(numbers(found, "duration_min") <= LONGEST_DRIVE_MIN, mask=is_idle)
    merges = [
        merged(rows, _MATRIX, into != np.arange(len(rows)), into, "same_pair"),
        merged_into(pairs.filter(is_answered), _MATRIX, rows.take(answer[is_answered]), "road_answered"),
    ]
    return Built(
        publish_form(pa.table({**columns, "road_feasible": feasible}), _MATRIX),
        Notes(len(pairs) + len(answers), remarks=_outcomes(columns["road_status"]) if len(answers) else ()),
        sieve.quarantine,
        pa.concat_tables(merges),
    )


def build_road_delay(staged: Sequence[pa.Table], region: Region) -> Built:
    """Build `road_delay` from staged tables in the order of their priority: one row per pair, the latest answer's.

    The delay is the historical less the free-flow time, never below 0, to a tenth of a minute; the total is the
    free-flow time (choice A9). Times that no car can have are quarantined.
    """
    answers = _placed(staged, region, _DELAY)
    sieve = _sifted(answers, region, _DELAY)
    _sift_delays(sieve, region)
    rows = sieve.rows
    into = merge_equal(numbers(rows, "_pair"), _rank(rows))
    gone = into != np.arange(len(rows))
    merges = merged(rows, _DELAY, gone, into, "same_pair")
    rows = rows.filter(~gone)
    names = pa.array([city.name for city in region.cities], pa.string())
    origins, destinations = np.divmod(numbers(rows, "_pair"), max(len(names), 1))
    free, historical = floats(rows, "free_flow_travel_time_min"), floats(rows, "historical_travel_time_min")
    # A hair is added because the difference of two tenths is a hair off; a half counts upwards.
    delay = np.maximum(0, np.floor(10 * (historical - free) + 0.5 + 1e-6) / 10)
    derived = {
        "origin": names.take(pa.array(origins)),
        "destination": names.take(pa.array(destinations)),
        "estimated_historical_delay_min": pa.array(delay, pa.float64(), mask=np.isnan(delay)),
        "total_travel_time_min": rows["free_flow_travel_time_min"],
    }
    carried = {name: rows[name] for name in rows.column_names}
    return Built(publish_form(pa.table({**carried, **derived}), _DELAY), Notes(len(answers)), sieve.quarantine, merges)


def _pairs(region: Region) -> pa.Table:
    """Every ordered pair of different cities, as the region tells of it; `_pair` is its number (`_placed`)."""
    names = pa.array([city.name for city in region.cities], pa.string())
    ids = pa.array([city.city_id for city in region.cities], pa.string())
    latitudes = np.array([city.latitude for city in region.cities], dtype=np.float64)
    longitudes = np.array([city.longitude for city in region.cities], dtype=np.float64)
    origins, destinations = np.nonzero(~np.eye(len(names), dtype=np.bool_))
    records = pc.binary_join_element_wise(ids.take(origins), ids.take(destinations), ",")
    return pa.table(
        {
            "origin": names.take(origins),
            "destination": names.take(destinations),
            "great_circle_km": great_circle_km(
                latitudes[origins], longitudes[origins], latitudes[destinations], longitudes[destinations]
            ),
            "_pair": origins * len(names) + destinations,
            **region_origin(region, "geonames", "cities.csv", records, "derived"),
        }
    )


def _placed(staged: Sequence[pa.Table], region: Region, table: str) -> pa.Table:
    """Lay staged rows together and find their cities: `_origin` and `_destination` count the cities of the region (-1:
    none), `_pair` numbers the pair of both, `_trust` the source."""
    rows = combine_by_trust(staged, table)
    points = pd.MultiIndex.from_arrays(
        [[city.latitude for city in region.cities], [city.longitude for city in region.cities]]
    )
    is_shared = points.duplicated(keep=False)
    ends = []
    for end in ("origin", "destination"):
        asked = [floats(rows, f"{end}_{axis}") for axis in ("latitude", "longitude")]
        found = points[~is_shared].get_indexer(pd.MultiIndex.from_arrays(asked))
        ends.append(np.where(found >= 0, np.append(np.flatnonzero(~is_shared), -1)[found], -1))
        rows = rows.append_column(f"_{end}", pa.array(ends[-1], pa.int64()))
    return rows.append_column("_pair", pa.array(ends[0] * len(region.cities) + ends[1], pa.int64()))


def _sifted(rows: pa.Table, region: Region, table: str) -> Sieve:
    """Return the rows whose two cities are known and different."""
    sieve = Sieve(table, rows)
    sieve.reject_lacking(*(f"{end}_{axis}" for end in ("origin", "destination") for axis in ("latitude", "longitude")))
    for end in ("origin", "destination"):
        message = f"the {end} is the point of no city of the region {region.id}, or of several"
        sieve.reject(numbers(sieve.rows, f"_{end}") < 0, "unknown_point", message, f"{end}_latitude")
    is_loop = numbers(sieve.rows, "_origin") == numbers(sieve.rows, "_destination")
    sieve.reject(is_loop, "self_pair", "a city is paired with itself", "destination_latitude")
    return sieve


def _sift_roads(sieve: Sieve, region: Region) -> None:
    """Reject the answers that cannot be true; each rule is one of the contract (3.9)."""
    sieve.reject_lacking("road_status")
    is_outcome = np.isin(numbers(sieve.rows, "road_status"), _OUTCOMES)
    sieve.reject(~is_outcome, "value:road_status", "road_status is no outcome of asking", "road_status")
    for column in ("distance_km", "duration_min"):
        contradicts = is_set(sieve.rows[column]) != _is_road(sieve.rows)
        message = f"{column} must be set exactly when road_status is ok"
        sieve.reject(contradicts, "road_contradicts_status", message, column)
    straight = _straight_km(sieve.rows, region)
    # Both are written so that a number that is none is wrong as well.
    is_long_enough = floats(sieve.rows, "distance_km") >= straight
    message = "the road is shorter than the great circle between the two cities"
    sieve.reject(_is_road(sieve.rows) & ~is_long_enough, "road_below_great_circle", message, "distance_km")
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = 60 * floats(sieve.rows, "distance_km") / floats(sieve.rows, "duration_min")
    is_possible = (speed >= SLOWEST_KMH) & (speed <= FASTEST_KMH)
    message = f"the speed by road is outside {SLOWEST_KMH:g} to {FASTEST_KMH:g} km/h"
    sieve.reject(_is_road(sieve.rows) & ~is_possible, "impossible_speed", message, "duration_min")


def _sift_delays(sieve: Sieve, region: Region) -> None:
    """Reject the times that no car can have; a time that is not known is not judged."""
    for column in ("free_flow_travel_time_min", "historical_travel_time_min", "live_travel_time_min"):
        straight, minutes = _straight_km(sieve.rows, region), floats(sieve.rows, column)
        # Written without a division: a time may be none, or 0.
        is_too_fast = 60 * straight > FASTEST_KMH * minutes
        message = f"{FASTEST_KMH:g} km/h would not do even along the great circle between the two cities"
        sieve.reject(is_too_fast, "impossible_speed", message, column)
    straight, free = _straight_km(sieve.rows, region), floats(sieve.rows, "free_flow_travel_time_min")
    message = f"free flow would be slower than {SLOWEST_STRAIGHT_KMH:g} km/h along the great circle"
    sieve.reject(60 * straight < SLOWEST_STRAIGHT_KMH * free, "impossible_speed", message, "free_flow_travel_time_min")
    free, historical = (floats(sieve.rows, f"{name}_travel_time_min") for name in ("free_flow", "historical"))
    message = f"usual traffic takes more than {MOST_TIMES_FREE_FLOW:g} times as long as free flow"
    is_too_long = historical > MOST_TIMES_FREE_FLOW * free
    sieve.reject(is_too_long, "impossible_delay", message, "historical_travel_time_min")


def _straight_km(rows: pa.Table, region: Region) -> Floats:
    """Return great-circle kilometres between the two cities of each row."""
    points = np.array([(city.latitude, city.longitude) for city in region.cities], dtype=np.float64).reshape(-1, 2)
    origins, destinations = points[numbers(rows, "_origin")], points[numbers(rows, "_destination")]
    return great_circle_km(origins[:, 0], origins[:, 1], destinations[:, 0], destinations[:, 1])


def _is_road(rows: pa.Table) -> Mask:
    return equals(rows["road_status"], "ok")


def _rank(rows: pa.Table, *first: Mask) -> Indices:
    """Rank answers to one pair: by what counts first, then the source, then the later day, then the later record."""
    return rank_by(*first, numbers(rows, "_trust"), -day_numbers(rows), -np.arange(len(rows)))


def _outcomes(statuses: pa.Array) -> tuple[str, ...]:
    counts = {row["values"]: row["counts"] for row in pc.value_counts(statuses).to_pylist()}
    listed = ", ".join(f"{counts[status]:,} {status}" for status in (*_OUTCOMES, _NOT_ASKED) if status in counts)
    return (f"{len(statuses):,} pairs of cities: {listed}",)
