"""Made-up providers, and files with what a browser or a recorder saved of them."""

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sources.protocol.declaration import Declaration, Secret
from sources.protocol.types import Answer
from sources.transport.capture import Capture, captured
from tests.sources.transport.provider import declare

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
KEY = "k-3f9a77Zq-0815"
QUERY, HEADER = Secret("query", "key", "UTP_ACME_KEY"), Secret("header", "X-Api-Key", "UTP_ACME_KEY")


def declared() -> Declaration:
    """A provider with an endpoint of each kind; it lies at https://api.acme.example/v1 and redirects to files."""
    one = declare(secrets=(QUERY, HEADER))
    stops = one.endpoints["stops"]
    kinds = {
        "stops": stops,
        "place": replace(stops, path="/places/{id}/tags"),
        "list": replace(stops, path="/places/all/tags"),
        "form": replace(stops, method="POST", path="/form", params_in="form"),
        "json": replace(stops, method="POST", path="/json", params_in="json"),
        "job": replace(stops, base="https://jobs.acme.example/async", path="/{job}"),
    }
    endpoints = {name: replace(kind, name=name) for name, kind in kinds.items()}
    return replace(one, endpoints=endpoints, hosts=("api.acme.example", "jobs.acme.example"))


def taken(
    file: Path, declaration: Declaration | None = None, *, endpoint: str | None = None, key: str = ""
) -> tuple[list[Answer], list[str]]:
    """Return the answers in a file and what was skipped."""
    how = Capture(declaration or declared(), {"UTP_ACME_KEY": key}, NOW, "captured", endpoint)
    found = captured(file, how)
    assert found is not None
    items = list(found)
    return [one for one in items if isinstance(one, Answer)], [one for one in items if isinstance(one, str)]


def entry(
    url: str = "https://api.acme.example/v1/stops?area=Kochi",
    *,
    method: str = "GET",
    status: int = 200,
    text: str | None = '{"a": 1}',
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    sent_headers: Mapping[str, str] | None = None,
    posted: Mapping[str, Any] | None = None,
    at: str = "2026-03-01T12:00:00.250+05:30",
    **content: Any,
) -> dict[str, Any]:
    """Return an entry of a HAR; `body` is written in Base64."""
    held: dict[str, Any] = {"size": -1, "mimeType": "application/json", **content}
    if body is not None:
        held |= {"text": base64.b64encode(body).decode(), "encoding": "base64"}
    elif text is not None:
        held["text"] = text
    received = {"Content-Type": "application/json; charset=utf-8", **(headers or {})}
    request: dict[str, Any] = {"method": method, "url": url, "headers": _pairs(sent_headers or {})}
    if posted is not None:
        request["postData"] = posted
    response = {"status": status, "headers": _pairs(received), "content": held}
    return {"startedDateTime": at, "time": 750, "request": request, "response": response}


def har(folder: Path, *entries: Any, name: str = "saved.har") -> Path:
    file = folder / name
    file.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}), encoding="utf-8")
    return file


def warc(folder: Path, *records: Iterable[Any], packed: bool = True, name: str = "saved.warc.gz") -> Path:
    """Write records, each given as arguments of `record`."""
    file = folder / name
    with file.open("wb") as stream:
        writer = WARCWriter(stream, gzip=packed)
        for one in records:
            for made in one(writer) if callable(one) else one:
                writer.write_record(made)
    return file


def exchange(
    url: str = "https://api.acme.example/v1/stops?area=Kochi",
    *,
    method: str = "GET",
    sent: bytes = b"",
    sent_headers: Mapping[str, str] | None = None,
    status: str = "200 OK",
    body: bytes = b'{"a": 1}',
    headers: Mapping[str, str] | None = None,
    at: str = "2026-03-01T12:00:00Z",
    with_question: bool = True,
    warc_headers: Mapping[str, str] | None = None,
    kind: str = "response",
    stated_length: int | None = None,
) -> Any:
    """Return what makes the records of one exchange, the answer before its question."""

    def make(writer: WARCWriter) -> list[Any]:
        length = len(body) if stated_length is None else stated_length
        received = {"Content-Type": "application/json", "Content-Length": str(length), **(headers or {})}
        if "Transfer-Encoding" in received:
            del received["Content-Length"]
        answer = writer.create_warc_record(
            url,
            kind,
            payload=BytesIO(body),
            http_headers=StatusAndHeaders(status, list(received.items()), "HTTP/1.1") if kind != "resource" else None,
            warc_headers_dict={"WARC-Date": at, **(warc_headers or {})},
        )
        if not with_question:
            return [answer]
        identity = answer.rec_headers.get_header("WARC-Record-ID")
        path = url.partition("example")[2] or "/"
        question = writer.create_warc_record(
            url,
            "request",
            payload=BytesIO(sent),
            http_headers=StatusAndHeaders(
                f"{method} {path} HTTP/1.1", list((sent_headers or {}).items()), is_http_request=True
            ),
            warc_headers_dict={"WARC-Concurrent-To": identity, "WARC-Date": at},
        )
        return [answer, question]

    return make


def _pairs(headers: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]
