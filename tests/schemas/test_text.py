"""Text rules of the evaluator contract: NFC, trimmed, one blank, case kept; and the folded form for comparing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.text import clean, fold, slug


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("AMB  ANDAURA", "AMB ANDAURA"),
        ("  Agra\t\r\n Cantt ", "Agra Cantt"),
        ("no\u00a0break\u3000wide", "no break wide"),
        ("Cafe\u0301", "Caf\u00e9"),
        ("01064", "01064"),
        ("NIL", "NIL"),
        (" \u2003 ", ""),
    ],
)
def test_clean_trims_collapses_and_composes_and_changes_nothing_else(raw: str, wanted: str) -> None:
    assert clean(raw) == wanted


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(st.text())
def test_clean_text_is_nfc_without_outer_or_double_blanks(text: str) -> None:
    cleaned = clean(text)
    assert unicodedata.is_normalized("NFC", cleaned)
    assert cleaned.split() == (cleaned.split(" ") if cleaned else [])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kochi", "KOCHI"),
        ("Thiruvananthapuram", "Thiruvanantha\u0304puram"),
        ("Stra\u00dfe", "STRASSE"),
        ("a  b", "A B"),
    ],
)
def test_spellings_that_differ_in_case_accents_and_blanks_fold_to_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_folding_keeps_different_names_apart() -> None:
    assert len({fold(name) for name in ("Agra", "Agra Cantt", "Agar", "Agra-Cantt")}) == 4


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Port Blair", "port-blair"),
        ("Dadra & Nagar Haveli", "dadra-nagar-haveli"),
        ("Ha\u0304jipur", "hajipur"),
        ("", ""),
    ],
)
def test_a_slug_is_lower_case_ascii_words_joined_by_hyphens(text: str, wanted: str) -> None:
    assert slug(text) == wanted


def test_invisible_signs_are_left_out_and_joiners_stay() -> None:
    assert clean("A\x00B\x1b[31m\u202ered\ufeff") == "AB[31mred"
    assert clean("\x00") == ""
    assert clean("\u0915\u094d\u200d\u0937") == "\u0915\u094d\u200d\u0937"
