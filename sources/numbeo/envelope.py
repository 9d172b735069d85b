"""From an answer of Numbeo to its document, or to the reason why there is none. What it means stands elsewhere.

Numbeo fails with status 200 and a member `error`, in words that nobody has recorded: an unknown city, a wrong key and a
spent quota cannot be told apart, so the words are handed on and the question is asked another time.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal, Unknown

Document = dict[str, Any]

_SHOWN = 200


class _NotJsonError(ValueError):
    """The message is the code of the refusal."""


def open_answer(answer: Answer) -> Document | list[Any] | Refusal:
    """Return the document of an answer, or the one reason to refuse all of it. Never raises."""
    match answer.status:
        case 200:
            pass
        case 401 | 403:
            return Refusal("key_refused", "access is refused; look whether the key is still paid", is_retryable=True)
        case 429:
            return Refusal("rate_limited", "there were too many calls", is_retryable=True)
        case status:
            message = f"it was answered with status {status}"
            return Refusal("http_status", message, is_retryable=is_worth_again(status))
    # A body that is gone is told of before any parser is asked.
    body = answer.body or b""
    if body.lstrip()[:1] == b"<" or answer.media_type.partition(";")[0].strip().lower() == "text/html":
        return Refusal("html", "a page in place of data, as for a key that has expired", is_retryable=True)
    try:
        document = _json(body)
    except _NotJsonError as error:
        return Refusal(str(error), f"the body is no JSON in UTF-8: {error.__cause__}"[:_SHOWN], is_retryable=True)
    if not isinstance(document, dict | list):
        return Refusal("bad_type", "the answer is neither an object nor a list", value=shown(document))
    if isinstance(document, dict) and document.get("error") is not None:
        return Refusal("error_document", f"it says that it failed: {shown(document['error'])}", "error", True)
    return document


def shown(value: object) -> str:
    """Return a value as text that can stand in any file: cut, and without what UTF-8 cannot write."""
    text = value if isinstance(value, str) else type(value).__name__ if isinstance(value, dict | list) else repr(value)
    return text[:_SHOWN].encode("utf-8", "backslashreplace").decode()


def is_number(value: Any, most: float) -> bool:
    """Whether a value is a number of at most a size; what is no number at all (NaN) has no size."""
    return type(value) in (int, float) and abs(value) <= most


def unknown_fields(record: Mapping[str, Any], known: frozenset[str], prefix: str = "") -> Iterator[Unknown]:
    """Yield the fields of a record that are not among the known ones, as paths."""
    return (Unknown(prefix + shown(name)) for name in record if name not in known)


def _json(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_number)
    except _NotJsonError:
        raise
    except UnicodeDecodeError as error:
        raise _NotJsonError("wrong_charset") from ValueError(f"byte {error.start}")
    except (ValueError, RecursionError) as error:
        raise _NotJsonError("not_json") from ValueError(type(error).__name__)


def _unique(pairs: list[tuple[str, Any]]) -> Document:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise _NotJsonError("duplicate_key") from ValueError("a key stands twice in one object")
    return record


def _no_number(constant: str) -> Any:
    raise _NotJsonError("not_json") from ValueError(f"{constant} is no JSON")
