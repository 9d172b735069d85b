import numpy as np
import pyarrow as pa
import pytest
from geopy.distance import geodesic
from hypothesis import example, given, settings
from hypothesis import strategies as st

from warehouse.derive.nearest import FARTHEST_STOP_M, nearest

WORLD_M = 19_000_000.0

Points = list[tuple[float, float]]


def _table(points: Points, ids: list[str] | None = None) -> pa.Table:
    return pa.table(
        {
            "stop_id": pa.array(ids or [f"s{number:03}" for number in range(len(points))], pa.string()),
            "latitude": pa.array([latitude for latitude, _ in points], pa.float64()),
            "longitude": pa.array([longitude for _, longitude in points], pa.float64()),
        }
    )


def _brute_force(point: tuple[float, float], stops: pa.Table, farthest_m: float) -> tuple[int, float] | None:
    columns = (stops[name].to_pylist() for name in ("latitude", "longitude", "stop_id"))
    all_stops = [
        (geodesic(point, (latitude, longitude)).m, stop_id, row)
        for row, (latitude, longitude, stop_id) in enumerate(zip(*columns, strict=True))
    ]
    distance, _, row = min(all_stops)
    return (row, distance) if distance <= farthest_m else None


def _assert_as_brute_force(points: Points, stops: pa.Table, farthest_m: float) -> None:
    found = nearest(_table(points), stops, farthest_m)
    for point, row, metres in zip(points, found.rows.tolist(), found.metres.tolist(), strict=True):
        expected = _brute_force(point, stops, farthest_m)
        assert (row, metres) == expected if expected else row == -1 and np.isnan(metres)


# Few places on the globe, so that stops share a point, face each other across the date line, and meet at a pole.
COARSE = st.tuples(
    st.sampled_from([-90.0, -89.999, -45.0, 0.0, 28.65, 89.999, 90.0]),
    st.sampled_from([-180.0, -179.999, -90.0, 0.0, 77.2, 90.0, 179.999, 180.0]),
)
ANYWHERE = st.tuples(st.floats(-90, 90), st.floats(-180, 180))


@settings(deadline=None)
@given(st.lists(ANYWHERE | COARSE, min_size=1, max_size=5), st.lists(ANYWHERE | COARSE, min_size=1, max_size=12))
@example([(0.0, 179.9999)], [(0.0, -179.9999), (0.0, 179.99)])
@example([(89.9999, 0.0)], [(89.9999, 180.0), (89.99, 0.0)])
@example([(-90.0, 12.0)], [(-90.0, -170.0), (-89.9, 12.0)])
@example([(0.0, 0.0)], [(0.0, 0.01), (0.01, 0.0)])
def test_the_nearest_stop_of_the_world_is_the_one_that_brute_force_finds(points: Points, stops: Points) -> None:
    _assert_as_brute_force(points, _table(stops), WORLD_M)


def test_it_is_the_one_that_brute_force_finds_among_many_stops_of_one_city() -> None:
    random = np.random.default_rng(7)
    stops = np.column_stack([random.uniform(28.4, 28.9, 400), random.uniform(76.9, 77.4, 400)]).tolist()
    points = np.column_stack([random.uniform(28.4, 28.9, 12), random.uniform(76.9, 77.4, 12)]).tolist()
    _assert_as_brute_force([tuple(point) for point in points], _table(stops), FARTHEST_STOP_M)


def test_north_is_told_from_east_where_a_sphere_would_choose_wrongly() -> None:
    # At the equator a degree of latitude is 0.7 % shorter than one of longitude.
    stops = _table([(0.0, 0.1000), (0.1002, 0.0)])
    assert nearest(_table([(0.0, 0.0)]), stops).rows.tolist() == [1]


@pytest.mark.parametrize("ids", [["b", "a", "c"], ["a", "b", "c"], ["c", "b", "a"]])
def test_of_equally_near_stops_the_smallest_id_is_taken(ids: list[str]) -> None:
    found = nearest(_table([(28.65, 77.2)]), _table([(28.6, 77.2)] * 3, ids))
    assert ids[found.rows[0]] == "a"


def test_of_two_stops_that_face_each_other_the_smaller_id_is_taken() -> None:
    found = nearest(_table([(0.0, 10.0)]), _table([(0.0, 10.01), (0.0, 9.99)], ["b", "a"]))
    assert found.rows.tolist() == [1]


def test_a_hundred_thousand_stops_at_one_point_cost_no_more_than_one() -> None:
    found = nearest(_table([(28.65, 77.2)] * 50), _table([(28.6, 77.2)] * 100_000))
    assert set(found.rows.tolist()) == {0}


def test_a_stop_at_the_very_point_is_at_no_distance() -> None:
    assert nearest(_table([(28.65, 77.2)]), _table([(28.65, 77.2)])).metres.tolist() == [0.0]


def test_a_stop_beyond_the_limit_is_no_stop() -> None:
    stop, inside, outside = (10.0, 77.0), (10.452, 77.0), (10.4522, 77.0)
    assert geodesic(stop, inside).m < FARTHEST_STOP_M < geodesic(stop, outside).m
    found = nearest(_table([inside, outside]), _table([stop]))
    assert found.rows.tolist() == [0, -1]
    assert np.isnan(found.metres[1])


def test_without_stops_or_without_places_there_is_nothing_to_find() -> None:
    assert nearest(_table([(1.0, 2.0)]), _table([])).rows.tolist() == [-1]
    assert nearest(_table([]), _table([(1.0, 2.0)])).rows.tolist() == []


@pytest.mark.parametrize("farthest_m", [0.0, -1.0, 2e7, float("nan")])
def test_a_limit_that_cannot_be_kept_is_an_error(farthest_m: float) -> None:
    with pytest.raises(ValueError, match="choose a distance in metres"):
        nearest(_table([(1.0, 2.0)]), _table([(1.0, 2.0)]), farthest_m)
