import numpy as np
import pyarrow as pa
from geopy.distance import geodesic
from hypothesis import given, settings
from hypothesis import strategies as st

from warehouse.derive.geodesy import to_space
from warehouse.derive.identity import merge_equal, merge_near, number_repeats

METRE = 1 / 110_600  # degrees of latitude near 10 N, to a thousandth


def _near(codes: list[int], points: list[tuple[float, float]], rank: list[int] | None = None, radius: float = 75.0):
    latitudes, longitudes = (np.array(values, dtype=np.float64) for values in zip(*points, strict=True))
    order = np.arange(len(codes)) if rank is None else np.array(rank)
    radii = np.full(len(codes), radius)
    return merge_near(np.array(codes), to_space(latitudes, longitudes), order, radii).tolist()


def test_rows_of_equal_code_go_into_the_one_of_lowest_rank_and_uncoded_rows_stay() -> None:
    assert merge_equal(np.array([7, 3, 7, -1, -1, 7]), np.array([2, 0, 1, 3, 4, 5])).tolist() == [2, 1, 2, 3, 4, 2]


def test_the_radius_is_a_geodesic_and_its_end_belongs_to_it() -> None:
    inside, outside = 10 + 74.9 * METRE, 10 + 75.1 * METRE
    assert geodesic((10, 77), (inside, 77)).m < 75 < geodesic((10, 77), (outside, 77)).m
    assert _near([0, 0], [(10, 77), (inside, 77)]) == [0, 0]
    assert _near([0, 0], [(10, 77), (outside, 77)]) == [0, 1]
    assert _near([0, 0], [(10, 77), (inside, 77)], radius=geodesic((10, 77), (inside, 77)).m + 1e-7) == [0, 0]


def test_another_name_never_merges_however_near() -> None:
    assert _near([0, 1], [(10, 77), (10, 77)]) == [0, 1]


def test_rows_without_code_or_point_never_merge() -> None:
    assert _near([-1, -1], [(10, 77), (10, 77)]) == [0, 1]
    assert _near([0, 0], [(10, 77), (float("nan"), 77)]) == [0, 1]


def test_a_row_of_branches_is_no_chain() -> None:
    branches = [(10 + 50 * step * METRE, 77.0) for step in range(5)]
    assert _near([0] * 5, branches) == [0, 0, 2, 2, 4]


def test_the_row_of_lower_rank_stays_wherever_it_stands() -> None:
    branches = [(10 + 50 * step * METRE, 77.0) for step in range(3)]
    assert _near([0] * 3, branches, rank=[1, 0, 2]) == [1, 1, 1]


def test_rows_meet_across_the_date_line_and_at_the_pole() -> None:
    assert _near([0, 0], [(0, 179.9999), (0, -179.9999)]) == [0, 0]
    assert _near([0, 0], [(89.9999, 0), (89.9999, 180)]) == [0, 0]


def test_rows_marked_to_stay_are_not_taken_in_but_take_in_others() -> None:
    points = to_space(np.full(3, 10.0), np.full(3, 77.0))
    stays = np.array([True, True, False])
    assert merge_near(np.zeros(3, np.int64), points, np.arange(3), np.full(3, 75.0), stays).tolist() == [0, 1, 0]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 12), st.integers(0, 3)), min_size=1, max_size=30))
def test_whoever_is_merged_is_within_the_radius_of_who_stays_and_no_two_who_stay_are(rows: list) -> None:
    codes = [code for code, _, _ in rows]
    points = [(10 + 30 * north * METRE, 77 + 30 * east * METRE) for _, north, east in rows]
    into = _near(codes, points)
    staying = [row for row, target in enumerate(into) if target == row]
    for row, target in enumerate(into):
        assert into[target] == target
        assert codes[row] == codes[target]
        assert geodesic(points[row], points[target]).m <= 75 + 1e-6
    for row in staying:
        others = [other for other in staying if other != row and codes[other] == codes[row]]
        assert all(geodesic(points[row], points[other]).m > 75 - 1e-6 for other in others)


def test_ten_thousand_rows_of_one_name_at_one_point_are_one() -> None:
    assert set(_near([0] * 10_000, [(10, 77)] * 10_000)) == {0}


def test_repeated_ids_are_numbered_by_contents_whatever_the_order_of_rows() -> None:
    ids, contents = ["a", "b", "a", "a"], ["second", "", "third", "first"]
    numbered = number_repeats(pa.array(ids), pa.table({"text": contents})).to_pylist()
    assert numbered == ["a-2", "b", "a-3", "a"]
    turned = number_repeats(pa.array(ids[::-1]), pa.table({"text": contents[::-1]})).to_pylist()
    assert turned == numbered[::-1]


def test_a_numbered_id_never_takes_an_id_that_another_row_has() -> None:
    numbered = number_repeats(pa.array(["a", "a", "a-2"]), pa.table({"text": ["1", "2", "3"]}))
    assert numbered.to_pylist() == ["a", "a-3", "a-2"]


def test_no_ids_are_numbered_without_fault() -> None:
    nothing = pa.array([], pa.string())
    assert number_repeats(nothing, pa.table({"text": nothing})).to_pylist() == []
