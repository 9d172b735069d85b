"""From an answer to what it shows: elements, a JSON document, or text; or to the one reason to refuse all of it."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from sources.protocol.cuts import is_too_large
from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal
from sources.tripozo.markup import Element, read_html
from sources.tripozo.unfit import UnfitError, shown

ENDPOINTS = ("flights", "trains", "train", "buses")


class Page(NamedTuple):
    """What came, and what it answers. `root` is set for HTML, `document` for JSON, neither for other texts."""

    endpoint: str
    params: Mapping[str, str]
    subject: Mapping[str, str]
    text: str
    root: Element | None = None
    document: Any = None


class _NotJsonError(ValueError):
    """The message says why."""


def open_page(answer: Answer) -> Page | Refusal:
    """Return what an answer shows, or why it shows nothing. Never raises."""
    if answer.endpoint not in ENDPOINTS:
        return Refusal("unknown_endpoint", f"no parser for the endpoint {shown(answer.endpoint)!r}")
    if is_too_large(answer):
        return Refusal("too_large", "the page is larger than is read")
    if answer.body is None:
        message = "the body was dropped when its time to keep was over; save or fetch it anew"
        return Refusal("expired", message, is_retryable=True)
    if answer.status != 200:
        return _of_status(answer.status)
    try:
        text = answer.body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Refusal("wrong_charset", f"the page is not UTF-8 (byte {error.start})", is_retryable=True)
    page = Page(answer.endpoint, answer.params, answer.subject, text)
    begin = text.lstrip()[:1]
    if not begin:
        return Refusal("empty", "the page holds nothing at all", is_retryable=True)
    try:
        if begin == "<":
            return page._replace(root=read_html(text))
        if begin in ("{", "["):
            return page._replace(document=_json(text))
    except UnfitError as error:
        return Refusal(error.code, error.message)
    except _NotJsonError as error:
        return Refusal("not_json", f"the page begins as JSON and is none: {error}", is_retryable=True)
    return page


def _of_status(status: int) -> Refusal:
    match status:
        case 401 | 403:
            return Refusal("forbidden", "the site does not want to be asked; do not go on", is_retryable=True)
        case 404:
            return Refusal("not_found", "there is no such page")
        case 429:
            return Refusal("rate_limited", "pages were asked for too fast", is_retryable=True)
    return Refusal("http_status", f"the site answered with status {status}", is_retryable=is_worth_again(status))


def _json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise _NotJsonError(f"{error.msg} at {error.pos}") from None
    except RecursionError:
        raise _NotJsonError("it is nested without measure") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise _NotJsonError("a key stands twice in one object")
    return record


def _no_number(constant: str) -> Any:
    raise _NotJsonError(f"{constant} is no number")
