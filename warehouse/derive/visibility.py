"""The last step of every table: its exact schema, its order, and which rows the evaluator sees (contract 1.8)."""

import numpy as np
import pyarrow as pa

from schemas.arrow import table_schema
from schemas.tables import table
from warehouse.derive.columns import Indices, Mask, is_set


def missing_count(rows: pa.Table, table_name: str) -> Indices:
    """Return for each row how many required columns are null. An empty list is a value."""
    return np.asarray(_holes(rows, table_name).sum(axis=1), dtype=np.int64)


def mark(rows: pa.Table, table_name: str) -> pa.Table:
    """Fill `evaluator_visible` and `missing`, and give the rows the exact schema of their table.

    Optional columns that the rows do not have become null; columns that the table does not have are left out.
    """
    declared, schema = table(table_name), table_schema(table_name)
    holes = _holes(rows, table_name)
    counts = holes.sum(axis=1)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    missing = pa.array(np.asarray(declared.required, dtype=object)[np.nonzero(holes)[1]], pa.string())
    marks = {"evaluator_visible": pa.array(counts == 0), "missing": pa.ListArray.from_arrays(offsets, missing)}
    absent = {
        name: pa.nulls(len(rows), schema.field(name).type)
        for name in declared.optional
        if name not in rows.column_names
    }
    filled = {**{name: rows[name] for name in rows.column_names}, **absent, **marks}
    return pa.table([filled[name].cast(schema.field(name).type) for name in schema.names], schema=schema)


def publish_form(rows: pa.Table, table_name: str) -> pa.Table:
    """Return rows marked and sorted by the table's key, so that their order tells nothing of the order of the files."""
    key = [(name, "ascending") for name in table(table_name).key]
    return mark(rows, table_name).sort_by(key).combine_chunks()


def _holes(rows: pa.Table, table_name: str) -> Mask:
    required = table(table_name).required
    return ~np.column_stack([is_set(rows[name]) for name in required])
