"""Publishing: what is written, when nothing is, and what is refused."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.tables import TABLES
from tests.warehouse import world
from warehouse.release import store
from warehouse.release.errors import DamagedRelease, PublishFailed, RefusedDraft
from warehouse.release.publish import publish
from warehouse.release.store import Release

TOMORROW = world.BUILT_AT + timedelta(days=1)


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    return tmp_path / "releases"


@pytest.fixture
def first(releases: Path, tmp_path: Path) -> Release:
    return publish(releases, world.draft(tmp_path / "candidate"))


def _other(tmp_path: Path, **changes: Any) -> Any:
    """A draft with one restaurant less."""
    folder = tmp_path / "other"
    brought = world.contribution(rows_in=10, kept=6)
    rows = {"restaurants": world.restaurants().slice(1)}
    return world.draft(folder, rows=rows, contributions=(brought,), **changes)


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_release_holds_tables_quarantine_report_package_and_manifest(first: Release, releases: Path) -> None:
    assert first.is_new
    assert re.fullmatch(r"toy-20260314-[0-9a-f]{8}", first.id)
    assert _names(releases) == ["CURRENT", first.id]
    assert (releases / "CURRENT").read_text() == f"{first.id}\n"
    found = {path.relative_to(first.folder).as_posix() for path in first.folder.rglob("*") if path.is_file()}
    assert found == {
        "manifest.json", "manifest.sha256", "datapackage.json", "report/index.html", "report/report.json",
        "quarantine/rejects.parquet", "quarantine/merges.parquet", "quarantine/unmapped.parquet",
        "tables/city_set.parquet", "tables/restaurants.parquet", "tables/transit_stops.parquet",
        "tables/poi_nearest_stops.parquet", "tables/distance_matrix.parquet",
    }  # fmt: skip
    assert pq.read_table(first.folder / "tables" / "restaurants.parquet").equals(world.restaurants())
    assert pq.read_table(first.folder / "quarantine" / "rejects.parquet").equals(world.rejects())


def test_the_manifest_counts_rows_by_what_became_of_them(first: Release) -> None:
    document = json.loads((first.folder / "manifest.json").read_text())
    table = document["tables"]["restaurants"]
    assert table["rows_total"] == 7
    assert table["rows_evaluator_visible"] == 5
    assert table["rows_quarantined"] == 3
    assert table["rows_uncertainty_enriched"] == 1
    assert table["observed"] == {"oldest": "2018-01-01", "newest": "2018-01-07", "unknown_rows": 0}
    assert table["sources"] == ["eateries"]
    cities = document["tables"]["city_set"]
    assert cities["observed"] == {"oldest": None, "newest": None, "unknown_rows": cities["rows_total"]}
    assert document["tables_absent"]["flights"] == "no mapping brings flights"
    assert {*document["tables"], *document["tables_absent"]} == {*TABLES}
    assert document["units"]["Distance"] == "km"
    assert document["checks"] == {"restaurants.keys_unique": "passed", "restaurants.name_substring": "warning"}
    assert document["origins"][0]["rows_quarantined"] == {"not_a_number": 1, "torn_row": 2}
    assert document["origins"][0]["may_be_public"] is False
    assert document["previous"] is None
    assert document["created_at"] == "2026-03-14T09:30:00+00:00"


def test_what_was_unmapped_is_a_table_of_the_quarantine(first: Release) -> None:
    rows = pq.read_table(first.folder / "quarantine" / "unmapped.parquet").to_pylist()
    assert rows[0] == {"source": "eateries", "map": "cities", "term": "Atlantis", "rows": 1}
    assert len(rows) == 3


def test_the_package_lists_the_files_that_are_there_and_no_others(first: Release) -> None:
    package = json.loads((first.folder / "datapackage.json").read_text())
    assert {resource["path"] for resource in package["resources"]} == {
        entry.file for entry in first.manifest.tables.values()
    }
    assert all((first.folder / resource["path"]).is_file() for resource in package["resources"])


def test_the_same_data_on_another_day_are_nothing_new(first: Release, releases: Path, tmp_path: Path) -> None:
    again = publish(releases, world.draft(tmp_path / "again", built_at=TOMORROW, code_version="9.9"))
    assert not again.is_new
    assert again.id == first.id
    assert _names(releases) == ["CURRENT", first.id]


def test_the_same_data_on_another_machine_have_the_same_hash_and_table_bytes(first: Release, tmp_path: Path) -> None:
    elsewhere = publish(tmp_path / "elsewhere", world.draft(tmp_path / "again", built_at=TOMORROW))
    assert elsewhere.content_hash == first.content_hash
    assert elsewhere.id == first.id.replace("20260314", "20260315")
    for folder in ("tables", "quarantine"):
        for path in (first.folder / folder).iterdir():
            assert path.read_bytes() == (elsewhere.folder / folder / path.name).read_bytes(), path.name


@pytest.mark.parametrize(
    "changes",
    [
        {"audience": "public"},
        {"origin": "sandbox"},
        {"region": "other"},
        {"quarantine": {}},
        {"merges": {}},
        {"absent": {name: "another reason" for name in TABLES if name not in world.TABLES_HELD}},
        {"contributions": (world.contribution(unused_columns=()),)},
        {"contributions": (world.contribution(unmapped={}),)},
        {"contributions": (world.contribution(title="Renamed"),)},
    ],
)
def test_whatever_is_said_of_the_data_is_part_of_the_content(
    first: Release, releases: Path, tmp_path: Path, changes: dict[str, Any]
) -> None:
    other = publish(releases, world.draft(tmp_path / "again", **changes))
    assert other.is_new
    assert other.content_hash != first.content_hash
    assert other.manifest.previous == first.id


def test_a_sandbox_release_says_so_in_its_id(tmp_path: Path) -> None:
    made_up = publish(tmp_path / "releases", world.draft(tmp_path / "candidate", origin="sandbox"))
    assert made_up.id.startswith("toy-sandbox-20260314-")


def test_other_data_become_a_release_that_names_the_one_before(first: Release, releases: Path, tmp_path: Path) -> None:
    second = publish(releases, _other(tmp_path))
    assert second.is_new
    assert second.manifest.previous == first.id
    assert store.current_id(releases) == second.id
    assert store.verify(releases, first.id) == store.verify(releases, second.id) == ()


def test_going_back_to_earlier_data_on_the_same_day_takes_the_release_that_holds_them(
    first: Release, releases: Path, tmp_path: Path
) -> None:
    publish(releases, _other(tmp_path))
    back = publish(releases, world.draft(tmp_path / "again"))
    assert (back.id, back.is_new) == (first.id, False)
    assert store.current_id(releases) == first.id


def test_a_damaged_current_release_is_not_taken_for_the_same_data(
    first: Release, releases: Path, tmp_path: Path
) -> None:
    (first.folder / "report" / "index.html").write_text("gone")
    with pytest.raises(DamagedRelease, match="move that folder away"):
        publish(releases, world.draft(tmp_path / "again"))
    healed = publish(releases, world.draft(tmp_path / "again", built_at=TOMORROW))
    assert healed.is_new
    assert store.verify(releases) == ()


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("text", ["", "toy-20260314-00000000\n", "../elsewhere\n", "toy"])
def test_a_current_that_names_no_release_is_mended_by_the_next_publish(
    releases: Path, tmp_path: Path, text: str
) -> None:
    (releases / "CURRENT").write_text(text)
    assert publish(releases, _other(tmp_path)).is_new
    assert store.verify(releases) == ()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"checks": (world.check(passed=False, summary="key twice"),)}, "keys_unique: key twice"),
        ({"checks": (world.check(passed=False, could_not_run=True, summary="no file"),)}, "no file"),
        ({"contributions": (world.contribution(kept=8),)}, "eateries: 11 rows in, 12 accounted for"),
        ({"absent": {}}, "table flights must be either given or absent"),
        ({"built_at": world.BUILT_AT.replace(tzinfo=None)}, "no time zone"),
    ],
)
def test_a_draft_that_fails_or_contradicts_itself_is_refused_and_nothing_changes(
    first: Release, releases: Path, tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(RefusedDraft, match=re.escape(said)):
        publish(releases, world.draft(tmp_path / "other", **changes))
    assert _names(releases) == ["CURRENT", first.id]
    assert store.current_id(releases) == first.id


def test_an_undeclared_table_is_refused(releases: Path, tmp_path: Path) -> None:
    draft = world.draft(tmp_path / "candidate")
    strange = {**draft.tables, "moons": draft.tables["city_set"]}
    with pytest.raises(RefusedDraft, match="table 'moons' is not declared"):
        publish(releases, world.draft(tmp_path / "candidate", tables=strange))


def _without(name: str) -> pa.Table:
    return world.restaurants().drop_columns([name])


def _typed(name: str, kind: pa.DataType) -> pa.Table:
    rows = world.restaurants()
    return rows.set_column(rows.schema.get_field_index(name), name, rows[name].cast(kind))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (_without("rating"), "rating is absent"),
        (_typed("price_tier", pa.int64()), "price_tier is int64, not int8"),
        (world.restaurants().select([*reversed(world.restaurants().column_names)]), "their order"),
    ],
)
def test_a_table_of_another_schema_is_refused(releases: Path, tmp_path: Path, rows: pa.Table, said: str) -> None:
    with pytest.raises(RefusedDraft, match=said):
        publish(releases, world.draft(tmp_path / "candidate", rows={"restaurants": rows}))
    assert _names(releases) == []


def test_a_table_file_that_is_torn_is_refused(releases: Path, tmp_path: Path) -> None:
    draft = world.draft(tmp_path / "candidate")
    path = draft.tables["restaurants"]
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RefusedDraft, match=r"restaurants\.parquet"):
        publish(releases, draft)


@pytest.mark.usefixtures("first")
def test_what_a_killed_publish_left_is_removed_by_the_next_one(releases: Path, tmp_path: Path) -> None:
    (releases / ".staging-toy" / "tables").mkdir(parents=True)
    (releases / ".staging-toy" / "tables" / "half.parquet").write_bytes(b"PAR1")
    (releases / ".staging-CURRENT").write_text("toy-2026")
    publish(releases, _other(tmp_path))
    assert not [name for name in _names(releases) if name.startswith(".")]


@contextmanager
def _no_rights() -> Iterator[None]:
    """As somebody who owns nothing here: root may write anywhere, whatever the permissions."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_revoked_permission_leaves_current_and_one_clear_error() -> None:
    # pytest's own folders may be entered by their owner alone.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        releases = folder / "releases"
        first = publish(releases, world.draft(folder / "candidate"))
        other = _other(folder)
        releases.chmod(0o555)
        try:
            with _no_rights(), pytest.raises(PublishFailed, match=r"Permission denied; CURRENT is what it was; free"):
                publish(releases, other)
        finally:
            releases.chmod(0o755)
        assert store.current_id(releases) == first.id
        assert store.verify(releases) == ()


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "releases").write_text("a file in the way")
    with pytest.raises(PublishFailed, match="not published"):
        publish(tmp_path / "releases", world.draft(tmp_path / "candidate"))


@pytest.mark.parametrize("limit", [100, 3_000, 9_000, 20_000])
def test_storage_that_ends_in_the_middle_leaves_current_and_one_clear_error(
    first: Release, releases: Path, tmp_path: Path, limit: int
) -> None:
    draft = _other(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        with pytest.raises(PublishFailed, match="CURRENT is what it was"):
            publish(releases, draft)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert _names(releases) == ["CURRENT", first.id]
    assert store.verify(releases) == ()
    assert publish(releases, draft).is_new


def test_publishing_needs_no_clock_and_no_network_library() -> None:
    code = (
        "import sys, warehouse.release.publish as p; "
        "bad = {'great_expectations', 'osmnx', 'dagster', 'requests', 'duckdb'} & set(sys.modules); "
        "sys.exit(str(bad) if bad else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
