"""Blocks: every pair exactly once, within the limits, in the fewest jobs and transactions."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.tomtom.tiling import LARGEST, Block, Limits, blocks_of, tile, transactions

STANDARD = Limits(2_500, 1_000)
CONTRACTED = Limits(100_000_000, 10_000)


def cost(blocks: list[Block]) -> tuple[int, int]:
    return len(blocks), sum(block.transactions for block in blocks)


def whole(size: int, limits: Limits) -> list[Block]:
    return list(tile(range(size), range(size), limits))


def assert_once_each(blocks: list[Block], wanted: np.ndarray, limits: Limits) -> None:
    times = np.zeros(wanted.shape, dtype=int)
    for block in blocks:
        assert limits.allow(len(block.origins), len(block.destinations))
        times[np.ix_(block.origins, block.destinations)] += 1
    assert (times == wanted).all()


def test_504_cities_are_102_jobs_and_25920_transactions_for_the_usual_customer() -> None:
    blocks = whole(504, STANDARD)
    assert cost(blocks) == (102, 25_920)
    assert_once_each(blocks, np.ones((504, 504), dtype=bool), STANDARD)


def test_504_cities_are_one_job_under_contract() -> None:
    assert cost(whole(504, CONTRACTED)) == (1, 2_520)


@pytest.mark.parametrize(
    ("origins", "destinations", "billed"),
    [(6, 6, 30), (5, 6, 30), (5, 5, 25), (6, 50, 250), (5, 50, 250), (1, 1000, 1000), (50, 50, 250), (504, 504, 2520)],
)
def test_a_job_is_billed_by_its_longer_side(origins: int, destinations: int, billed: int) -> None:
    assert transactions(origins, destinations) == transactions(destinations, origins) == billed


@cache
def best(rows: int, columns: int, limits: Limits) -> tuple[int, int]:
    """The cheapest of all straight cuttings, by trying every one; the measure of what is tested."""
    if limits.allow(rows, columns):
        return 1, transactions(rows, columns)
    halves = [(best(at, columns, limits), best(rows - at, columns, limits)) for at in range(1, rows)]
    halves += [(best(rows, at, limits), best(rows, columns - at, limits)) for at in range(1, columns)]
    return min((one[0] + other[0], one[1] + other[1]) for one, other in halves)


LIMITS = st.builds(Limits, st.sampled_from([1, 7, 30, 64]), st.sampled_from([1, 4, 9, 40]))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 22), st.integers(1, 22), LIMITS)
def test_no_straight_cutting_is_cheaper(rows: int, columns: int, limits: Limits) -> None:
    blocks = list(tile(range(rows), range(columns), limits))
    assert_once_each(blocks, np.ones((rows, columns), dtype=bool), limits)
    assert cost(blocks) == best(rows, columns, limits)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 14), st.data(), LIMITS)
def test_open_pairs_are_in_one_block_each_and_what_is_torn_costs_no_more_than_the_whole(
    size: int, data: st.DataObject, limits: Limits
) -> None:
    flags = data.draw(st.lists(st.booleans(), min_size=size * size, max_size=size * size))
    wanted = np.array(flags).reshape(size, size)
    blocks = blocks_of(wanted, limits)
    times = np.zeros(wanted.shape, dtype=int)
    for block in blocks:
        assert limits.allow(len(block.origins), len(block.destinations))
        times[np.ix_(block.origins, block.destinations)] += 1
    assert (times[wanted] == 1).all()
    assert (times <= 1).all()
    assert cost(blocks)[1] <= min(cost(whole(size, limits))[1], wanted.sum())


def test_a_torn_block_is_asked_anew_only_where_that_costs_less_than_what_is_open_in_it() -> None:
    scattered = np.zeros((40, 40), dtype=bool)
    scattered[range(0, 40, 9), range(0, 40, 9)] = True
    assert_once_each(blocks_of(scattered, STANDARD), scattered, STANDARD)
    holes = ~np.eye(40, dtype=bool)
    assert blocks_of(holes, STANDARD) == [Block(tuple(range(40)), tuple(range(40)))]
    half = np.arange(40)[:, None] >= np.arange(40)
    assert cost(blocks_of(half, STANDARD)) == (1, 200)


def test_what_is_open_altogether_stays_a_block_of_the_whole() -> None:
    canonical = whole(200, STANDARD)
    wanted = np.ones((200, 200), dtype=bool)
    for block in canonical[::3]:
        wanted[np.ix_(block.origins, block.destinations)] = False
    assert set(blocks_of(wanted, STANDARD)) == set(canonical) - set(canonical[::3])


def test_a_pair_that_is_known_touches_no_other_block_than_its_own() -> None:
    canonical = whole(120, STANDARD)
    wanted = np.ones((120, 120), dtype=bool)
    wanted[3, 7] = False
    (touched,) = (block for block in canonical if 3 in block.origins and 7 in block.destinations)
    blocks = blocks_of(wanted, STANDARD)
    assert set(canonical) - {touched} < set(blocks)
    # 49 x 50 and 1 x 49 pairs would be dearer than all of them again.
    assert set(blocks) == set(canonical)


def test_one_more_city_is_one_row_and_one_column() -> None:
    wanted = np.zeros((505, 505), dtype=bool)
    wanted[200] = wanted[:, 200] = True
    assert cost(blocks_of(wanted, STANDARD)) == (2, 1_009)


def test_rectangles_are_of_origins_or_of_destinations_whichever_is_cheaper() -> None:
    wanted = np.zeros((40, 40), dtype=bool)
    for column in (3, 9):
        wanted[column : column + 30, column] = True
    for way in (wanted, wanted.T):
        assert cost(blocks_of(way, STANDARD)) == (2, 60)


def test_more_cities_than_every_cutting_is_tried_for_are_halved_first() -> None:
    size = 2 * LARGEST + 3
    blocks = whole(size, STANDARD)
    assert_once_each(blocks, np.ones((size, size), dtype=bool), STANDARD)
    assert len(blocks) < 1.02 * size * size / STANDARD.max_cells


def test_nothing_open_is_nothing_to_ask() -> None:
    assert blocks_of(np.zeros((0, 0), dtype=bool), STANDARD) == []
    assert blocks_of(np.zeros((9, 9), dtype=bool), STANDARD) == []
