"""The part of Overpass QL that the sandbox reads: settings, selections by tags within a box, `out tags center`.

What it cannot read is a QueryError worded as the real server words it, so nothing is ever answered by guess.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

Kind = str

_KINDS: dict[str, tuple[Kind, ...]] = {
    "node": ("node",),
    "way": ("way",),
    "rel": ("relation",),
    "relation": ("relation",),
    "nw": ("node", "way"),
    "nr": ("node", "relation"),
    "wr": ("way", "relation"),
    "nwr": ("node", "way", "relation"),
}
_TOKENS = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<number>-?\d+(?:\.\d+)?)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_DEFAULT_TIMEOUT_S = 180


class QueryError(Exception):
    """A question that cannot be read; the message is what the real server would show."""


class Box(NamedTuple):
    """Degrees, in the order of the language: south, west, north, east."""

    south: float
    west: float
    north: float
    east: float


EVERYWHERE = Box(-90.0, -180.0, 90.0, 180.0)


@dataclass(frozen=True)
class Filter:
    """A demand on one tag: present, equal to a value, or matched by a pattern."""

    key: str
    value: str | None = None
    pattern: re.Pattern[str] | None = None

    def holds(self, tags: Mapping[str, str]) -> bool:
        """Return whether the tags of an element meet it."""
        found = tags.get(self.key)
        if found is None:
            return False
        if self.pattern is not None:
            return self.pattern.search(found) is not None
        return self.value is None or found == self.value


@dataclass(frozen=True)
class Selection:
    """Elements of some kinds that meet all filters, within a box."""

    kinds: tuple[Kind, ...]
    filters: tuple[Filter, ...]
    box: Box


@dataclass(frozen=True)
class Query:
    """A union of selections; `line` is where the first of them stands."""

    timeout_s: int
    selections: tuple[Selection, ...]
    line: int


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def parse_query(text: str) -> Query:
    """Read a query. Raises QueryError."""
    if not text.strip():
        raise QueryError("encoding error: Your input contains only whitespace.")
    return _Reader(text).query()


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens: list[_Token] = []
        line = 1
        for match in _TOKENS.finditer(text):
            if match.lastgroup != "skip":
                self._tokens.append(_Token(str(match.lastgroup), match.group(), line))
            line += match.group().count("\n")
        self._end = _Token("end", "end of input", line)
        self._place = 0
        self._box = EVERYWHERE

    def query(self) -> Query:
        timeout_s = self._settings()
        first = self._next
        selections: list[Selection] = []
        while self._next.text != "out":
            if self._next.text == "(":
                self._take("(")
                while self._next.text != ")":
                    selections.append(self._selection())
                self._take(")")
                self._take(";")
            else:
                selections.append(self._selection())
        self._out()
        return Query(timeout_s, tuple(selections), first.line)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place] if self._place < len(self._tokens) else self._end

    def _take(self, wanted: str) -> None:
        if self._next.text != wanted:
            self._fail(f"'{wanted}' expected - '{self._next.text}' found.")
        self._place += 1

    def _take_kind(self, *kinds: str) -> str:
        token = self._next
        if token.kind not in kinds:
            self._fail(f"{' or '.join(kinds)} expected - '{token.text}' found.")
        self._place += 1
        return re.sub(r"\\(.)", r"\1", token.text[1:-1]) if token.kind == "string" else token.text

    def _fail(self, message: str, kind: str = "parse") -> NoReturn:
        raise QueryError(f"line {self._next.line}: {kind} error: {message}")

    def _settings(self) -> int:
        form, timeout_s = "xml", _DEFAULT_TIMEOUT_S
        while self._next.text == "[":
            self._take("[")
            name = self._take_kind("word")
            self._take(":")
            if name == "out":
                form = self._take_kind("word")
            elif name == "timeout":
                timeout_s = int(float(self._take_kind("number")))
            elif name == "maxsize":
                self._take_kind("number")
            elif name == "bbox":
                self._box = self._corners()
            else:
                self._fail(f"Unknown setting '{name}'.")
            self._take("]")
        if form != "json":
            self._fail("The sandbox answers in JSON alone; begin the query with [out:json].", "static")
        self._take(";")
        return timeout_s

    def _selection(self) -> Selection:
        word = self._next
        if word.text not in _KINDS:
            self._fail(f'Unknown type "{word.text}"')
        self._place += 1
        filters: list[Filter] = []
        while self._next.text == "[":
            filters.append(self._filter())
        box = self._box
        if self._next.text == "(":
            self._take("(")
            box = self._corners()
            self._take(")")
        self._take(";")
        return Selection(_KINDS[word.text], tuple(filters), box)

    def _filter(self) -> Filter:
        self._take("[")
        key = self._take_kind("string", "word")
        if self._next.text == "=":
            self._take("=")
            found = Filter(key, value=self._take_kind("string", "word"))
        elif self._next.text == "~":
            self._take("~")
            pattern = self._take_kind("string")
            try:
                found = Filter(key, pattern=re.compile(pattern))
            except re.error:
                self._fail(f'Invalid regular expression: "{pattern}"', "static")
        else:
            found = Filter(key)
        self._take("]")
        return found

    def _corners(self) -> Box:
        numbers = [float(self._take_kind("number"))]
        for _ in range(3):
            self._take(",")
            numbers.append(float(self._take_kind("number")))
        box = Box(*numbers)
        if not (-90 <= box.south <= box.north <= 90 and -180 <= box.west <= box.east <= 180):
            self._fail("A box is south,west,north,east, in degrees.", "static")
        return box

    def _out(self) -> None:
        self._take("out")
        words = set()
        while self._next.kind == "word":
            words.add(self._take_kind("word"))
        if words - {"qt"} != {"tags", "center"}:
            self._fail("The sandbox writes 'out tags center' alone.", "static")
        self._take(";")
        if self._next.kind != "end":
            self._fail(f"The sandbox ends with 'out' - '{self._next.text}' found.", "static")
