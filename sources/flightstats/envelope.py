"""From an answer of FlightStats to its document, or to the one reason to refuse all of it.

A failure comes as a success, with an `error` object beside data that may be there and empty: it is looked at before
anything else. What the provider says in words is not handed on, as it repeats who asked.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from sources.protocol.cuts import is_too_large
from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal

Document = dict[str, Any]

_WORD = re.compile(r"[A-Z][A-Z0-9_]{0,59}")
_SPENT = "limits_exceeded"
# How the provider echoes what was asked, by the name of our parameter.
_ECHOES = {"dep": "departureAirport", "arr": "arrivalAirport"}


class _NotJsonError(ValueError):
    """The message is the code of the refusal."""


def open_answer(answer: Answer) -> Document | Refusal:
    """Return the document of an answer, or why it has none. Never raises."""
    if is_too_large(answer):
        return Refusal("too_large", "the answer is larger than is read")
    if answer.body is None:
        return Refusal("expired", "the body was dropped when its time to keep was over", is_retryable=True)
    if answer.status != 200:
        return _of_status(answer.status)
    if answer.body.lstrip()[:1] == b"<":
        return Refusal("html", "a page in place of data: a gateway answers for the provider", is_retryable=True)
    try:
        document = _json(answer.body)
    except _NotJsonError as error:
        message = f"the body is no JSON in UTF-8: {error.__cause__}"
        return Refusal(str(error), message, is_retryable=str(error) != "duplicate_key")
    if not isinstance(document, dict):
        return Refusal("not_flightstats", "the answer is no object, so none of FlightStats")
    # On success an error is not there, or null, or empty; nobody knows which it will be.
    if document.get("error") not in (None, {}):
        return _of_error(document["error"])
    echo = document.get("request")
    if not isinstance(echo, dict):
        return Refusal("not_flightstats", "the answer does not say what was asked, so it is none of FlightStats")
    return _of_another(echo, answer.params) or document


def _of_another(echo: Document, params: Mapping[str, str]) -> Refusal | None:
    """Return a refusal where an answer says that it is one to another question."""
    for name, field in _ECHOES.items():
        airport = echo.get(field)
        code = airport.get("requestedCode") if isinstance(airport, dict) else None
        if name in params and code != params[name]:
            message = f"asked was {params[name]}, and answered for another airport"
            return Refusal("wrong_pair", message, f"request.{field}", is_retryable=True)
    return None


def _of_error(error: Any) -> Refusal:
    details = error if isinstance(error, dict) else {}
    code, status, message = (details.get(name) for name in ("errorCode", "httpStatusCode", "errorMessage"))
    word = code if isinstance(code, str) and _WORD.fullmatch(code) else "no known code"
    number = status if type(status) is int else 0
    if word == "AUTH_FAILURE" and _SPENT in str(message):
        return Refusal("quota_spent", "all calls of the plan are spent; wait, or buy more", "error", is_retryable=True)
    if word == "AUTH_FAILURE" or number in (401, 403):
        return _key_refused()
    if word == "BAD_AIRPORT_CODE":
        return Refusal("bad_airport", "the provider does not know one of the airports", "error")
    if number >= 400 and not is_worth_again(number):
        return Refusal("bad_question", f"the provider did not understand the question ({word}, {number})", "error")
    return Refusal("provider_error", f"the provider failed ({word})", "error", is_retryable=True)


def _of_status(status: int) -> Refusal:
    match status:
        case 401 | 403:
            return _key_refused()
        case 429:
            return Refusal("rate_limited", "too many calls in a second", is_retryable=True)
    message = f"the provider answered with status {status}"
    return Refusal("http_status", message, is_retryable=is_worth_again(status))


def _key_refused() -> Refusal:
    # Worth asking again, by another run: a key is mended, and its flights would else be missing for weeks.
    message = "the provider does not accept the application; look at its id, its key and its plan"
    return Refusal("key_refused", message, is_retryable=True)


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


def _unique(pairs: list[tuple[str, Any]]) -> Document:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise _NotJsonError("duplicate_key") from ValueError("a key stands twice in one object")
    return record


def _no_number(constant: str) -> Any:
    raise _NotJsonError("not_json") from ValueError(f"{constant} is no JSON")
