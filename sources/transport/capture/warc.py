"""WARC, as crawlers and recording proxies save what they asked: a record each for question and answer."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

from sources.transport.capture.bodies import MOST, unchunked, unpacked
from sources.transport.capture.exchange import SHOWN, Asked, Exchange, Passed, Unusable, check_status, utc

_PIECE = 1 << 16
_ANSWERS = ("response", "resource", "revisit")


def is_warc(path: Path) -> bool:
    """Say whether a file begins as a WARC does, packed or not."""
    with path.open("rb") as stream:
        start = stream.read(1 << 10)
    if start[:2] == b"\x1f\x8b":
        try:
            start = zlib.decompressobj(31).decompress(start, 16)
        except zlib.error:
            return False
    return start.startswith(b"WARC/")


def read_warc(path: Path) -> Iterator[Exchange | Passed]:
    """Yield each answer as an exchange, or why nothing can be taken from it; after damage nothing more is read."""
    questions: dict[str, Asked] = {}
    for _, record in _records(path):
        if isinstance(record, Passed) or record.rec_type != "request":
            continue
        try:
            asked = _asked(record)
        except Unusable:
            continue
        for name in ("WARC-Record-ID", "WARC-Concurrent-To"):
            if record.rec_headers.get_header(name):
                questions[record.rec_headers.get_header(name)] = asked
    for where, record in _records(path):
        if isinstance(record, Passed):
            yield record
        elif record.rec_type in _ANSWERS:
            asked = _question_of(record, questions)
            try:
                yield _exchange(where, record, asked)
            except Unusable as error:
                yield Passed(where, asked, str(error))
            except Exception as error:
                yield Passed(where, asked, f"its record is damaged ({_one_line(error)})")


def _records(path: Path) -> Iterator[tuple[str, Any]]:
    number = 0
    with path.open("rb") as stream:
        try:
            for number, record in enumerate(ArchiveIterator(stream, check_digests=True), 1):
                yield f"record {number}", record
        except Exception as error:  # What its reader makes of damaged bytes is of any kind.
            where = f"record {number + 1}"
            reason = f"the file is damaged here ({_one_line(error)}), and what follows was not read"
            yield where, Passed(where, None, reason)


def _question_of(record: Any, questions: dict[str, Asked]) -> Asked:
    for name in ("WARC-Concurrent-To", "WARC-Record-ID"):
        asked = questions.get(record.rec_headers.get_header(name) or "")
        if asked is not None:
            return asked
    # A file without its questions is one of pages that were looked at.
    return Asked("GET", _address(record), {}, b"")


def _asked(record: Any) -> Asked:
    headers = _headers(record)
    method = str(record.http_headers.protocol if record.http_headers else "GET")
    return Asked(method.upper(), _address(record), headers, _read(record))


def _address(record: Any) -> str:
    return str(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")


def _exchange(where: str, record: Any, asked: Asked) -> Exchange:
    if record.rec_type != "response":
        raise Unusable(f"a {record.rec_type} record holds no answer with a status of its own")
    if record.http_headers is None:
        raise Unusable("it holds no answer in HTTP")
    if record.rec_headers.get_header("WARC-Truncated"):
        raise Unusable(f"its record is truncated ({record.rec_headers.get_header('WARC-Truncated')[:SHOWN]})")
    status, headers = record.http_headers.get_statuscode(), _headers(record)
    if not str(status).isdigit():
        raise Unusable(f"its status {str(status)[:SHOWN]!r} is none")
    check_status(int(status))
    kept = _read(record)
    _check_whole(record, headers, kept)
    body = unchunked(kept) if headers.get("transfer-encoding", "").strip().lower() == "chunked" else kept
    at = utc(record.rec_headers.get_header("WARC-Date"))
    return Exchange(where, asked, int(status), headers, unpacked(body, headers.get("content-encoding", "")), at)


def _read(record: Any) -> bytes:
    """Return what a record holds, to its end: only then its digests are compared."""
    kept = bytearray()
    while piece := record.raw_stream.read(_PIECE):
        kept += piece
        if len(kept) > MOST:
            raise Unusable(f"its body is larger than {MOST} bytes")
    return bytes(kept)


def _check_whole(record: Any, headers: dict[str, str], kept: bytes) -> None:
    if record.length is None:
        raise Unusable("its record does not say how long it is")
    if record.payload_length >= 0 and len(kept) < record.payload_length:
        raise Unusable(f"its record is truncated: {len(kept)} of {record.payload_length} bytes")
    if record.digest_checker.passed is False:
        raise Unusable(f"its record is not what was written ({'; '.join(record.digest_checker.problems)[:SHOWN]})")
    stated = headers.get("content-length", "")
    if "transfer-encoding" not in headers and stated.isdigit() and len(kept) != int(stated):
        raise Unusable(f"its body is truncated: {len(kept)} of {stated} bytes")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:SHOWN] or type(error).__name__


def _headers(record: Any) -> dict[str, str]:
    pairs = record.http_headers.headers if record.http_headers else []
    return {name.lower(): value for name, value in pairs}
