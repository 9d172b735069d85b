"""The Great Expectations adapter: no wrong value passes, and what could not be judged is never called good."""

import math
import re
from datetime import date
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.expectations import Expectation, expectations
from schemas.fields import FIELDS
from schemas.model import Field
from schemas.rows import QUARANTINE_SCHEMA
from schemas.tables import TABLES, table
from schemas.vocab import vocabulary
from tests.warehouse.quality.good_candidate import good_tables, with_cell
from warehouse.quality import gx

BETWEEN = "expect_column_values_to_be_between"
IN_SET = "expect_column_values_to_be_in_set"
MATCHES = "expect_column_values_to_match_regex"
NOT_NULL = "expect_column_values_to_not_be_null"


def _unexpected(values: pa.Array, kind: str, on_members: bool = False, **arguments: Any) -> list[int]:
    (outcome,) = gx.validate(pa.table({"x": values}), [Expectation(kind, "x", arguments, on_members)])
    assert outcome.could_not_run is None
    assert outcome.passed == (not outcome.unexpected_rows)
    return outcome.unexpected_rows


@pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.int64(), pa.float64()])
def test_a_null_is_unexpected_for_no_range(kind: pa.DataType) -> None:
    assert _unexpected(pa.array([1, None, 9], kind), BETWEEN, min_value=1, max_value=4) == [2]


def test_a_large_whole_number_beside_a_null_is_not_rounded() -> None:
    values = pa.array([2**53 + 1, None], pa.int64())

    assert _unexpected(values, BETWEEN, max_value=2**53) == [0]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_unexpected_and_a_null_is_not(number: float) -> None:
    assert _unexpected(pa.array([1.0, number, None]), BETWEEN, min_value=0) == [1]


def test_a_bound_that_is_excluded_is_unexpected() -> None:
    assert _unexpected(pa.array([0.0, 0.01]), BETWEEN, min_value=0, strict_min=True) == [0]


def test_text_that_looks_like_null_or_a_number_is_text() -> None:
    values = pa.array(["NAN", "", None, "01064", "nan"])

    assert _unexpected(values, MATCHES, regex=r"\A(?:[A-Z]+|\d{5})\Z") == [1, 4]


def test_a_pattern_holds_for_the_whole_text_to_its_last_line() -> None:
    assert _unexpected(pa.array(["AB\n", "AB"]), MATCHES, regex=r"\A(?:[A-Z]+)\Z") == [0]


def test_a_list_is_judged_member_by_member_and_a_null_member_is_no_token() -> None:
    lists = pa.array([["a", "b"], None, [], ["a", None], ["z", "y"], ["b"]], pa.list_(pa.string()))

    assert _unexpected(lists, IN_SET, on_members=True, value_set=["a", "b"]) == [3, 4]


def test_lists_of_a_slice_are_counted_from_the_slice() -> None:
    lists = pa.chunked_array([pa.array([["a"], ["z"]]), pa.array([["a"], ["z"]])]).slice(1)

    assert _unexpected(lists, IN_SET, on_members=True, value_set=["a"]) == [0, 2]


def test_null_is_unexpected_where_never_null_is_demanded() -> None:
    assert _unexpected(pa.array(["a", None]), NOT_NULL) == [1]


@pytest.mark.parametrize("kind", [pa.int8(), pa.float64(), pa.string(), pa.bool_(), pa.date32()])
def test_a_column_of_nulls_or_of_nothing_breaks_only_not_null(kind: pa.DataType) -> None:
    tokens = {"value_set": ["a"]}

    assert _unexpected(pa.nulls(3, kind), IN_SET, **tokens) == []
    assert _unexpected(pa.nulls(3, kind), NOT_NULL) == [0, 1, 2]
    assert _unexpected(pa.nulls(0, kind), NOT_NULL) == []


def test_outcomes_stand_in_the_order_of_the_rules_whatever_the_library_answers_first() -> None:
    rows = pa.table({"b": [5, 1], "a": [1, 5], "l": [["q"], ["p"]]})
    rules = [
        Expectation(BETWEEN, "b", {"max_value": 4}),
        Expectation(IN_SET, "l", {"value_set": ["p"]}, on_members=True),
        Expectation(BETWEEN, "a", {"max_value": 4}),
        Expectation(BETWEEN, "b", {"min_value": 2}),
    ]

    outcomes = gx.validate(rows, rules)

    assert [outcome.expectation for outcome in outcomes] == rules
    assert [outcome.unexpected_rows for outcome in outcomes] == [[0], [0], [1], [1]]


@pytest.mark.parametrize("on_members", [False, True])
def test_a_missing_column_could_not_be_judged_and_the_others_are(on_members: bool) -> None:
    rules = [
        Expectation(IN_SET, "gone", {"value_set": ["a"]}, on_members),
        Expectation(BETWEEN, "x", {"min_value": 2}),
    ]

    gone, judged = gx.validate(pa.table({"x": [1]}), rules)

    assert (gone.passed, gone.unexpected_rows) == (False, [])
    assert "gone" in str(gone.could_not_run)
    assert (judged.could_not_run, judged.unexpected_rows) == (None, [0])


