"""What goes into the archive comes out of it, in whatever files it stands."""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.errors import StorageError
from schemas.permits import expires_at
from schemas.terms import FOREVER, Consent, Terms
from sources.protocol.types import Answer, Origin
from sources.transport.archive import ROBOTS, Archive, ArchiveError, OriginError, UnfitAnswer
from tests.sources.transport.archive.answers import START, after, answer, numbered_body, request

LAYOUTS: dict[str, Callable[[Archive], object]] = {
    "journals": lambda _: None,
    "segments": lambda archive: archive.seal(),
    "one segment": lambda archive: archive.compact(),
}
in_every_layout = pytest.mark.parametrize("lay_out", LAYOUTS.values(), ids=LAYOUTS)


def put(archive: Archive, *answers: Answer, provider: str = "osm") -> None:
    with archive.writer(provider) as writer:
        for each in answers:
            writer.append(each)


@in_every_layout
def test_answers_come_back_as_they_went_in_by_request_id(
    archive: Archive, lay_out: Callable[[Archive], object]
) -> None:
    bodies = [b"", b"\x00\xff" * 500, "मुंबई".encode(), numbered_body(3)]
    given = [answer(number, body, seconds=number, status=200 + number) for number, body in enumerate(bodies)]
    put(archive, *given[:2])
    put(archive, *given[2:])
    lay_out(archive)
    assert list(archive.answers("osm")) == sorted(given, key=lambda each: each.request_id)


def test_an_answer_is_seen_as_soon_as_it_is_appended(archive: Archive) -> None:
    with archive.writer("osm") as writer:
        for number in range(3):
            writer.append(answer(number))
            assert len(list(archive.answers("osm"))) == number + 1


def test_a_provider_that_was_never_asked_has_no_answers_and_gets_no_folder(archive: Archive) -> None:
    assert list(archive.answers("osm")) == []
    assert archive.latest("osm") == {}
    assert archive.known("osm").answer(request(1)) is None
    assert archive.expire("osm", after(days=1), START) == (0, 0)
    assert (archive.seal(), archive.compact(), archive.verify(), archive.stats()) == (0, 0, [], {})
    assert not archive.folder.exists()


@pytest.mark.parametrize("unfit", [{"status": 2**31}, {"status": -(2**63) - 1}, {"status": 200.5}])
def test_an_answer_that_no_reader_could_read_back_is_refused_and_harms_no_other(
    archive: Archive, unfit: dict[str, Any]
) -> None:
    with archive.writer("osm") as writer:
        writer.append(answer(1))
        with pytest.raises(UnfitAnswer, match="not archived"):
            writer.append(replace(answer(2), **unfit))
        writer.append(answer(3, status=2**31 - 1))
    assert len(list(archive.answers("osm"))) == 2
    assert archive.verify() == []


def test_an_archive_that_is_no_folder_is_a_failure_and_never_an_empty_one(archive: Archive) -> None:
    archive.folder.parent.mkdir(parents=True, exist_ok=True)
    archive.folder.write_text("")
    for read in (archive.providers, archive.verify, archive.stats, archive.seal, lambda: archive.is_empty):
        with pytest.raises(StorageError, match="Not a directory"):
            read()


@in_every_layout
def test_the_latest_answer_is_the_one_fetched_last_whatever_its_outcome_and_place(
    archive: Archive, lay_out: Callable[[Archive], object]
) -> None:
    put(archive, answer(1, b"late", seconds=9, status=504), answer(1, b"early", seconds=1))
    lay_out(archive)
    put(archive, answer(1, b"earliest"))
    lay_out(archive)
    assert [(each.body, each.status) for each in archive.answers("osm")] == [(b"late", 504)]


@in_every_layout
def test_among_answers_of_one_moment_the_last_appended_is_the_latest(
    archive: Archive, lay_out: Callable[[Archive], object]
) -> None:
    with archive.writer("osm") as first, archive.writer("osm") as second:
        for number, writer in enumerate([first, second, second, first]):
            writer.append(answer(1, str(number).encode()))
    lay_out(archive)
    assert [each.body for each in archive.answers("osm")] == [b"3"]


