"""A HAR: each entry that asks a provider becomes an answer as it came, the others are named with the reason."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import brotli
import pytest

from sources.protocol.types import Request
from sources.transport.archive import Archive
from sources.transport.capture import Capture, captured
from sources.transport.capture.exchange import CaptureError
from tests.sources.transport.capture.files import KEY, NOW, declared, entry, har, taken
from tests.sources.transport.provider import declare


def test_an_entry_becomes_an_answer_with_its_own_time_and_status(tmp_path: Path) -> None:
    saved = entry(status=404, text="né", headers={"ETag": "7", "Set-Cookie": "a=b"})
    (answer,), skipped = taken(har(tmp_path, saved))
    assert skipped == []
    assert answer.request_id == Request("acme", "stops", "", {"area": "Kochi"}).id
    assert (answer.status, answer.body, answer.media_type) == (404, "né".encode(), "application/json")
    assert answer.fetched_at == datetime(2026, 3, 1, 6, 30, 1, tzinfo=UTC), "the answer came 750 ms after the question"
    assert (answer.origin, answer.scope, answer.subject) == ("capture", "captured", {})
    assert answer.url == "https://api.acme.example/v1/stops?area=Kochi&key=REDACTED"
    assert answer.headers == {"content-type": "application/json; charset=utf-8", "etag": "7"}


def test_it_can_be_archived_and_is_what_a_request_finds(tmp_path: Path, archive: Archive) -> None:
    answers, _ = taken(har(tmp_path, entry()))
    with archive.writer("acme") as writer:
        for answer in answers:
            writer.append(answer)
    found = archive.known("acme").answer(Request("acme", "stops", "Kochi", {"area": "Kochi"}))
    assert found == answers[0]
    assert archive.verify() == []


@pytest.mark.parametrize(
    ("saved", "reason"),
    [
        (entry("https://elsewhere.example/v1/stops"), "no endpoint of acme lies there, asked by GET"),
        (entry(method="POST"), "asked by POST"),
        (entry(status=0), "never answered"),
        (entry(status=302), "leads elsewhere"),
        (entry(status=304), "known before"),
        (entry(text=None), "its body was not saved"),
        (entry(text="half", size=4000), "truncated: 4 of 4000 bytes"),
        (entry(text="%%%", encoding="base64"), "no Base64"),
        (entry(text="मुंबई", headers={"Content-Type": "text/html; charset=iso-8859-1"}), "cannot be written"),
        (entry(body=gzip.compress(b"x" * 1000)[:-9], headers={"Content-Encoding": "gzip"}), "ends in the middle"),
        (entry(body=brotli.compress(b"\xff" * 99)[:-2], headers={"Content-Encoding": "br"}), "does not unpack as br"),
        (entry(text="x" * 1_000_001), "larger than 1000000 bytes, the most for stops"),
        (entry(at="yesterday"), "time 'yesterday' is none"),
        (entry(at="2026-03-01T12:00:00"), "no time zone"),
        (entry(at="0001-01-01T00:00:00+14:00"), "time '0001-01-01T00:00:00+14:00' is none"),
        (entry(at="9999-12-31T23:59:59-14:00"), "time '9999-12-31T23:59:59-14:00' is none"),
        (entry(at="9999-12-31T23:59:59.999999Z"), "still to come"),
        (entry(headers={"ETag": "\ud800"}), "no text in Unicode"),
        (entry("https://api.acme.example/v1/stops?area=\ud800"), "no text in Unicode"),
        (entry(f"https://api.acme.example/v1/stops?{'a=1&' * 10_001}"), "its parameter 'a' stands twice"),
        (entry(at="2026-12-01T12:00:00Z"), "still to come"),
        ({"request": {}}, "it has no method"),
        ({"request": {"method": "GET", "url": "https://api.acme.example/"}}, "it has no 'response'"),
        ("text", "it has no 'request'"),
        (None, "it has no 'request'"),
    ],
)
def test_what_cannot_be_taken_is_named_with_the_reason_and_costs_nothing_else(
    tmp_path: Path, saved: Any, reason: str
) -> None:
    answers, skipped = taken(har(tmp_path, saved, entry()))
    assert len(answers) == 1
    (line,) = skipped
    assert line.startswith("entry 1")
    assert reason in line


@pytest.mark.parametrize(
    ("packed", "headers"),
    [
        (b"caf\xc3\xa9", {}),
        (gzip.compress(b"caf\xc3\xa9"), {"Content-Encoding": "gzip"}),
        (b"caf\xc3\xa9", {"Content-Encoding": "gzip"}),
        (brotli.compress("café".encode() * 30), {"Content-Encoding": "br"}),
        ("café".encode() * 30, {"Content-Encoding": "br"}),
    ],
    ids=["base64", "gzip", "gzip unpacked already", "brotli", "brotli unpacked already"],
)
def test_a_body_is_unpacked_where_the_browser_did_not(tmp_path: Path, packed: bytes, headers: dict[str, str]) -> None:
    (answer,), _ = taken(har(tmp_path, entry(body=packed, headers=headers)))
    assert answer.body in ("café".encode(), "café".encode() * 30)


def test_text_is_kept_in_the_bytes_in_which_it_came(tmp_path: Path) -> None:
    (answer,), _ = taken(har(tmp_path, entry(text="é", headers={"Content-Type": "text/html; charset=iso-8859-1"})))
    assert answer.body == b"\xe9"


def test_an_empty_answer_is_one(tmp_path: Path) -> None:
    (answer,), _ = taken(har(tmp_path, entry(status=204, text=None, size=0)))
    assert (answer.status, answer.body) == (204, b"")


def test_keys_are_taken_out_of_everything_also_those_that_only_the_file_knows(tmp_path: Path) -> None:
    url = f"https://api.acme.example/v1/stops?area=Kochi&key={KEY}"
    other = "header-key-4711"
    echo = json.dumps({"url": url, "header": other})
    files = [
        entry(url, text=echo, headers={"ETag": KEY}, sent_headers={"x-api-key": other}),
        entry("https://api.acme.example/v1/stops?area=Pune", text=f"of another entry: {KEY}, {other}"),
        entry(f"https://api.acme.example/v2/{KEY}?key={KEY}"),
        entry(f"https://api.acme.example/v1/stops?area={KEY}"),
    ]
    answers, skipped = taken(har(tmp_path, *files))
    assert [answer.params for answer in answers] == [{"area": "Kochi"}, {"area": "Pune"}]
    held = repr([(answer, answer.headers, answer.body) for answer in answers]) + repr(skipped)
    assert KEY not in held
    assert other not in held
    assert len(skipped) == 2
    assert "a key stands among its parameters" in skipped[1]


def test_keys_of_the_environment_are_taken_out_too(tmp_path: Path) -> None:
    (answer,), _ = taken(har(tmp_path, entry(text=f"echo {KEY}")), key=KEY)
    assert answer.body == b"echo REDACTED"


def test_what_is_a_key_to_somebody_else_is_data_here(tmp_path: Path) -> None:
    other = entry("https://maps.elsewhere.example/tile?key=Hyderabad")
    answers, _ = taken(har(tmp_path, other, entry(text="Hyderabad")))
    assert answers[0].body == b"Hyderabad"


def test_entries_of_one_endpoint_alone_can_be_taken(tmp_path: Path) -> None:
    places = entry("https://api.acme.example/v1/places/7/tags")
    answers, skipped = taken(har(tmp_path, entry(), places), endpoint="place")
    assert [answer.endpoint for answer in answers] == ["place"]
    assert len(skipped) == 1


def test_a_file_that_says_that_it_is_one_and_is_none_is_refused(tmp_path: Path) -> None:
    file = har(tmp_path, entry())
    file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(CaptureError, match=r"saved\.har is not what its name says"):
        taken(file)


@pytest.mark.parametrize("content", [b"{}", b'{"log": {"entries": 1}}', b"<html>", b"[]", b"[" * 100_000])
def test_any_other_file_is_the_body_of_one_answer(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "saved.json"
    file.write_bytes(content)
    assert captured(file, Capture(declared(), {}, NOW, "captured")) is None


def test_a_key_that_nobody_declares_costs_nothing(tmp_path: Path) -> None:
    answers, skipped = taken(har(tmp_path, entry()), declare())
    assert (len(answers), skipped) == (1, [])
