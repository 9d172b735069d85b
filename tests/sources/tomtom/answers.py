"""Answers made from files: a file holds a body as it came, or (`*capture.json`) status, headers and body.

The name of a file ends with the endpoint that it answers, and what it shows: `code__endpoint.what.json`.
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
from sources.tomtom.jobs import Ends, submit_request
from sources.tomtom.points import Point, locations_text

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "tomtom"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
NOON = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
JOB = "00-0a1b2c3d-0000-4000-8000-000000000001-0000"
MUMBAI, PUNE, NAGPUR = (19.07283, 72.88261), (18.51957, 73.85535), (21.14631, 79.08491)
# Two cities that are paired with themselves too, and four pairs of different ones.
ENDS = Ends((MUMBAI, PUNE), (MUMBAI, PUNE, NAGPUR))


def request_of(endpoint: str, ends: Ends = ENDS, pair: tuple[Point, Point] = (MUMBAI, PUNE)) -> Request:
    submitted = submit_request("2 x 3", ends)
    match endpoint:
        case "matrix":
            return submitted
        case "route":
            return Request("tomtom", "route", "pair", {"locations": locations_text(*pair)})
        case "matrix_result":
            return Request("tomtom", endpoint, "2 x 3", {"jobId": JOB}, subject=dict(submitted.params))
    return Request("tomtom", endpoint, "2 x 3", {"jobId": JOB})


def answer_to(
    request: Request,
    body: bytes | None,
    *,
    status: int = 200,
    media_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
    fetched_at: datetime = NOON,
) -> Answer:
    return Answer(
        request_id=request.id,
        provider="tomtom",
        endpoint=request.endpoint,
        scope=request.scope,
        params=request.params,
        url="https://api.tomtom.com/routing",
        status=status,
        headers=headers or {},
        media_type=media_type,
        fetched_at=fetched_at,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin="live",
        subject=request.subject,
    )


def answer(endpoint: str, document: Any, **changed: Any) -> Answer:
    return answer_to(request_of(endpoint), json.dumps(document).encode(), **changed)


def endpoint_of(path: Path) -> str:
    return path.name.rpartition("__")[2].partition(".")[0]


def of_file(path: Path, request: Request | None = None, **changed: Any) -> Answer:
    request = request or request_of(endpoint_of(path))
    if not path.name.endswith("capture.json"):
        media_type = "text/html; charset=utf-8" if path.suffix == ".html" else "application/json"
        return answer_to(request, path.read_bytes(), **{"media_type": media_type, **changed})
    saved = json.loads(path.read_text(encoding="utf-8"))
    headers = {name.lower(): value for name, value in saved["headers"].items()}
    body = saved["body"].encode()
    return answer_to(
        request, body, status=saved["status"], media_type=headers["content-type"], headers=headers, **changed
    )


def road(row: int, column: int, metres: Any = 148_202, seconds: Any = 9_090) -> dict[str, Any]:
    summary = {"lengthInMeters": metres, "travelTimeInSeconds": seconds, "trafficDelayInSeconds": 0}
    return {"originIndex": row, "destinationIndex": column, "routeSummary": summary}


def failed(row: int, column: int, error: dict[str, Any]) -> dict[str, Any]:
    return {"originIndex": row, "destinationIndex": column, "detailedError": error}


def matrix(cells: list[Any], total: int = 6) -> dict[str, Any]:
    """A document whose statistics count its cells rightly, if there are `total`."""
    roads = sum("routeSummary" in cell for cell in cells)
    return {"data": cells, "statistics": {"totalCount": total, "successes": roads, "failures": total - roads}}


def rows(parsed: Iterable[Parsed]) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row)]


def refusals(parsed: Iterable[Parsed]) -> list[Refusal]:
    return [item for item in parsed if isinstance(item, Refusal)]


def skipped(parsed: Iterable[Parsed]) -> dict[str, int]:
    return {item.reason: item.times for item in parsed if isinstance(item, Skipped)}


def assert_usable(parsed: Iterable[Parsed]) -> None:
    """Every row has the columns of its staged table, with values in vocabulary and range; every text can be written."""
    items = list(parsed)
    assert all(isinstance(item, Row | Refusal | Unknown | Skipped) for item in items)
    for item in items:
        if not isinstance(item, Row):
            str(tuple(item)).encode("utf-8")
    for table in {item.table for item in items if isinstance(item, Row)}:
        records = [dict(item.values) for item in items if isinstance(item, Row) and item.table == table]
        schema = staged_schema(table)
        marks = {"source": "tomtom", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
        names = set(schema.names) - {*marks, "observed_at"}
        assert all(set(record) == names for record in records)
        pa.Table.from_pylist([record | marks | {"observed_at": NOON.date()} for record in records], schema=schema)
        for record in records:
            assert record.get("road_status", "ok") in vocabulary("road_statuses").tokens
            for name, value in record.items():
                field = FIELDS[name]
                if field.type in ("double", "int32") and value is not None:
                    assert field.above is None or value > field.above
                    assert field.minimum is None or value >= field.minimum
