"""Text as the evaluator contract wants it (rule 1.5), and the folded form under which names are compared.

Only spelling is treated here. Whether two equal names are one place is decided in `warehouse.derive`.
"""

import unicodedata


def clean(text: str) -> str:
    """Return `text` in Unicode NFC, trimmed, with every run of white space turned into one blank."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def fold(text: str) -> str:
    """Return the form under which two spellings count as the same: no accents, no case, single blanks."""
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return clean(bare.casefold())


def slug(text: str) -> str:
    """Return `text` as lower-case ASCII words joined by hyphens, for ids and file names."""
    ascii_only = fold(text).encode("ascii", "ignore").decode()
    return "-".join("".join(char if char.isalnum() else " " for char in ascii_only).split())
