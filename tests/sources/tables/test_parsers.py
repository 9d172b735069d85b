"""Parsers: what a text means is declared, never guessed; what cannot be read gets a code and no value."""

import datetime as dt
import math
from collections.abc import Callable

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from schemas.text import clean
from sources.tables import parsers
from sources.tables.parsers import Parsed
from sources.tables.repair import undo_html, undo_mojibake


def texts(*values: str | None) -> pa.Array:
    return pa.array(values, pa.string())


def one(parse: Callable[[pa.Array], Parsed], text: str | None) -> tuple[object, str | None]:
    parsed = parse(texts(text))
    return parsed.values[0].as_py(), parsed.codes[0].as_py()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3.0),
        ("-3.50", -3.5),
        ("+7", 7.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("007", 7.0),
        ("1e-400", 0.0),
    ],
)
def test_a_decimal_number_is_a_number(text: str, value: float) -> None:
    assert one(parsers.number, text) == (value, None)


@pytest.mark.parametrize(
    "text",
    ["nan", "NaN", "inf", "-inf", "Infinity", "1e999", "1e99999", "9" * 400, "1,200", "3.4/5", "0x1F", "1_000", "--",
     "NEW", "½", "٣", "e5", ".", "1 2", "₹500", "True"],
)  # fmt: skip
def test_everything_else_is_not_a_number_and_never_nan_or_infinite(text: str) -> None:
    assert one(parsers.number, text) == (None, "not_a_number")


@pytest.mark.parametrize(("text", "value"), [("12", 12), ("-5", -5), ("12.0", 12), ("+4", 4), ("9" * 18, 10**18 - 1)])
def test_a_whole_number_is_an_integer(text: str, value: int) -> None:
    assert one(parsers.integer, text) == (value, None)


@pytest.mark.parametrize("text", ["12.5", "1e3", "9" * 19, "nan", "", "twelve", "1,000"])
def test_everything_else_is_not_an_integer(text: str) -> None:
    assert one(parsers.integer, text) == (None, "not_an_integer")


@pytest.mark.parametrize(
    ("text", "date_format", "value"),
    [
        ("2019-03-08", None, dt.date(2019, 3, 8)),
        ("8/3/2019", "%d/%m/%Y", dt.date(2019, 3, 8)),
        ("20190308", None, None),
        ("2019-3-8", None, None),
        ("2019-02-30", None, None),
        ("2019-W10-5", None, None),
        ("08/03/19", "%d/%m/%Y", None),
        ("tomorrow", "%d/%m/%Y", None),
    ],
)
def test_a_date_has_the_declared_form_or_is_none(text: str, date_format: str | None, value: dt.date | None) -> None:
    parsed = parsers.date(texts(text), date_format)
    assert parsed.values.to_pylist() == [value]
    assert parsed.codes.to_pylist() == [None if value else "not_a_date"]


def test_a_boolean_is_one_of_the_declared_words() -> None:
    parsed = parsers.boolean(texts("Yes", "No", "yes", "1", None), frozenset(["Yes"]), frozenset(["No"]))
    assert parsed.values.to_pylist() == [True, False, None, None, None]
    assert parsed.codes.to_pylist() == [None, None, "not_a_boolean", "not_a_boolean", None]


@pytest.mark.parametrize(
    ("text", "separator", "value"),
    [
        ("North Indian, Mughlai", ",", ["North Indian", "Mughlai"]),
        ("a,,b,  a ,", ",", ["a", "b"]),
        (", ,", ",", None),
        ("Fort | Museum", "|", ["Fort", "Museum"]),
        ('["a, b", " c  d ", null, ""]', None, ["a, b", "c d"]),
        ("[]", None, None),
    ],
)
def test_a_list_has_clean_members_without_repeats_and_is_never_empty(
    text: str, separator: str | None, value: list[str] | None
) -> None:
    parsed = parsers.members(texts(text), separator)
    assert (parsed.values.to_pylist(), parsed.codes.to_pylist()) == ([value], [None])


@pytest.mark.parametrize("text", ["a, b", '{"a": 1}', "[[1]]", "[true]", "[" * 100_000])
def test_what_is_no_json_list_of_texts_is_not_a_list(text: str) -> None:
    assert parsers.members(texts(text), None).codes.to_pylist() == ["not_a_list"]


def test_null_stays_null_without_a_code_in_every_parser() -> None:
    everywhere = (
        parsers.number,
        parsers.integer,
        lambda array: parsers.date(array, None),
        lambda array: parsers.members(array, ","),
    )
    assert [one(parse, None) for parse in everywhere] == [(None, None)] * 4


@given(st.lists(st.none() | st.text()))
def test_cleaning_by_column_is_cleaning_text_by_text(values: list[str | None]) -> None:
    assert parsers.cleaned(texts(*values)).to_pylist() == [clean(value) or None if value else None for value in values]


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_number_that_was_written_comes_back_exactly_and_nothing_else_does(number: float) -> None:
    value, code = one(parsers.number, repr(number))
    assert (value, code) == ((number, None) if math.isfinite(number) else (None, "not_a_number"))


@given(st.text(max_size=6))
def test_no_text_makes_the_number_parser_fail_or_give_a_number_without_digits(text: str) -> None:
    value, code = one(parsers.number, clean(text))
    assert (value is None) == (code == "not_a_number")
    assert value is None or any(char in "0123456789" for char in text)


def damaged(text: str, times: int) -> str:
    for _ in range(times):
        text = text.encode("utf-8").decode("latin-1")
    return text


@pytest.mark.parametrize(
    ("broken", "sound"),
    [
        (damaged("100°C", 6), "100°C"),
        ("Café".encode().decode("cp1252"), "Café"),
        ("Mum\u2019s".encode().decode("cp1252"), "Mum\u2019s"),
        (damaged("à la carte", 1), "à la carte"),
    ],
)
def test_text_read_in_the_wrong_encoding_however_often_is_restored(broken: str, sound: str) -> None:
    assert broken != sound
    assert undo_mojibake(broken) == sound


@pytest.mark.parametrize("text", ["Café", "Mum\u2019s", "मुंबई", "Ã la carte मुंबई", "100Ã C", "plain", "", "é Ã©"])
def test_text_that_is_not_surely_damaged_stays_as_it_is(text: str) -> None:
    assert undo_mojibake(text) == text


_PROPER = st.text(st.characters(min_codepoint=0x20, blacklist_categories=["Cs", "Cc"]))


@given(_PROPER, st.integers(0, 3))
def test_damage_of_any_depth_is_undone(text: str, times: int) -> None:
    assume(undo_mojibake(text) == text)
    assert undo_mojibake(damaged(text, times)) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Bed &amp; Breakfast", "Bed & Breakfast"),
        ("Mum&#39;s &#x2019;", "Mum's \u2019"),
        ("R&D; AT&T; &amp", "R&D; AT&T; &amp"),
        ("&amp;lt;", "&lt;"),
        ("&#0; &#xD800; &#9999999;", "&#0; &#xD800; &#9999999;"),
    ],
)
def test_character_references_are_resolved_once_and_what_only_looks_like_one_stays(text: str, wanted: str) -> None:
    assert undo_html(text) == wanted
