"""Answers made from files. What a file's name says after its code begins with the question that was answered so.

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
from sources.protocol.types import Answer, Parsed, Refusal, Request, Row, Skipped, Unknown

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "numbeo"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
NOON = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
MEDIA_TYPES = {".json": "application/json", ".html": "text/html; charset=utf-8"}
OWN_ENDPOINTS = ("cities", "currency_exchange_rates", "city_prices")
# As `requests` puts it: which city, and what rupees are worth. Of the pound nobody knows a rate.
SUBJECT = {
    "city_id": "in-prayagraj",
    "city": "Allahabad",
    "country": "India",
    "rupees_for": '{"INR": 1.0, "USD": 80.0}',
    "rates_as_of": "2026-07-13",
}
TABLE = "cost_of_living"


def answer(
    body: bytes | None,
    question: str = "city_prices",
    *,
    params: Mapping[str, str] | None = None,
    subject: Mapping[str, str] = SUBJECT,
    status: int = 200,
    media_type: str = "application/json",
    fetched_at: datetime = NOON,
) -> Answer:
    """An answer to a question; one that is never asked here comes under the endpoint for all others."""
    if question in OWN_ENDPOINTS:
        endpoint, asked = question, {"city_id": "900001"} if question == "city_prices" else {}
    else:
        endpoint, asked = "other", {"question": question}
    request = Request("numbeo", endpoint, "scope", asked if params is None else params, subject=subject)
    return Answer(
        request_id=request.id,
        provider="numbeo",
        endpoint=endpoint,
        scope=request.scope,
        params=request.params,
        url="https://www.numbeo.com/api",
        status=status,
        headers={},
        media_type=media_type,
        fetched_at=fetched_at,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin="live",
        subject=subject,
    )


def question_of(path: Path) -> str:
    return path.name.rpartition("__")[2].partition(".")[0]


def of_file(path: Path, **changed: Any) -> Answer:
    if not path.name.endswith("capture.json"):
        return answer(path.read_bytes(), question_of(path), media_type=MEDIA_TYPES[path.suffix], **changed)
    saved = json.loads(path.read_text(encoding="utf-8"))
    media_type = saved["headers"]["Content-Type"]
    return answer(saved["body"].encode(), question_of(path), status=saved["status"], media_type=media_type, **changed)


def document(name: str) -> Any:
    return json.loads((FOLDER / "examples" / f"{name}.json").read_text(encoding="utf-8"))


def of_document(found: Any, question: str = "city_prices", **changed: Any) -> Answer:
    return answer(json.dumps(found).encode(), question, **changed)


def rows(parsed: Iterable[Parsed]) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row)]


def refusals(parsed: Iterable[Parsed]) -> list[Refusal]:
    return [item for item in parsed if isinstance(item, Refusal)]


def skipped(parsed: Iterable[Parsed]) -> dict[str, int]:
    return {item.reason: item.times for item in parsed if isinstance(item, Skipped)}


def unknown(parsed: Iterable[Parsed]) -> list[str]:
    return [item.path for item in parsed if isinstance(item, Unknown)]


def assert_usable(parsed: Iterable[Parsed]) -> None:
    """Every row casts to the staged schema, with values in range; every text can be written."""
    items = list(parsed)
    schema = staged_schema(TABLE)
    marks = {"source": "numbeo", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
    for item in items:
        str(tuple(item)).encode("utf-8")
        if isinstance(item, Row):
            assert item.table == TABLE
            assert set(item.values) <= set(schema.names)
        elif isinstance(item, Refusal):
            assert item.table == TABLE
        else:
            assert isinstance(item, Unknown | Skipped)
    pa.Table.from_pylist([record | marks for record in rows(items)], schema=schema).validate(full=True)
    for record in rows(items):
        for name, value in record.items():
            field = FIELDS[name]
            assert value != "", name
            assert value is None or field.above is None or value > field.above, name
            assert value is None or field.minimum is None or value >= field.minimum, name
