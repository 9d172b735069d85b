"""Answers made from files: a file holds a body as it came, or (`*.capture.json`) status, headers and body."""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.arrow import staged_schema
from schemas.fields import FIELDS
from schemas.model import PROVENANCE_MARKS
from schemas.vocab import vocabulary
from sources.osm.areas import Box
from sources.osm.requests import stops_request
from sources.protocol.types import Answer, Origin, Parsed, Refusal, Row, Skipped, Unknown

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "osm"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
NOON = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
GRID_BOX = Box(21, 79)
MEDIA_TYPES = {".json": "application/json", ".html": "text/html; charset=utf-8", ".txt": "text/plain"}


def answer(
    body: bytes | None,
    *,
    box: Box = GRID_BOX,
    status: int = 200,
    media_type: str = "application/json",
    fetched_at: datetime = NOON,
    origin: Origin = "live",
) -> Answer:
    request = stops_request(box)
    return Answer(
        request_id=request.id,
        provider="osm",
        endpoint="stops",
        scope=request.scope,
        params=request.params,
        url="https://overpass-api.de/api/interpreter",
        status=status,
        headers={},
        media_type=media_type,
        fetched_at=fetched_at,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin=origin,
    )


def of_file(path: Path, **changed: Any) -> Answer:
    if not path.name.endswith("capture.json"):
        return answer(path.read_bytes(), media_type=MEDIA_TYPES[path.suffix], **changed)
    saved = json.loads(path.read_text(encoding="utf-8"))
    media_type = saved["headers"]["Content-Type"]
    return answer(saved["body"].encode(), status=saved["status"], media_type=media_type, **changed)


def of_elements(*elements: Any, **envelope: Any) -> Answer:
    state = {"timestamp_osm_base": "2026-07-14T11:59:00Z", "copyright": ""}
    document = {"version": 0.6, "generator": "", "osm3s": state, "elements": elements, **envelope}
    return answer(json.dumps(document).encode())


def rows(parsed: Iterable[Parsed]) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row)]


def refusals(parsed: Iterable[Parsed]) -> list[Refusal]:
    return [item for item in parsed if isinstance(item, Refusal)]


def assert_usable(parsed: Iterable[Parsed]) -> None:
    """Every row casts to the staged schema, with values in vocabulary and range; every text can be written."""
    items = list(parsed)
    assert all(isinstance(item, Row | Refusal | Unknown | Skipped) for item in items)
    for item in items:
        if isinstance(item, Row):
            assert item.table == "transit_stops"
        else:
            str(tuple(item)).encode("utf-8")
    schema = staged_schema("transit_stops")
    marks = {"source": "osm", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
    records = rows(items)
    names = {name for name in schema.names if name not in PROVENANCE_MARKS} | {"observed_at"}
    assert all(set(record) == names for record in records)
    table = pa.Table.from_pylist([record | marks for record in records], schema=schema)
    table.validate(full=True)
    for record in records:
        assert record["stop_mode"] in vocabulary("stop_modes").tokens
        assert abs(record["latitude"]) <= FIELDS["latitude"].maximum
        assert abs(record["longitude"]) <= FIELDS["longitude"].maximum
        assert record["stop_name"] != ""
        assert record["stop_lines"] != []
