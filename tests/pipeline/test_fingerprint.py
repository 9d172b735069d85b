"""The fingerprint of code: it changes with any code that can be reached, and with nothing else."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline import fingerprint
from schemas import arrow
from sources.protocol.discovery import load_source
from sources.protocol.scaffold import three_files


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A first-party package `toy`: `toy.top` imports `toy.deep` inside a function; `toy.other` is not reached."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "top.py").write_text("def make():\n    from toy import deep\n    return deep.value()\n")
    (folder / "deep.py").write_text("def value():\n    return 1\n")
    (folder / "other.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(fingerprint, "FIRST_PARTY", ("toy",))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy"]:
        del sys.modules[name]
    _forget()


def _forget() -> None:
    for cached in (fingerprint._source, fingerprint._imports, fingerprint._reached):
        cached.cache_clear()


def _fingerprint() -> str:
    _forget()
    make: Callable[[], int] = importlib.import_module("toy.top").make
    return fingerprint.code_fingerprint(make)


def test_a_change_beside_the_parser_of_a_provider_from_elsewhere_changes_it(tmp_path: Path) -> None:
    folder = tmp_path / "guide"
    folder.mkdir()
    for file, text in three_files("guide", "attractions", "https://guide.example").items():
        (folder / file).write_text(text, encoding="utf-8")
    with (folder / "parse.py").open("a", encoding="utf-8") as parse:
        parse.write("\nfrom . import words\n")
    (folder / "words.py").write_text("WORD = 1\n")
    before = fingerprint.code_fingerprint(load_source(folder).parse)
    (folder / "words.py").write_text("WORD = 2\n")
    assert fingerprint.code_fingerprint(load_source(folder).parse) != before


@pytest.mark.usefixtures("package")
def test_the_same_code_has_the_same_fingerprint() -> None:
    assert _fingerprint() == _fingerprint()


@pytest.mark.parametrize("module", ["top.py", "deep.py"])
def test_a_change_in_reached_code_changes_it(package: Path, module: str) -> None:
    before = _fingerprint()
    path = package / module
    path.write_text(path.read_text() + "# changed\n")
    assert _fingerprint() != before


def test_a_change_in_code_that_is_not_reached_leaves_it(package: Path) -> None:
    before = _fingerprint()
    (package / "other.py").write_text("x = 2\n")
    assert _fingerprint() == before


def test_the_version_of_a_library_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint.code_fingerprint(arrow.table_schema)
    monkeypatch.setattr(fingerprint, "_version", lambda package: f"{package} 0.0.0")
    assert fingerprint.code_fingerprint(arrow.table_schema) != before
