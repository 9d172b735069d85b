"""One saved body: the person says what was asked and when."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import UtpError
from sources.protocol.types import Answer, Request
from sources.transport.archive import Archive
from sources.transport.capture import Capture, captured, saved, saved_lines
from tests.sources.transport.capture.files import KEY, NOW, declared

REQUEST = Request("acme", "place", "Kochi", {"id": "7"})
SAVED_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def save(file: Path, request: Request = REQUEST, **changed: Any) -> Answer:
    how = Capture(declared(), {"UTP_ACME_KEY": KEY}, NOW, "Kochi")
    given: dict[str, Any] = {"media_type": "application/json", "fetched_at": SAVED_AT, "status": 200}
    return saved(file, how, request, **(given | changed))


def test_a_saved_file_becomes_a_captured_answer(tmp_path: Path, archive: Archive) -> None:
    file = tmp_path / "saved.json"
    file.write_bytes(b'{"tags": []}')
    answer = save(file, status=404)
    assert (answer.body, answer.origin, answer.status) == (b'{"tags": []}', "capture", 404)
    assert (answer.url, answer.media_type) == (
        "https://api.acme.example/v1/places/7/tags?key=REDACTED", "application/json",
    )  # fmt: skip
    with archive.writer("acme") as writer:
        writer.append(answer)
    assert list(archive.answers("acme")) == [answer]


def test_keys_in_it_are_taken_out(tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    file.write_bytes(f'{{"you asked": "?key={KEY}"}}'.encode())
    assert save(file).body == b'{"you asked": "?key=REDACTED"}'


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"request": replace(REQUEST, params={})}, r"the path needs 'id'.*--param"),
        ({"request": replace(REQUEST, params={"id": KEY})}, "hold a key"),
        ({"request": replace(REQUEST, params={"id": "\udcff"})}, "no text in Unicode"),
        ({"request": replace(REQUEST, scope="\ud800")}, "no text in Unicode"),
        ({"media_type": "\ud800"}, "no text in Unicode"),
        ({"fetched_at": NOW + timedelta(days=1)}, "still to come"),
    ],
)
def test_what_the_person_says_must_fit(tmp_path: Path, changed: dict[str, Any], reason: str) -> None:
    file = tmp_path / "saved.json"
    file.write_bytes(b"{}")
    with pytest.raises(UtpError, match=reason):
        save(file, **changed)


def test_what_is_no_regular_file_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.har"
    os.mkfifo(pipe)
    how = Capture(declared(), {}, NOW, "Kochi")
    for file in (pipe, tmp_path):
        with pytest.raises(UtpError, match="no regular file"):
            save(file)
        with pytest.raises(UtpError, match="no regular file"):
            captured(file, how)
        with pytest.raises(UtpError, match="no regular file"):
            list(saved_lines(file, how, REQUEST, {}, media_type="", fetched_at=SAVED_AT, status=200))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UtpError, match=r"gone\.json: No such file"):
        save(tmp_path / "gone.json")
