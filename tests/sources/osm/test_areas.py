"""Where is asked: boxes of a grid that hangs on the globe."""

import math
from pathlib import Path

import pytest
from geopy.distance import geodesic
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.region import City, load_region
from sources.osm.areas import REACH_KM, SMALLEST_DEPTH, Box, boxes_around, is_smallest
from warehouse.derive.nearest import FARTHEST_STOP_M
from warehouse.derive.places import FARTHEST_FROM_CITY_KM

REGIONS = Path(__file__).resolve().parents[3] / "pipeline" / "regions"


def city(latitude: float, longitude: float) -> City:
    return City("xx-one", 1, "One", "State", latitude, longitude, 1, "UTC", (), False)


def holds(box: Box, latitude: float, longitude: float) -> bool:
    is_in_rows = box.south <= latitude <= box.south + box.size
    return is_in_rows and box.west <= longitude <= box.west + box.size


def test_every_stop_that_a_place_of_a_city_may_get_lies_within_reach() -> None:
    assert REACH_KM >= FARTHEST_FROM_CITY_KM + FARTHEST_STOP_M / 1000


@settings(max_examples=300, deadline=None)
@given(
    st.floats(-90, 90), st.floats(-180, 180), st.floats(0, 360), st.floats(0, REACH_KM, exclude_max=True)
)  # fmt: skip
def test_every_point_within_reach_lies_in_a_box(latitude: float, longitude: float, bearing: float, km: float) -> None:
    there = geodesic(kilometers=km).destination((latitude, longitude), bearing)
    boxes = boxes_around([city(latitude, longitude)])
    assert any(holds(box, there.latitude, there.longitude) for box in boxes)


def test_boxes_of_a_city_end_little_beyond_its_reach() -> None:
    boxes = boxes_around([city(21.5, 79.5)])
    assert len(boxes) == 9
    assert len(boxes_around([city(21.5, 79.5)], reach_km=10)) == 1


@pytest.mark.parametrize("longitude", [-180.0, 179.95, 180.0])
def test_at_the_date_line_the_boxes_go_on_on_the_other_side(longitude: float) -> None:
    wests = {box.west for box in boxes_around([city(0.5, longitude)], reach_km=60)}
    assert {-180.0, 179.0} <= wests
    assert all(-180 <= west < 180 for west in wests)


def test_around_a_pole_all_longitudes_are_asked_and_no_latitude_beyond() -> None:
    boxes = boxes_around([city(-89.9, 10)])
    assert {box.west for box in boxes} == set(map(float, range(-180, 180)))
    assert {box.south for box in boxes} == {-90.0, -89.0}


def test_two_cities_do_not_ask_twice_and_a_new_city_changes_no_box() -> None:
    one, two = city(21.1, 79.1), city(21.4, 79.6)
    alone, both = boxes_around([one]), boxes_around([one, two])
    assert len(both) == len(set(both))
    assert set(alone) <= set(both)
    assert both == boxes_around([two, one])


def test_all_of_india_takes_fewer_calls_than_it_has_cities() -> None:
    cities = load_region(REGIONS / "india").cities
    assert len(boxes_around(cities)) < len(cities)


def test_an_id_is_south_west_north_east() -> None:
    assert Box(12, 77).id == "12,77,13,78"
    assert Box(-1, -1).id == "-1,-1,0,0"
    assert Box(12, 100).id == "12,100,13,101"
    assert Box(12.0, 77.0, 1).quarters()[3].id == "12.25,77.25,12.5,77.5"


def test_quarters_fill_their_box_to_a_smallest_depth() -> None:
    boxes = [Box(-13, 179)]
    for depth in range(SMALLEST_DEPTH):
        boxes = [quarter for box in boxes for quarter in box.quarters()]
        assert len({box.id for box in boxes}) == 4 ** (depth + 1)
        assert math.isclose(sum(box.size**2 for box in boxes), 1.0)
    assert min(box.south for box in boxes) == -13
    assert max(box.south + box.size for box in boxes) == -12
    assert max(box.west + box.size for box in boxes) == 180
    assert boxes[0].quarters() == ()


def test_only_the_id_of_a_box_without_quarters_is_that_of_a_smallest_box() -> None:
    box = Box(-13, 179)
    for _ in range(SMALLEST_DEPTH):
        assert not is_smallest(box.id)
        box = box.quarters()[0]
    assert is_smallest(box.id)
    for text in ("", "in-mumbai", "1,2,3", "a,b,c,d", "1,2,3,4,5"):
        assert not is_smallest(text)
