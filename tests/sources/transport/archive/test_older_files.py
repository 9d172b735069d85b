"""Files that were written before answers had a subject are read as if it were empty, and go on living."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sources.transport.archive import Archive, segments
from sources.transport.archive import journal as journals
from sources.transport.archive.records import WITHOUT_SUBJECT, Record, encode
from tests.sources.transport.archive.answers import answer

OLD = [answer(number, b"<%d>" % number) for number in range(3)]


def put_as_before(archive: Archive, monkeypatch: pytest.MonkeyPatch, *, is_sealed: bool) -> None:
    """Write OLD in the form of before: without the column, in version 1."""

    def without_subject(record: Record) -> bytes:
        values = json.loads(encode(record))
        del values["subject"]
        return json.dumps(values).encode()

    with monkeypatch.context() as before:
        before.setattr(journals, "encode", without_subject)
        with archive.writer("osm") as writer:
            for each in OLD:
                writer.append(each)
        if is_sealed:
            before.setattr(segments, "SCHEMA", WITHOUT_SUBJECT)
            before.setattr(segments, "_VERSION", 1)
            before.setattr(segments, "_with_subject", lambda table: table)
            before.setattr(segments, "encode", lambda _: b"")
            archive.seal()
    (path,) = (archive.folder / "osm").glob("[!.]*")
    if is_sealed:
        assert "subject" not in pq.read_schema(path).names
    else:
        assert b"subject" not in path.read_bytes()


@pytest.mark.parametrize("is_sealed", [False, True], ids=["journal", "segment"])
def test_an_older_file_is_read_as_having_empty_subjects(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, is_sealed: bool
) -> None:
    put_as_before(archive, monkeypatch, is_sealed=is_sealed)
    assert {each.scope: each for each in archive.answers("osm")} == {each.scope: each for each in OLD}
    assert all(each.subject == {} for each in archive.latest("osm").values())
    assert archive.verify() == []


@pytest.mark.parametrize("is_sealed", [False, True], ids=["journal", "segment"])
def test_older_and_newer_files_become_one(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, is_sealed: bool, tmp_path: Path
) -> None:
    put_as_before(archive, monkeypatch, is_sealed=is_sealed)
    new = replace(answer(1, b"new", seconds=9), subject={"city": "IN-1"})
    with archive.writer("osm") as writer:
        writer.append(new)
    expected = {OLD[0].scope: OLD[0], new.scope: new, OLD[2].scope: OLD[2]}
    assert {each.scope: each for each in archive.answers("osm")} == expected
    archive.export_to(tmp_path / "out.parquet")
    archive.compact()
    assert {each.scope: each for each in archive.answers("osm")} == expected
    assert archive.verify() == []
    shutil.rmtree(archive.folder)
    archive.import_from(tmp_path / "out.parquet")
    assert {each.scope: each for each in archive.answers("osm")} == expected
