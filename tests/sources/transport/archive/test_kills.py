"""Real processes on one archive: killed at any moment, many at once, and with a full disk."""

import os
import random
import threading
import time
from pathlib import Path

import pytest

from sources.protocol.types import Answer
from sources.transport.archive import Archive
from tests.sources.transport.archive.answers import answer, numbered_body
from tests.sources.transport.archive.workers import (
    append,
    append_and_maintain,
    append_until_full,
    maintain,
    maintain_when_full,
    received,
    running,
)


def numbers(archive: Archive) -> set[int]:
    """Return the numbers of all answers, each of which is the one that was appended."""
    found = set()
    for each in archive.answers("osm"):
        number = int(each.params["q"])
        assert each == answer(number, numbered_body(number))
        found.add(number)
    return found


def kill_often(archive: Archive, rounds: int, seed: int) -> None:
    """Kill a worker that appends, seals and compacts, at random moments, and look after each kill."""
    chance = random.Random(seed)
    told: set[int] = set()
    for turn in range(rounds):
        with running(append_and_maintain, archive.folder, turn * 1000) as (process, connection):
            told.add(connection.recv())
            time.sleep(chance.uniform(0, 0.2))
            process.kill()
            process.join()
            told.update(received(connection))
        found = numbers(archive)
        assert told <= found
        # At most the one answer that was on its way when the kill came may be there untold.
        assert len(found - told) <= turn + 1
        assert {problem.code for problem in archive.verify()} <= {"torn_tail"}
    archive.compact()
    assert told <= numbers(archive)
    assert archive.verify() == []
    assert len([path for path in (archive.folder / "osm").iterdir() if path.name not in (".lock", ".maintenance")]) == 1


def test_kills_at_random_moments_lose_nothing_that_was_appended(archive: Archive) -> None:
    kill_often(archive, rounds=12, seed=1)


@pytest.mark.scale
def test_many_kills_at_random_moments_lose_nothing_that_was_appended(archive: Archive) -> None:
    kill_often(archive, rounds=60, seed=2)


def test_a_reader_beside_writers_and_maintenance_misses_nothing_and_sees_nothing_torn(archive: Archive) -> None:
    watch(archive, work=4)


@pytest.mark.scale
def test_many_readers_in_turn_miss_nothing(archive: Archive) -> None:
    for turn in range(8):
        # Compacting and reading take longer with every answer, so that one long watch would see few of either.
        watch(Archive(archive.folder.parent / str(turn)), work=5)


def watch(archive: Archive, work: int) -> None:
    """Read until writers, maintenance and reader have each done some work, however long that takes here."""
    folder = archive.folder
    with (
        running(append, folder, 0) as (_, one),
        running(append, folder, 1_000_000) as (_, two),
        running(maintain, folder) as (_, maintenance),
    ):
        told = {one.recv(), two.recv()}
        turns = readings = 0
        while len(told) < 8 * work or min(readings, turns) < work:
            told.update(received(one), received(two))
            assert told <= numbers(archive)
            assert len(archive.latest("osm")) >= len(told)
            readings += 1
            turns += len(list(received(maintenance)))
        assert archive.verify() == []


def test_an_answer_is_forced_to_disk_before_append_returns(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    forced: list[tuple[int, int]] = []
    really_force = os.fsync

    def force(handle: int) -> None:
        really_force(handle)
        forced.append((os.fstat(handle).st_ino, os.fstat(handle).st_size))

    with archive.writer("osm") as writer:
        (path,) = (archive.folder / "osm").glob("*.journal")
        monkeypatch.setattr(os, "fsync", force)
        for number in range(3):
            writer.append(answer(number))
            assert forced[-1] == (path.stat().st_ino, path.stat().st_size)


@pytest.mark.parametrize("step", ["seal", "compact"])
def test_a_file_is_removed_only_after_the_segment_that_replaces_it_has_its_name(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    for number in range(2):
        with archive.writer("osm") as writer:
            writer.append(answer(number))
        if step == "compact":
            archive.seal()
    before = set((archive.folder / "osm").iterdir())
    segments_at_removal: list[int] = []
    really_remove = Path.unlink

    def remove(path: Path, missing_ok: bool = False) -> None:
        if path.exists():
            segments_at_removal.append(len(set(path.parent.glob("[!.]*.parquet")) - before))
        really_remove(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", remove)
    getattr(archive, step)()
    assert segments_at_removal == [1, 1]


def test_threads_may_share_a_writer(archive: Archive) -> None:
    def work(first: int) -> None:
        for number in range(first, first + 20):
            writer.append(answer(number, numbered_body(number)))

    with archive.writer("osm") as writer:
        threads = [threading.Thread(target=work, args=(first,)) for first in (0, 100, 200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert numbers(archive) == {first + number for first in (0, 100, 200) for number in range(20)}
    assert archive.verify() == []


def test_threads_may_have_writers_of_their_own_beside_maintenance(archive: Archive) -> None:
    def work(first: int) -> None:
        for number in range(first, first + 10):
            with archive.writer("osm") as writer:
                writer.append(answer(number, numbered_body(number)))
            archive.seal()

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numbers(archive) == {first + number for first in (0, 100) for number in range(10)}


def test_a_full_disk_fails_as_storage_and_costs_the_answer_in_flight_alone(archive: Archive) -> None:
    with running(append_until_full, archive.folder, 100_000) as (process, connection):
        process.join()
        assert process.exitcode == 0
        *told, first_status, second_status = received(connection)
    assert (first_status, second_status) == (3, 3)
    assert told == list(range(len(told)))
    assert len(told) > 5
    assert numbers(archive) == set(told)
    assert archive.seal() == len(told)
    assert archive.verify() == []


def test_maintenance_on_a_full_disk_fails_as_storage_and_leaves_everything_as_it_was(archive: Archive) -> None:
    for first in (0, 10):
        with archive.writer("osm") as writer:
            for number in range(first, first + 10):
                writer.append(answer(number, numbered_body(number)))
        if not first:
            archive.seal()
    before = _files(archive.folder)
    with running(maintain_when_full, archive.folder, 20_000) as (process, connection):
        process.join()
        assert process.exitcode == 0
        assert list(received(connection)) == [3, 3]
    assert _files(archive.folder) == before
    assert numbers(archive) == set(range(20))


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_kinds_at_once_end_as_one(archive: Archive) -> None:
    outcomes: list[str] = []

    def work(given: Answer) -> None:
        with archive.writer("osm") as writer:
            barrier.wait()
            try:
                writer.append(given)
                outcomes.append(given.origin)
            except Exception as error:
                outcomes.append(type(error).__name__)

    for turn in range(10):
        archive = Archive(archive.folder.parent / str(turn))
        barrier = threading.Barrier(2)
        threads = [threading.Thread(target=work, args=(answer(1, origin=kind),)) for kind in ("live", "sandbox")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes)[0] == "OriginError"
        assert [each.origin for each in archive.answers("osm")] == sorted(outcomes)[1:]
        outcomes.clear()
