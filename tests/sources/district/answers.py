"""Answers made from files. What a file's name says after its code begins with the endpoint that answered so.

A file holds a body as it came, or (`*.capture.json`) status, headers and body.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.arrow import staged_schema
from schemas.vocab import vocabulary
from sources.protocol.types import Answer, Parsed, Refusal, Request, Row, Skipped

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "district"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
NOON = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
SLUG = "constructed-night-12-buy-tickets"
TABLE = "events"


def answer(
    body: bytes | None,
    endpoint: str = "event_page",
    *,
    slug: str = SLUG,
    subject: Mapping[str, str] | None = None,
    status: int = 200,
) -> Answer:
    params = {} if endpoint == "sitemap" else {"slug": slug}
    request = Request("district", endpoint, slug, params, subject=subject or {})
    return Answer(
        request_id=request.id,
        provider="district",
        endpoint=endpoint,
        scope=request.scope,
        params=request.params,
        url="https://www.district.in",
        status=status,
        headers={},
        media_type="application/xml" if endpoint == "sitemap" else "text/html",
        fetched_at=NOON,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin="live",
        subject=request.subject,
    )


def endpoint_of(path: Path) -> str:
    return path.name.rpartition("__")[2].partition(".")[0]


def of_file(path: Path, **changed: Any) -> Answer:
    if not path.name.endswith("capture.json"):
        return answer(path.read_bytes(), endpoint_of(path), **changed)
    saved = json.loads(path.read_text(encoding="utf-8"))
    return answer(saved["body"].encode(), endpoint_of(path), status=saved["status"], **changed)


EVENT: dict[str, Any] = {
    "@context": "http://schema.org",
    "@type": "MusicEvent",
    "name": "Constructed Night",
    "startDate": "2025-11-12T19:30:00+05:30",
    "endDate": "2025-11-12T22:00:00+05:30",
    "location": {
        "@type": "Place",
        "name": "Constructed Hall",
        "address": {"streetAddress": "1 Constructed Road", "addressLocality": "Pune", "addressCountry": "IN"},
    },
}


def page(*documents: Any, head: str = "", body: str = "") -> bytes:
    """A page with documents as scripts."""
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in documents)
    return f"<!DOCTYPE html><html><head>{head}{scripts}</head><body>{body}</body></html>".encode()


def of_events(*events: Any, **changed: Any) -> Answer:
    return answer(page(*events), **changed)


def event(**changed: Any) -> dict[str, Any]:
    """The usual event with some fields changed; None leaves a field out."""
    return {name: value for name, value in {**EVENT, **changed}.items() if value is not None}


def rows(parsed: Iterable[Parsed]) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row)]


def days(parsed: Iterable[Parsed]) -> list[date]:
    return [row["event_date"] for row in rows(parsed)]


def refusals(parsed: Iterable[Parsed]) -> list[Refusal]:
    return [item for item in parsed if isinstance(item, Refusal)]


def skipped(parsed: Iterable[Parsed]) -> dict[str, int]:
    return {item.reason: item.times for item in parsed if isinstance(item, Skipped)}


def assert_usable(parsed: Iterable[Parsed]) -> None:
    """Every row casts to the staged schema; every text can be written; each event has a day once."""
    items = list(parsed)
    schema = staged_schema(TABLE)
    marks = {"source": "district", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
    for item in items:
        str(tuple(item)).encode("utf-8")
        if isinstance(item, Row):
            assert item.table == TABLE
            assert set(item.values) <= set(schema.names)
        elif isinstance(item, Refusal):
            assert item.table == TABLE
        else:
            assert isinstance(item, Skipped)
            assert item.times > 0
    found = rows(items)
    pa.Table.from_pylist([record | marks for record in found], schema=schema).validate(full=True)
    for record in found:
        assert record["name"]
        assert record["url"].startswith("http")
        assert "" not in record.values()
        assert record["segmentName"] in (None, *vocabulary("event_segments").tokens)
