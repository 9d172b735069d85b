"""What the checks say when all is well, when a table is absent, and when they cannot judge."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.tables import TABLES, UnknownTable
from tests.warehouse.quality.good_candidate import good_tables, with_account, with_cell, write_candidate
from warehouse.quality.candidate import Account, Candidate, CandidateError
from warehouse.quality.checks import check_specs, run_checks
from warehouse.quality.results import CheckResult


def _by_name(candidate: Candidate, table: str, *names: str) -> dict[str, CheckResult]:
    return {result.name: result for result in run_checks(candidate, table, names or None)}


def _without(folder: Path, *tables: str) -> Candidate:
    """The good candidate less some tables, which are declared absent."""
    kept = {name: rows for name, rows in good_tables().items() if name not in tables}
    return write_candidate(folder, kept)


def test_specs_are_known_without_the_validation_library() -> None:
    code = (
        "import sys; from warehouse.quality.checks import check_specs; check_specs('restaurants'); "
        "sys.exit('great_expectations' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_results_come_in_the_order_of_the_specs_also_when_only_some_are_asked_for(good: Candidate) -> None:
    asked = ["rows_accounted", "columns", "keys_unique"]

    results = run_checks(good, "buses", asked)

    assert [result.name for result in results] == ["columns", "keys_unique", "rows_accounted"]


def test_a_check_or_table_that_does_not_exist_names_the_choices(good: Candidate) -> None:
    with pytest.raises(ValueError, match=r"buses has no check keys; choose from present, columns"):
        run_checks(good, "buses", ["keys"])
    with pytest.raises(UnknownTable, match="choose one of"):
        check_specs("hotels")


def test_warnings_do_not_block_and_all_else_does() -> None:
    specs = {(spec.name, spec.is_blocking) for table in TABLES for spec in check_specs(table)}

    assert {name for name, is_blocking in specs if not is_blocking} == {
        "name_substring",
        "cost_by_tier",
        "asymmetric_roads",
        "ratings_add_up",
        "stop_coverage",
    }


def test_an_absent_table_runs_no_check_but_says_that_it_is_absent(tmp_path: Path) -> None:
    candidate = _without(tmp_path, "buses")

    (result,) = run_checks(candidate, "buses")

    assert (result.name, result.passed) == ("present", True)
    assert "absent: no source contributed" in result.summary


def test_a_region_that_demands_the_whole_contract_forbids_an_absent_table(tmp_path: Path) -> None:
    (result,) = run_checks(replace(_without(tmp_path, "buses"), is_complete=True), "buses")

    assert not result.passed
    assert "demands the whole contract" in result.summary


def test_no_release_is_without_its_cities(tmp_path: Path) -> None:
    (result,) = run_checks(Candidate(tmp_path, absent={"city_set": "none asked for"}), "city_set")

    assert not result.passed


def test_a_rule_that_needs_an_absent_table_says_that_it_did_not_run(tmp_path: Path) -> None:
    candidate = _without(tmp_path, "airports")

    result = _by_name(candidate, "flights", "references")["references"]

    assert result.passed
    assert "OriginAirport, OriginCityName was not looked up: airports is absent" in result.summary


def test_a_visible_row_refers_to_visible_rows_only_and_a_hidden_one_to_any(tmp_path: Path) -> None:
    candidate = write_candidate(tmp_path)
    cities = with_cell(good_tables()["city_set"], 1, "evaluator_visible", False)
    pq.write_table(cities, candidate.path("city_set"))

    visible_in_nagpur = _by_name(candidate, "buses", "references")["references"]
    hidden_in_nagpur = _by_name(candidate, "restaurants", "references")["references"]

    assert (visible_in_nagpur.passed, visible_in_nagpur.failing_rows) == (False, 2)
    assert hidden_in_nagpur.passed


def test_a_stop_of_a_place_whose_table_is_absent_leads_nowhere(tmp_path: Path) -> None:
    candidate = _without(tmp_path, "restaurants")

    assert _by_name(candidate, "poi_nearest_stops", "references")["references"].failing_rows == 3


@pytest.mark.parametrize("content", [None, b"", b"PAR1 no parquet", b"PAR1" + bytes(64) + b"PAR1"])
def test_a_file_that_cannot_be_read_fails_every_check(tmp_path: Path, content: bytes | None) -> None:
    candidate = write_candidate(tmp_path)
    candidate.path("buses").unlink()
    if content is not None:
        candidate.path("buses").write_bytes(content)

    results = run_checks(candidate, "buses")

    assert len(results) == len(check_specs("buses"))
    for result in results:
        # Without a floor for buses there is nothing that `floors` would have to read.
        assert result.passed == (result.name == "floors")
        assert result.could_not_run != result.passed
        assert result.passed or "buses.parquet" in result.summary


def test_a_missing_column_is_told_apart_from_a_wrong_value(tmp_path: Path) -> None:
    candidate = write_candidate(tmp_path)
    pq.write_table(good_tables()["restaurants"].drop_columns(["rating"]), candidate.path("restaurants"))

    results = _by_name(candidate, "restaurants")

    assert "columns missing: rating (1)" in results["columns"].summary
    assert not results["columns"].could_not_run
    assert results["values"].could_not_run
    assert 'column "rating"' in results["values"].summary
    assert results["values"].failing_rows == 0
    assert results["visibility"].could_not_run
    assert "restaurants.parquet has no column 'rating'" in results["visibility"].summary
    assert results["keys_unique"].passed


def test_a_column_in_another_case_is_missing_and_is_not_read_in_its_place(tmp_path: Path) -> None:
    rows = good_tables()["events"]
    candidate = write_candidate(tmp_path)
    pq.write_table(rows.drop_columns(["City"]), candidate.path("events"))

    results = _by_name(candidate, "events")

    assert "columns missing: City" in results["columns"].summary
    assert results["references"].could_not_run
    assert results["keys_unique"].could_not_run


def test_a_column_of_another_type_could_not_be_judged(tmp_path: Path) -> None:
    rows = good_tables()["restaurants"]
    number = rows.schema.get_field_index("rating")
    candidate = write_candidate(tmp_path)
    pq.write_table(rows.set_column(number, "rating", rows["rating"].cast(pa.string())), candidate.path("restaurants"))

    results = _by_name(candidate, "restaurants")

    assert "column rating has the type string instead of double" in results["columns"].summary
    assert results["values"].could_not_run


@pytest.mark.parametrize("table", TABLES)
def test_a_table_without_rows_is_no_error_of_its_own(tmp_path: Path, table: str) -> None:
    candidate = write_candidate(tmp_path)
    pq.write_table(good_tables()[table].slice(0, 0), candidate.path(table))
    candidate = with_account(replace(candidate, floors={}), table, rows_in=0, kept=0, merged=0, quarantined=0)

    failed = [result.name for result in run_checks(candidate, table) if not result.passed]

    # Without pairs the cities are not connected, and without rows the places have no stop.
    assert failed == {"distance_matrix": ["invariants"], "poi_nearest_stops": ["stop_coverage"]}.get(table, [])


@pytest.mark.parametrize(
    ("table", "floor", "limit", "says"),
    [
        ("restaurants", "min_rows", 5, "rows: 4, where the region demands at least 5"),
        ("restaurants", "min_visible", 4, "rows that the evaluator sees: 3"),
        ("restaurants", "min_cities", 3, "cities in visible rows: 2"),
        ("restaurants", "min_states", 3, "states of the cities in visible rows: 2"),
        ("restaurants", "max_quarantined_share", 0.1, "quarantined share of the rows read: 0.166667"),
        ("flights", "min_cities", 4, "cities in visible rows: 3"),
        ("flights", "min_pairs", 3, "ordered pairs of cities in visible rows: 2"),
        ("distance_matrix", "min_pairs", 7, "ordered pairs of cities in visible rows: 6"),
    ],
)
def test_each_floor_says_what_was_measured(good: Candidate, table: str, floor: str, limit: float, says: str) -> None:
    broken = _by_name(replace(good, floors={table: {floor: limit}}), table, "floors")["floors"]
    step = 0.1 if floor.startswith("max_") else -1
    kept = _by_name(replace(good, floors={table: {floor: limit + step}}), table, "floors")["floors"]

    assert says in broken.summary
    assert not broken.passed
    assert kept.passed


def test_a_floor_that_a_table_cannot_have_names_the_choices(tmp_path: Path) -> None:
    with pytest.raises(CandidateError, match="floors of restaurants: no floor 'min_pairs'; choose one of min_rows"):
        Candidate(tmp_path, floors={"restaurants": {"min_pairs": 3}})
    with pytest.raises(CandidateError, match="floors names no table: 'hotels'; choose one of accommodations"):
        Candidate(tmp_path, floors={"hotels": {"min_rows": 3}})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"merged": 2}, "5 rows in, but 3 kept + 2 merged + 1 quarantined = 6"),
        ({"kept": 2, "merged": 2}, "2 rows kept, but 3 are in the file"),
    ],
)
def test_rows_that_left_by_no_door_or_by_two_are_seen(good: Candidate, changes: dict[str, int], says: str) -> None:
    result = _by_name(with_account(good, "attractions", **changes), "attractions", "rows_accounted")["rows_accounted"]

    assert says in result.summary


def test_rows_of_a_source_without_an_account_are_seen(good: Candidate) -> None:
    others = tuple(one for one in good.accounts if one.table != "attractions")
    strangers = replace(good, accounts=(*others, Account("attractions", "other", 1, 0, 0, 1)))

    result = _by_name(strangers, "attractions", "rows_accounted")["rows_accounted"]

    assert "source own_attractions: 3 rows in the file, but no account of it" in result.summary
