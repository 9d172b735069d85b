"""JSON Lines: many saved bodies in one file, each of which says itself what was asked."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import UtpError
from sources.protocol.types import Answer, Request
from sources.transport.capture import Capture, saved, saved_lines
from tests.sources.transport.capture.files import KEY, NOW, declared

SAVED_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOW = Capture(declared(), {"UTP_ACME_KEY": KEY}, NOW, "Kochi")
REQUEST = Request("acme", "place", "Kochi", {})


def read(folder: Path, *lines: str | bytes, **changed: Any) -> list[Answer | str]:
    file = folder / "saved.jsonl"
    file.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    given: dict[str, Any] = {"media_type": "application/json", "fetched_at": SAVED_AT, "status": 200}
    paths = changed.pop("paths", {"id": "asked.id"})
    return list(saved_lines(file, HOW, REQUEST, paths, **(given | changed)))


def test_each_line_is_an_answer_to_what_it_says_was_asked(tmp_path: Path) -> None:
    first, second = read(tmp_path, '{"asked": {"id": "7"}, "tags": []}', '{"asked": {"id": 8}}')
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert [one.params for one in (first, second)] == [{"id": "7"}, {"id": "8"}]
    assert first.url == "https://api.acme.example/v1/places/7/tags?key=REDACTED"
    assert (first.origin, first.fetched_at, first.status) == ("capture", SAVED_AT, 200)


def test_a_line_is_the_same_answer_as_a_file_of_its_own_and_kept_as_it_stands(tmp_path: Path) -> None:
    body = '{"of": "ours",  "asked": {"id": "7"}}'
    (line,) = read(tmp_path, body)
    alone = tmp_path / "alone.json"
    alone.write_text(body)
    request = Request("acme", "place", "Kochi", {"id": "7"})
    assert line == saved(alone, HOW, request, media_type="application/json", fetched_at=SAVED_AT, status=200)
    assert isinstance(line, Answer)
    assert line.body == body.encode()


def test_an_empty_line_is_none(tmp_path: Path) -> None:
    assert len(read(tmp_path, "", '{"asked": {"id": "7"}}', "  ", "")) == 1
    assert read(tmp_path, "") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2: it is no JSON"),
        (b'{"asked": {"id": "\xff"}}', "line 2: it is no JSON"),
        ("[" * 100_000, "line 2: it is no JSON"),
        ("[]", "line 2: it has no asked,"),
        ('{"asked": "7"}', r"line 2: it has no asked\.id,"),
        ('{"asked": {"id": null}}', r"line 2: its asked\.id is no text or number"),
        ('{"asked": {"id": true}}', r"line 2: its asked\.id is no text or number"),
        ('{"asked": {"id": ""}}', r"line 2: its asked\.id is no text or number"),
        (f'{{"asked": {{"id": "{KEY}"}}}}', "line 2: the parameters hold a key"),
        ('{"asked": {"id": ".."}}', "line 2: .*cannot stand in a path"),
    ],
)
def test_a_line_that_cannot_be_taken_is_told_and_the_others_stay(
    tmp_path: Path, line: str | bytes, reason: str
) -> None:
    first, told, third = read(tmp_path, '{"asked": {"id": "7"}}', line, '{"asked": {"id": "9"}}')
    assert isinstance(first, Answer)
    assert isinstance(third, Answer)
    assert isinstance(told, str)
    assert re.match(reason, told)
    assert KEY not in str(told)


def test_two_answers_to_one_question_at_one_time_are_not_both_true(tmp_path: Path) -> None:
    line = '{"asked": {"id": "7"}, "tags": []}'
    first, same, other = read(tmp_path, line, line, '{"asked": {"id": "7"}, "tags": [1]}')
    assert first == same
    assert other == "line 3: it answers the question of line 1 in another way"


def test_a_key_in_a_line_is_taken_out(tmp_path: Path) -> None:
    (answer,) = read(tmp_path, f'{{"asked": {{"id": "7"}}, "url": "?key={KEY}"}}')
    assert isinstance(answer, Answer)
    assert answer.body == b'{"asked": {"id": "7"}, "url": "?key=REDACTED"}'


def test_what_holds_for_all_lines_is_looked_at_before_any(tmp_path: Path) -> None:
    with pytest.raises(UtpError, match="still to come"):
        read(tmp_path, '{"asked": {"id": "7"}}', fetched_at=NOW + timedelta(days=1))
    (lacking,) = read(tmp_path, "{}", paths={})
    assert isinstance(lacking, str)
    assert "the path needs 'id'" in lacking
    with pytest.raises(UtpError, match=r"gone\.jsonl: No such file"):
        list(saved_lines(tmp_path / "gone.jsonl", HOW, REQUEST, {}, media_type="", fetched_at=SAVED_AT, status=200))