def test_a_type_that_cannot_be_compared_could_not_be_judged() -> None:
    rows = pa.table({"x": ["a"]})

    range_of_text, members_of_text = gx.validate(
        rows, [Expectation(BETWEEN, "x", {"min_value": 2}), Expectation(IN_SET, "x", {"value_set": ["a"]}, True)]
    )

    assert not range_of_text.passed
    assert range_of_text.could_not_run
    assert not members_of_text.passed
    assert members_of_text.could_not_run


def test_every_number_has_a_bound_so_that_nan_is_seen_in_every_column() -> None:
    unbound = [
        field.name for field in FIELDS.values() if field.type == "double" and {field.minimum, field.above} == {None}
    ]

    assert unbound == []


@pytest.mark.parametrize("name", TABLES)
def test_good_rows_are_not_sorted_out(name: str) -> None:
    rows = good_tables()[name]

    kept, quarantine = gx.split(rows, name)

    assert kept.equals(rows, check_metadata=True)
    assert quarantine.num_rows == 0


def test_a_wrong_row_goes_to_quarantine_once_with_its_value_and_reason() -> None:
    rows = with_cell(with_cell(good_tables()["restaurants"], 1, "rating", 7.5), 1, "cuisines", ["Food"])

    kept, quarantine = gx.split(rows, "restaurants")

    first_six = ", ".join(vocabulary("cuisine_groups").tokens[:6])
    assert kept["place_id"].to_pylist() == ["own:1", "own:3", "own:4"]
    assert quarantine.schema.equals(QUARANTINE_SCHEMA)
    assert quarantine.to_pylist() == [
        {
            "table": "restaurants",
            "source": "own_restaurants",
            "source_ref": "restaurants.csv#2",
            "code": "value:cuisines",
            "message": f"cuisines is not one of {first_six}, ...",
            "column": "cuisines",
            "value": "['Food']",
        }
    ]


def test_rows_that_cannot_be_judged_are_not_called_good() -> None:
    with pytest.raises(ValueError, match="restaurants: cannot sort out wrong values: rating"):
        gx.split(good_tables()["restaurants"].drop_columns(["rating"]), "restaurants")


def _is_right(field: Field, value: Any, may_be_null: bool) -> bool:
    """The meaning of a field in plain Python, value by value."""
    if value is None:
        return may_be_null
    if isinstance(value, list):
        tokens = vocabulary(field.vocabulary).tokens if field.vocabulary else None
        return tokens is None or all(member in tokens for member in value)
    if isinstance(value, str):
        in_vocabulary = field.vocabulary is None or value in vocabulary(field.vocabulary).tokens
        return in_vocabulary and (field.pattern is None or re.fullmatch(field.pattern, value) is not None)
    if isinstance(value, (bool, date)):
        return True
    low = field.minimum is None or value >= field.minimum
    above = field.above is None or value > field.above
    return math.isfinite(value) and low and above and (field.maximum is None or value <= field.maximum)


ANY_VALUE = {
    "string": st.sampled_from([None, "", "AB", "JAI", "ok", "tier_x_index", "a;b", "No_Pets", "12:60", "x\n", "NAN"]),
    "double": st.sampled_from([None, 0.0, -1.0, 3.5, 5.0, 5.01, 720.0, math.nan, math.inf]),
    "int8": st.sampled_from([None, -1, 0, 1, 4, 5]),
    "int32": st.sampled_from([None, -1, 0, 1, 29, 30, 720, 721]),
    "int64": st.sampled_from([None, -1, 0, 2**53 + 1]),
    "bool": st.sampled_from([True, False, None]),
    "date": st.sampled_from([None, date(2025, 11, 3)]),
    "list<string>": st.lists(st.sampled_from(["No_Pets", "Museums", "Food", "", None]), max_size=3) | st.none(),
}
ORIGIN = ("source", "source_ref", "evaluator_visible", "missing")


@st.composite
def _spoilt(draw: st.DrawFn) -> tuple[str, pa.Table]:
    """Good rows of some table in which some cells hold anything that their type can hold."""
    name = draw(st.sampled_from(["restaurants", "accommodations", "attractions", "trains", "distance_matrix"]))
    rows = good_tables()[name]
    rows = rows.cast(pa.schema([field.with_nullable(True) for field in rows.schema]))
    for column in draw(st.lists(st.sampled_from([c for c in rows.column_names if c not in ORIGIN]), max_size=6)):
        cell = draw(st.integers(0, rows.num_rows - 1))
        rows = with_cell(rows, cell, column, draw(ANY_VALUE[FIELDS[column].type]))
    return name, rows


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_spoilt())
def test_no_wrong_value_gets_through_and_no_right_row_is_lost(spoilt: tuple[str, pa.Table]) -> None:
    name, rows = spoilt
    never_null = table(name).never_null
    is_right = [
        all(_is_right(FIELDS[column], value, column not in never_null) for column, value in row.items())
        for row in rows.to_pylist()
    ]

    kept, quarantine = gx.split(rows, name)

    assert kept.equals(rows.filter(pa.array(is_right)))
    wrong = rows.filter(pa.array([not right for right in is_right]))
    assert quarantine["source_ref"].to_pylist() == wrong["source_ref"].to_pylist()
    assert all(outcome.passed for outcome in gx.validate(kept, expectations(name)))
