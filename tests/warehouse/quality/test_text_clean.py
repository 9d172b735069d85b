"""Text is judged by columns and agrees with `schemas.text.clean`, whatever the white space."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.tables import TABLES
from schemas.text import clean
from warehouse.quality.rules import is_unclean, text_columns

SPACES = "".join(char for char in map(chr, range(0x3001)) if char.isspace())
PLACEHOLDERS = ("", "-", "--", "N/A", "n/a")


@given(st.lists(st.text(st.sampled_from("ab-é" + "\u0301" + SPACES), max_size=5) | st.text(max_size=8), min_size=1))
def test_unclean_is_what_cleaning_would_change(words: list[str]) -> None:
    judged = is_unclean(pa.chunked_array([words], pa.string())).to_pylist()

    wanted = [clean(word) != word or word in PLACEHOLDERS or not word.strip("-") for word in words]
    assert judged == wanted


@pytest.mark.parametrize("word", PLACEHOLDERS)
def test_a_word_that_stands_for_null_is_unclean(word: str) -> None:
    assert is_unclean(pa.chunked_array([[word]])).to_pylist() == [True]


@pytest.mark.parametrize("word", ["NAN", "NIL", "NA", "ON", "01064", "Kochi - Fort", "नागपुर"])
def test_a_word_that_is_text_is_clean(word: str) -> None:
    assert is_unclean(pa.chunked_array([[word]])).to_pylist() == [False]


def test_text_that_other_checks_judge_is_left_to_them() -> None:
    assert text_columns("poi_nearest_stops") == []
    assert "City" not in {column for table in TABLES for column in text_columns(table) if table != "city_set"}
