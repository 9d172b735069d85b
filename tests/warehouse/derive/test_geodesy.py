import numpy as np
import pytest
from geopy.distance import geodesic, great_circle
from hypothesis import given, settings
from hypothesis import strategies as st

from warehouse.derive.geodesy import geodesic_m, great_circle_km, longest_geodesic_m, to_space

LATITUDES = st.floats(-90, 90)
LONGITUDES = st.floats(-180, 180)


def _chord(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    points = to_space(np.array([latitude, other_latitude]), np.array([longitude, other_longitude]))
    return float(np.linalg.norm(points[0] - points[1]))


@settings(deadline=None)
@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_no_geodesic_is_shorter_than_its_chord_or_longer_than_the_bound(a: float, b: float, c: float, d: float) -> None:
    chord, exact = _chord(a, b, c, d), geodesic((a, b), (c, d)).m
    assert chord <= exact + 1e-6
    if exact < 19_900_000:
        assert exact <= float(longest_geodesic_m(np.array([chord]))[0]) + 1e-6


@settings(deadline=None)
@given(LATITUDES, LONGITUDES, st.floats(-0.004, 0.004), st.floats(-0.004, 0.004))
def test_up_to_half_a_kilometre_the_chord_is_the_geodesic_to_a_thousandth_of_a_millimetre(
    latitude: float, longitude: float, north: float, east: float
) -> None:
    other = min(90.0, max(-90.0, latitude + north)), longitude + east
    exact = geodesic((latitude, longitude), other).m
    assert _chord(latitude, longitude, *other) == pytest.approx(exact, abs=1e-6)


def test_the_bound_is_tight_where_the_ellipsoid_bends_most() -> None:
    chord = _chord(-1, 10, 1, 10)
    bound = float(longest_geodesic_m(np.array([chord]))[0])
    assert bound - geodesic((-1, 10), (1, 10)).m < 0.01


def test_the_exact_distance_is_that_of_geopy_in_metres() -> None:
    assert geodesic_m(28.65195, 77.23149, 12.97194, 77.59369) == geodesic((28.65195, 77.23149), (12.97194, 77.59369)).m
    assert geodesic_m(0, 0, 0, 1) == pytest.approx(111_319.4908, abs=1e-4)


@settings(deadline=None)
@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_great_circles_are_those_of_geopy(a: float, b: float, c: float, d: float) -> None:
    ours = float(great_circle_km(np.array([a]), np.array([b]), np.array([c]), np.array([d]))[0])
    assert ours == pytest.approx(great_circle((a, b), (c, d)).km, rel=1e-9, abs=1e-9)
