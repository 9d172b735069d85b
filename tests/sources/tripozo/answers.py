"""Answers made from files. A file's name holds, before its first dot and behind its code, its endpoint.

A file holds a body as it came, or (`*.capture.json`) status, headers and body.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.arrow import staged_schema
from schemas.fields import FIELDS
from schemas.vocab import vocabulary
from sources.protocol.types import Answer, Parsed, Refusal, Request, Row, Skipped, Unknown
from sources.tripozo.parse import parse

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "tripozo"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
TABLES = ("flights", "train_stops", "buses")
NOON = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
MEDIA_TYPES = {".json": "application/json", ".html": "text/html; charset=utf-8", ".txt": "text/plain"}
PARAMS: dict[str, dict[str, str]] = {
    "flights": {"from": "2025-08-15", "origin": "DEL", "destination": "BOM", "class": "1"},
    "trains": {},
    "train": {},
    "buses": {"from": "Bengaluru", "to": "Kozhikode", "date": "2025-08-15"},
}


def answer(
    body: bytes | None,
    endpoint: str,
    params: Mapping[str, str] | None = None,
    *,
    subject: Mapping[str, str] | None = None,
    status: int = 200,
    media_type: str = "text/html",
) -> Answer:
    request = Request("tripozo", endpoint, "scope", PARAMS.get(endpoint, {}) if params is None else params)
    return Answer(
        request_id=request.id,
        provider="tripozo",
        endpoint=endpoint,
        scope=request.scope,
        params=request.params,
        url="https://www.tripozo.com",
        status=status,
        headers={},
        media_type=media_type,
        fetched_at=NOON,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin="capture",
        subject=subject or {},
    )


def endpoint_of(path: Path) -> str:
    return path.name.rpartition("__")[2].partition(".")[0]


def of_file(path: Path, **changed: Any) -> Answer:
    endpoint = endpoint_of(path)
    if path.name.startswith("no_place__"):
        changed = {"params": {}, **changed}
    if not path.name.endswith("capture.json"):
        return answer(path.read_bytes(), endpoint, media_type=MEDIA_TYPES[path.suffix], **changed)
    saved = json.loads(path.read_text(encoding="utf-8"))
    return answer(saved["body"].encode(), endpoint, status=saved["status"], **changed)


def of_example(name: str, **changed: Any) -> Answer:
    return of_file(FOLDER / "examples" / name, **changed)


def of_json(endpoint: str, document: Any, **changed: Any) -> Answer:
    return answer(json.dumps(document).encode(), endpoint, media_type="application/json", **changed)


def rows(parsed: Iterable[Parsed]) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row)]


def refusals(parsed: Iterable[Parsed]) -> list[Refusal]:
    return [item for item in parsed if isinstance(item, Refusal)]


def skipped(parsed: Iterable[Parsed]) -> dict[str, int]:
    return {item.reason: item.times for item in parsed if isinstance(item, Skipped)}


def columns(parsed: Iterable[Parsed], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows(parsed)]


def assert_usable(given: Answer) -> list[Parsed]:
    """Every row casts to the staged schema, with values in vocabulary and range; every text can be written."""
    items = list(parse(given))
    marks = {"source": "tripozo", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
    by_table: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        if isinstance(item, Row):
            assert item.table in TABLES
            by_table.setdefault(item.table, []).append(dict(item.values))
        else:
            assert isinstance(item, Refusal | Unknown | Skipped)
            str(tuple(item)).encode("utf-8")
    for table, records in by_table.items():
        schema = staged_schema(table)
        assert all(set(record) <= set(schema.names) for record in records)
        pa.Table.from_pylist([record | marks for record in records], schema=schema).validate(full=True)
        for record in records:
            for name, value in record.items():
                _assert_in_range(name, value)
    return items


def _assert_in_range(name: str, value: Any) -> None:
    field = FIELDS[name]
    assert value not in ("", []), name
    for one in value if isinstance(value, list) else [value]:
        if one is None:
            continue
        assert field.minimum is None or one >= field.minimum, name
        assert field.maximum is None or one <= field.maximum, name
        assert field.above is None or one > field.above, name
        assert field.vocabulary is None or one in vocabulary(field.vocabulary).tokens, name
