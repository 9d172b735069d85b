"""Warnings tell and never block."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from tests.warehouse.quality.good_candidate import good_tables, rows_of, with_cell, write_candidate
from warehouse.quality.checks import run_checks
from warehouse.quality.results import CheckResult
from warehouse.quality.warnings import _parts


def _warning(folder: Path, table: str, rows: pa.Table, name: str) -> CheckResult:
    candidate = write_candidate(folder)
    pq.write_table(rows, candidate.path(table))
    (result,) = run_checks(candidate, table, [name])
    assert not result.is_blocking
    return result


def test_a_name_that_is_part_of_another_of_its_city_is_told(tmp_path: Path) -> None:
    rows = with_cell(good_tables()["restaurants"], 1, "name", "hotel")

    result = _warning(tmp_path, "restaurants", rows, "name_substring")

    assert not result.passed
    assert result.examples == [{"City": "Jaipur", "name": "hotel", "part_of": "Hotel Mewar"}]


def test_a_name_that_is_part_of_a_name_elsewhere_or_of_a_hidden_one_is_no_danger(tmp_path: Path) -> None:
    rows = with_cell(good_tables()["restaurants"], 2, "name", "Hotel")
    rows = with_cell(rows, 1, "name", "Haldi")

    assert _warning(tmp_path, "restaurants", rows, "name_substring").passed


@given(st.sets(st.text("ab ", min_size=1, max_size=6), max_size=12))
def test_parts_are_those_that_a_comparison_of_all_pairs_finds(names: set[str]) -> None:
    pairs = {part for part in names for whole in names if part != whole and part in whole}

    assert set(_parts(names)) == pairs


def test_observed_costs_that_fall_as_the_tier_rises_are_told(tmp_path: Path) -> None:
    first = good_tables()["restaurants"].to_pylist()[2]
    dear = first | {"name": "Tea Stall", "place_id": "own:9", "price_tier": 1, "avg_cost": 351.0}
    rows = pa.concat_tables([good_tables()["restaurants"], rows_of("restaurants", [dear])])

    result = _warning(tmp_path, "restaurants", rows, "cost_by_tier")

    assert (result.passed, result.failing_rows) == (False, 1)
    assert result.examples[0]["name"] == "Kashi Art Cafe"


def test_a_rating_whose_counts_do_not_add_up_is_told(tmp_path: Path) -> None:
    good = good_tables()["flight_ratings"]

    result = _warning(tmp_path, "flight_ratings", with_cell(good, 0, "late", 8), "ratings_add_up")

    assert (result.passed, result.failing_rows) == (False, 1)
    assert result.examples[0]["Flight Number"] == "6E-91"
    assert _warning(tmp_path, "flight_ratings", good, "ratings_add_up").passed


def test_a_road_back_that_is_half_as_long_again_is_told(tmp_path: Path) -> None:
    rows = with_cell(good_tables()["distance_matrix"], 1, "distance_km", 1336.0)

    result = _warning(tmp_path, "distance_matrix", rows, "asymmetric_roads")

    assert (result.passed, result.failing_rows) == (False, 1)


def test_a_drive_back_that_takes_half_as_long_again_is_told(tmp_path: Path) -> None:
    rows = with_cell(good_tables()["road_delay"], 1, "historical_travel_time_min", 1419.0)

    result = _warning(tmp_path, "road_delay", rows, "asymmetric_roads")

    assert (result.passed, result.failing_rows) == (False, 1)
    assert (result.examples[0]["origin"], result.examples[0]["destination"]) == ("Nagpur", "Jaipur")


def test_places_without_a_stop_are_told(tmp_path: Path) -> None:
    rows = good_tables()["poi_nearest_stops"].slice(0, 6)

    result = _warning(tmp_path, "poi_nearest_stops", rows, "stop_coverage")

    assert (result.passed, result.failing_rows) == (False, 1)
    assert "6 of 7 visible places have a stop, where 99% should" in result.summary
