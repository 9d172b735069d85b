"""Undoing damage to texts where it is certain what they were."""

import html
import re
from html.entities import html5

# Windows-1252 where it is defined, Latin-1 where it is not: what careless software takes for one and the same.
_SIGNS = {code: sign for code in range(0x80, 0xA0) if (sign := bytes([code]).decode("cp1252", "ignore"))}
_BYTES = {chr(code): bytes([code]) for code in range(256)} | {sign: bytes([code]) for code, sign in _SIGNS.items()}


def undo_mojibake(text: str) -> str:
    """Undo UTF-8 that was read as Latin-1 or Windows-1252, however often; what is not surely that stays as it is.

    A step back is taken only where the whole text turns into bytes and these are valid UTF-8, so that taking the step
    forth again gives the same bytes. Signs of Windows-1252 that were read as Latin-1 come last: they look like control
    characters, which no text holds. White space must not have been collapsed before: a no-break space is such a byte.
    """
    while not text.isascii():
        try:
            earlier = b"".join([_BYTES[char] for char in text]).decode("utf-8")
        except (KeyError, UnicodeDecodeError):
            return text.translate(_SIGNS)
        text = earlier
    return text


_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")


def undo_html(text: str) -> str:
    """Resolve HTML character references (`&amp;`) once; what only looks like one stays as it is."""
    return _REFERENCE.sub(_resolved, text)


def _resolved(found: re.Match[str]) -> str:
    reference = found[0]
    if reference[1] != "#":
        return html5.get(reference[1:], reference)
    char = html.unescape(reference)
    return reference if char in ("", "\ufffd") else char


REPAIRS = {"mojibake": undo_mojibake, "html": undo_html}
