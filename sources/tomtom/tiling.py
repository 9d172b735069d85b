"""Which blocks of origins and destinations make the fewest jobs, and among those the fewest transactions.

A rectangle is cut straight through, its parts again, and so on: the best of all such cuttings is found by dynamic
programming over the sizes of rectangles. What is known and what is still to be asked stands in `coverage`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Costs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

# Up to so many origins or destinations every cutting is tried; more are first halved.
LARGEST = 640
# Tables of costs are made for sides of so many steps, so that rectangles of nearly one size share one.
_STEP = 64
# A cost is one number, in which a single job outweighs all transactions.
_JOB = 2**40
_NEVER = 2**62


class Limits(NamedTuple):
    """What one job may hold: so many cells, and so many origins and so many destinations."""

    max_cells: int
    max_side: int

    def allow(self, origins: int, destinations: int) -> bool:
        return max(origins, destinations) <= self.max_side and origins * destinations <= self.max_cells


class Block(NamedTuple):
    """What one job asks: numbers of origins and of destinations."""

    origins: tuple[int, ...]
    destinations: tuple[int, ...]

    @property
    def transactions(self) -> int:
        return transactions(len(self.origins), len(self.destinations))


def transactions(origins: int, destinations: int) -> int:
    """Return what a job of this size is billed."""
    return 5 * max(origins, destinations) if min(origins, destinations) > 5 else origins * destinations


def tile(origins: Sequence[int], destinations: Sequence[int], limits: Limits) -> Iterator[Block]:
    """Yield blocks within the limits that hold each pair of an origin and a destination exactly once."""
    rows, columns = len(origins), len(destinations)
    if not rows or not columns:
        return
    if limits.allow(rows, columns):
        yield Block(tuple(origins), tuple(destinations))
    elif (at := _cut(rows, columns, limits)) > 0:
        yield from tile(origins[:at], destinations, limits)
        yield from tile(origins[at:], destinations, limits)
    else:
        yield from tile(origins, destinations[:-at], limits)
        yield from tile(origins, destinations[-at:], limits)


def blocks_of(open_pairs: Mask, limits: Limits) -> list[Block]:
    """Return blocks that hold each open pair once; `open_pairs` is by origin and destination.

    Those blocks of the tiling of the whole that are open altogether are taken as they are, so that work that was broken
    off goes on as it was begun. The rest is cut into rectangles of open pairs. Where holes make that dear, a torn block
    is asked anew, holes and all: pairs are paid twice only where that costs fewer transactions, and never are there
    more of them than for the whole.
    """
    rest = open_pairs.copy()
    blocks, mended = [], []
    for block in tile(range(rest.shape[0]), range(rest.shape[1]), limits):
        place = np.ix_(block.origins, block.destinations)
        if rest[place].all():
            blocks.append(block)
            rest[place] = False
        elif rest[place].any():
            mended += _mended(rest, block, limits)
    return blocks + min(_rectangles(rest, limits), mended, key=_transactions_of)


def _mended(open_pairs: Mask, block: Block, limits: Limits) -> list[Block]:
    """Return blocks that hold the open pairs of one block, in which there are others too."""
    torn = np.zeros_like(open_pairs)
    place = np.ix_(block.origins, block.destinations)
    torn[place] = open_pairs[place]
    origins, destinations = (np.flatnonzero(torn.any(axis=axis)).tolist() for axis in (1, 0))
    anew = [Block(tuple(origins), tuple(destinations))]
    return min(_rectangles(torn, limits), anew, key=_transactions_of)


def _rectangles(open_pairs: Mask, limits: Limits) -> list[Block]:
    """Return blocks of open pairs alone: the origins that lack the same destinations, or the destinations that lack the
    same origins, whichever makes the cheaper blocks."""
    by_origins = _by_rows(open_pairs, limits)
    by_destinations = [Block(block.destinations, block.origins) for block in _by_rows(open_pairs.T, limits)]
    return min(by_origins, by_destinations, key=_cost_of)


def _by_rows(open_pairs: Mask, limits: Limits) -> list[Block]:
    alike: dict[bytes, list[int]] = {}
    for row in np.flatnonzero(open_pairs.any(axis=1)).tolist():
        alike.setdefault(open_pairs[row].tobytes(), []).append(row)
    return [
        block for rows in alike.values() for block in tile(rows, np.flatnonzero(open_pairs[rows[0]]).tolist(), limits)
    ]


def _cost_of(blocks: list[Block]) -> tuple[int, int]:
    return len(blocks), _transactions_of(blocks)


def _transactions_of(blocks: list[Block]) -> int:
    return sum(block.transactions for block in blocks)


def _cut(rows: int, columns: int, limits: Limits) -> int:
    """Return before which row to cut, or, below 0, before which column."""
    if max(rows, columns) > LARGEST:
        return rows // 2 if rows >= columns else -(columns // 2)
    costs = _costs(-(-max(rows, columns) // _STEP) * _STEP, limits)
    across = [costs[at, columns] + costs[rows - at, columns] for at in range(1, rows)]
    along = [costs[rows, at] + costs[rows, columns - at] for at in range(1, columns)]
    best_across, best_along = min(across, default=_NEVER), min(along, default=_NEVER)
    return across.index(best_across) + 1 if best_across <= best_along else -(along.index(best_along) + 1)


@cache
def _costs(side: int, limits: Limits) -> Costs:
    """Return the least cost of each rectangle of up to `side` rows and columns. It is the same either way round."""
    sizes = np.arange(side + 1)
    shorter, longer = np.minimum.outer(sizes, sizes), np.maximum.outer(sizes, sizes)
    is_one_job = (longer <= limits.max_side) & (shorter * longer <= limits.max_cells)
    one_job = _JOB + np.where(shorter > 5, 5 * longer, shorter * longer)
    costs: Costs = np.where(is_one_job, one_job, 0).astype(np.int64)
    for rows in range(1, side + 1):
        open_columns = np.flatnonzero(~is_one_job[rows, rows:]) + rows
        if not open_columns.size:
            continue
        first = int(open_columns[0])
        half = rows // 2
        across = costs[1 : half + 1, first:] + costs[rows - 1 : rows - half - 1 : -1, first:]
        costs[rows, first:] = across.min(axis=0) if half else _NEVER
        row = costs[rows]
        for columns in range(first, side + 1):
            middle = columns // 2
            along = (row[1 : middle + 1] + row[columns - 1 : columns - middle - 1 : -1]).min()
            row[columns] = min(row[columns], along)
        costs[first:, rows] = row[first:]
    return costs
