"""HAR, as browsers save what they asked: JSON with `log.entries`, bodies unpacked already."""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from sources.transport.capture.bodies import unpacked
from sources.transport.capture.exchange import SHOWN, Asked, Exchange, Passed, Unusable, check_status, utc

_GZIP = b"\x1f\x8b"
_BOM = 3


def har_entries(data: bytes) -> list[Any] | None:
    """Return the entries of a HAR, None for anything else."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    log = document.get("log") if isinstance(document, dict) else None
    entries = log.get("entries") if isinstance(log, dict) else None
    return entries if isinstance(entries, list) else None


def read_har(entries: list[Any]) -> Iterator[Exchange | Passed]:
    """Yield each entry as an exchange, or why nothing can be taken from it."""
    for number, entry in enumerate(entries, 1):
        where, asked = f"entry {number}", None
        try:
            asked = _asked(_object(entry, "request"))
            yield _exchange(where, entry, asked)
        except Unusable as error:
            yield Passed(where, asked, str(error))


def _exchange(where: str, entry: Mapping[str, Any], asked: Asked) -> Exchange:
    response = _object(entry, "response")
    status = response.get("status")
    if not isinstance(status, int):
        raise Unusable("it has no status")
    check_status(status)
    headers = _headers(response)
    return Exchange(where, asked, status, headers, _body(_object(response, "content"), headers), _came_at(entry))


def _asked(request: Mapping[str, Any]) -> Asked:
    method, url = request.get("method"), request.get("url")
    if not isinstance(method, str) or not isinstance(url, str):
        raise Unusable("it has no method or no address")
    posted = request.get("postData")
    body = _posted(posted) if isinstance(posted, dict) else b""
    headers = _headers(request)
    if isinstance(posted, dict) and isinstance(posted.get("mimeType"), str):
        headers.setdefault("content-type", posted["mimeType"])
    return Asked(method.upper(), url, headers, body)


def _posted(posted: Mapping[str, Any]) -> bytes:
    text, params = posted.get("text"), posted.get("params")
    if isinstance(text, str) and text:
        return _encoded(text, "utf-8")
    if isinstance(params, list):
        return urlencode([(_text(param, "name"), _text(param, "value")) for param in params]).encode()
    return b""


def _body(content: Mapping[str, Any], headers: Mapping[str, str]) -> bytes:
    text, size = content.get("text"), content.get("size")
    if not isinstance(text, str):
        if size == 0:
            return b""
        raise Unusable("its body was not saved")
    media_type = headers.get("content-type") or str(content.get("mimeType") or "")
    if content.get("encoding") == "base64":
        body = _still_packed(_from_base64(text), headers.get("content-encoding", ""))
    else:
        body = _encoded(text, _charset(media_type))
    # A browser may take a byte order mark away, and no more.
    if isinstance(size, int) and len(body) + _BOM < size:
        raise Unusable(f"its body is truncated: {len(body)} of {size} bytes were saved")
    return body


def _still_packed(body: bytes, encodings: str) -> bytes:
    """Return a body that some programs save as it came and others unpacked, as HAR wants it."""
    name = encodings.strip().lower()
    is_text = _is_text(body)
    if (name in ("gzip", "x-gzip") and body[:2] == _GZIP) or (name in ("br", "deflate") and not is_text):
        return unpacked(body, encodings)
    return body


def _is_text(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise Unusable("its body is no Base64") from None


def _charset(media_type: str) -> str:
    for parameter in media_type.split(";")[1:]:
        name, _, value = parameter.strip().partition("=")
        if name.lower() == "charset":
            return value.strip("\"' ")
    return "utf-8"


def _encoded(text: str, charset: str) -> bytes:
    """Return text in the bytes in which it came."""
    try:
        return text.encode(charset)
    except (LookupError, UnicodeError):
        raise Unusable(f"its text cannot be written in {charset[:SHOWN]!r}, in which it came") from None


def _came_at(entry: Mapping[str, Any]) -> datetime:
    took = entry.get("time")
    lasted = timedelta(milliseconds=took if isinstance(took, int | float) and 0 <= took < 86_400_000 else 0)
    started = utc(entry.get("startedDateTime"))
    if started > datetime.max.replace(tzinfo=UTC) - lasted:
        raise Unusable(f"its time {started.isoformat()} is still to come")
    return started + lasted


def _headers(message: Mapping[str, Any]) -> dict[str, str]:
    found = message.get("headers")
    return {_text(one, "name").lower(): _text(one, "value") for one in found} if isinstance(found, list) else {}


def _object(value: Any, key: str) -> Mapping[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, dict):
        raise Unusable(f"it has no {key!r}")
    return found


def _text(value: Any, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
