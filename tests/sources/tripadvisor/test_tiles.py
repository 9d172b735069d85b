"""Circles around a city, and their four parts."""

import math

import pytest
from geopy.distance import great_circle
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.tripadvisor.tiles import Tile


def km(tile: Tile, latitude: float, longitude: float) -> float:
    return float(great_circle((tile.latitude, tile.longitude), (latitude, longitude)).km)


@settings(max_examples=200, deadline=None)
@given(st.floats(6, 37), st.floats(68, 97), st.floats(-1, 1), st.floats(-1, 1))
def test_the_parts_leave_no_gap_in_the_square_of_the_whole(
    latitude: float, longitude: float, up: float, right: float
) -> None:
    whole = Tile(latitude, longitude, 20)
    side_degrees = 20 / math.sqrt(2) / 111.2
    there = latitude + up * side_degrees, longitude + right * side_degrees / math.cos(math.radians(latitude))
    parts = whole.quarters(1)
    assert min(km(part, *there) for part in parts) <= 10 * 1.01
    smaller = [part for quarter in parts for part in quarter.quarters(1)]
    assert min(km(part, *there) for part in smaller) <= 5 * 1.01


def test_parts_end_at_the_smallest_circle() -> None:
    assert len(Tile(12.97, 77.59, 2).quarters(1)) == 4
    assert Tile(12.97, 77.59, 1.99).quarters(1) == ()


def test_circles_are_written_as_the_provider_takes_them() -> None:
    tile = Tile(12.971940000001, 77.5, 2.5)
    assert (tile.center, tile.radius) == ("12.97194,77.5", "2.5")
    assert Tile(-0.000001, 20, 20).center == "0,20"


@pytest.mark.parametrize(("latitude", "longitude"), [(0, 179.99), (0, -180), (90, 0), (-89.99, 10)])
def test_parts_stay_on_the_globe(latitude: float, longitude: float) -> None:
    for part in Tile(latitude, longitude, 20).quarters(1):
        assert -90 <= part.latitude <= 90
        assert -180 <= part.longitude <= 180
