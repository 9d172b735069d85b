"""From an answer of etrain to the page of a train and its window, or to the reason why there is none.

A page is known by its title alone: which train and which window it is about, whatever was asked.
"""

import html
import re
from typing import NamedTuple

from schemas.text import clean
from sources.protocol.cuts import is_too_large
from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal

# As titles call the five windows, with their horizon.
HORIZONS = {
    "last week": "1week",
    "this month": "1month",
    "last 3 months": "3month",
    "last 6 months": "6month",
    "last year": "1year",
}

_TITLE = re.compile(r"Running History of .{1,200} \((?P<number>[0-9]{5})\) for (?P<window>[a-z0-9 ]{1,40})")
_ASKED = re.compile(r"(?:.*-)?([0-9]{5})", re.DOTALL)
_NO_RUNS = "running data of queried train for selected duration is not available"
_SHOWN = 200


class Page(NamedTuple):
    """The text of a page, and the train and horizon of its title. Without runs it says that it has none."""

    number: str
    horizon: str
    has_runs: bool
    text: str


def open_answer(answer: Answer) -> Page | Refusal:
    """Return the page of an answer, or the one reason to refuse all of it. Never raises."""
    if is_too_large(answer):
        return Refusal("too_large", "the page is larger than is read")
    if answer.body is None:
        return Refusal("expired", "the body was dropped when its time to keep was over", is_retryable=True)
    if answer.status == 404:
        message = f"the site does not know the train {shown(answer.params.get('train', ''))}"
        return Refusal("unknown_train", message, "train", value=shown(answer.params.get("train", "")))
    if answer.status != 200:
        message = f"the site answered with status {answer.status}"
        return Refusal("http_status", message, is_retryable=is_worth_again(answer.status))
    try:
        text = answer.body.decode("utf-8")
    except UnicodeDecodeError as error:
        return Refusal("wrong_charset", f"no text in UTF-8 at byte {error.start}", is_retryable=True)
    return _page(text, answer)


def asked_number(answer: Answer) -> str | None:
    """Return the train that was asked about, None where the question does not say."""
    found = _ASKED.fullmatch(answer.params.get("train", ""))
    return found[1] if found else None


def slug_of(page: Page) -> str | None:
    """Return what stands for the train in addresses, as the links of its page say; None where none does."""
    found = re.search(rf"/train/([\w.~-]{{1,200}}-{page.number})/history\b", page.text, re.ASCII)
    return found[1] if found else None


def shown(value: object) -> str:
    """Return a value as text that can stand in any file: cut, and without what UTF-8 cannot write."""
    return str(value)[:_SHOWN].encode("utf-8", "backslashreplace").decode()


def _page(text: str, answer: Answer) -> Page | Refusal:
    title = _title(text)
    if title is None:
        message = "a page without a title: something else answers for the site, or asks who we are"
        return Refusal("no_title", message, "title", is_retryable=True)
    found = _TITLE.fullmatch(title)
    if not found:
        message = "the title is none of a running history"
        return Refusal("bad_title", message, "title", is_retryable=True, value=shown(title))
    if found["window"] not in HORIZONS:
        message = f"none of the five windows, which are {', '.join(HORIZONS)}"
        return Refusal("bad_window", message, "title", value=shown(title))
    asked = asked_number(answer)
    if asked != found["number"]:
        said = f"train {asked} was asked about" if asked else "nothing says which train was asked about"
        return Refusal("wrong_train", f"{said}, and the page is about {found['number']}", "title", value=shown(title))
    has_runs = _NO_RUNS not in text or "et.rsStat." in text
    return Page(found["number"], HORIZONS[found["window"]], has_runs, text)


def _title(text: str) -> str | None:
    start = text.find("<title>")
    end = text.find("</title>", start)
    if start < 0 or end < 0:
        return None
    return clean(html.unescape(text[start + len("<title>") : min(end, start + 1000)]))
