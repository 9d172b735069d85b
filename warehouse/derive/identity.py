"""Which rows are one thing: by the provider's id or code, or by name and nearness. Nothing else merges (contract 1.9).

A result is always `into`: for each row the row that stands for it, which is the row itself where it stays. Who stays is
decided by `rank`: the lower rank stays.
"""

from itertools import count

import numpy as np
import pyarrow as pa
from scipy.spatial import cKDTree

from warehouse.derive.columns import Indices, Mask, flat
from warehouse.derive.geodesy import Floats


def merge_equal(codes: Indices, rank: Indices) -> Indices:
    """Merge the rows of equal code into the one of lowest rank; rows of code -1 stay."""
    into = np.arange(len(codes))
    by_rank = np.argsort(rank)
    by_rank = by_rank[codes[by_rank] >= 0]
    _, first, inverse = np.unique(codes[by_rank], return_index=True, return_inverse=True)
    into[by_rank] = by_rank[first[inverse]]
    return into


def merge_near(
    codes: Indices,
    points: Floats,
    rank: Indices,
    radius_m: Floats,
    stays: Mask | None = None,
    distinct: Indices | None = None,
) -> Indices:
    """Merge rows of equal code that lie within a radius of a row that stays.

    `points` are in space (`geodesy.to_space`; NaN: no point, stays); `radius_m` is the radius of each row's code. Rows
    are taken by rank: one that no row before it has taken in stays, and takes in those around it. So a merged row is
    never farther than the radius from the row it went into: there are no chains. Rows marked `stays` are never taken
    in; they must come first by rank. Rows of equal `distinct` (-1: none) are known to be different things.
    """
    into = np.arange(len(codes))
    usable = np.flatnonzero((codes >= 0) & ~np.isnan(points).any(axis=1))
    _, inverse, sizes = np.unique(codes[usable], return_inverse=True, return_counts=True)
    usable = usable[sizes[inverse] > 1]
    if not len(usable):
        return into
    # A fourth axis holds groups farther apart than any radius, so that one index serves all groups.
    axis = codes[usable] * (2 * radius_m.max())
    placed = np.column_stack([points[usable], axis])
    tree = cKDTree(placed)
    second = tree.query(placed, k=2, distance_upper_bound=np.nextafter(radius_m.max(), np.inf))[0][:, 1]
    crowded = np.flatnonzero(np.isfinite(second))
    for here in crowded[np.argsort(rank[usable[crowded]])]:
        row = usable[here]
        if into[row] != row:
            continue
        around = usable[tree.query_ball_point(placed[here], radius_m[row])]
        taken = around[into[around] == around]
        if distinct is not None and distinct[row] >= 0:
            taken = taken[(distinct[taken] != distinct[row]) | (taken == row)]
        into[taken if stays is None else taken[~stays[taken]]] = row
    return into


def number_repeats(ids: pa.Array | pa.ChunkedArray, contents: pa.Table) -> pa.Array:
    """Make ids unique: of rows with one id the second and later get `-2`, `-3`, in the order of their contents.

    Contents, not file order, so that a reordered file gives the same ids.
    """
    texts = flat(ids).to_numpy(zero_copy_only=False)
    distinct, inverse, sizes = np.unique(texts, return_inverse=True, return_counts=True)
    repeated = np.flatnonzero(sizes[inverse] > 1)
    order = dict(zip(repeated.tolist(), map(repr, contents.take(repeated).to_pylist()), strict=True))
    taken, numbers = set(distinct), {}
    for row in sorted(order, key=lambda row: (texts[row], order[row])):
        text = texts[row]
        if text not in numbers:
            numbers[text] = count(2)
            continue
        texts[row] = next(name for number in numbers[text] if (name := f"{text}-{number}") not in taken)
        taken.add(texts[row])
    return pa.array(texts, pa.string())
