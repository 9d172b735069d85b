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

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "besttime"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
NOON = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
MEDIA_TYPES = {".json": "application/json", ".html": "text/html; charset=utf-8"}
ENDPOINTS = (
    "forecasts", "day", "day_raw", "week_raw", "week_raw2", "hour", "now", "peaks", "week_overview", "live",
    "venues_filter", "venues", "venue_search", "venue_search_progress",
)  # fmt: skip
PARAMS = {
    "venue_name": "Constructed Venue",
    "venue_address": "1 Constructed Road, 560001, Bengaluru, Karnataka, India",
}
SUBJECT = {
    "place_id": "tripadvisor:1",
    "poi_type": "attraction",
    "latitude": "12.9719",
    "longitude": "77.5937",
    "time_zone": "Asia/Kolkata",
    "area": "Bengaluru, Karnataka, India",
}


def answer(
    body: bytes | None,
    endpoint: str = "forecasts",
    params: Mapping[str, str] = PARAMS,
    *,
    subject: Mapping[str, str] = SUBJECT,
    status: int = 200,
    media_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
    origin: Origin = "live",
) -> Answer:
    request = Request("besttime", endpoint, "scope", params, subject=subject)
    return Answer(
        request_id=request.id,
        provider="besttime",
        endpoint=endpoint,
        scope=request.scope,
        params=request.params,
        url="https://besttime.app/api/v1",
        status=status,
        headers=headers or {},
        media_type=media_type,
        fetched_at=NOON,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin=origin,
        subject=subject,
    )


def endpoint_of(path: Path) -> str:
    what = path.name.rpartition("__")[2]
    return max((name for name in ENDPOINTS if what.startswith(f"{name}_")), key=len)


def of_file(path: Path, **changed: Any) -> Answer:
    endpoint = endpoint_of(path)
    if not path.name.endswith("capture.json"):
        return answer(path.read_bytes(), endpoint, media_type=MEDIA_TYPES[path.suffix], **changed)
    saved = json.loads(path.read_text(encoding="utf-8"))
    media_type = saved["headers"]["Content-Type"]
    return answer(saved["body"].encode(), endpoint, status=saved["status"], media_type=media_type, **changed)


def document(name: str) -> Any:
    return json.loads((FOLDER / "examples" / f"{name}.json").read_text(encoding="utf-8"))


def of_document(found: Any, endpoint: str = "forecasts", **changed: Any) -> Answer:
    return answer(json.dumps(found).encode(), endpoint, **changed)


def rows(parsed: Iterable[Parsed]) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row)]


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
        assert isinstance(item, Row | Refusal | Unknown | Skipped)
        if isinstance(item, Row):
            assert item.table == "venue_crowd"
        else:
            str(tuple(item)).encode("utf-8")
    marks = {"source": "besttime", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
    schema = staged_schema("venue_crowd")
    records = rows(items)
    assert all(set(record) | set(marks) | {"observed_at"} == set(schema.names) for record in records)
    pa.Table.from_pylist([record | marks for record in records], schema=schema).validate(full=True)
    for record in records:
        _assert_in_range(record)
        _assert_sound(record)


def _assert_in_range(record: dict[str, Any]) -> None:
    for name, value in record.items():
        field = FIELDS[name]
        assert value != "", name
        for one in value if isinstance(value, list) else [value]:
            if one is None:
                continue
            assert field.minimum is None or one >= field.minimum, name
            assert field.maximum is None or one <= field.maximum, name
            assert field.vocabulary is None or str(one) in vocabulary(field.vocabulary).tokens, name


def _assert_sound(record: dict[str, Any]) -> None:
    """A day that is not known to be open tells no crowd; one that is has levels for 24 hours, and some hour open."""
    columns = ("hourly_levels", "hourly_raw", "quiet_hours", "busy_hours", "peak_start_hour", "opens", "closes")
    if record["day_state"] != "open":
        assert [record[name] for name in columns] == [None] * len(columns)
        return
    assert len(record["hourly_levels"]) == 24
    assert record["hourly_raw"] is None or len(record["hourly_raw"]) == 24
    assert (record["opens"] is None) == (record["closes"] is None) == (record["closes_day_offset"] is None)
