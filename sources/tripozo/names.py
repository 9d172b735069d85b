"""Numbers, names, kinds and classes of trains, and codes of stations, in one spelling each.

A code is text whatever it spells: `ON`, `NIL` and `NAN` are stations.
"""

import re
from collections.abc import Iterable

from schemas.text import clean, is_placeholder
from sources.tripozo.unfit import UnfitError, shown

# Codes that stations had before they were renamed; pages write both.
RENAMED = {"ALD": "PRYJ", "CSTM": "CSMT", "JHS": "VGLJ", "MGS": "DDU"}
CLASSES = ("1A", "2A", "3A", "3E", "SL", "CC", "EC", "2S", "FC", "EV", "EA", "VS", "GN", "II")

# One list writes executive chair so.
_CLASS_ALIASES = {"EX": "EC"}
_NUMBER = re.compile("[0-9]{4,5}")
_CODE = re.compile("[A-Z]{1,5}[0-9]{0,2}")
_FLAG = re.compile(r"\((?:PT|UnReserved)\)", re.IGNORECASE)


def read_number(text: str | None, where: str = "number") -> str:
    """Return the five digits of a train; some pages drop the zero in front."""
    written = clean(text or "")
    if not _NUMBER.fullmatch(written):
        raise UnfitError("bad_number", f"{shown(written)!r} is no number of a train", where)
    return written.zfill(5)


def read_name(text: str | None) -> str | None:
    """Return the name of a train without the flags that some pages append to it."""
    name = clean(_FLAG.sub(" ", text or ""))
    return None if is_placeholder(name) else name


def read_type(text: str | None) -> str | None:
    """Return the code of a kind of train in capitals, as pages write it in any case."""
    written = clean(text or "").upper()
    return None if is_placeholder(written) else written


def read_code(text: str | None, where: str) -> str:
    """Return the code of a station, the new one of a renamed station."""
    written = clean(text or "").upper()
    if not _CODE.fullmatch(written):
        raise UnfitError("bad_code", f"{shown(written)!r} is no code of a station", where)
    return RENAMED.get(written, written)


def read_classes(texts: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the classes among some texts, each once, and the words that are none."""
    words = [word.upper() for text in texts for word in clean(text).split() if not is_placeholder(word)]
    found = list(dict.fromkeys(_CLASS_ALIASES.get(word, word) for word in words))
    return [one for one in found if one in CLASSES], [one for one in found if one not in CLASSES]