@in_every_layout
def test_every_earlier_answer_is_kept(archive: Archive, lay_out: Callable[[Archive], object]) -> None:
    put(archive, answer(1, b"a"), answer(1, b"b", seconds=1), answer(1, b"b", seconds=1))
    lay_out(archive)
    put(archive, answer(1, b"c", seconds=2))
    lay_out(archive)
    stats = archive.stats()["osm"]
    assert (stats.answers, stats.requests) == (4, 1)


@in_every_layout
def test_answers_of_one_endpoint_can_be_had_alone(archive: Archive, lay_out: Callable[[Archive], object]) -> None:
    put(archive, answer(1), answer(2, endpoint="boundaries"), answer(3))
    lay_out(archive)
    assert {each.scope for each in archive.answers("osm", "stops")} == {"city-1", "city-3"}
    assert {each.scope for each in archive.known("osm").answers("boundaries")} == {"city-2"}


@in_every_layout
def test_what_is_known_is_one_moment_and_outlasts_maintenance(
    archive: Archive, lay_out: Callable[[Archive], object]
) -> None:
    put(archive, *(answer(number, numbered_body(number)) for number in range(30)))
    lay_out(archive)
    known = archive.known("osm")
    put(archive, answer(3, b"new", seconds=5), answer(99))
    archive.compact()
    archive.expire("osm", after(days=0), START + timedelta(days=1))
    for number in reversed(range(30)):
        assert known.answer(request(number)) == answer(number, numbered_body(number))
    assert known.answer(request(99)) is None
    assert [each.request_id for each in known.answers("stops")] == sorted(request(number).id for number in range(30))


@in_every_layout
def test_the_latest_without_bodies_are_the_latest_but_for_their_bodies(
    archive: Archive, lay_out: Callable[[Archive], object]
) -> None:
    put(archive, *(answer(number % 5, numbered_body(number), seconds=number) for number in range(12)))
    lay_out(archive)
    assert archive.latest("osm") == {each.request_id: replace(each, body=None) for each in archive.answers("osm")}


@in_every_layout
def test_what_an_answer_is_about_comes_back_with_it(archive: Archive, lay_out: Callable[[Archive], object]) -> None:
    given = replace(answer(1), subject={"b": "मुंबई", "a": "IN-1"})
    put(archive, given)
    lay_out(archive)
    assert list(archive.answers("osm")) == [given]
    assert archive.latest("osm")[given.request_id].subject == given.subject


@in_every_layout
def test_robots_txt_is_no_answer_to_a_question(archive: Archive, lay_out: Callable[[Archive], object]) -> None:
    put(archive, answer(1))
    before = archive.content_hash("osm")
    put(archive, answer(2, endpoint=ROBOTS))
    lay_out(archive)
    assert [each.scope for each in archive.answers("osm")] == ["city-1"]
    assert list(archive.latest("osm")) == [request(1).id]
    assert archive.content_hash("osm") == before
    assert list(archive.known("osm").answers("stops")) == [answer(1)]
    assert archive.known("osm").answer(request(2, ROBOTS)) == answer(2, endpoint=ROBOTS), (
        "it is remembered all the same"
    )
    assert archive.stats()["osm"].answers == 2


@in_every_layout
def test_every_answer_can_be_recognised(archive: Archive, lay_out: Callable[[Archive], object]) -> None:
    given = [answer(1, b"a"), answer(1, b"b", seconds=1), answer(2)]
    put(archive, *given)
    lay_out(archive)
    assert archive.moments("osm") == {(each.request_id, each.fetched_at, each.body_sha256) for each in given}
    assert archive.moments("other") == frozenset()


def test_providers_are_apart(archive: Archive) -> None:
    put(archive, answer(1))
    put(archive, answer(1, provider="other"), provider="other")
    archive.seal()
    assert archive.providers() == ["osm", "other"]
    assert [each.provider for each in archive.answers("other")] == ["other"]


