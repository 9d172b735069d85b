"""The report of a build that published nothing."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from schemas.rows import QUARANTINE_SCHEMA
from tests.warehouse import world
from warehouse.release.draft import Draft
from warehouse.release.errors import PublishFailed
from warehouse.report.failed import write_failed_report


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    examples = [{"source_ref": "restaurants.csv#3", "name": world.HOSTILE}, {"name": "Karim's"}]
    failed = world.check(passed=False, summary="restaurants: a key stands twice (2)", failing_rows=2, examples=examples)
    return replace(world.draft(tmp_path / "candidate"), checks=(failed, world.check(name="floors")))


def test_the_page_is_marked_failed_and_says_why(draft: Draft, tmp_path: Path) -> None:
    page = write_failed_report(tmp_path / "failed" / "run-1", draft)
    assert page == tmp_path / "failed" / "run-1" / "index.html"
    text = page.read_text()
    assert "<h1>FAILED: nothing published for toy</h1>" in text
    assert "restaurants.keys_unique (restaurants: a key stands twice (2))" in text
    assert "<script>" not in text
    report = json.loads((page.parent / "report.json").read_text())
    assert report["release"] is None
    assert report["failure"].startswith("Nothing was published. These checks stopped it: restaurants.keys_unique")


def test_the_rows_at_fault_are_a_quarantine_table(draft: Draft, tmp_path: Path) -> None:
    folder = write_failed_report(tmp_path / "failed", draft).parent
    failing = pq.read_table(folder / "failing.parquet")
    assert failing.schema.equals(QUARANTINE_SCHEMA)
    assert [(row["source"], row["source_ref"], row["code"]) for row in failing.to_pylist()] == [
        ("candidate", "restaurants.csv#3", "check:keys_unique"),
        ("candidate", "restaurants.parquet", "check:keys_unique"),
    ]
    assert json.loads(failing.to_pylist()[1]["value"]) == {"name": "Karim's"}
    assert pq.read_table(folder / "rejects.parquet").equals(world.rejects())


def test_a_table_that_cannot_be_measured_is_said_and_the_rest_is_reported(draft: Draft, tmp_path: Path) -> None:
    draft.tables["restaurants"].write_bytes(b"PAR1 torn")
    without = {name: path for name, path in draft.tables.items() if name != "city_set"} | {"flights": tmp_path / "none"}
    page = write_failed_report(tmp_path / "failed", replace(draft, tables=without, absent={}), "The disk is full.")
    report = json.loads((page.parent / "report.json").read_text())
    assert "cannot be measured" in report["absent"]["restaurants"]
    assert "cannot be measured" in report["absent"]["flights"]
    assert "transit_stops" in [table["name"] for table in report["tables"]]
    assert "The disk is full." in page.read_text()
    assert "No city was built." in page.read_text()


def test_a_build_that_came_to_nothing_at_all_has_a_report_too(draft: Draft, tmp_path: Path) -> None:
    empty = replace(draft, tables={}, absent={}, contributions=(), checks=(), quarantine={}, merges={})
    text = write_failed_report(tmp_path / "failed", empty).read_text()
    for said in ("Nothing was published.", "No table was built.", "No source contributed.", "No city was built."):
        assert said in text


def test_a_second_report_of_one_name_takes_the_place_of_the_first(draft: Draft, tmp_path: Path) -> None:
    write_failed_report(tmp_path / "failed", draft, "first")
    page = write_failed_report(tmp_path / "failed", draft, "second")
    assert "second" in page.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["candidate", "failed"]


def test_a_report_that_cannot_be_written_is_one_clear_error(draft: Draft, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PublishFailed, match="nothing was published"):
        write_failed_report(tmp_path / "file" / "failed", draft)
