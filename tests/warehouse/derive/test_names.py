from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.text import fold
from warehouse.derive.names import locality_text, name_hazard, tell_apart

SPELLINGS = {"Delhi": frozenset({"delhi", "new delhi"}), "Nagpur": frozenset({"nagpur"})}

Row = tuple[str, str | None, str | None]


def _names(*rows: Row, hidden: tuple[int, ...] = (), ids: list[str] | None = None) -> list[str]:
    names, cities, localities = zip(*rows, strict=True) if rows else ((), (), ())
    table = pa.table(
        {
            "name": pa.array(names, pa.string()),
            "City": pa.array(cities, pa.string()),
            "locality": pa.array(localities, pa.string()),
            "place_id": pa.array(ids or [f"one:{row}" for row in range(len(rows))], pa.string()),
        }
    )
    is_visible = np.array([row not in hidden for row in range(len(rows))], dtype=np.bool_)
    result: list[str] = tell_apart(table, is_visible, SPELLINGS).to_pylist()
    return result


def test_namesakes_of_a_city_get_their_locality_and_others_keep_their_name() -> None:
    assert _names(
        ("Domino's Pizza", "Delhi", "Saket"),
        ("DOMINO'S  Pizza", "Delhi", "Rohini"),
        ("Domino's Pizza", "Nagpur", "Sadar"),
        ("Karim's", "Delhi", "Jama Masjid"),
    ) == ["Domino's Pizza - Saket", "DOMINO'S  Pizza - Rohini", "Domino's Pizza", "Karim's"]


def test_where_the_locality_is_the_same_a_number_follows_in_the_order_of_ids() -> None:
    rows = [("Café", "Delhi", "Saket"), ("Cafe", "Delhi", "SAKET"), ("Cafe", "Delhi", "Saket")]
    assert _names(*rows, ids=["one:3", "one:1", "one:2"]) == ["Café - Saket 3", "Cafe - SAKET", "Cafe - Saket 2"]


def test_a_namesake_without_locality_takes_a_number_and_nobody_keeps_the_shared_name() -> None:
    rows = [("Cafe", "Delhi", "Saket"), ("Cafe", "Delhi", None), ("Cafe", "Delhi", "New Delhi")]
    assert _names(*rows) == ["Cafe - Saket", "Cafe 2", "Cafe 3"]


def test_a_name_that_another_place_has_of_itself_is_not_taken() -> None:
    rows = [("Cafe", "Delhi", "Saket"), ("Cafe", "Delhi", "Rohini"), ("Cafe - Saket", "Delhi", None)]
    assert _names(*rows) == ["Cafe - Saket 2", "Cafe - Rohini", "Cafe - Saket"]


def test_rows_without_city_are_namesakes_of_nobody() -> None:
    assert _names(("Cafe", None, "Saket"), ("Cafe", None, "Rohini")) == ["Cafe", "Cafe"]


def test_a_hidden_row_gives_way_to_a_visible_one_and_never_renames_it() -> None:
    assert _names(("Taj Mahal", "Delhi", None), ("Taj Mahal", "Delhi", None), hidden=(0,)) == [
        "Taj Mahal 2",
        "Taj Mahal",
    ]
    both_hidden = _names(("Cafe", "Delhi", "Saket"), ("Cafe", "Delhi", "Rohini"), hidden=(0, 1))
    assert both_hidden == ["Cafe - Saket", "Cafe - Rohini"]


@pytest.mark.parametrize(
    ("locality", "text"),
    [
        ("Saket", "Saket"),
        ("Saket, New Delhi", "Saket"),
        ("Saket, Delhi, New Delhi", "Saket"),
        ("Delhi Gate, Daryaganj", "Delhi Gate Daryaganj"),
        ("Delhi", ""),
        (None, ""),
        (" , ", ""),
        ("Kasbah, Greater Kailash (GK) 1", "Kasbah Greater Kailash GK 1"),
        ("a;b\tc\r\nd", "a b c d"),
    ],
)
def test_what_is_added_to_a_name_breaks_no_plan(locality: str | None, text: str) -> None:
    assert locality_text(locality, SPELLINGS["Delhi"]) == text


SHORT = st.sampled_from(["A", "a", "A 2", "A - X", "A - X 2", "B"])
ROWS = st.lists(
    st.tuples(SHORT, st.sampled_from(["Delhi", "Nagpur", None]), st.sampled_from(["X", "Y", "x", None]), st.booleans()),
    max_size=14,
)


@settings(deadline=None)
@given(ROWS, st.randoms())
def test_names_are_unique_within_a_city_and_do_not_depend_on_the_order_of_rows(rows: list[Any], random: Any) -> None:
    numbered = [(f"one:{row:02}", *cells) for row, cells in enumerate(rows)]

    def result(order: list[Any]) -> dict[str, str]:
        hidden = tuple(place for place, row in enumerate(order) if not row[4])
        ids = [row[0] for row in order]
        return dict(zip(ids, _names(*(row[1:4] for row in order), hidden=hidden, ids=ids), strict=True))

    names = result(numbered)
    keys = [(row[2], fold(names[row[0]])) for row in numbered if row[2]]
    assert len(keys) == len(set(keys))
    assert all(names[row[0]].startswith(row[1]) for row in numbered)
    visible = [row for row in numbered if row[4]]
    assert {row[0]: names[row[0]] for row in visible} == result(visible)
    random.shuffle(numbered)
    assert result(numbered) == names


@pytest.mark.parametrize(
    ("name", "is_hazard"),
    [
        ("Sunrise Homestay", True),
        ("Stay Inn", True),
        ("Pizza From Napoli", True),
        ("Visitors' Hall", True),
        ("Cafe (Old Town)", True),
        ("To Tandoor", False),
        ("Karim's", False),
    ],
)
def test_names_that_public_parsers_split_are_flagged(name: str, is_hazard: bool) -> None:
    assert name_hazard(pa.array([name])).to_pylist() == [is_hazard]
