"""Points come back as the very numbers that were sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.tomtom.points import locations_text, points_text, read_locations, read_points

POINTS = st.tuples(st.floats(-90, 90), st.floats(-180, 180))


@given(st.lists(POINTS, min_size=1, max_size=5))
def test_the_points_of_a_matrix_come_back_digit_for_digit(points: list[tuple[float, float]]) -> None:
    assert read_points(points_text(points)) == tuple(points)


@given(POINTS, POINTS)
def test_the_points_of_a_route_come_back_digit_for_digit(
    origin: tuple[float, float], destination: tuple[float, float]
) -> None:
    assert read_locations(locations_text(origin, destination)) == (origin, destination)


def test_a_point_is_wrapped_as_the_provider_demands() -> None:
    assert points_text([(19.07283, 72.88261)]) == '[{"point":{"latitude":19.07283,"longitude":72.88261}}]'


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "[1]", '[{"latitude":1,"longitude":2}]', '[{"point":{"latitude":"1","longitude":2}}]',
     '[{"point":{"latitude":true,"longitude":2}}]', '[{"point":{"latitude":91,"longitude":2}}]',
     '[{"point":{"latitude":NaN,"longitude":2}}]', "[" * 100_000],
)  # fmt: skip
def test_any_other_text_holds_no_points(text: str) -> None:
    assert read_points(text) is None