@pytest.mark.parametrize("provider", ["", "..", "a/b", "OSM", ".lock"])
def test_a_provider_id_that_could_leave_the_archive_is_refused(archive: Archive, provider: str) -> None:
    with pytest.raises(ArchiveError, match="provider id"):
        archive.writer(provider)


@pytest.mark.parametrize(
    ("wrong", "cause"),
    [
        (replace(answer(1), body=None), "no body"),
        (replace(answer(1), body_sha256="0" * 64), "body_sha256"),
        (replace(answer(1), request_id=request(2).id), "request_id"),
        (replace(answer(1), fetched_at=datetime(2025, 1, 1)), "UTC"),
        (replace(answer(1), fetched_at=datetime(2025, 1, 1, tzinfo=timezone(timedelta(hours=5)))), "UTC"),
        (replace(answer(1), scope="\ud800"), "text"),
        (replace(answer(1), params={"q": "\ud800"}), "text"),
        (replace(answer(1), subject={"city": "\ud800"}), "text"),
        (answer(1, provider="other"), "other"),
    ],
)
def test_an_answer_that_contradicts_itself_is_refused_and_the_writer_goes_on(
    archive: Archive, wrong: Answer, cause: str
) -> None:
    with archive.writer("osm") as writer:
        with pytest.raises(UnfitAnswer, match=cause):
            writer.append(wrong)
        writer.append(answer(2))
    assert list(archive.answers("osm")) == [answer(2)]


@pytest.mark.parametrize("held", ["live", "capture", "sandbox"])
@pytest.mark.parametrize("offered", ["live", "capture", "sandbox"])
def test_a_home_holds_live_answers_with_captures_or_sandbox_answers(
    archive: Archive, held: Origin, offered: Origin
) -> None:
    put(archive, answer(1, origin=held))
    expected = (held == "sandbox") == (offered == "sandbox")
    with archive.writer("other") as writer:
        if expected:
            writer.append(answer(2, origin=offered, provider="other"))
        else:
            with pytest.raises(OriginError, match="another --home"):
                writer.append(answer(2, origin=offered, provider="other"))
    assert len(list(archive.answers("other"))) == expected
    assert archive.kind == ("sandbox" if held == "sandbox" else "live")


def test_a_closed_writer_takes_nothing_more(archive: Archive) -> None:
    writer = archive.writer("osm")
    writer.close()
    writer.close()
    with pytest.raises(StorageError, match="open a new one"):
        writer.append(answer(1))


def test_sealing_leaves_the_journal_of_a_living_writer_alone(archive: Archive) -> None:
    with archive.writer("osm") as writer:
        writer.append(answer(1))
        assert archive.seal() == 0
        writer.append(answer(2))
    assert archive.seal() == 2
    assert len(list(archive.answers("osm"))) == 2
    assert [path.suffix for path in (archive.folder / "osm").glob("[!.]*")] == [".parquet"]


def test_sealing_removes_journals_without_answers_and_makes_no_segment_of_them(archive: Archive) -> None:
    put(archive)
    assert archive.seal() == 0
    assert list((archive.folder / "osm").glob("[!.]*")) == []


def test_compacting_makes_one_segment_and_a_second_time_changes_nothing(archive: Archive) -> None:
    for number in range(4):
        put(archive, answer(number))
        archive.seal()
    assert archive.compact() == 4
    (segment,) = (archive.folder / "osm").glob("*.parquet")
    assert archive.compact() == 0
    assert list((archive.folder / "osm").glob("*.parquet")) == [segment]


def test_a_segment_can_be_read_by_any_reader_of_parquet(archive: Archive) -> None:
    put(archive, answer(1, b"body" * 1000))
    archive.seal()
    (path,) = (archive.folder / "osm").glob("*.parquet")
    (row,) = pq.read_table(path).to_pylist()
    assert row["body"] == b"body" * 1000
    assert row["params"] == '{"bbox": "1,2", "q": "1"}'
    assert row["headers"] == '{"age": "0", "etag": "\\"1\\""}'
    assert path.stat().st_size < 20_000


