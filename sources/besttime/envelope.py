"""From an answer to the JSON document in it, or to the one reason to refuse all of it.

That a venue is not known, or has too few visitors, is an outcome like any other: it is billed, and it stays true for
weeks. What keeps us from asking at all (key, credits, too many calls) says nothing about a venue and is asked again.
What is said in words is not handed on, as it may repeat a key.
"""

import json
from typing import Any

from sources.protocol.cuts import is_too_large
from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal

_KEYS = ("api_key_private", "api_key_public")
_AGAIN = frozenset({408, 425})


class _NotJsonError(ValueError):
    """The message is the code of the refusal."""


def open_answer(answer: Answer) -> Any | Refusal:
    """Return the document of an answer that succeeded, an object or a list, or why it has none. Never raises."""
    if is_too_large(answer):
        return Refusal("too_large", "the answer is larger than is read")
    if answer.body is None:
        message = "the body was dropped when its time to keep was over; fetch it anew"
        return Refusal("expired", message, is_retryable=True)
    if answer.status >= 500 or answer.status in _AGAIN:
        return Refusal("server_error", f"it was answered with status {answer.status}", is_retryable=True)
    if answer.status == 429:
        return Refusal("rate_limited", "too many calls in a second or a minute", is_retryable=True)
    if answer.status in (401, 403):
        return _key_refused()
    try:
        document = _json(answer.body)
    except _NotJsonError as error:
        if answer.status != 200:
            return _of_status(answer.status)
        return Refusal(str(error), f"the body is no JSON in UTF-8: {error.__cause__}", is_retryable=True)
    if not isinstance(document, dict | list):
        return Refusal("not_besttime", "the answer is neither object nor list, so none of BestTime")
    if isinstance(document, dict) and (answer.status != 200 or _has_failed(document)):
        return _failure(document, answer.status)
    return document if answer.status == 200 else _of_status(answer.status)


def _has_failed(document: dict[str, Any]) -> bool:
    """Whether an answer says `Error`, in any case, or holds a message alone; old ones that succeed say nothing."""
    status = document.get("status")
    if isinstance(status, str):
        return status.strip().casefold() == "error"
    return "message" in document and "analysis" not in document


def _failure(document: dict[str, Any], status: int) -> Refusal:
    message = document.get("message")
    if isinstance(message, dict):
        if any(key in message for key in _KEYS):
            return _key_refused()
        return Refusal("bad_request", "the question was not understood")
    said = message.casefold() if isinstance(message, str) else ""
    if "credit" in said or status == 402:
        return Refusal("credits_spent", "the credits of the account are spent; buy more", is_retryable=True)
    if "venue found" in said or "volume" in said:
        return Refusal("not_forecastable", "the venue is known but has too few visitors, or is too new")
    if "find venue" in said:
        return Refusal("venue_not_found", "no venue of this name is known at this address")
    if "required property" in said or status in (400, 405):
        return Refusal("bad_request", "the question was not understood")
    message = f"it failed for another reason, with status {status}"
    return Refusal("other_failure", message, is_retryable=is_worth_again(status))


def _of_status(status: int) -> Refusal:
    return Refusal("http_status", f"it was answered with status {status}", is_retryable=is_worth_again(status))


def _key_refused() -> Refusal:
    message = "the provider does not accept the key; look whether it is right and active"
    return Refusal("key_refused", message, is_retryable=True)


def _json(body: bytes) -> Any:
    if body.lstrip()[:1] == b"<":
        raise _NotJsonError("html") from ValueError("it is a page")
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
