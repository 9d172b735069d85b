"""Answers out of one archive into another: all of them, whole, once, and never constructed ones among real ones."""

import random
import time
from dataclasses import replace
from datetime import timedelta
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.errors import DataError, StorageError
from sources.protocol.types import Answer, Origin
from sources.transport.archive import Archive, ArchiveError, DamagedArchive, OriginError
from tests.sources.transport.archive.answers import START, after, answer, numbered_body
from tests.sources.transport.archive.workers import import_when_full, import_whole, received, running

GIVEN = [
    answer(1, b"old"),
    replace(answer(1, b"new", seconds=5), subject={"city": "IN-1"}),
    answer(2, numbered_body(2), status=504),
    answer(3, b""),
]


@pytest.fixture
def other(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "other" / "raw")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.parquet"


def put(archive: Archive, *answers: Answer) -> None:
    for provider, group in groupby(answers, key=lambda each: each.provider):
        with archive.writer(provider) as writer:
            for each in group:
                writer.append(each)


def files(archive: Archive) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in archive.folder.rglob("*") if path.is_file()}


def test_what_is_exported_is_imported_earlier_answers_too(archive: Archive, other: Archive, file: Path) -> None:
    put(archive, *GIVEN[:2])
    archive.seal()
    put(archive, *GIVEN[2:], answer(1, provider="second"))
    assert archive.export_to(file) == {"osm": 4, "second": 1}
    assert other.import_from(file) == {"osm": (4, 0), "second": (1, 0)}
    for provider in ("osm", "second"):
        assert list(other.answers(provider)) == list(archive.answers(provider))
        assert other.moments(provider) == archive.moments(provider)
        assert other.content_hash(provider) == archive.content_hash(provider)
    assert other.verify() == []
    assert other.kind == "sandbox"


def test_importing_twice_or_into_where_it_came_from_adds_nothing(archive: Archive, other: Archive, file: Path) -> None:
    put(archive, *GIVEN)
    archive.export_to(file)
    other.import_from(file)
    for home in (other, archive):
        before = files(home)
        assert home.import_from(file) == {"osm": (0, 4)}
        assert files(home).keys() >= before.keys()
        assert {path: files(home)[path] for path in before} == before
        assert home.verify() == []


def test_a_file_in_a_folder_that_is_not_there_and_one_that_is_none_are_named(archive: Archive, file: Path) -> None:
    put(archive, *GIVEN)
    with pytest.raises(ArchiveError, match=f"there is no folder {file.parent / 'gone'}; name a file in one"):
        archive.export_to(file.parent / "gone" / "answers.parquet")
    with pytest.raises(ArchiveError, match="no regular file; name one"):
        archive.import_from(file.parent)
    with pytest.raises(ArchiveError, match="no such file; name one"):
        archive.import_from(file)


def test_only_what_is_new_is_added_to_what_is_there(archive: Archive, other: Archive, file: Path) -> None:
    put(archive, *GIVEN[:2])
    archive.export_to(file)
    other.import_from(file)
    put(other, answer(9))
    put(archive, *GIVEN[2:])
    archive.export_to(file.with_name("later.parquet"))
    assert other.import_from(file.with_name("later.parquet")) == {"osm": (2, 2)}
    assert {each.scope for each in other.answers("osm")} == {"city-1", "city-2", "city-3", "city-9"}


def test_one_provider_can_be_exported_alone(archive: Archive, other: Archive, file: Path) -> None:
    put(archive, *GIVEN, answer(1, provider="second"))
    assert archive.export_to(file, ["second"]) == {"second": 1}
    other.import_from(file)
    assert other.providers() == ["second"]


def test_a_body_that_has_expired_is_not_brought_back(archive: Archive, other: Archive, file: Path) -> None:
    put(archive, *GIVEN)
    archive.export_to(file)
    other.import_from(file)
    other.expire("osm", after(days=1), START + timedelta(days=2))
    assert other.import_from(file) == {"osm": (0, 4)}
    assert all(each.body is None for each in other.answers("osm"))


def test_an_expired_answer_is_expired_wherever_it_goes(archive: Archive, other: Archive, file: Path) -> None:
    put(archive, *GIVEN)
    archive.expire("osm", after(days=1), START + timedelta(days=2))
    archive.export_to(file)
    other.import_from(file)
    assert list(other.answers("osm")) == list(archive.answers("osm"))
    assert other.verify() == []


@pytest.mark.parametrize("held", ["live", "capture", "sandbox"])
@pytest.mark.parametrize("offered", ["live", "capture", "sandbox"])
def test_constructed_answers_never_come_among_real_ones_nor_the_other_way_round(
    archive: Archive, other: Archive, file: Path, held: Origin, offered: Origin
) -> None:
    put(archive, answer(1, origin=offered))
    put(other, answer(2, origin=held, provider="second"))
    archive.export_to(file)
    before = files(other)
    if (held == "sandbox") == (offered == "sandbox"):
        assert other.import_from(file) == {"osm": (1, 0)}
        assert [each.origin for each in other.answers("osm")] == [offered]
    else:
        with pytest.raises(OriginError, match="another --home"):
            other.import_from(file)
        assert files(other) == before


