"""From an answer of either API to the JSON document in it, or to the one reason to refuse all of it.

What failed says so in many forms: an envelope, a problem document, the text of a gateway, a page. What is said in words
is not handed on, as it may hold parts of a key or of an account; status, kind and field names are.
"""

import json
import re
from typing import Any

from sources.protocol.cuts import is_too_large
from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal

TERRA = frozenset({"terra_search", "terra_nearby", "terra_locations"})

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_. -]{0,59}")
_ERROR_KEYS = ("error", "errors", "Message", "message", "field_errors")


class _NotJsonError(ValueError):
    """The message is the code of the refusal."""


def open_answer(answer: Answer) -> dict[str, Any] | Refusal:
    """Return the document of an answer, or why it has none. Never raises."""
    if is_too_large(answer):
        return Refusal("too_large", "the answer is larger than is read")
    if answer.body is None:
        message = "the body was dropped when its time to keep was over; fetch it anew"
        return Refusal("expired", message, is_retryable=True)
    is_terra = answer.endpoint in TERRA
    is_page = answer.body.lstrip()[:1] == b"<" or _is_html(answer.media_type)
    if answer.status == 410 or (is_page and answer.status in (200, 404) and not is_terra):
        return Refusal("retired_host", "the Content API has ended; ask as an account of Terra")
    if answer.status != 200:
        return _of_status(answer.status, _said(answer.body))
    if is_page:
        return Refusal("html", "a page in place of data", is_retryable=True)
    try:
        document = _json(answer.body)
    except _NotJsonError as error:
        return Refusal(str(error), f"the body is no JSON in UTF-8: {error.__cause__}", is_retryable=True)
    if not isinstance(document, dict):
        return Refusal("not_tripadvisor", "the answer is no object, so none of TripAdvisor")
    return _of_document(document)


def _is_html(media_type: str) -> bool:
    return media_type.partition(";")[0].strip().lower() == "text/html"


def _of_document(document: dict[str, Any]) -> dict[str, Any] | Refusal:
    if document.get("error"):
        error = document["error"]
        code = error.get("code") if isinstance(error, dict) else None
        message = f"the answer says that it failed{_kind_of(document)}, whatever else it holds"
        return Refusal("error_document", message, "error", type(code) is int and is_worth_again(code))
    if not document.keys() & {"data", "location_id", "id"} and any(key in document for key in _ERROR_KEYS):
        return Refusal("error_document", f"an error in place of data{_kind_of(document)}")
    return document


def _of_status(status: int, said: str) -> Refusal:
    match status:
        case 400:
            return Refusal("bad_request", f"the question was not understood{said}")
        case 401 | 403:
            message = f"access is refused{said}; look at the key, its address or domain, and the plan it belongs to"
            return Refusal("forbidden", message, is_retryable=True)
        case 404:
            return Refusal("not_found", "there is no such location; it was closed or merged with another")
        case 429:
            return Refusal("rate_limited", "too many calls for a second or a day", is_retryable=True)
    return Refusal("http_status", f"it was answered with status {status}{said}", is_retryable=is_worth_again(status))


def _said(body: bytes) -> str:
    try:
        document = _json(body[:100_000])
    except _NotJsonError:
        return ""
    return _kind_of(document)


def _kind_of(document: Any) -> str:
    """Return the kind of an error and the fields at fault, as far as they are single words and not sentences."""
    if not isinstance(document, dict):
        return ""
    errors = document.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else document.get("error")
    kinds = [first.get("type") if isinstance(first, dict) else None, document.get("title")]
    fields = document.get("field_errors")
    at_fault = [one.get("field") for one in fields if isinstance(one, dict)] if isinstance(fields, list) else []
    words = [word for word in (*kinds, *at_fault[:5]) if isinstance(word, str) and _WORD.fullmatch(word)]
    return f" ({', '.join(words)})" if words else ""


def _json(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_number)
    except _NotJsonError:
        raise
    except UnicodeDecodeError as error:
        raise _NotJsonError("wrong_charset") from ValueError(f"byte {error.start}")
    except json.JSONDecodeError as error:
        raise _NotJsonError("not_json") from ValueError(f"{error.msg} at {error.pos}")
    except (ValueError, RecursionError) as error:
        raise _NotJsonError("not_json") from ValueError(type(error).__name__)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise _NotJsonError("duplicate_key") from ValueError("a key stands twice in one object")
    return record


def _no_number(constant: str) -> Any:
    raise _NotJsonError("not_json") from ValueError(f"{constant} is no JSON")
