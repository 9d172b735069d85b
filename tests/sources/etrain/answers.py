"""Answers made from files and pages made from numbers.

A file holds a page as it came, or (`*capture.json`) status, headers and body. The name of a file ends with what was
asked, `bare` (a number) or a window, and what it shows: `code__1y.what.html`.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.arrow import staged_schema
from schemas.fields import FIELDS
from schemas.vocab import vocabulary
from sources.etrain.requests import bare_request
from sources.protocol.types import Answer, Parsed, Refusal, Request, Row, Skipped, Unknown

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "etrain"
EXAMPLES = sorted((FOLDER / "examples").iterdir())
COUNTEREXAMPLES = sorted((FOLDER / "counterexamples").iterdir())
NOON = datetime(2026, 10, 5, 12, 0, tzinfo=UTC)
NUMBER, SLUG = "19999", "Constructed-Hill-Express-19999"
HEADER = "['Stations','Right Time', 'Slight Delay', 'Significant Delay', 'Cancelled/Unknown', {'type': 'string'}]"
DELAYS = dict[tuple[str, str], tuple[float | None, str]]


@dataclass(frozen=True)
class Station:
    """A station of a page: counts and averages as the page is to print them; None leaves a blank."""

    code: str
    counts: tuple[int, int, int, int]
    average: float | None
    name: str = "CONSTRUCTED HALT"
    bar: str | None = None


@dataclass(frozen=True)
class PageText:
    """A page in the form of the site."""

    stations: Sequence[Station]
    runs: Mapping[date, Sequence[int | None]] = field(default_factory=dict)
    window: str = "last year"
    number: str = NUMBER

    def __str__(self) -> str:
        rows = [f"['{one.code}', {', '.join(map(str, one.counts))}, {_js(one.average)}]" for one in self.stations]
        labels = [f"{{'type':'number','label':'{one.code}'}}" for one in self.stations]
        header = ",".join(["'Date'", *labels])
        runs = [",".join([_day(day), *map(_js, delays)]) for day, delays in self.runs.items()]
        counts, delays = ",".join([HEADER, *rows]), ",".join(f"[{row}]" for row in [header, *runs])
        title = f"Running History of CONSTRUCTED HILL EXPRESS ({self.number}) for {self.window}"
        return "\n".join(
            [
                f"<html><head><title>{title}</title></head><body>",
                f'<a href="/train/Constructed-Hill-Express-{self.number}/history?d=1y">last year</a>',
                *map(_bar, self.stations),
                "<script>",
                "var et = et || {}; et.rsStat = {};",
                f"et.rsStat.primaryData = [ {counts}];",
                f"et.rsStat.tooltipData = [{delays}];",
                "</script></body></html>",
            ]
        )


def _js(value: float | None) -> str:
    return "null" if value is None else str(value)


def _day(day: date) -> str:
    return f"new Date({day.year},{day.month - 1},{day.day})"


def _bar(station: Station) -> str:
    average = station.bar if station.bar is not None else None if station.average is None else round(station.average)
    told = "" if average is None else f"<b>Avg. Delay:</b> {average} Min's"
    return (
        f'<a href="#{station.code}" etitle="<b>Right Time</b>: 50.00%><br>" class="runStatStn blocklink rnd5">\n<div>\n'
        f"\t\t{station.name} ({station.code})\r\n\t\t<div>{told}</div></div></a>"
    )


def asked(window: str, number: str = NUMBER) -> Request:
    """Return the request for a window (`1y`), or for the page of the number alone (`bare`)."""
    if window == "bare":
        return bare_request(number)
    slug = SLUG.replace(NUMBER, number)
    return Request("etrain", "history", f"{number} {window}", {"train": slug, "d": window})


def answer_to(
    request: Request,
    body: bytes | None,
    *,
    status: int = 200,
    media_type: str = "text/html; charset=utf-8",
    headers: Mapping[str, str] | None = None,
    fetched_at: datetime = NOON,
) -> Answer:
    return Answer(
        request_id=request.id,
        provider="etrain",
        endpoint=request.endpoint,
        scope=request.scope,
        params=request.params,
        url="https://etrain.info/train",
        status=status,
        headers=headers or {},
        media_type=media_type,
        fetched_at=fetched_at,
        body=body,
        body_sha256=hashlib.sha256(body or b"").hexdigest(),
        origin="live",
        subject=request.subject,
    )


def answer(page: object, window: str = "1y", **changed: Any) -> Answer:
    return answer_to(asked(window), str(page).encode(), **changed)


def of_file(path: Path, request: Request | None = None, **changed: Any) -> Answer:
    request = request or asked(path.name.rpartition("__")[2].partition(".")[0])
    if not path.name.endswith("capture.json"):
        return answer_to(request, path.read_bytes(), **changed)
    saved = json.loads(path.read_text(encoding="utf-8"))
    return answer_to(request, saved["body"].encode(), status=saved["status"], **changed)


def rows(parsed: Iterable[Parsed]) -> list[dict[str, Any]]:
    return [dict(item.values) for item in parsed if isinstance(item, Row)]


def delays(parsed: Iterable[Parsed]) -> DELAYS:
    """Return average and basis by horizon and station."""
    return {(row["horizon"], row["station_code"]): (row["avg_delay_min"], row["delay_basis"]) for row in rows(parsed)}


def refusals(parsed: Iterable[Parsed]) -> list[Refusal]:
    return [item for item in parsed if isinstance(item, Refusal)]


def codes(parsed: Iterable[Parsed]) -> list[str]:
    return [refusal.code for refusal in refusals(parsed)]


def assert_usable(parsed: Iterable[Parsed]) -> None:
    """Every row has the columns of its staged table, with values in vocabulary and range; every text can be written."""
    items = list(parsed)
    assert all(isinstance(item, Row | Refusal | Unknown | Skipped) for item in items)
    assert all(item.table == "train_delays" for item in items if isinstance(item, Row | Refusal))
    for item in items:
        if not isinstance(item, Row):
            str(tuple(item)).encode("utf-8")
    records = rows(items)
    schema = staged_schema("train_delays")
    marks = {"source": "etrain", "source_ref": "1", "snapshot_id": "0" * 16, "value_class": "observed"}
    names = set(schema.names) - {*marks, "observed_at"}
    assert all(set(record) == names for record in records)
    pa.Table.from_pylist([record | marks | {"observed_at": NOON.date()} for record in records], schema=schema)
    for record in records:
        assert record["horizon"] in vocabulary("delay_horizons").tokens
        assert record["runs_unit"] in vocabulary("runs_units").tokens
        assert record["delay_basis"] in vocabulary("delay_bases").tokens
        for name, value in record.items():
            kind = FIELDS[name]
            if kind.type == "double" and value is not None:
                assert kind.minimum is None or value >= kind.minimum
                assert kind.maximum is None or value <= kind.maximum
