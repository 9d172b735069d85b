"""A strict reader of the few JavaScript literals that a page carries its numbers in. Nothing is ever evaluated.

Lists, objects with plain keys, texts in either quotes, decimal numbers, null, true, false, and `new Date(year, month,
day)`. Whatever else stands there, an expression, a call, a comment, a comma too many, is an error. The work grows with
the text and not faster, and nesting is bounded.
"""

import re
from collections.abc import Mapping
from datetime import date

Literal = None | bool | int | float | str | date | list["Literal"] | dict[str, "Literal"]

MOST_DEPTH = 8

_BLANK = re.compile(r"[ \t\r\n]*")
_TEXT = re.compile(r"""'((?:[^'\\\r\n]|\\.)*)'|"((?:[^"\\\r\n]|\\.)*)\"""")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)")
_ESCAPED: Mapping[str, str] = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\", "/": "/"}
# No number of a page is longer, and longer ones are slow to read.
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?(?![\w.$])", re.ASCII)
# The constructor rolls over (day 31 of a month of 30 days is the first of the next); such a day is an error here.
_DATE = re.compile(
    r"new[ \t]+Date\([ \t]*([0-9]{4})[ \t]*,[ \t]*([0-9]{1,2})[ \t]*,[ \t]*([0-9]{1,2})[ \t]*\)", re.ASCII
)
_WORD = re.compile(r"[A-Za-z_]\w{0,99}(?![\w$])", re.ASCII)
_WORDS: Mapping[str, bool | None] = {"null": None, "true": True, "false": False}


class LiteralError(ValueError):
    """What stands there is no literal; the message says what and where."""


def read_literal(text: str, at: int) -> tuple[Literal, int]:
    """Return the literal that begins at a place of a text, blanks before it left out, and the place behind it.

    Months are those of a calendar: the source counts them from 0. Raises LiteralError.
    """
    return _Reader(text).value(at, 0)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, at: int, depth: int) -> tuple[Literal, int]:
        at = self._skip(at)
        match self._text[at : at + 1]:
            case "[":
                return self._list(at + 1, self._deeper(at, depth))
            case "{":
                return self._object(at + 1, self._deeper(at, depth))
            case "'" | '"':
                return self._quoted(at)
            case "n" if found := _DATE.match(self._text, at):
                return self._date(found), found.end()
        if found := _NUMBER.match(self._text, at):
            return (float(found[0]) if found[1] else int(found[0])), found.end()
        if (found := _WORD.match(self._text, at)) and found[0] in _WORDS:
            return _WORDS[found[0]], found.end()
        raise self._error("no literal", at)

    def _list(self, at: int, depth: int) -> tuple[list[Literal], int]:
        members: list[Literal] = []
        at = self._skip(at)
        if self._text.startswith("]", at):
            return members, at + 1
        while True:
            member, at = self.value(at, depth)
            members.append(member)
            at, is_end = self._next(at, "]")
            if is_end:
                return members, at

    def _object(self, at: int, depth: int) -> tuple[dict[str, Literal], int]:
        members: dict[str, Literal] = {}
        at = self._skip(at)
        if self._text.startswith("}", at):
            return members, at + 1
        while True:
            key, at = self._key(self._skip(at))
            at = self._skip(at)
            if not self._text.startswith(":", at):
                raise self._error("no ':' behind a key", at)
            if key in members:
                raise self._error("a key stands twice in one object", at)
            members[key], at = self.value(at + 1, depth)
            at, is_end = self._next(at, "}")
            if is_end:
                return members, at

    def _key(self, at: int) -> tuple[str, int]:
        if found := _WORD.match(self._text, at):
            return found[0], found.end()
        if self._text[at : at + 1] in ("'", '"'):
            return self._quoted(at)
        raise self._error("no key", at)

    def _quoted(self, at: int) -> tuple[str, int]:
        found = _TEXT.match(self._text, at)
        if not found:
            raise self._error("a text without end", at)
        inner = found[1] if found[1] is not None else found[2]
        return _ESCAPE.sub(lambda escape: self._unescaped(escape[1], at), inner), found.end()

    def _unescaped(self, escape: str, at: int) -> str:
        if len(escape) == 5:
            return chr(int(escape[1:], 16))
        if escape not in _ESCAPED:
            raise self._error("an escape that is not known", at)
        return _ESCAPED[escape]

    def _date(self, found: re.Match[str]) -> date:
        year, month, day = (int(part) for part in found.groups())
        try:
            return date(year, month + 1, day)
        except ValueError:
            raise self._error("no day of the calendar", found.start()) from None

    def _next(self, at: int, end: str) -> tuple[int, bool]:
        """Return the place behind the comma or the end that stands here, and whether it is the end."""
        at = self._skip(at)
        if self._text.startswith((",", end), at):
            return at + 1, self._text.startswith(end, at)
        raise self._error(f"neither ',' nor {end!r}", at)

    def _skip(self, at: int) -> int:
        found = _BLANK.match(self._text, at)
        return found.end() if found else at

    def _deeper(self, at: int, depth: int) -> int:
        if depth >= MOST_DEPTH:
            raise self._error(f"nested more than {MOST_DEPTH} deep", at)
        return depth + 1

    def _error(self, what: str, at: int) -> LiteralError:
        return LiteralError(f"{what} at {at}: {self._text[at : at + 20]!a}")