def test_bodies_are_read_in_passing(archive: Archive) -> None:
    for part in range(2):
        put(archive, *(answer(part * 40 + number, bytes([number]) * 2**20) for number in range(40)))
        archive.seal()
    tracemalloc.start()
    peak = 0
    for _ in archive.answers("osm"):
        peak = max(peak, pa.total_allocated_bytes())
    assert peak < 8 * 2**20
    assert tracemalloc.get_traced_memory()[1] < 16 * 2**20
    tracemalloc.stop()


class TestContentHash:
    ANSWERS = tuple(answer(number % 7, numbered_body(number), seconds=number) for number in range(20))

    def test_neither_order_nor_files_count(self, archive: Archive, tmp_path: Path) -> None:
        put(archive, *self.ANSWERS)
        expected = archive.content_hash("osm")
        other = Archive(tmp_path / "other")
        for start in (10, 0):
            put(other, *reversed(self.ANSWERS[start : start + 10]))
            other.seal()
        assert other.content_hash("osm") == expected
        other.compact()
        assert other.content_hash("osm") == expected

    def test_the_clock_and_the_headers_do_not_count(self, archive: Archive) -> None:
        put(archive, *self.ANSWERS)
        before = archive.content_hash("osm")
        again = [replace(each, fetched_at=each.fetched_at + timedelta(days=9), headers={}) for each in self.ANSWERS]
        put(archive, *again)
        assert archive.content_hash("osm") == before

    @pytest.mark.parametrize(
        "other",
        [
            answer(8, seconds=99),
            answer(1, b"other", seconds=99),
            replace(answer(6, numbered_body(13), seconds=99), scope="elsewhere"),
            replace(answer(6, numbered_body(13), seconds=99), media_type="text/html"),
            answer(6, numbered_body(13), seconds=99, status=206),
            replace(answer(6, numbered_body(13), seconds=99), subject={"city": "IN-1"}),
        ],
        ids=["request", "body", "scope", "media type", "status", "subject"],
    )
    def test_what_the_answers_say_counts(self, archive: Archive, other: Answer) -> None:
        put(archive, *self.ANSWERS)
        before = archive.content_hash("osm")
        put(archive, other)
        assert archive.content_hash("osm") != before

    def test_an_expired_body_counts(self, archive: Archive) -> None:
        put(archive, *self.ANSWERS)
        before = archive.content_hash("osm")
        archive.expire("osm", after(days=0), self.ANSWERS[-1].fetched_at)
        assert archive.content_hash("osm") != before


