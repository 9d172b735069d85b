"""Strict reading of what `schemas.textyaml` returns: only known keys, only known words, errors with a line.

Used where a person writes YAML by hand (terms, table mappings). What the keys mean belongs to whoever reads them.
"""

import datetime as dt
import difflib
import math
from collections.abc import Iterable, Sequence
from typing import Any

from schemas.textyaml import Lined


class StrictError(ValueError):
    """Something that the reader does not know; `line` counts from 1, the message says where, what and the choices."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


def choose(name: str, choices: Iterable[str]) -> str:
    """Return the tail of an error message: the nearest names first, then all choices."""
    known = list(choices)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    listed = f"choose one of {', '.join(repr(choice) for choice in known)}" if known else "there is none to choose"
    return f"did you mean {' or '.join(repr(guess) for guess in near)}? {listed}" if near else listed


class Node:
    """One YAML mapping under its name (`where`), read key by key. Each reader raises StrictError."""

    def __init__(self, value: Any, where: str, line: int = 0) -> None:
        if not isinstance(value, Lined):
            raise StrictError(line, f"{where} must be a mapping of keys, found {_shown(value)}")
        self.value = value
        self.where = where
        self.first_line = min(value.lines.values(), default=line)

    def line(self, key: str) -> int:
        return self.value.lines.get(key, self.first_line)

    def error(self, key: str, message: str) -> StrictError:
        return StrictError(self.line(key), f"{self.where}: {message}")

    def allow(self, known: Sequence[str], required: Sequence[str] = ()) -> None:
        """Refuse keys outside `known` and the absence of keys in `required`."""
        for key in self.value:
            if key not in known:
                raise self.error(key, f"unknown key {key!r}; {choose(key, known)}")
        absent = [key for key in required if key not in self.value]
        if absent:
            raise StrictError(self.first_line, f"{self.where}: {', '.join(map(repr, absent))} missing")

    def has(self, key: str) -> bool:
        return key in self.value

    def text(self, key: str, default: str = "") -> str:
        """Return a text; an empty value reads as the default."""
        value = self.value.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.error(key, f"{key!r} must be one text, found {_shown(value)}")
        return value

    def needed(self, key: str) -> str:
        """Return a text that is not empty."""
        value = self.text(key)
        if not value:
            raise self.error(key, f"{key!r} is empty")
        return value

    def choice(self, key: str, choices: Iterable[str], default: str = "") -> str:
        value = self.text(key, default)
        known = list(choices)
        if value not in known:
            raise self.error(key, f"{key!r} is {value!r}; {choose(value, known)}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty where the key is absent; an empty member is the empty text."""
        value = self.value.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or any(not isinstance(item, str | None) for item in value):
            raise self.error(key, f"{key!r} must be a list of texts, found {_shown(value)}")
        return tuple(item or "" for item in value)

    def number(self, key: str) -> float:
        value = self.needed(key)
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.error(key, f"{key!r} must be a number, found {value!r}")
        return number

    def date(self, key: str) -> dt.date | None:
        """Return an ISO date, None where the value is empty."""
        value = self.text(key)
        try:
            return dt.datetime.strptime(value, "%Y-%m-%d").date() if value else None
        except ValueError:
            raise self.error(key, f"{key!r} must be a date like 2018-01-31, found {value!r}") from None

    def child(self, key: str) -> "Node":
        return Node(self.value.get(key), f"{self.where}.{key}" if self.where else key, self.line(key))

    def children(self, key: str) -> tuple["Node", ...]:
        """Return the members of a list of mappings, empty where the key is absent."""
        value = self.value.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.error(key, f"{key!r} must be a list of mappings, found {_shown(value)}")
        return tuple(Node(item, f"{key}[{place}]", self.line(key)) for place, item in enumerate(value, 1))


def _shown(value: Any) -> str:
    kinds: dict[type, str] = {Lined: "a mapping", list: "a list", type(None): "nothing"}
    return kinds.get(type(value), repr(value)[:80])
