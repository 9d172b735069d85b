"""Text as the evaluator contract wants it (rule 1.5), and the folded form under which names are compared.

Only spelling is treated here. Whether two equal names are one place is decided in `warehouse.derive`.
"""

import re
import unicodedata

# What sources write where they know nothing (contract 1.6); as a whole text, in any case.
PLACEHOLDER = r"^(-+|n/a)?$"

# Control signs, and signs that turn the direction of reading, are seen by nobody and break whatever prints them. The
# joiners of Indian scripts (U+200C, U+200D) are not among them.
INVISIBLE = (
    range(0x09),
    range(0x0E, 0x1C),
    range(0x7F, 0x85),
    range(0x86, 0xA0),
    range(0x061C, 0x061D),
    range(0x200E, 0x2010),
    range(0x202A, 0x202F),
    range(0x2066, 0x206A),
    range(0xFEFF, 0xFF00),
)

_DROP_INVISIBLE = {code: None for codes in INVISIBLE for code in codes}
_PLACEHOLDER = re.compile(PLACEHOLDER, re.IGNORECASE)


def clean(text: str) -> str:
    """Return `text` in Unicode NFC, trimmed, each run of white space made one blank, invisible signs left out."""
    return " ".join(unicodedata.normalize("NFC", text.translate(_DROP_INVISIBLE)).split())


def fold(text: str) -> str:
    """Return the form under which two spellings count as the same: no accents, no case, single blanks."""
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return clean(bare.casefold())


def slug(text: str) -> str:
    """Return `text` as lower-case ASCII words joined by hyphens, for ids and file names."""
    ascii_only = fold(text).encode("ascii", "ignore").decode()
    return "-".join("".join(char if char.isalnum() else " " for char in ascii_only).split())


def is_placeholder(text: str) -> bool:
    """Whether a text says that there is no value: nothing, hyphens, `N/A`."""
    return bool(_PLACEHOLDER.fullmatch(text))
