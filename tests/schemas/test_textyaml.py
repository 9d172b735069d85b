"""YAML in which every scalar stays the text that was written, and every key knows its line."""

from pathlib import Path
from typing import Any

import pytest

from schemas.textyaml import Lined, TextYamlError, load_text


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "x.yaml"


def read(file: Path, text: str) -> Any:
    file.write_text(text, encoding="utf-8")
    return load_text(file)


@pytest.mark.parametrize(
    "word",
    [
        "ON",
        "NO",
        "yes",
        "off",
        "true",
        "01064",
        "0x1F",
        "1_000",
        "1e3",
        "12:30:45",
        "2018-01-01",
        ".nan",
        ".inf",
        "NIL",
    ],
)
def test_words_that_yaml_would_convert_stay_text(file: Path, word: str) -> None:
    assert read(file, f"a: {word}\nb: [{word}]\n{word}: c\n") == {"a": word, "b": [word], word: "c"}


@pytest.mark.parametrize("written", ["", "~", "null"])
def test_an_unquoted_empty_value_is_none_and_a_quoted_one_is_text(file: Path, written: str) -> None:
    assert read(file, f"a: {written}\nb: '{written}'\n") == {"a": None, "b": written}


def test_the_key_null_is_the_text_that_was_written(file: Path) -> None:
    assert read(file, "{null: [x], '': y}\n") == {"null": ["x"], "": "y"}


def test_keys_know_their_lines_at_every_depth(file: Path) -> None:
    document = read(file, "# comment\na: 1\nb:\n  c: 2\n\n  d: {e: 3}\n")
    assert isinstance(document["b"], Lined)
    assert document.lines == {"a": 2, "b": 3}
    assert document["b"].lines == {"c": 4, "d": 6}
    assert document["b"]["d"].lines == {"e": 6}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "x.yaml, line 3: key 'a' stands twice"),
        ("a: 1\n? [b]\n: 2\n", "x.yaml, line 2: a key must be text"),
        ("a: 1\n: 2\n", "x.yaml, line 2"),
        ("a: [1\n", "x.yaml, line 2"),
        ("a: 1\n---\nb: 2\n", "x.yaml, line 2"),
        ("a: 1\nb: !!python/object:os.x {}\n", "x.yaml, line 2"),
        ("a:\n\t- b\n", "x.yaml, line 2"),
    ],
)
def test_what_is_no_plain_yaml_is_refused_with_file_and_line(file: Path, text: str, message: str) -> None:
    with pytest.raises(TextYamlError, match=r"x\.yaml") as caught:
        read(file, text)
    assert message in str(caught.value)


def test_bytes_that_are_no_text_are_refused_with_the_file(file: Path) -> None:
    file.write_bytes(b"a: \xff\n")
    with pytest.raises(TextYamlError, match=r"x\.yaml"):
        load_text(file)


def test_an_empty_file_holds_nothing(file: Path) -> None:
    assert read(file, "# only a comment\n") is None
