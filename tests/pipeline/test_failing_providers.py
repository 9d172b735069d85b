"""Providers that fail are told as failing, asked again later, and never pass for providers with nothing to say."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pipeline.allowances import read_allowances
from pipeline.asking import MOST_FAILURES, Asked, open_requests
from pipeline.fetching import fetch
from pipeline.flow import Flow
from pipeline.home import Home
from pipeline.regions import read_region
from pipeline.settings import settings_for
from sources.protocol.discovery import find_sources
from sources.transport.archive import Archive

REGION = read_region("sample")
OSM = find_sources()["osm"]
USUAL = read_allowances(Path("nowhere"), [OSM.declaration], of_stand_ins=True)


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """Serve one answer to every question; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(status)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def ask_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int, bytes], Asked]:
    """Return a function that fetches OpenStreetMap from a server with one answer, into the home `tmp_path`."""

    def asking(status: int, body: bytes) -> Asked:
        with answering(status, body) as address:
            monkeypatch.setenv("UTP_SANDBOX", address)
            return fetch([OSM], REGION, Home(tmp_path), "sandbox", USUAL, lambda _: {})["osm"]

    return asking


def _open(home: Path) -> int:
    account = USUAL.accounts["osm"]
    return len(open_requests(OSM, REGION, Archive(home / "raw"), account, datetime.now(UTC), {}))


@pytest.mark.parametrize("status", [403, 406, 500])
def test_a_provider_that_lets_nobody_in_is_left_alone_soon_and_asked_again_by_the_next_fetch(
    ask_all: Callable[[int, bytes], Asked], tmp_path: Path, status: int
) -> None:
    whole = _open(tmp_path)
    asked = ask_all(status, b"<html><body>constructed refusal</body></html>")
    assert asked.stopped
    assert not asked.is_whole
    assert asked.done <= MOST_FAILURES
    assert _open(tmp_path) == whole


def test_answers_that_are_all_refused_for_good_are_no_success(ask_all: Callable[[int, bytes], Asked]) -> None:
    asked = ask_all(400, b"<html><body>Error: line 1: parse error</body></html>")
    assert (asked.failed, asked.stopped) == ((), None)
    assert sum(asked.refused.values()) == asked.done > 100
    assert not asked.is_whole


def test_a_table_of_which_every_answer_was_refused_is_absent_and_says_so(
    ask_all: Callable[[int, bytes], Asked], tmp_path: Path
) -> None:
    ask_all(400, b"<html><body>Error: line 1: parse error</body></html>")
    settings = settings_for("sample", tmp_path)
    reason = Flow(settings.request, settings.home).derived("transit_stops").absent
    assert reason is not None
    assert "osm: 0 rows from" in reason
    assert "refused" in reason


def test_a_table_whose_answers_have_expired_is_absent_and_never_a_part_of_itself(tmp_path: Path) -> None:
    answered = fetch([OSM], REGION, Home(tmp_path), "sandbox", USUAL, lambda _: {})["osm"]
    assert answered.is_whole
    archive = Archive(tmp_path / "raw")
    oldest = min(answer.fetched_at for answer in archive.latest("osm").values())
    archive.expire("osm", lambda fetched_at: fetched_at if fetched_at == oldest else None, datetime.now(UTC))
    assert archive.expired("osm") == 1
    settings = settings_for("sample", tmp_path)
    reason = Flow(settings.request, settings.home).derived("transit_stops").absent
    assert reason is not None
    assert f"1 of its {answered.done} answers have expired; fetch them anew" in reason
