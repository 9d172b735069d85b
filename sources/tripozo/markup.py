"""HTML as a tree of elements, in one pass: each byte is looked at a bounded number of times, whatever it holds.

Only what pages of results need: elements, classes, attributes and texts. A tag or comment that never ends ends the
page; an element that is closed without having been opened is passed over.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Optional

from sources.tripozo.unfit import UnfitError

# Possessive throughout: nothing is ever tried a second way.
_TAG = re.compile(r"""<(/?+)([a-zA-Z][^\s/>]*+)((?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>""")
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++)))?+""")
_NO_CONTENT = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_RAW = frozenset({"script", "style"})
_UNSEEN = frozenset({"script", "style", "noscript", "template", "title"})
_DEEPEST = 200


@dataclass(eq=False)
class Element:
    """An element; `members` are its texts and elements in their order."""

    tag: str
    attributes: dict[str, str]
    parent: Optional["Element"] = None
    members: list["str | Element"] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def walk(self) -> Iterator["Element"]:
        """Yield this element and all below it, each before those within it."""
        waiting = [self]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(member for member in reversed(one.members) if isinstance(member, Element))

    def all(self, name: str) -> list["Element"]:
        """Return the elements of a class below this one, or itself, in their order."""
        return [one for one in self.walk() if name in one.classes]

    def tags(self, tag: str) -> list["Element"]:
        """Return the elements of a kind below this one, or itself, in their order."""
        return [one for one in self.walk() if one.tag == tag]

    def text(self) -> str:
        """Return what is to be read in an element, with single blanks between its parts."""
        parts: list[str] = []
        waiting: list[str | Element] = [self]
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                parts.append(one)
            elif one.tag not in _UNSEEN or one is self:
                waiting.extend(reversed(one.members))
        return " ".join(" ".join(parts).split())


def read_html(text: str) -> Element:
    """Return the root above all elements of a page. Raises UnfitError for one that is nested without measure."""
    root = current = Element("", {})
    depth, at = 0, 0
    lowered = text.lower()
    while at < len(text):
        start = text.find("<", at)
        _add_text(current, text[at:] if start < 0 else text[at:start])
        if start < 0:
            break
        if text.startswith(("<!", "<?"), start):
            end = text.find("-->" if text.startswith("<!--", start) else ">", start)
            if end < 0:
                break
            at = text.index(">", end) + 1
            continue
        found = _TAG.match(text, start)
        if found is None:
            if text[start + 1 : start + 2].isalpha() or text.startswith("</", start):
                break
            _add_text(current, "<")
            at = start + 1
            continue
        at = found.end()
        tag = found[2].lower()
        if found[1]:
            current, depth = _closed(current, tag, depth)
            continue
        one = Element(tag, _attributes(found[3]), current)
        current.members.append(one)
        if tag in _RAW:
            end = lowered.find(f"</{tag}", at)
            at = len(text) if end < 0 else end
        if tag not in _NO_CONTENT and not found[3].endswith("/"):
            current, depth = one, depth + 1
        if depth > _DEEPEST:
            raise UnfitError("bad_markup", f"elements lie more than {_DEEPEST} deep in each other")
    return root


def _add_text(element: Element, text: str) -> None:
    if text:
        element.members.append(html.unescape(text))


def _closed(current: Element, tag: str, depth: int) -> tuple[Element, int]:
    """Return where one stands after an end tag, and how deep."""
    one: Element | None = current
    above = depth
    while one is not None and one.tag != tag:
        one, above = one.parent, above - 1
    return (current, depth) if one is None or one.parent is None else (one.parent, above - 1)


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in _ATTRIBUTE.finditer(text):
        found.setdefault(one[1].lower(), html.unescape(one[2] or one[3] or one[4] or ""))
    return found
