import pyarrow as pa
import pytest

from schemas.arrow import table_schema
from warehouse.derive.visibility import mark, publish_form

STOP = {
    "stop_id": "rail:NGP",
    "stop_name": "Nagpur Jn",
    "stop_mode": "rail",
    "latitude": 21.15,
    "longitude": 79.09,
    "source": "one",
    "source_ref": "one.csv#1",
    "snapshot_id": "f" * 16,
    "observed_at": None,
    "value_class": "observed",
}


def _stops(*changes: dict[str, object]) -> pa.Table:
    columns = {name: table_schema("transit_stops").field(name).type for name in STOP}
    rows = [{**STOP, **change} for change in changes]
    return pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in columns.items()})


def test_a_row_is_visible_exactly_when_no_required_column_is_null() -> None:
    marked = mark(_stops({}, {"latitude": None, "longitude": None}, {"stop_id": None}), "transit_stops")
    assert marked["evaluator_visible"].to_pylist() == [True, False, False]
    assert marked["missing"].to_pylist() == [[], ["latitude", "longitude"], ["stop_id"]]


def test_rows_get_the_exact_schema_and_absent_optional_columns_are_null() -> None:
    marked = mark(_stops({}), "transit_stops")
    assert marked.schema.equals(table_schema("transit_stops"), check_metadata=True)
    assert marked["stop_lines"].to_pylist() == [None]


def test_a_required_column_that_was_not_built_is_an_error_and_no_null() -> None:
    with pytest.raises(KeyError):
        mark(_stops({}).drop_columns(["stop_mode"]), "transit_stops")


def test_an_empty_list_is_a_value() -> None:
    schema = table_schema("accommodations")
    row = dict.fromkeys(schema.names) | {"house_rules": []}
    rows = pa.table({name: pa.array([row[name]], schema.field(name).type) for name in schema.names})
    missing = mark(rows.drop_columns(["evaluator_visible", "missing"]), "accommodations")["missing"].to_pylist()[0]
    assert "house_rules" not in missing
    assert "rating" in missing


def test_published_rows_are_sorted_by_the_key_of_their_table() -> None:
    ids = publish_form(_stops({"stop_id": "b"}, {"stop_id": "c"}, {"stop_id": "a"}), "transit_stops")["stop_id"]
    assert ids.to_pylist() == ["a", "b", "c"]


def test_no_rows_are_marked_without_fault() -> None:
    assert mark(_stops(), "transit_stops").num_rows == 0
