"""What an HTML page holds: its scripts, its title, its visible texts. Strict scanning in linear time, nothing is run.

Data for search engines (JSON-LD) is a script of its own, or only stands in the streamed page data: pushes to
`self.__next_f`, whose texts together are lines of `id:value`. There it is a JSON text within a JSON text.
"""

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from schemas.text import clean

_LD_JSON = "ld+json"
_PUSH = "self.__next_f.push("
_BLOCKS = ("script", "style", "noscript")
_OPENINGS = {tag: re.compile(rf"<{tag}\b([^<>]*)>", re.IGNORECASE) for tag in _BLOCKS}
_CLOSINGS = {tag: re.compile(rf"</{tag}\s*>", re.IGNORECASE) for tag in _BLOCKS}
_META = re.compile(r"<meta\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b([\w:-]{1,40})=(?:"([^"]*)"|'([^']*)')""")
_TAG = re.compile(r"<[^<>]*>")
_LINE = re.compile(rb"([0-9a-f]{1,8}):(?:T([0-9a-f]{1,8}),)?")
# A JSON text in a JSON text in a JSON text; deeper than that nobody writes.
_MOST_LEVELS = 3


class BrokenDataError(ValueError):
    """Data for search engines that cannot be read; the message says why."""


def documents_in(page: str) -> list[Any]:
    """Return the JSON-LD documents of a page: its scripts, or those of the page data where no script holds any.

    Raises BrokenDataError.
    """
    scripts = [(attributes, content) for attributes, content, _, _ in _blocks(page, "script")]
    plain = [_decoded(content) for attributes, content in scripts if _LD_JSON in attributes.casefold()]
    return plain or [_decoded(text) for text in _streamed([content for _, content in scripts])]


def title_of(page: str) -> str | None:
    """Return the title that a page gives itself for others to show, None without one."""
    for tag in _META.findall(page):
        attributes = {name.casefold(): one or other for name, one, other in _ATTRIBUTE.findall(tag)}
        if attributes.get("property") == "og:title" and clean(attributes.get("content", "")):
            return clean(html.unescape(attributes["content"]))
    return None


def texts_of(page: str) -> list[str]:
    """Return the texts that people see on a page, in their order."""
    for tag in _BLOCKS:
        kept, end = [], 0
        for _, _, start, after in _blocks(page, tag):
            kept.append(page[end:start])
            end = after
        page = "".join([*kept, page[end:]])
    texts = (clean(html.unescape(text)) for text in _TAG.split(page))
    return [text for text in texts if text]


def _blocks(page: str, tag: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield attributes, content, start and end of each block of a tag. One that is never closed takes all the rest."""
    opening, closing, at = _OPENINGS[tag], _CLOSINGS[tag], 0
    while found := opening.search(page, at):
        end = closing.search(page, found.end())
        stop, at = (end.start(), end.end()) if end else (len(page), len(page))
        yield found[1], page[found.end() : stop], found.start(), at


def _streamed(scripts: list[str]) -> list[str]:
    """Return the JSON-LD texts of the page data."""
    stream = "".join(text for script in scripts for text in _pushed(script))
    if _LD_JSON not in stream:
        return []
    texts: dict[str, str] = {}
    values: list[Any] = []
    for name, value, is_text in _lines(stream):
        if is_text:
            texts[name] = value
        elif _LD_JSON in value:
            values.append(_json(value))
    return [text for value in values for text in _contents(value, texts)]


def _pushed(script: str) -> Iterator[str]:
    """Yield the texts that a script pushes: `self.__next_f.push([1,"..."])`, nothing but such calls."""
    decoder, at = json.JSONDecoder(), 0
    script = script.strip()
    while script.startswith(_PUSH, at):
        try:
            value, at = decoder.raw_decode(script, at + len(_PUSH))
        except (ValueError, RecursionError):
            if _LD_JSON in script:
                raise BrokenDataError("a push of page data holds no JSON") from None
            return
        if isinstance(value, list) and len(value) == 2 and value[0] == 1 and isinstance(value[1], str):
            yield value[1]
        if not script.startswith(")", at):
            return
        at += 1
        while script[at : at + 1] in (";", "\n", " "):
            at += 1


def _lines(stream: str) -> Iterator[tuple[str, str, bool]]:
    """Yield name and value of each line, and whether it is a text of a given length, which may hold line ends."""
    # Halves of a letter that stood in two pushes become one.
    data = stream.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    at = 0
    while at < len(data):
        found = _LINE.match(data, at)
        if found and found[2]:
            end = min(found.end() + int(found[2], 16), len(data))
            yield found[1].decode(), data[found.end() : end].decode("utf-8", "replace"), True
            at = end
            continue
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        if found:
            yield found[1].decode(), data[found.end() : end].decode("utf-8", "replace"), False
        at = end + 1


def _contents(value: Any, texts: dict[str, str]) -> Iterator[str]:
    """Yield what the script elements of JSON-LD within a value contain; `$1a` stands for the text of that name."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if isinstance(one.get("type"), str) and _LD_JSON in one["type"]:
                inner = one.get("dangerouslySetInnerHTML")
                content = inner.get("__html") if isinstance(inner, dict) else one.get("children")
                if not isinstance(content, str):
                    raise BrokenDataError("a script of JSON-LD without content")
                yield texts.get(content[1:], content) if content.startswith("$") else content
            else:
                waiting.extend(reversed(one.values()))
        elif isinstance(one, list):
            waiting.extend(reversed(one))


def _decoded(text: str) -> Any:
    value: Any = text
    for _ in range(_MOST_LEVELS):
        value = _json(value)
        if not isinstance(value, str):
            return value
    raise BrokenDataError("JSON-LD that is a text within a text, and so on")


def _json(text: str) -> Any:
    try:
        # Descriptions hold line ends as they are, which is against the rules and leaves no doubt.
        return json.loads(text, strict=False, object_pairs_hook=_unique, parse_constant=_no_number)
    except BrokenDataError:
        raise
    except (ValueError, RecursionError) as error:
        raise BrokenDataError(f"no JSON ({type(error).__name__})") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise BrokenDataError("a key stands twice in one object")
    return record


def _no_number(constant: str) -> Any:
    raise BrokenDataError(f"{constant} is no JSON")
