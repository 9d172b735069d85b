"""The truth about roads: plausible, different both ways, and the same wherever two cities are looked at."""

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schemas.region import Region
from sources.sandbox.roads import Roads, great_circle_km
from sources.sandbox.world import World, build_world

NUMBERS = ["metres", "seconds", "free_flow_s", "historical_s", "live_s", "delay_s"]


@pytest.fixture(scope="module")
def pairs(india: Region) -> pd.DataFrame:
    """All pairs of the region, with the distance as the crow flies."""
    points = np.array([(city.latitude, city.longitude) for city in india.cities])
    apart_km = great_circle_km(points, points)[~np.eye(len(points), dtype=bool)]
    return Roads(1, india.cities).pairs().to_pandas().assign(apart_km=apart_km)


@pytest.fixture(scope="module")
def roads(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs[pairs["status"] == "ok"]


def test_every_ordered_pair_of_two_cities_is_there_once(india: Region, pairs: pd.DataFrame) -> None:
    assert len(pairs) == 504 * 503
    assert not pairs.duplicated(["origin_city_id", "destination_city_id"]).any()
    assert (pairs["origin_city_id"] != pairs["destination_city_id"]).all()
    assert set(pairs["origin_city_id"]) == {city.city_id for city in india.cities}


def test_a_quarter_of_a_million_pairs_is_drawn_in_a_moment(india: Region) -> None:
    started = time.perf_counter()
    Roads(5, india.cities).pairs()
    assert time.perf_counter() - started < 3


def test_the_same_seed_gives_the_same_roads_and_another_seed_other_ones(region: Region) -> None:
    assert Roads(1, region.cities).pairs().equals(Roads(1, region.cities).pairs())
    assert not Roads(2, region.cities).pairs().equals(Roads(1, region.cities).pairs())


def test_a_pair_has_the_same_truth_in_every_region_that_holds_it(india: Region) -> None:
    some = tuple(city for city in reversed(india.cities) if city.city_id < "in-b")
    here = Roads(1, some).pairs().to_pandas().set_index(["origin_city_id", "destination_city_id"]).sort_index()
    everywhere = Roads(1, india.cities).pairs().to_pandas().set_index(["origin_city_id", "destination_city_id"])
    assert len(here) > 1000
    pd.testing.assert_frame_equal(here, everywhere.loc[here.index])


def test_the_distance_as_the_crow_flies_is_that_of_a_sphere() -> None:
    london, paris = np.array([[51.5074, -0.1278]]), np.array([[48.8566, 2.3522]])
    assert great_circle_km(london, paris).item() == pytest.approx(343.56, abs=0.05)


def test_a_road_is_longer_than_the_crow_flies_by_a_plausible_share(roads: pd.DataFrame) -> None:
    share = roads["metres"] / 1000 / roads["apart_km"]
    assert share.min() >= 1.15
    assert (share > 1.6).mean() < 0.006
    assert share.max() < 3.5


def test_journeys_are_as_fast_as_roads_allow(roads: pd.DataFrame) -> None:
    kmh = roads["metres"] / roads["seconds"] * 3.6
    assert 35 <= kmh.min() < 42
    assert 70 < kmh.max() <= 75


def test_the_way_back_is_a_little_different_and_in_a_few_cases_much_longer(roads: pd.DataFrame) -> None:
    back = roads[["origin_city_id", "destination_city_id", "metres"]].rename(
        columns={"origin_city_id": "destination_city_id", "destination_city_id": "origin_city_id", "metres": "back"}
    )
    ratio = roads.merge(back).eval("metres / back")
    assert (ratio != 1).mean() > 0.99
    assert ratio.between(0.95, 1.05).mean() > 0.98
    assert 0.002 < (ratio > 1.5).mean() < 0.01


def test_it_takes_longer_than_by_free_flow_but_for_some_pairs(roads: pd.DataFrame) -> None:
    is_faster = roads["historical_s"] < roads["free_flow_s"]
    assert 0.01 < is_faster.mean() < 0.05


def test_delays_of_long_journeys_are_skewed_around_a_mean_of_fifty_two_minutes(roads: pd.DataFrame) -> None:
    delay_min = roads.loc[roads["apart_km"] > 500, "delay_s"] / 60
    assert delay_min.mean() == pytest.approx(52, abs=3)
    assert delay_min.median() < 0.8 * delay_min.mean()
    assert delay_min.max() > 200
    assert 0.01 < (delay_min == 0).mean() < 0.05


def test_a_delay_is_no_difference_of_the_other_times(roads: pd.DataFrame) -> None:
    late = roads[roads["delay_s"] > 60]
    for other in ("free_flow_s", "historical_s"):
        assert (late["live_s"] - late[other] == late["delay_s"]).mean() < 0.01
    assert (late["live_s"] > late["historical_s"]).all()


def test_from_an_island_no_road_leads_anywhere_and_from_everywhere_else_one_does(pairs: pd.DataFrame) -> None:
    touches = (pairs["origin_city_id"] == "in-port-blair") | (pairs["destination_city_id"] == "in-port-blair")
    assert set(pairs.loc[touches, "status"]) <= {"no_route", "map_matching"}
    assert (pairs.loc[touches, "status"] == "no_route").mean() > 0.95
    assert "no_route" not in set(pairs.loc[~touches, "status"])


def test_a_city_whose_point_lies_off_the_road_has_no_pair_with_a_road(india: Region, pairs: pd.DataFrame) -> None:
    off = pairs[pairs["status"] == "map_matching"]
    counted = pd.concat([off["origin_city_id"], off["destination_city_id"]]).value_counts()
    cities = [city.city_id for city in india.cities if counted.get(city.city_id, 0) == 2 * 503]
    assert 1 <= len(cities) <= 10
    assert (off["origin_city_id"].isin(cities) | off["destination_city_id"].isin(cities)).all()


def test_a_few_pairs_lie_out_of_the_region(pairs: pd.DataFrame) -> None:
    assert 20 < (pairs["status"] == "out_of_region").sum() < 300


def test_numbers_are_there_exactly_where_a_road_is(pairs: pd.DataFrame) -> None:
    has_road = pairs["status"] == "ok"
    assert all((pairs[number].notna() == has_road).all() for number in NUMBERS)
    assert (pairs.loc[has_road, ["metres", "seconds", "free_flow_s", "historical_s", "live_s"]] > 0).all(axis=None)


def test_the_truth_as_json_holds_the_pairs_of_a_small_region_and_counts_those_of_a_large_one(
    world: World, india: Region
) -> None:
    written = world.roads.truth()
    assert (written["pairs"], written["columns"]) == (132, world.roads.pairs().to_pydict())
    assert Roads(1, india.cities).truth() == {"pairs": 253_512, "columns": None}


def test_a_region_of_one_city_has_no_pairs(region: Region) -> None:
    alone = build_world(replace(region, cities=region.cities[:1]), seed=1)
    assert alone.roads.pairs().num_rows == 0
