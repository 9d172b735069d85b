"""Keys out of everything that is kept or shown: a pure function from bytes to bytes.

A provider may echo a key in any spelling: as it is, percent-encoded, escaped for JSON or HTML, in hexadecimal, or
inside Base64 at any offset. All are found. Where keys come from, and what is passed through here, stands elsewhere.
"""

import base64
import logging
import math
import re
from collections.abc import Iterable

MASK = "REDACTED"
SHORTEST = 8
"""Shorter keys cannot be told from other text."""

_NAMED = {'"': b"quot;", "&": b"amp;", "<": b"lt;", ">": b"gt;", "'": b"apos;"}
_BASE64_TWINS = {"+": b"-", "/": b"_"}


class Redactor:
    """Replaces every spelling of some keys by MASK."""

    def __init__(self, keys: Iterable[str]) -> None:
        longest_first = sorted(set(keys), key=lambda key: (-len(key), key))
        # One by one: each begins with one of a few characters, for which the search is many times as fast.
        self._patterns = [re.compile(spelling) for key in longest_first for spelling in _spellings(key)]

    def body(self, data: bytes) -> bytes:
        """Return `data` without keys."""
        for pattern in self._patterns:
            data = pattern.sub(MASK.encode(), data)
        return data

    def text(self, text: str) -> str:
        """Return `text` without keys."""
        return self.body(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def finds(self, text: str) -> bool:
        """Say whether a key stands in `text`."""
        return self.text(text) != text


class RedactingFilter(logging.Filter):
    """Takes keys out of what other libraries log about a call."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record; it is always let through."""
        record.msg, record.args = self._redactor.text(record.getMessage()), ()
        return True


def _spellings(key: str) -> list[bytes]:
    data = key.encode()
    plain = b"".join(_char(char) for char in key)
    inside_base64 = [b"".join(_char(char) for char in _base64_core(data, offset)) for offset in range(3)]
    return [plain, *inside_base64, b"".join(_hexadecimal(byte) for byte in data)]


def _char(char: str) -> bytes:
    """Return a pattern for one character in either case and any escaping, escaped escapes included.

    Every way begins with a plain character and not with a class: that is what makes the search fast.
    """
    data, units = char.encode(), char.encode("utf-16-be")
    ways = [
        *sorted({re.escape(case.encode()) for case in (char, char.lower(), char.upper())}),
        b"".join(b"%(?:25)*" + _hexadecimal(byte) for byte in data),
        b"".join(
            rb"\\\\*u" + _hexadecimal(high) + _hexadecimal(low)
            for high, low in zip(units[::2], units[1::2], strict=True)
        ),
        b"".join(rb"\\\\*x" + _hexadecimal(byte) for byte in data),
        b"&(?:amp;)*#(?:0*%d|[xX]0*%b);" % (ord(char), _hexadecimal(ord(char))),
    ]
    if not char.isalnum():
        # First, so that of an escaped backslash both are taken.
        ways.insert(0, rb"\\\\*" + re.escape(data))
    if char in _NAMED:
        ways.append(b"&(?:amp;)*" + _NAMED[char])
    if char in _BASE64_TWINS:
        ways.append(_BASE64_TWINS[char])
    return b"(?:" + b"|".join(ways) + b")"


def _hexadecimal(number: int) -> bytes:
    return b"".join(b"[%c%c]" % (ord(digit), ord(digit.upper())) for digit in f"{number:02x}")


def _base64_core(data: bytes, offset: int) -> str:
    """Return the Base64 characters that depend on `data` alone where it begins `offset` bytes into a triple."""
    encoded = base64.b64encode(b"\0" * offset + data).decode()
    return encoded[math.ceil(offset * 8 / 6) : (offset + len(data)) * 8 // 6]
