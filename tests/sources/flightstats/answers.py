"""Answers made from files: a file holds a body as it came, or (`*capture.json`) status, headers and body.

The name of a file ends with the endpoint that it answers, and what it shows: `code__endpoint.what.json`.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.arrow import staged_schema
from schemas.fields import FIELDS
from sources.protocol.types import Answer, Origin, Parsed, Refusal, Request, Row, Skipped, Unknown

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "flightstats"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
NOON = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
ENDPOINTS = ("schedules", "route_ratings", "flight_ratings")
# What the counterexamples were asked for.
PAIR = {"dep": "NAG", "arr": "BOM"}


def answer(
    endpoint: str,
    body: bytes | None,
    params: Mapping[str, str] | None = None,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    origin: Origin = "live",
) -> Answer:
    """Return an answer; without `params` it is one that somebody saved, of which nobody knows what was asked."""
    request = Request("flightstats", endpoint, "scope", params or {})
    return Answer(
        request_id=request.id,
        provider="flightstats",
        endpoint=endpoint,
        scope=request.scope,
        params=request.params,
        url="https://api.flightstats.com/flex",
        status=status,
        headers=headers or {},
        media_type="application/json",
        fetched_at=NOON,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin=origin,
    )


def of_document(endpoint: str, document: Any, params: Mapping[str, str] | None = None) -> Answer:
    return answer(endpoint, json.dumps(document).encode(), params)


def endpoint_of(path: Path) -> str:
    return path.name.rpartition("__")[2].partition(".")[0]


def of_file(path: Path) -> Answer:
    params = PAIR if path.parent.name == "counterexamples" else None
    if not path.name.endswith("capture.json"):
        return answer(endpoint_of(path), path.read_bytes(), params)
    saved = json.loads(path.read_text(encoding="utf-8"))
    return answer(endpoint_of(path), saved["body"].encode(), params, status=saved["status"])


def example(name: str) -> Any:
    return json.loads((FOLDER / "examples" / f"{name}.json").read_text(encoding="utf-8"))


def rows(parsed: Iterable[Parsed]) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row)]


def refusals(parsed: Iterable[Parsed]) -> list[Refusal]:
    return [item for item in parsed if isinstance(item, Refusal)]


def skipped(parsed: Iterable[Parsed]) -> dict[str, int]:
    return {item.reason: item.times for item in parsed if isinstance(item, Skipped)}


def unknown(parsed: Iterable[Parsed]) -> list[str]:
    return [item.path for item in parsed if isinstance(item, Unknown)]


def assert_usable(parsed: Iterable[Parsed]) -> None:
    """Every row has the columns of its staged table, with values in pattern and range; every text can be written."""
    items = list(parsed)
    assert all(isinstance(item, Row | Refusal | Unknown | Skipped) for item in items)
    for item in items:
        if not isinstance(item, Row):
            str(tuple(item)).encode("utf-8")
    for table in {item.table for item in items if isinstance(item, Row)}:
        records = [dict(item.values) for item in items if isinstance(item, Row) and item.table == table]
        schema = staged_schema(table)
        marks = {"source": "flightstats", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
        names = set(schema.names) - {*marks, "observed_at"}
        assert all(set(record) == names for record in records)
        pa.Table.from_pylist([record | marks | {"observed_at": NOON.date()} for record in records], schema=schema)
        for record in records:
            _assert_in_range(record)


def _assert_in_range(record: dict[str, Any]) -> None:
    for name, value in record.items():
        field = FIELDS[name]
        if value is None:
            continue
        assert value != "", name
        assert field.minimum is None or value >= field.minimum, name
        assert field.maximum is None or value <= field.maximum, name
        assert field.pattern is None or re.fullmatch(field.pattern, value), name
