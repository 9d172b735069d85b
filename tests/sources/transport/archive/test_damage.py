"""What is torn was in flight; what is damaged is found, by whoever reads it and by `verify`."""

from pathlib import Path

import pytest

from schemas.errors import UtpError
from sources.protocol.types import Answer
from sources.transport.archive import Archive, DamagedArchive
from sources.transport.archive.journal import Journal
from sources.transport.archive.records import checked, to_record
from tests.sources.transport.archive.answers import answer

THREE = [answer(number, b"<%d>" % number * 9) for number in range(3)]


def _journal(archive: Archive, answers: list[Answer], is_closed: bool = False) -> tuple[Path, list[int]]:
    """Write a journal; return its path and its length before the first answer and after each one."""
    with archive.writer("osm") as writer:
        (path,) = (archive.folder / "osm").glob("*.journal")
        ends = [path.stat().st_size]
        for each in answers:
            writer.append(each)
            ends.append(path.stat().st_size)
        killed = path.read_bytes()
    if not is_closed:
        path.write_bytes(killed)
    return path, ends


def _codes(archive: Archive) -> set[str]:
    return {problem.code for problem in archive.verify()}


def test_a_journal_cut_at_any_byte_holds_exactly_its_whole_answers(archive: Archive) -> None:
    path, ends = _journal(archive, THREE, is_closed=True)
    whole = path.read_bytes()
    assert ends[0] < ends[1] < ends[2] < ends[3] < len(whole)
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        expected = THREE[: max(sum(end <= cut for end in ends) - 1, 0)]
        assert list(archive.answers("osm")) == sorted(expected, key=lambda each: each.request_id)


@pytest.mark.parametrize("torn", [1, 7, 30, 200])
def test_a_torn_tail_is_reported_until_sealing_drops_it(archive: Archive, torn: int) -> None:
    path, ends = _journal(archive, THREE)
    path.write_bytes(path.read_bytes()[: ends[2] + torn])
    assert _codes(archive) == {"torn_tail"}
    assert archive.seal() == 2
    assert archive.verify() == []
    assert len(list(archive.answers("osm"))) == 2


def test_the_unfinished_answer_of_a_living_writer_is_no_problem(archive: Archive) -> None:
    with archive.writer("osm") as writer:
        writer.append(THREE[0])
        (path,) = (archive.folder / "osm").glob("*.journal")
        with path.open("ab") as stream:
            stream.write(b"on its way")
        assert archive.verify() == []
        assert list(archive.answers("osm")) == THREE[:1]


def test_what_a_writer_appends_between_the_listing_and_its_end_is_sealed_too(archive: Archive) -> None:
    with archive.writer("osm") as writer:
        writer.append(THREE[0])
        (path,) = (archive.folder / "osm").glob("*.journal")
        journal = Journal(path)
        assert not journal.take()
        writer.append(THREE[1])
    assert journal.take()
    assert journal.count == 2
    journal.close()


def test_a_body_that_was_changed_under_a_sound_checksum_is_not_handed_out() -> None:
    record = to_record(THREE[1], "a journal", 1)
    assert checked(record, Path("file")) is record
    for wrong in (record | {"body": b"other"}, record | {"body": None}, record | {"is_expired": True}):
        with pytest.raises(DamagedArchive):
            checked(wrong, Path("file"))


def test_any_flipped_bit_of_a_closed_journal_is_found_by_reader_sealer_and_verify(archive: Archive) -> None:
    path, ends = _journal(archive, THREE, is_closed=True)
    whole = path.read_bytes()
    for place in range(ends[-1]):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        with pytest.raises(DamagedArchive, match="move it out"):
            list(archive.answers("osm"))
        if place % 10 == 0:
            assert _codes(archive) == {"damaged"}
            with pytest.raises(DamagedArchive):
                archive.seal()
    assert path.exists()


def test_a_body_that_holds_a_journal_is_not_taken_for_answers(archive: Archive, tmp_path: Path) -> None:
    other = Archive(tmp_path / "other")
    inner = _journal(other, THREE)[0].read_bytes()
    path, ends = _journal(archive, [THREE[0], answer(9, inner)])
    path.write_bytes(path.read_bytes()[: ends[2] - 5])
    assert list(archive.answers("osm")) == THREE[:1]


def test_any_flipped_bit_of_a_segment_is_found_by_verify_and_never_read_as_another_answer(archive: Archive) -> None:
    _journal(archive, THREE)
    archive.seal()
    (path,) = (archive.folder / "osm").glob("*.parquet")
    whole = path.read_bytes()
    expected = list(archive.answers("osm"))
    for place in range(0, len(whole), 11):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        assert _codes(archive) in ({"changed_bytes"}, {"damaged"})
        try:
            found = list(archive.answers("osm"))
        except UtpError:
            continue
        assert found == expected


def test_any_flipped_bit_of_a_footer_is_refused_at_once(archive: Archive) -> None:
    _journal(archive, THREE)
    archive.seal()
    (path,) = (archive.folder / "osm").glob("*.parquet")
    whole = path.read_bytes()
    length = int.from_bytes(whole[-8:-4], "little")
    for place in range(len(whole) - 8 - length, len(whole), 5):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        with pytest.raises(DamagedArchive):
            archive.latest("osm")


@pytest.mark.parametrize("left", [0, 4, 1000, -1])
def test_a_segment_that_was_cut_is_found(archive: Archive, left: int) -> None:
    _journal(archive, THREE)
    archive.seal()
    (path,) = (archive.folder / "osm").glob("*.parquet")
    path.write_bytes(path.read_bytes()[:left])
    assert _codes(archive) in ({"changed_bytes"}, {"damaged"})
    with pytest.raises(DamagedArchive):
        list(archive.answers("osm"))
    with pytest.raises(DamagedArchive):
        archive.compact()


def test_foreign_files_are_found(archive: Archive) -> None:
    _journal(archive, THREE)
    (archive.folder / "notes.txt").write_text("x")
    (archive.folder / "osm" / "copy.parquet").write_text("x")
    (archive.folder / "Not a provider").mkdir()
    found = {(problem.file, problem.code) for problem in archive.verify()}
    assert found == {
        ("notes.txt", "foreign_file"),
        ("osm/copy.parquet", "foreign_file"),
        ("Not a provider", "foreign_file"),
    }


def test_the_same_answers_in_two_files_are_found(archive: Archive) -> None:
    path, _ = _journal(archive, THREE)
    path.with_name(f"{'0' * 20}-1-{'0' * 8}.journal").write_bytes(path.read_bytes())
    assert _codes(archive) == {"twice"}
    assert len(list(archive.answers("osm"))) == 3


def test_answers_in_the_folder_of_another_provider_are_found(archive: Archive) -> None:
    _journal(archive, THREE)
    (archive.folder / "osm").rename(archive.folder / "other")
    assert _codes(archive) == {"wrong_provider"}


@pytest.mark.parametrize("stated", ["live", "neither", ""])
def test_answers_of_another_kind_than_the_archive_states_are_found(archive: Archive, stated: str) -> None:
    _journal(archive, THREE)
    (archive.folder / "ORIGIN").write_text(stated)
    assert _codes(archive) == {"wrong_origin"} | ({"damaged"} if stated != "live" else set())
    with archive.writer("osm") as writer, pytest.raises(UtpError):
        writer.append(answer(4))