class TestExpiry:
    def test_a_body_goes_when_its_days_are_over_and_all_else_stays(self, archive: Archive) -> None:
        secret = b"a body that must go" * 10
        put(archive, answer(1, secret), answer(2, b"kept", seconds=1))
        archive.seal()
        put(archive, answer(3, secret))
        assert archive.expire("osm", after(days=30), START + timedelta(days=30)) == (2, 0)
        found = {each.scope: each for each in archive.answers("osm")}
        assert found["city-1"] == replace(answer(1, secret), body=None)
        assert found["city-3"].body is None
        assert found["city-2"].body == b"kept"
        assert archive.stats()["osm"].expired == 2
        assert archive.verify() == []
        bodies = [body for path in self.segments(archive) for body in pq.read_table(path)["body"].to_pylist()]
        assert set(bodies) == {None, b"kept"}

    def test_bodies_of_earlier_answers_to_the_same_request_go_too(self, archive: Archive) -> None:
        put(archive, answer(1, b"old"), answer(1, b"new", seconds=1))
        assert archive.expire("osm", after(days=1), START + timedelta(days=1)) == (1, 0)
        assert [each.body for each in archive.answers("osm")] == [b"new"]

    def test_before_that_nothing_is_touched(self, archive: Archive) -> None:
        put(archive, answer(1))
        archive.seal()
        before = self.segments(archive)
        assert archive.expire("osm", after(days=30), START + timedelta(days=30, microseconds=-1)) == (0, 0)
        assert self.segments(archive) == before

    def test_expiring_twice_drops_nothing_more_and_compaction_brings_nothing_back(self, archive: Archive) -> None:
        put(archive, answer(1))
        archive.expire("osm", after(days=1), START + timedelta(days=2))
        put(archive, answer(2, seconds=86_400))
        archive.compact()
        assert archive.expire("osm", after(days=1), START + timedelta(days=1, hours=1)) == (0, 0)
        assert sorted(each.body is None for each in archive.answers("osm")) == [False, True]

    def test_the_end_of_each_answer_is_asked_for_by_its_own_time(self, archive: Archive) -> None:
        put(archive, *(answer(number, seconds=number) for number in range(4)))

        def ends(fetched_at: datetime) -> datetime | None:
            return None if fetched_at == START else fetched_at + timedelta(seconds=10)

        assert archive.expire("osm", ends, START + timedelta(seconds=12)) == (2, 0)
        assert {each.scope for each in archive.answers("osm") if each.body is None} == {"city-1", "city-2"}

    def test_a_body_goes_when_the_first_of_the_fields_that_the_terms_name_must_be_gone(self, archive: Archive) -> None:
        until = (START + timedelta(days=20)).date()
        leave = Consent("0" * 64, ("traffic",), "all", until)
        terms = Terms(store_days=30, store_fields={"traffic": 7, "id": FOREVER})
        put(archive, answer(1))
        for given, day in ((replace(terms, consent=(leave,)), 21), (terms, 7)):
            ends = partial(expires_at, terms=given)
            over = START + timedelta(days=day)
            assert archive.expire("osm", ends, over - timedelta(hours=13), is_dry=True) == (0, 0)
            assert archive.expire("osm", ends, over, is_dry=True) == (1, 0)
        assert archive.expire("osm", partial(expires_at, terms=Terms()), START + timedelta(days=9999)) == (0, 0)
        assert archive.expire("osm", ends, over) == (1, 0)

    def test_a_dry_run_counts_the_same_and_changes_nothing(self, archive: Archive) -> None:
        put(archive, answer(1), answer(2, seconds=86_400))
        archive.seal()
        put(archive, answer(3))
        with archive.writer("osm") as writer:
            writer.append(answer(4))
            before = {path: path.read_bytes() for path in (archive.folder / "osm").iterdir()}
            now = START + timedelta(days=1)
            assert archive.expire("osm", after(days=1), now, is_dry=True) == (2, 1)
            assert {path: path.read_bytes() for path in (archive.folder / "osm").iterdir()} == before
            assert archive.expire("osm", after(days=1), now) == (2, 1)

    def test_due_answers_of_a_living_writer_are_counted_as_waiting(self, archive: Archive) -> None:
        with archive.writer("osm") as writer:
            writer.append(answer(1))
            assert archive.expire("osm", after(days=1), START + timedelta(days=2)) == (0, 1)

    def test_a_time_without_a_zone_is_refused(self, archive: Archive) -> None:
        with pytest.raises(ArchiveError, match="time zone"):
            archive.expire("osm", after(days=1), datetime(2025, 1, 1))

    @staticmethod
    def segments(archive: Archive) -> list[Path]:
        return sorted((archive.folder / "osm").glob("*.parquet"))


def test_stats_count_answers_of_segments_and_journals(archive: Archive) -> None:
    put(
        archive, answer(1, b"12345", origin="live"), answer(2, b"123", endpoint="boundaries", status=504, origin="live")
    )
    archive.seal()
    put(archive, answer(1, b"1", seconds=60, origin="capture"))
    stats = archive.stats()["osm"]
    files = [path for path in (archive.folder / "osm").iterdir() if not path.name.startswith(".")]
    assert (stats.answers, stats.requests, stats.body_bytes, stats.segments, stats.journals) == (3, 2, 9, 1, 1)
    assert stats.file_bytes == sum(path.stat().st_size for path in files)
    assert (stats.oldest, stats.newest) == (START, START + timedelta(seconds=60))
    assert stats.by_endpoint == {"boundaries": 1, "stops": 2}
    assert stats.by_status == {200: 2, 504: 1}
    assert stats.by_origin == {"capture": 1, "live": 2}
