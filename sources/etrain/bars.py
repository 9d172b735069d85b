"""The bars of a page, one for each station: its code, its name, and its average in whole minutes.

Tags are read with their quotes, since an attribute of these holds `%>`. One pass, never back.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from schemas.text import clean

_QUOTED = re.compile(r"""[^"'>]*(?:"[^"]*"|'[^']*')?""")
_ATTRIBUTE = re.compile(r"""([a-z]{1,30})[ \t\r\n]{0,20}=[ \t\r\n]{0,20}(?:"([^"]*)"|'([^']*)')""")
_TAG = re.compile(r"<[^<>]*>")
_AVERAGE = re.compile(r"Avg\. Delay: ?(-?[0-9]{1,5}) Min")
_CLASS = "runStatStn"


class Bar(NamedTuple):
    """A station by its code; the name is None where the page has none, the average where it is blank."""

    code: str
    name: str | None
    average: int | None


def read_bars(text: str) -> Iterator[Bar]:
    """Yield the bars of a page in its order."""
    at = 0
    while (start := text.find("<a ", at)) >= 0:
        at = _end_of_tag(text, start)
        attributes = {name: one or other for name, one, other in _ATTRIBUTE.findall(text[start:at])}
        if _CLASS not in attributes.get("class", "").split():
            continue
        end = text.find("</a>", at)
        if end < 0:
            return
        yield _bar(attributes.get("href", "").removeprefix("#"), text[at:end])
        at = end


def _end_of_tag(text: str, at: int) -> int:
    """Return the place behind the `>` that ends a tag; the end of the text where none does."""
    while at < len(text):
        found = _QUOTED.match(text, at)
        end = found.end() if found else at
        if text.startswith(">", end):
            return end + 1
        # A quote that is never closed hides the rest of the page.
        if end == at:
            break
        at = end
    return len(text)


def _bar(code: str, inner: str) -> Bar:
    words = clean(html.unescape(_TAG.sub(" ", inner)))
    name, _, rest = words.partition(f" ({code})")
    average = _AVERAGE.search(words)
    return Bar(code, name if rest or words.endswith(f" ({code})") else None, int(average[1]) if average else None)