def test_a_file_cut_anywhere_is_refused_and_nothing_is_written(archive: Archive, other: Archive, file: Path) -> None:
    put(archive, *GIVEN)
    archive.export_to(file)
    whole = file.read_bytes()
    for cut in [*range(0, len(whole), 97), len(whole) - 1]:
        file.write_bytes(whole[:cut])
        with pytest.raises(DamagedArchive, match="nothing was taken over"):
            other.import_from(file)
    assert not other.folder.exists()


def test_a_changed_byte_is_found_or_changes_nothing(archive: Archive, tmp_path: Path, file: Path) -> None:
    put(archive, *GIVEN)
    archive.export_to(file)
    whole, expected, refused = file.read_bytes(), list(archive.answers("osm")), 0
    chance = random.Random(5)
    for turn in range(150):
        place = chance.randrange(len(whole))
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :])
        other = Archive(tmp_path / str(turn))
        try:
            other.import_from(file)
        except DataError:
            refused += 1
        else:
            assert list(other.answers("osm")) == expected
    # Some bytes of a footer say nothing that is read.
    assert refused > 75


@pytest.mark.parametrize("content", [b"", b"text", b"PAR1PAR1"])
def test_what_is_no_export_is_refused(other: Archive, file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(DamagedArchive, match=r"answers\.parquet: .*export"):
        other.import_from(file)
    with pytest.raises(ArchiveError, match="no such file"):
        other.import_from(file.with_name("gone"))
    pq.write_table(pa.table({"a": [1]}), file)
    with pytest.raises(DamagedArchive):
        other.import_from(file)


def test_an_export_never_takes_the_place_of_a_file_and_never_is_empty(archive: Archive, file: Path) -> None:
    with pytest.raises(ArchiveError, match="nothing is archived"):
        archive.export_to(file)
    put(archive, answer(1))
    with pytest.raises(ArchiveError, match="nothing of 'second'"):
        archive.export_to(file, ["osm", "second"])
    assert not list(file.parent.glob("*answers*"))
    file.write_bytes(b"mine")
    with pytest.raises(ArchiveError, match="exists already"):
        archive.export_to(file)
    assert file.read_bytes() == b"mine"


def test_a_killed_import_leaves_the_archive_whole_and_the_next_one_ends_it(archive: Archive, tmp_path: Path) -> None:
    chance = random.Random(3)
    mine = [answer(number, numbered_body(number)) for number in range(20)]
    for provider in ("osm", "second", "third"):
        put(archive, *(answer(number, numbered_body(number), provider=provider) for number in range(100, 160)))
    file = tmp_path / "answers.parquet"
    archive.export_to(file)
    amounts = []
    for turn in range(12):
        home = Archive(tmp_path / str(turn) / "raw")
        put(home, *mine)
        # The folder of a provider appears when it is its turn, the segment a moment later.
        awaited = home.folder / ("osm", "second", "third")[turn % 3] / ".maintenance"
        with running(import_whole, home.folder, file) as (process, _):
            while process.is_alive() and not awaited.exists():
                time.sleep(0.0005)
            time.sleep(chance.uniform(0, 0.03))
            process.kill()
            process.join()
        assert home.verify() == []
        held = [len(list(home.answers(provider))) for provider in ("osm", "second", "third")]
        assert held[0] in (20, 80)
        assert set(held[1:]) <= {0, 60}
        amounts.append(sum(held))
        outcome = home.import_from(file)
        assert sum(one.added for one in outcome.values()) == 200 - sum(held)
        assert home.verify() == []
        assert {each.scope: each for each in home.answers("osm")}.items() >= {each.scope: each for each in mine}.items()
        assert list(home.answers("third")) == list(archive.answers("third"))
    assert any(20 < amount < 200 for amount in amounts), f"no kill came in the middle: {amounts}"


def test_an_import_on_a_full_disk_fails_as_storage_and_leaves_everything_as_it_was(
    archive: Archive, other: Archive, file: Path
) -> None:
    put(archive, *(answer(number, numbered_body(number)) for number in range(20)))
    archive.export_to(file)
    put(other, answer(50))
    other.seal()
    before = [path for path in files(other) if path.endswith(".parquet")]
    with running(import_when_full, other.folder, file, 20_000) as (process, connection):
        process.join()
        assert list(received(connection)) == [StorageError.exit_status]
    assert [path for path in files(other) if path.endswith(".parquet")] == before
    assert [each.scope for each in other.answers("osm")] == ["city-50"]
