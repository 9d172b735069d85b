"""Listing, verifying and switching releases."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.warehouse import world
from warehouse.release import store
from warehouse.release.durable import file_sha256
from warehouse.release.errors import DamagedRelease, UnknownRelease
from warehouse.release.manifest import MANIFEST, MANIFEST_SHA256, read_manifest, write_manifest
from warehouse.release.publish import publish
from warehouse.release.store import Release


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    return tmp_path / "releases"


@pytest.fixture
def first(releases: Path, tmp_path: Path) -> Release:
    return publish(releases, world.draft(tmp_path / "candidate"))


@pytest.fixture
def second(first: Release, releases: Path, tmp_path: Path) -> Release:
    assert first.is_new
    later = world.BUILT_AT + timedelta(days=3)
    return publish(releases, world.draft(tmp_path / "second", built_at=later, quarantine={}))


def test_a_published_release_has_no_problem(first: Release, releases: Path) -> None:
    assert store.verify(releases) == ()
    assert store.verify(releases, first.id) == ()


def test_one_flipped_bit_in_any_file_is_found(first: Release, releases: Path) -> None:
    paths = [path for path in first.folder.rglob("*") if path.is_file()]
    assert len(paths) == 13
    for path in paths:
        sound = path.read_bytes()
        for place in (0, len(sound) // 2, len(sound) - 1):
            path.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
            assert store.verify(releases, first.id), f"{path.name}, byte {place}"
        path.write_bytes(sound)
    assert store.verify(releases, first.id) == ()


def test_a_missing_an_additional_and_a_linked_file_are_found(first: Release, releases: Path, tmp_path: Path) -> None:
    table = first.folder / "tables" / "restaurants.parquet"
    table.rename(tmp_path / "aside.parquet")
    (first.folder / "notes.txt").write_text("hello")
    problems = {(problem.file, problem.cause) for problem in store.verify(releases)}
    assert problems == {("tables/restaurants.parquet", "is missing"), ("notes.txt", "is not in the manifest")}
    (first.folder / "notes.txt").unlink()
    table.symlink_to(tmp_path / "aside.parquet")
    assert [problem.cause for problem in store.verify(releases)] == ["is a link, not a file"]


@pytest.mark.parametrize("end", [0, 1, -2])
def test_a_torn_manifest_is_found(first: Release, releases: Path, end: int) -> None:
    path = first.folder / MANIFEST
    path.write_bytes(path.read_bytes()[:end])
    assert [problem.file for problem in store.verify(releases)] == [MANIFEST]
    with pytest.raises(DamagedRelease, match="roll back"):
        store.show(releases)


def _forge(release: Release, *path: str, value: object) -> None:
    """Write another value into the manifest, with a checksum that fits."""
    document = json.loads((release.folder / MANIFEST).read_text())
    part = document
    for key in path[:-1]:
        part = part[key]
    assert part[path[-1]] != value
    part[path[-1]] = value
    (release.folder / MANIFEST).write_text(json.dumps(document))
    (release.folder / MANIFEST_SHA256).write_text(f"{file_sha256(release.folder / MANIFEST)}  {MANIFEST}\n")


def test_a_manifest_that_tells_another_row_count_is_found(first: Release, releases: Path) -> None:
    _forge(first, "tables", "restaurants", "rows_total", value=8)
    assert [problem.cause for problem in store.verify(releases)] == ["has 7 rows, the manifest says 8 for restaurants"]


@pytest.mark.parametrize(
    ("path", "value", "cause"),
    [
        (("audience",), "public", "content hash"),
        (("content_hash",), "0" * 64, "content hash"),
        (("id",), "toy-20200101-00000000", "the manifest says toy-20200101-00000000"),
        (("created_at",), "2026-03-15T00:00:00+00:00", "the manifest says"),
        (("tables", "restaurants", "sha256"), "0" * 64, "says two things about tables/restaurants.parquet"),
        (("files", "tables/restaurants.parquet", "bytes"), 1, "bytes, the manifest says 1"),
        (("manifest_version",), 1, "is not of form 2"),
        (("tables",), [], "is not of form 2"),
        (("created_at",), "yesterday", "is not of form 2"),
    ],
)
def test_a_manifest_that_contradicts_itself_is_found(
    first: Release, releases: Path, path: tuple[str, ...], value: object, cause: str
) -> None:
    _forge(first, *path, value=value)
    assert any(cause in problem.cause for problem in store.verify(releases))


def test_a_manifest_reads_back_as_it_was_written(first: Release, tmp_path: Path) -> None:
    write_manifest(tmp_path, first.manifest)
    assert read_manifest(tmp_path) == first.manifest
    assert (tmp_path / MANIFEST).read_bytes() == (first.folder / MANIFEST).read_bytes()


def test_the_list_is_newest_first_and_marks_the_current_one(first: Release, second: Release, releases: Path) -> None:
    lines = store.list_releases(releases)
    assert [(line.id, line.is_current) for line in lines] == [(second.id, True), (first.id, False)]
    assert (lines[0].tables, lines[0].rows, lines[0].origin, lines[0].fault) == (5, 35, "files", None)


def test_a_damaged_release_is_listed_last_with_its_fault(first: Release, second: Release, releases: Path) -> None:
    (second.folder / MANIFEST).unlink()
    lines = store.list_releases(releases)
    assert [line.id for line in lines] == [first.id, second.id]
    assert "No such file" in str(lines[1].fault)


def test_nothing_published_is_an_empty_list_and_a_clear_error(releases: Path) -> None:
    assert store.list_releases(releases) == ()
    with pytest.raises(UnknownRelease, match="nothing was published yet; publish one with `utp build`"):
        store.show(releases)


@pytest.mark.parametrize("name", ["nope", "..", ".", ".staging-toy", "/etc", "CURRENT"])
def test_an_unknown_release_is_an_error_with_the_choices(first: Release, releases: Path, name: str) -> None:
    (releases / ".staging-toy").mkdir()
    with pytest.raises(UnknownRelease, match=f"choose one of {first.id}"):
        store.rollback(releases, name)


def test_rolling_back_makes_an_older_release_current(first: Release, second: Release, releases: Path) -> None:
    assert store.current_id(releases) == second.id
    assert store.rollback(releases, first.id).id == first.id
    assert store.current_id(releases) == first.id
    assert sorted(path.name for path in releases.iterdir()) == sorted(["CURRENT", first.id, second.id])


def test_rolling_back_to_a_damaged_release_is_refused(first: Release, second: Release, releases: Path) -> None:
    (first.folder / "datapackage.json").write_text("{}")
    with pytest.raises(DamagedRelease, match=r"datapackage\.json: has .* CURRENT stays"):
        store.rollback(releases, first.id)
    assert store.current_id(releases) == second.id


def test_a_current_that_names_no_release_is_an_error_with_the_choices(first: Release, releases: Path) -> None:
    for text in (first.id, f"{first.id}\n\n", "toy-20260314-00000000\n", ""):
        (releases / "CURRENT").write_text(text)
        with pytest.raises(DamagedRelease, match=f"choose one .*{first.id}"):
            store.verify(releases)
