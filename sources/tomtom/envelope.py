"""From an answer of TomTom to its document, or to the reason why there is none. What a document means stands elsewhere.

Status first, then the kind of content, then the JSON: a gateway answers with pages, and errors come with any status.
"""

import json
from collections.abc import Iterator
from typing import Any

from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal, Unknown
from sources.tomtom.codes import BAD_INPUT, ERROR, MAP_MATCHING, NO_ROUTE, OUT_OF_REGION, TIMEOUT, Failure, failure_of

Document = dict[str, Any]

ENDPOINTS = ("matrix", "matrix_status", "matrix_result", "route")

_MEANT = {
    NO_ROUTE: "no road and no ferry leads from one point to the other",
    MAP_MATCHING: "a point is not near a road; move it",
    OUT_OF_REGION: "a point lies outside of the provider's map, or the options do not allow its distance",
    TIMEOUT: "the provider gave up its search",
    BAD_INPUT: "the provider does not accept what was asked, or not of this account",
    ERROR: "the provider failed",
}
_SHOWN = 200


class _NotJsonError(ValueError):
    """The message is the code of the refusal."""


def open_answer(answer: Answer) -> Document | Refusal:
    """Return the document of an answer, or the one reason to refuse all of it. Never raises."""
    if answer.endpoint not in ENDPOINTS:
        return Refusal("unknown_endpoint", f"no parser for the endpoint {shown(answer.endpoint)!r}")
    if answer.body is None:
        return Refusal("expired", "the body was dropped when its time to keep was over", is_retryable=True)
    if answer.status not in (200, 202):
        return _of_status(answer, answer.body)
    if _is_page(answer, answer.body):
        return Refusal("html", "a page in place of data: a gateway answers for the provider", is_retryable=True)
    try:
        document = _json(answer.body)
    except _NotJsonError as error:
        message = f"the body is no JSON in UTF-8 ({error.__cause__})"[:_SHOWN]
        return Refusal(str(error), message, is_retryable=str(error) != "duplicate_key")
    if not isinstance(document, dict):
        return Refusal("bad_type", "the answer must be an object", value=shown(document))
    failure = _failure_in(document)
    return _refusal(failure, answer) if failure else document


def shown(value: object) -> str:
    """Return a value as text that can stand in any file: cut, and without what UTF-8 cannot write."""
    text = value if isinstance(value, str) else type(value).__name__ if isinstance(value, dict | list) else repr(value)
    return text[:_SHOWN].encode("utf-8", "backslashreplace").decode()


def unknown_fields(record: Document, known: frozenset[str], prefix: str = "") -> Iterator[Unknown]:
    """Yield the fields of a record that are not among the known ones, as paths."""
    return (Unknown(prefix + shown(name)) for name in record if name not in known)


def _of_status(answer: Answer, body: bytes) -> Refusal:
    match answer.status, answer.endpoint:
        case 401, _:
            return _key_refused()
        case 403, _:
            return _of_gateway(answer, body)
        case 429, _:
            return Refusal("rate_limited", "too many calls in a second", is_retryable=True)
        case 404, "matrix_status":
            return Refusal("job_unknown", "the provider does not know the job any more", is_split=True)
        case 404, "matrix_result":
            return Refusal("result_gone", "the provider does not keep the result of the job any more", is_split=True)
    try:
        document = _json(body)
    except _NotJsonError:
        document = None
    failure = _failure_in(document) if isinstance(document, dict) else None
    if failure and (failure.meaning != ERROR or answer.status == 400):
        return _refusal(failure, answer)
    said = f": {shown(failure.message)}" if failure else ""
    return Refusal(
        "http_status",
        f"the provider answered with status {answer.status}{said}",
        is_retryable=is_worth_again(answer.status),
    )


def _of_gateway(answer: Answer, body: bytes) -> Refusal:
    """Return why the gateway shut us out; it says so in a header, where that was kept, and in its page."""
    said = f"{answer.headers.get('x-error-detail-header', '')} {body[:10_000].decode('utf-8', 'replace')}".lower()
    if "over qps" in said or "per second limit" in said:
        return Refusal("rate_limited", "too many calls in a second; wait for one", is_retryable=True)
    if "over rate" in said:
        return Refusal("quota_spent", "the quota of this key is spent; wait for the next period", is_retryable=True)
    return _key_refused()


def _key_refused() -> Refusal:
    return Refusal("key_refused", "the provider does not accept the key; look whether it is active", is_retryable=True)


def _refusal(failure: Failure, answer: Answer) -> Refusal:
    # A block that is refused today may fit the account of tomorrow; what is wrong with a pair of points stays wrong. A
    # failure without a known reason that comes as a success is not worth believing for long.
    is_unclear = failure.meaning == ERROR and answer.status < 400
    is_passing = failure.meaning == TIMEOUT or answer.endpoint == "matrix" or is_unclear
    code = failure.meaning if failure.meaning != ERROR else "provider_error"
    said = shown(f"{failure.code}: {failure.message}")
    return Refusal(code, f"{_MEANT[failure.meaning]} ({said})", is_retryable=is_passing)


def _failure_in(document: Document) -> Failure | None:
    detailed, plain = document.get("detailedError"), document.get("error")
    if detailed is None and plain is None:
        return None
    error = detailed if isinstance(detailed, dict) else {}
    described = plain.get("description") if isinstance(plain, dict) else plain
    return failure_of({"message": described, **error} if isinstance(described, str) else error)


def _is_page(answer: Answer, body: bytes) -> bool:
    return body[:1000].lstrip()[:1] == b"<" or answer.media_type.partition(";")[0].strip().lower() == "text/html"


def _json(body: bytes) -> Any:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _NotJsonError("wrong_charset") from error
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except _NotJsonError:
        raise
    except (ValueError, RecursionError) as error:
        raise _NotJsonError("not_json") from error


def _unique(pairs: list[tuple[str, Any]]) -> Document:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise _NotJsonError("duplicate_key") from ValueError("a key stands twice in one object")
    return record
