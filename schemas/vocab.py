"""Closed word lists, and the maps that lead outside terms to them. Both are data files with a version.

`vocabularies/<name>.yaml` holds a vocabulary, `vocabularies/maps/<name>.yaml` a map. A term that no map knows is never
given a default: `TermMap.lookup` answers None, and whoever asked counts the term.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from schemas.text import fold
from schemas.textyaml import load_text

FOLDER = Path(__file__).parent / "vocabularies"


class VocabularyError(ValueError):
    """A vocabulary or map that is unknown or contradicts itself; the message names file and cause."""


@dataclass(frozen=True)
class Vocabulary:
    """A closed list: token -> its attributes (text to text, e.g. `hours` of an attraction category)."""

    name: str
    version: str
    description: str
    terms: dict[str, dict[str, str]]

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(self.terms)

    def number(self, token: str, attribute: str) -> float:
        """Return a numeric attribute of a token."""
        return float(self.terms[token][attribute])


@dataclass(frozen=True)
class TermMap:
    """A map from outside terms, compared in folded form, to tokens of one vocabulary.

    A term may lead to several tokens, or to none on purpose (`dropped`, with the reason).
    """

    name: str
    version: str
    vocabulary: str
    terms: dict[str, tuple[str, ...]]
    dropped: dict[str, str]

    def lookup(self, term: str) -> tuple[str, ...] | None:
        """Return the tokens of a term, an empty tuple for a dropped one, None for one that nobody has reviewed."""
        folded = fold(term)
        return () if folded in self.dropped else self.terms.get(folded)


def _path(name: str, kind: str) -> Path:
    path = (FOLDER if kind == "vocabulary" else FOLDER / "maps") / f"{name}.yaml"
    if not path.is_file():
        choices = ", ".join(sorted(found.stem for found in path.parent.glob("*.yaml")))
        raise VocabularyError(f"no {kind} {name!r}; choose one of {choices}")
    return path


def _checked(path: Path, *keys: str) -> dict[str, Any]:
    data = load_text(path)
    absent = [key for key in keys if not isinstance(data, dict) or not data.get(key)]
    if absent:
        raise VocabularyError(f"{path.name}: {', '.join(absent)} missing")
    return dict(data)


@cache
def vocabulary(name: str) -> Vocabulary:
    """Return the vocabulary of that name; VocabularyError lists the choices."""
    path = _path(name, "vocabulary")
    data = _checked(path, "version", "description", "terms")
    terms = {token: dict(attributes or {}) for token, attributes in data["terms"].items()}
    return Vocabulary(name, data["version"], data["description"], terms)


@cache
def term_map(name: str) -> TermMap:
    """Return the map of that name; every token it leads to must stand in its vocabulary."""
    path = _path(name, "map")
    data = _checked(path, "version", "vocabulary", "terms")
    known = set(vocabulary(data["vocabulary"]).tokens)
    terms: dict[str, tuple[str, ...]] = {}
    dropped = {fold(term): reason for term, reason in (data.get("dropped") or {}).items()}
    for term, target in data["terms"].items():
        tokens = (target,) if isinstance(target, str) else tuple(target)
        strangers = [token for token in tokens if token not in known]
        if strangers:
            raise VocabularyError(f"{path.name}: {term!r} leads to {strangers}, not in {data['vocabulary']}")
        if fold(term) in terms or fold(term) in dropped:
            raise VocabularyError(
                f"{path.name}: {term!r} stands twice (spellings are compared without case and accents)"
            )
        terms[fold(term)] = tokens
    return TermMap(name, data["version"], data["vocabulary"], terms, dropped)


def content_hash(kind: str, name: str) -> str:
    """Return the SHA-256 of a vocabulary (`vocabulary`) or map (`map`) file; reuse of derived work hangs on it."""
    return hashlib.sha256(_path(name, kind).read_bytes()).hexdigest()


def vocabulary_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def map_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (FOLDER / "maps").glob("*.yaml")))
