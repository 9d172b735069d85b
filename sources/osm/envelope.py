"""From an answer of Overpass to its elements, or to the reason why there are none.

Overpass has several ways to fail that look like success; each is a refusal of the whole answer here. What one element
means stands in `elements`.
"""

import html
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sources.osm.areas import is_smallest
from sources.protocol.cuts import is_too_large
from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal, Unknown

# Servers fall behind by minutes, after an outage by some days. A mirror has served data of 75 days ago without a sign.
OLDEST_DATA = timedelta(days=7)
# The clocks of the server and of whoever asked may differ, but not by a day.
CLOCKS_DIFFER = timedelta(days=1)

_TOP_FIELDS = frozenset({"version", "generator", "osm3s", "elements", "remark"})
_STATE_FIELDS = frozenset({"timestamp_osm_base", "timestamp_areas_base", "copyright"})
_ABORTED = ("timed out", "timeout", "out of memory")
_ERROR_TEXT = re.compile(r"<strong[^<>]*>\s*Error\s*</strong>\s*:?([^<]*)", re.IGNORECASE)
_TOO_MUCH = frozenset({"aborted", "too_busy", "too_large"})
_TOO_LARGE = Refusal("too_large", "the answer is larger than is read")
_SHOWN = 200


class Envelope(NamedTuple):
    """A good answer: its elements as they came, how old the map data is (UTC), and fields that nobody knows."""

    elements: list[Any]
    data_at: datetime
    unknown: tuple[Unknown, ...]


class _NotJsonError(ValueError):
    """The message is the code of the refusal."""


def open_answer(answer: Answer) -> Envelope | Refusal:
    """Return what is in an answer, or the one reason to refuse all of it. Never raises.

    A question that was too much is not worth asking again, as its quarters are asked, unless it has none.
    """
    outcome = _opened(answer)
    if isinstance(outcome, Refusal) and outcome.code in _TOO_MUCH:
        if is_smallest(answer.scope):
            return outcome._replace(is_retryable=True)
        return outcome._replace(message=f"{outcome.message}; the area is asked for in quarters", is_split=True)
    return outcome


def is_too_much(answer: Answer) -> bool:
    """Whether the server gave up on the question, so that a smaller one may do."""
    if answer.status == 200 and b'"remark"' not in (answer.body or b"") and not is_too_large(answer):
        return False
    outcome = open_answer(answer)
    return isinstance(outcome, Refusal) and outcome.code in _TOO_MUCH


def shown(value: object) -> str:
    """Return a value as text that can stand in any file: cut, and without what UTF-8 cannot write."""
    text = value if isinstance(value, str) else type(value).__name__ if isinstance(value, dict | list) else repr(value)
    return text[:_SHOWN].encode("utf-8", "backslashreplace").decode()


def unknown_fields(record: dict[str, Any], known: frozenset[str], prefix: str = "") -> Iterator[Unknown]:
    """Yield the fields of a record that are not among the known ones, as paths."""
    return (Unknown(prefix + shown(name)) for name in record if name not in known)


def _opened(answer: Answer) -> Envelope | Refusal:
    if answer.endpoint != "stops":
        return Refusal("unknown_endpoint", f"no parser for the endpoint {shown(answer.endpoint)!r}")
    if answer.body is None:
        return Refusal(
            "expired", "the body was dropped when its time to keep was over; fetch it anew", is_retryable=True
        )
    if is_too_large(answer):
        return _TOO_LARGE
    if answer.status != 200:
        return _of_status(answer.status, answer.body)
    if answer.body.lstrip()[:1] == b"<" or answer.media_type.partition(";")[0].strip().lower() == "text/html":
        return Refusal("html", "a page in place of data: a mirror that limits its use or fails", is_retryable=True)
    try:
        document = _json(answer.body)
    except _NotJsonError as error:
        return Refusal(str(error), f"the body is no JSON in UTF-8 ({error.__cause__})"[:_SHOWN], is_retryable=True)
    return _of_document(document, answer)


def _of_status(status: int, body: bytes) -> Refusal:
    page = body[:100_000].decode("utf-8", "replace")
    found = _ERROR_TEXT.search(page)
    said = shown(" ".join(html.unescape(found[1]).split())) if found else ""
    match status:
        case 400:
            return Refusal("query_error", f"the server cannot read the query: {said or 'no reason given'}")
        case 406:
            return Refusal(
                "agent_refused", "the server refuses the User-Agent; give one that names the project", is_retryable=True
            )
        case 413:
            return _TOO_LARGE
        case 429:
            return Refusal("rate_limited", "no slot free for this address; wait at least 30 s", is_retryable=True)
        case 504:
            return Refusal("too_busy", "the server is too busy for this question")
    message = f"the server answered with status {status}{f': {said}' if said else ''}"
    return Refusal("http_status", message, is_retryable=is_worth_again(status))


def _json(body: bytes) -> Any:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _NotJsonError("wrong_charset") from error
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except _NotJsonError:
        raise
    except (ValueError, RecursionError) as error:
        raise _NotJsonError("not_json") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise _NotJsonError("duplicate_key") from ValueError("a key stands twice in one object")
    return record


def _no_number(constant: str) -> Any:
    raise _NotJsonError("not_json") from ValueError(f"{constant} is no JSON")


def _of_document(document: Any, answer: Answer) -> Envelope | Refusal:
    if not isinstance(document, dict) or "elements" not in document or "osm3s" not in document:
        return Refusal("not_overpass", "the answer has not the form of Overpass: no elements, no osm3s")
    if document.get("version") != 0.6:
        return Refusal("unknown_version", "the form of the answer is not version 0.6", "version")
    if "remark" in document:
        return _of_remark(document["remark"])
    elements, state = document["elements"], document["osm3s"]
    if not isinstance(elements, list) or not isinstance(state, dict):
        return Refusal("bad_type", "elements must be a list and osm3s an object", "elements")
    data_at = _moment(state.get("timestamp_osm_base"))
    if data_at is None:
        return Refusal("bad_timestamp", "nothing says how old the map data is", "osm3s.timestamp_osm_base")
    unknown = (*unknown_fields(document, _TOP_FIELDS), *unknown_fields(state, _STATE_FIELDS, "osm3s."))
    return _refuse_time(data_at, answer) or Envelope(elements, data_at, unknown)


def _of_remark(remark: Any) -> Refusal:
    text = shown(remark)
    if isinstance(remark, str) and remark.startswith("runtime error") and any(word in remark for word in _ABORTED):
        return Refusal("aborted", "the server gave up, and what it sent may be partial", "remark", value=text)
    return Refusal("remark", "the server remarks on a failure", "remark", is_retryable=True, value=text)


def _moment(value: Any) -> datetime | None:
    try:
        return datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except (TypeError, ValueError):
        return None


def _refuse_time(data_at: datetime, answer: Answer) -> Refusal | None:
    fetched_at = answer.fetched_at if answer.fetched_at.tzinfo else answer.fetched_at.replace(tzinfo=UTC)
    where, value = "osm3s.timestamp_osm_base", data_at.isoformat()
    if data_at - fetched_at > CLOCKS_DIFFER:
        return Refusal(
            "bad_timestamp", "the map data is younger than the answer", where, is_retryable=True, value=value
        )
    # A file that somebody saved is as old as it is, and its rows say so.
    if answer.origin != "capture" and fetched_at - data_at > OLDEST_DATA:
        message = f"the map data is more than {OLDEST_DATA.days} days older than the answer: a mirror that stands still"
        return Refusal("frozen_mirror", message, where, is_retryable=True, value=value)
    return None
