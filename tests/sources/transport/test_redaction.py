"""Keys out of everything, in whatever spelling they come back. A canary goes through and is looked for everywhere."""

import base64
import html
import json
import logging
import time
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.transport.archive import Archive
from sources.transport.errors import ProviderStopped, TransportError
from sources.transport.redaction import MASK, Redactor
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import HEADER_KEY, QUERY_KEY, ask, declare
from tests.sources.transport.stand_in import Script, StandIn, raw, redirect, reply

KEY = 'Ca/na+ry"7&=<K>9\\z'

SPELLINGS = {
    "plain": KEY,
    "percent": quote(KEY, safe=""),
    "in lower case": KEY.lower(),
    "percent in lower case": quote(KEY, safe="").lower(),
    "percent but for slashes": quote(KEY),
    "percent of a form": quote_plus(KEY),
    "percent of every character": "".join(f"%{byte:02X}" for byte in KEY.encode()),
    "percent twice": quote(quote(KEY, safe=""), safe=""),
    "json": json.dumps(KEY)[1:-1],
    "json in utf-8": json.dumps(KEY, ensure_ascii=False)[1:-1],
    "json of every character": "".join(f"\\u{ord(char):04X}" for char in KEY),
    "json with escaped slashes": json.dumps(KEY)[1:-1].replace("/", "\\/"),
    "json within json": json.dumps(json.dumps(KEY)[1:-1])[1:-1],
    "html": html.escape(KEY),
    "html by number": "".join(f"&#{ord(char)};" for char in KEY),
    "html by hexadecimal number": "".join(f"&#x{ord(char):x};" for char in KEY),
    "hexadecimal": KEY.encode().hex(),
    "python": repr(KEY)[1:-1],
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_key_is_found_in_every_spelling(spelling: str) -> None:
    assert Redactor([KEY]).body(f"a {spelling} b".encode()) == f"a {MASK} b".encode()


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("around", [("", ""), ("u:", ""), ("user:", ":x"), ("a", "b"), ("ab", "")])
def test_a_key_is_found_inside_base64_at_any_offset(encode: object, around: tuple[str, str]) -> None:
    encoded = encode(f"{around[0]}{KEY}{around[1]}".encode())  # type: ignore[operator]
    cleaned = Redactor([KEY]).body(encoded)
    assert MASK.encode() in cleaned
    assert len(cleaned.replace(MASK.encode(), b"")) <= len("".join(around)) * 4 / 3 + 4


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=8, max_size=40), st.data())
def test_a_key_of_any_characters_is_found_however_each_is_written(key: str, data: st.DataObject) -> None:
    ways = (
        lambda char: char,
        lambda char: quote(char, safe=""),
        lambda char: json.dumps(char)[1:-1],
        lambda char: f"&#{ord(char)};",
    )
    text = "".join(data.draw(st.sampled_from(ways))(char) for char in key)
    assert Redactor([key]).text(f"<{text}>") == f"<{MASK}>"


@settings(deadline=None)
@given(st.binary())
def test_bytes_without_a_key_stay_as_they_are(data: bytes) -> None:
    assert Redactor(["never-there-key"]).body(data) == data
    assert Redactor([]).body(data) == data


def test_json_stays_json() -> None:
    body = json.dumps({"echo": f"key={KEY}", "url": f"https://x/?k={quote(KEY)}&a=1", "n": 1})
    cleaned = json.loads(Redactor([KEY]).body(body.encode()))
    assert cleaned == {"echo": f"key={MASK}", "url": f"https://x/?k={MASK}&a=1", "n": 1}


def test_of_two_keys_one_within_the_other_the_longer_is_taken_out_whole() -> None:
    assert Redactor(["abcdefgh", "abcdefgh-ijkl"]).text("abcdefgh-ijkl abcdefgh") == f"{MASK} {MASK}"


def test_a_large_body_is_gone_through_in_reasonable_time() -> None:
    body = b'{"type": "node", "id": 123456789, "lat": 12.9716, "lon": 77.5946, "tags": {"name": "Stop"}},\n' * 50_000
    started = time.monotonic()
    Redactor(["k-3f9a77Zq0123456789abcdef"]).body(body)
    assert time.monotonic() - started < 3


def _echo(status: int, **headers: str) -> Script:
    """Send back everything that came, in every spelling."""

    def script(handler: Any) -> None:
        lines = [handler.path, str(handler.headers), *SPELLINGS.values()]
        lines += [base64.b64encode(f"user:{KEY}".encode()).decode()]
        reply(status, "\n".join(lines).encode(), f'text/plain; note="{quote(KEY)}"', ETag=quote(KEY), **headers)(
            handler
        )

    return script


def _needles() -> list[bytes]:
    core = base64.b64encode(f"user:{KEY}".encode())[8:-4]
    return [spelling.encode().lower() for spelling in SPELLINGS.values()] + [core.lower()]


@pytest.mark.parametrize("secrets", [QUERY_KEY, HEADER_KEY], ids=["query", "header"])
def test_a_canary_is_found_nowhere(
    secrets: tuple, stand_in: StandIn, connect: Connect, archive: Archive, tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    canary = quote(KEY)
    stand_in.on(
        "/acme/v1/stops",
        _echo(200),
        _echo(404),
        *[raw(f"HTTP/1.1 {canary} nonsense\r\n\r\n".encode())] * 5,
        *[raw(b"")] * 5,
        redirect(f"https://elsewhere.example/?key={canary}"),
        reply(200, b"...", Content_Encoding="gzip"),
        reply(200, b"...", Content_Encoding=canary),
        _echo(503, Retry_After="9999"),
    )
    transport = connect(declare(secrets=secrets, timeout_s=2.0), environment={"UTP_ACME_KEY": KEY})
    seen = [repr(transport.__dict__["_providers"])]
    hanging_on: list[BaseException | None] = []
    with caplog.at_level(logging.DEBUG):
        for city in "ABCDEFGHIJ":
            try:
                seen.append(repr(transport.fetch(ask(city))))
            except TransportError as error:
                seen += ["".join(traceback.format_exception(error)), repr(error), repr(vars(error))]
                hanging_on.append(error.__context__)
                if isinstance(error, ProviderStopped):
                    break
    transport.close()
    assert not any(hanging_on), "what hangs on an error is shown by others"
    sent = stand_in.arrivals[0]
    assert quote(KEY, safe="") in sent.path or sent.headers.get("x-api-key") == KEY, "the key must be sent"
    assert any("urllib3" in record.name for record in caplog.records), "the libraries' own lines must be among them"
    seen += [record.getMessage() + str(record.args) + str(record.msg) for record in caplog.records]
    archive.seal()
    bodies = [answer.body for answer in archive.answers("acme")]
    assert len(bodies) >= 2
    assert all(MASK.encode() in body for body in bodies if body)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    haystack = [text.encode() for text in seen] + bodies + [path.read_bytes() for path in files]
    haystack += [str(pq.read_table(path).to_pylist()).encode() for path in files if path.suffix == ".parquet"]
    for needle in _needles():
        assert not [found[:200] for found in haystack if found and needle in found.lower()], needle
