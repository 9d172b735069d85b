"""How fast answers are archived, sealed and read, and in how much memory: prints, judges only the answers."""

import resource
import threading
import time
from pathlib import Path

import pytest

from sources.transport.archive import Archive
from tests.sources.transport.archive.answers import answer, numbered_body, request

ANSWERS, WRITERS = 20_000, 4


@pytest.mark.scale
def test_answers_are_archived_sealed_and_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = Archive(tmp_path / "raw")

    def write(first: int) -> None:
        with archive.writer("osm") as writer:
            for number in range(first, ANSWERS, WRITERS):
                writer.append(answer(number, numbered_body(number)))

    def timed(name: str, count: int, start: float) -> None:
        seconds = time.perf_counter() - start
        lines.append(f"{name}: {count / seconds:,.0f} answers/s ({seconds:.2f} s)")

    lines: list[str] = []
    start = time.perf_counter()
    with archive.writer("osm") as writer:
        for number in range(1000):
            writer.append(answer(number, numbered_body(number)))
    timed("append, one writer", 1000, start)
    start = time.perf_counter()
    threads = [threading.Thread(target=write, args=(first,)) for first in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    timed(f"append, {WRITERS} writers", ANSWERS, start)

    hashes = {archive.content_hash("osm")}
    for name, step in (("read journals", None), ("seal", archive.seal), ("read a segment", None)):
        start = time.perf_counter()
        if step:
            step()
        else:
            assert sum(len(each.body or b"") for each in archive.answers("osm")) > ANSWERS * 1000
        timed(name, ANSWERS, start)
    hashes.add(archive.content_hash("osm"))
    start = time.perf_counter()
    assert len(archive.latest("osm")) == ANSWERS
    timed("latest without bodies", ANSWERS, start)
    known = archive.known("osm")
    start = time.perf_counter()
    for number in range(0, ANSWERS, 40):
        found = known.answer(request(number))
        assert found is not None
        assert found.body == numbered_body(number)
    timed("known, in any order", ANSWERS // 40, start)
    start = time.perf_counter()
    assert archive.verify() == []
    timed("verify", ANSWERS, start)
    assert len(hashes) == 1
    stats = archive.stats()["osm"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with capsys.disabled():
        print(
            f"\narchive of {stats.answers:,} answers, {stats.body_bytes / 1e6:,.0f} MB of bodies, peak {peak:,.0f} MB"
        )
        print("\n".join(lines))
