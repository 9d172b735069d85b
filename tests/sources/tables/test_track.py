"""The track rule: no crow flies farther between two stations than the track is long."""

import numpy as np
import pytest
from geopy.distance import geodesic
from hypothesis import given
from hypothesis import strategies as st

from sources.tables.track import MOST_STATIONS, LineTooLong, Stations, off_track

NAN = float("nan")


def line(*points: tuple[float, float, float], number: int = 0) -> Stations:
    """Stations of one line from (latitude, longitude, km)."""
    latitude, longitude, km = (np.array(values, float) for values in zip(*points, strict=True))
    return Stations(np.full(len(points), number), latitude, longitude, km)


def both(one: Stations, other: Stations) -> Stations:
    return Stations(*(np.concatenate(pair) for pair in zip(one, other, strict=True)))


# Stations about 1.1 km apart along a meridian, with a track that winds a little.
STRAIGHT = [(28.60 + 0.01 * stop, 77.20, 1.3 * stop) for stop in range(8)]


def test_a_line_whose_points_fit_its_posts_loses_no_station() -> None:
    assert off_track(line(*STRAIGHT), 0.5).tolist() == []


def test_a_station_whose_latitude_was_copied_into_its_longitude_is_found() -> None:
    points = list(STRAIGHT)
    points[4] = (28.64, 28.64, points[4][2])
    assert off_track(line(*points), 0.5).tolist() == [4]


def test_two_stations_with_swapped_points_are_found_and_their_neighbours_stay() -> None:
    points = list(STRAIGHT)
    points[1], points[6] = (*points[6][:2], points[1][2]), (*points[1][:2], points[6][2])
    assert off_track(line(*points), 0.5).tolist() == [1, 6]


def test_a_wrong_post_is_found_as_a_wrong_point_is() -> None:
    points = list(STRAIGHT)
    points[7] = (*points[7][:2], 0.0)
    assert off_track(line(*points), 0.5).tolist() == [7]


def test_of_two_stations_that_contradict_each_other_alone_the_later_one_goes() -> None:
    assert off_track(line((28.0, 77.0, 0), (29.0, 77.0, 10)), 1).tolist() == [1]


def test_a_point_that_is_off_by_less_than_the_slack_proves_nothing() -> None:
    points = [(28.60, 77.20, 0.0), (28.62, 77.20, 1.5)]
    apart = geodesic(points[0][:2], points[1][:2]).km
    assert off_track(line(*points), apart - 1.5 + 1e-6).tolist() == []
    assert off_track(line(*points), apart - 1.5 - 1e-6).tolist() == [1]


def test_lines_are_judged_apart() -> None:
    here, there = line(*STRAIGHT), line(*((19 + lat - 28, lon, km) for lat, lon, km in STRAIGHT), number=1)
    assert off_track(both(here, there), 0.5).tolist() == []
    assert len(off_track(both(here, there._replace(line=here.line)), 0.5)) == 8


def test_stations_without_line_point_or_post_are_not_judged() -> None:
    points = [*STRAIGHT, (NAN, 77.2, 1), (28.6, NAN, 1), (60.0, 77.2, NAN)]
    stations = line(*points, (60.0, 10.0, 3.0))
    stations.line[-1] = -1
    assert off_track(stations, 0.5).tolist() == []


def test_no_stations_are_no_error() -> None:
    nothing = np.zeros(0)
    assert off_track(Stations(nothing.astype(int), nothing, nothing, nothing), 1).tolist() == []


def test_a_column_that_is_no_line_is_refused_before_it_fills_the_memory() -> None:
    count = MOST_STATIONS + 1
    with pytest.raises(LineTooLong, match="is its column the line"):
        off_track(Stations(np.zeros(count, int), np.zeros(count), np.zeros(count), np.zeros(count)), 1)


_POINTS = st.lists(
    st.tuples(st.floats(-89, 89), st.floats(-180, 180), st.floats(0, 20000)), min_size=2, max_size=7, unique=True
)


@given(_POINTS, st.floats(0, 100))
def test_what_is_left_never_flies_farther_than_its_track_and_nothing_more_is_taken(
    points: list[tuple[float, float, float]], slack_km: float
) -> None:
    taken = set(off_track(line(*points), slack_km).tolist())

    def contradict(a: int, b: int) -> bool:
        flown = geodesic(points[a][:2], points[b][:2]).km
        return bool(flown > abs(points[a][2] - points[b][2]) + slack_km)

    left = [place for place in range(len(points)) if place not in taken]
    assert not any(contradict(a, b) for a in left for b in left if a < b)
    assert all(any(contradict(place, other) for other in range(len(points)) if other != place) for place in taken)
