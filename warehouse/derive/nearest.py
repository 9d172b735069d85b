"""The stop nearest to each of many points: exactly, among a million stops, in memory that grows with the rows alone."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from warehouse.derive.columns import Indices, coordinates, flat, space_points
from warehouse.derive.geodesy import LONGEST_COMPARABLE_M, Floats, geodesic_m, longest_geodesic_m

# Beyond this nobody walks or rides to a stop; a place without a nearer one has none, and is counted. Most places of a
# country are within a few kilometres of a station, and an island 300 km off the coast must not get one on the mainland.
FARTHEST_STOP_M = 50_000.0

# Coordinates in space are sums and products of doubles around 6e6; their error stays far below this.
_ROUNDING_M = 1e-6


class Nearest(NamedTuple):
    """For each point the row of its nearest stop (-1: none) and the exact geodesic to it in metres (NaN: none)."""

    rows: Indices
    metres: Floats


def nearest(points: pa.Table, stops: pa.Table, farthest_m: float = FARTHEST_STOP_M) -> Nearest:
    """Return the nearest of `stops` (`stop_id`, `latitude`, `longitude`) to each of `points` (`latitude`, `longitude`).

    All coordinates are set. Of equally near stops the one of the smallest stop_id is taken. Raises ValueError when
    `farthest_m` is beyond what chords can be compared over.
    """
    if not 0 < farthest_m <= LONGEST_COMPARABLE_M:
        raise ValueError(f"farthest_m is {farthest_m}; choose a distance in metres up to {LONGEST_COMPARABLE_M:.0f}")
    rows = np.full(len(points), -1, dtype=np.int64)
    metres = np.full(len(points), np.nan)
    if not len(points) or not len(stops):
        return Nearest(rows, metres)

    candidates = _one_per_point(stops)
    # Neither splitting at the median nor shrinking the nodes pays for a tree that answers few questions per stop.
    tree = cKDTree(space_points(stops)[candidates], balanced_tree=False, compact_nodes=False)
    places = space_points(points)
    chords, found = tree.query(places, k=2, distance_upper_bound=farthest_m + _ROUNDING_M)
    within = longest_geodesic_m(chords[:, 0]) + _ROUNDING_M
    is_contested = chords[:, 1] <= within

    ids = flat(stops["stop_id"])
    latitudes, longitudes = coordinates(stops)
    for point, (latitude, longitude) in enumerate(zip(*coordinates(points), strict=True)):
        if not np.isfinite(chords[point, 0]):
            continue
        near = tree.query_ball_point(places[point], within[point]) if is_contested[point] else [found[point, 0]]
        distance, _, row = min(
            (geodesic_m(latitude, longitude, latitudes[row], longitudes[row]), ids[row].as_py(), row)
            for row in candidates[near].tolist()
        )
        if distance <= farthest_m:
            rows[point], metres[point] = row, distance
    return Nearest(rows, metres)


def _one_per_point(stops: pa.Table) -> NDArray[np.int64]:
    """Return the rows of the stops without those at the very point of a stop with a smaller id: they never win."""
    latitudes, longitudes = coordinates(stops)
    frame = pd.DataFrame({"latitude": latitudes, "longitude": longitudes})
    is_shared = frame.duplicated(keep=False).to_numpy()
    shared = frame[is_shared].assign(stop_id=flat(stops["stop_id"].filter(pa.array(is_shared))).to_pandas().to_numpy())
    first = shared.sort_values("stop_id").drop_duplicates(["latitude", "longitude"]).index.to_numpy()
    return np.sort(np.concatenate([np.flatnonzero(~is_shared), first])).astype(np.int64)
