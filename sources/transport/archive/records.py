"""One archived answer as a record of named columns, the same in journals and segments.

`journal` and `appended_ns` together are the identity of an appended answer and survive sealing and compaction. The
order of records is (request_id, fetched_at, appended_ns, journal); the last one of a request is its latest answer.
"""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from sources.protocol.types import Answer, Request
from sources.transport.archive.errors import UnfitAnswer, damaged

Record = dict[str, Any]

# Under this endpoint the robots.txt of a provider is kept. It steers how we ask and is no answer to a question.
ROBOTS = "robots.txt"

# A Parquet page, and so a body, has to stay below 2 GiB.
MAX_BODY = 2**30


def _column(name: str, kind: pa.DataType, description: str, nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=nullable, metadata={"description": description})


SCHEMA = pa.schema(
    [
        _column("request_id", pa.string(), "SHA-256 over provider, endpoint and parameters."),
        _column("provider", pa.string(), "Who was asked."),
        _column("endpoint", pa.string(), "Which of the provider's endpoints."),
        _column("scope", pa.string(), "What was asked about."),
        _column("params", pa.string(), "Parameters as JSON, sorted by name."),
        _column("subject", pa.string(), "What the answer is about, for whoever parses it, as JSON, sorted by name."),
        _column("url", pa.string(), "Canonical address, keys redacted."),
        _column("status", pa.int32(), "HTTP status."),
        _column("headers", pa.string(), "The headers that are kept, as JSON, sorted by name."),
        _column("media_type", pa.string(), "Media type of the body."),
        _column("fetched_at", pa.timestamp("us", "UTC"), "When the answer came."),
        _column("body", pa.binary(), "The body as it came; null once it has expired.", nullable=True),
        _column("body_sha256", pa.string(), "SHA-256 of the body as it came."),
        _column("body_bytes", pa.int64(), "Length of the body as it came."),
        _column("is_expired", pa.bool_(), "Whether the body was dropped since."),
        _column("origin", pa.string(), "live, capture or sandbox."),
        _column("journal", pa.string(), "Journal to which the answer was appended."),
        _column("appended_ns", pa.int64(), "When it was appended, in ns; strictly rising within a journal."),
    ]
)
# Files of before there were subjects are read as having empty ones.
WITHOUT_SUBJECT = pa.schema([column for column in SCHEMA if column.name != "subject"])
NO_SUBJECT = "{}"
ORDER = ("request_id", "fetched_at", "appended_ns", "journal")
WITHOUT_BODY = tuple(name for name in SCHEMA.names if name != "body")
BODILESS = pa.schema([SCHEMA.field(name) for name in WITHOUT_BODY])


def to_record(answer: Answer, journal: str, appended_ns: int) -> Record:
    """Return the record of an answer that is about to be appended. Raises UnfitAnswer, naming what is wrong."""
    body = answer.body
    try:
        texts = (
            answer.scope,
            answer.url,
            answer.media_type,
            _sorted_json(answer.headers),
            _sorted_json(answer.subject),
        )
        "".join(texts).encode()
        request_id = Request(answer.provider, answer.endpoint, answer.scope, answer.params).id
    except UnicodeEncodeError as error:
        raise _unfit(answer, f"it has text that is none ({error})") from None
    if body is None:
        raise _unfit(answer, "it has no body; only `expire` takes bodies away")
    if len(body) > MAX_BODY:
        raise _unfit(answer, f"its body has {len(body)} bytes, more than {MAX_BODY}; ask in smaller parts")
    if hashlib.sha256(body).hexdigest() != answer.body_sha256:
        raise _unfit(answer, "its body_sha256 is not that of its body")
    if request_id != answer.request_id:
        raise _unfit(answer, "its request_id is not that of its provider, endpoint and params")
    if answer.fetched_at.utcoffset() != timedelta(0):
        raise _unfit(answer, f"its fetched_at {answer.fetched_at} is not in UTC")
    record = {
        "request_id": answer.request_id,
        "provider": answer.provider,
        "endpoint": answer.endpoint,
        "scope": answer.scope,
        "params": _sorted_json(answer.params),
        "subject": _sorted_json(answer.subject),
        "url": answer.url,
        "status": answer.status,
        "headers": _sorted_json(answer.headers),
        "media_type": answer.media_type,
        "fetched_at": answer.fetched_at,
        "body": body,
        "body_sha256": answer.body_sha256,
        "body_bytes": len(body),
        "is_expired": False,
        "origin": answer.origin,
        "journal": journal,
        "appended_ns": appended_ns,
    }
    _require_fit(answer, record)
    return record


def to_answer(record: Record) -> Answer:
    """Return the answer of a record; its body is None where the record has none."""
    return Answer(
        request_id=record["request_id"],
        provider=record["provider"],
        endpoint=record["endpoint"],
        scope=record["scope"],
        params=json.loads(record["params"]),
        url=record["url"],
        status=record["status"],
        headers=json.loads(record["headers"]),
        media_type=record["media_type"],
        fetched_at=record["fetched_at"].astimezone(UTC),
        body=record.get("body"),
        body_sha256=record["body_sha256"],
        origin=record["origin"],
        subject=json.loads(record["subject"]),
    )


def without_body(record: Record) -> Record:
    """Return the record as it is once its body has expired."""
    return record | {"body": None, "is_expired": True}


def checked(record: Record, path: Path) -> Record:
    """Return the record if its body is the one that was archived; else raise DamagedArchive naming the file."""
    body = record["body"]
    if (body is None) != record["is_expired"]:
        raise damaged(path, f"the body of request {record['request_id']} is gone without having expired")
    if body is not None and hashlib.sha256(body).hexdigest() != record["body_sha256"]:
        raise damaged(path, f"the body of request {record['request_id']} is not the one that was archived")
    return record


def encode(record: Record) -> bytes:
    """Return all of a record but its body as bytes; equal records give equal bytes."""
    values = {name: record[name] for name in WITHOUT_BODY}
    values["fetched_at"] = record["fetched_at"].astimezone(UTC).isoformat()
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()


def decode(data: bytes) -> Record:
    """Return what `encode` was given, without a body."""
    record: Record = {"subject": NO_SUBJECT, **json.loads(data)}
    record["fetched_at"] = datetime.fromisoformat(record["fetched_at"])
    return record


def _require_fit(answer: Answer, record: Record) -> None:
    """Raise UnfitAnswer for a record that no reader could read back: with it the whole journal would be lost."""
    try:
        read_back = pa.Table.from_pylist([decode(encode(record))], schema=BODILESS).to_pylist()
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise _unfit(answer, f"it does not fit into a record ({error})") from None
    if read_back != [{name: record[name] for name in WITHOUT_BODY}]:
        raise _unfit(answer, "it would not be read back as it is")


def _sorted_json(values: Any) -> str:
    return json.dumps(dict(values), ensure_ascii=False, sort_keys=True)


def _unfit(answer: Answer, cause: str) -> UnfitAnswer:
    return UnfitAnswer(f"answer to {answer.provider}/{answer.endpoint} ({answer.scope!a}) not archived: {cause}")
