"""Answers made from files. What a file's name says after its code begins with the endpoint that answered so.

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
from sources.protocol.types import Answer, Origin, Parsed, Refusal, Request, Row, Skipped, Unknown

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "tripadvisor"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
NOON = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
MEDIA_TYPES = {".json": "application/json", ".html": "text/html; charset=utf-8"}
SUBJECT = {"city_id": "in-bengaluru", "country": "IN", "country_name": "India"}
ENDPOINTS: dict[str, tuple[str, dict[str, str]]] = {
    "details": ("location_details", {"language": "en"}),
    "search": ("location_search", {"searchQuery": "Bengaluru", "category": "hotels", "language": "en"}),
    "nearby": ("location_nearby_search", {"latLong": "12.97,77.59", "category": "hotels", "language": "en"}),
    "photos": ("location_photos", {}),
    "reviews": ("location_reviews", {}),
    "terra_search": ("terra_search", {"query": "Bengaluru", "category": "ATTRACTION", "page": "1"}),
    "terra_nearby": ("terra_nearby", {"lat": "12.97", "lon": "77.59", "category": "ATTRACTION", "page": "1"}),
    "terra_locations": ("terra_locations", {"id": "900000031"}),
}
PLACE_TABLES = ("accommodations", "attractions", "restaurants")


def answer(
    body: bytes | None,
    endpoint: str = "location_details",
    params: Mapping[str, str] | None = None,
    *,
    subject: Mapping[str, str] = SUBJECT,
    status: int = 200,
    media_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
    origin: Origin = "live",
) -> Answer:
    request = Request("tripadvisor", endpoint, "scope", params or {}, subject=subject)
    return Answer(
        request_id=request.id,
        provider="tripadvisor",
        endpoint=endpoint,
        scope=request.scope,
        params=request.params,
        url="https://terra.tripadvisor.com/api",
        status=status,
        headers=headers or {},
        media_type=media_type,
        fetched_at=NOON,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin=origin,
        subject=subject,
    )


def endpoint_of(path: Path) -> tuple[str, dict[str, str]]:
    what = path.name.rpartition("__")[2]
    return next(ENDPOINTS[name] for name in reversed(ENDPOINTS) if what.startswith(f"{name}_"))


def of_file(path: Path, **changed: Any) -> Answer:
    endpoint, params = endpoint_of(path)
    # That the answer is about another place can only be seen where one was asked for.
    if path.name.startswith("wrong_place__"):
        params = {**params, "location_id": "900000003"}
    if not path.name.endswith("capture.json"):
        return answer(path.read_bytes(), endpoint, params, media_type=MEDIA_TYPES[path.suffix], **changed)
    saved = json.loads(path.read_text(encoding="utf-8"))
    media_type = saved["headers"]["Content-Type"]
    return answer(
        saved["body"].encode(), endpoint, params, status=saved["status"], media_type=media_type, **changed
    )  # fmt: skip


def document(name: str) -> Any:
    return json.loads((FOLDER / "examples" / f"{name}.json").read_text(encoding="utf-8"))


def of_document(name: str, found: Any, **changed: Any) -> Answer:
    """An answer of the endpoint of an example, with another document in it."""
    endpoint, params = endpoint_of(Path(name + "_"))
    return answer(json.dumps(found).encode(), endpoint, {**params, **changed.pop("params", {})}, **changed)


def rows(parsed: Iterable[Parsed], *tables: str) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row) and item.table in (tables or PLACE_TABLES)]


def hours(parsed: Iterable[Parsed]) -> list[tuple[Any, ...]]:
    columns = ("weekday", "hours_state", "opens", "closes", "closes_day_offset")
    return [tuple(row[column] for column in columns) for row in rows(parsed, "place_hours")]


def refusals(parsed: Iterable[Parsed]) -> list[Refusal]:
    return [item for item in parsed if isinstance(item, Refusal)]


def skipped(parsed: Iterable[Parsed]) -> dict[str, int]:
    return {item.reason: item.times for item in parsed if isinstance(item, Skipped)}


def unknown(parsed: Iterable[Parsed]) -> list[str]:
    return [item.path for item in parsed if isinstance(item, Unknown)]


def assert_usable(parsed: Iterable[Parsed]) -> None:
    """Every row casts to the staged schema, with values in vocabulary and range; every text can be written."""
    items = list(parsed)
    for item in items:
        if isinstance(item, Row):
            assert item.table in (*PLACE_TABLES, "place_hours")
        else:
            assert isinstance(item, Refusal | Unknown | Skipped)
            str(tuple(item)).encode("utf-8")
    marks = {"source": "tripadvisor", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
    for table in sorted({item.table for item in items if isinstance(item, Row)}):
        schema = staged_schema(table)
        records = rows(items, table)
        assert all(set(record) <= set(schema.names) for record in records)
        pa.Table.from_pylist([record | marks for record in records], schema=schema).validate(full=True)
        for record in records:
            _assert_in_range(record)


def _assert_in_range(record: dict[str, Any]) -> None:
    for name, value in record.items():
        field = FIELDS[name]
        assert value not in ("", []), name
        for one in value if isinstance(value, list) else [value]:
            if one is None:
                continue
            assert field.minimum is None or one >= field.minimum, name
            assert field.maximum is None or one <= field.maximum, name
            assert field.vocabulary is None or str(one) in vocabulary(field.vocabulary).tokens, name
