"""Arrow schemas, generated from the declarations.

Units and descriptions travel as field metadata into the Parquet files.
"""

import pyarrow as pa

from schemas.fields import FIELDS
from schemas.model import VISIBILITY_MARKS, Field
from schemas.tables import table

_TYPES: dict[str, pa.DataType] = {
    "string": pa.string(),
    "double": pa.float64(),
    "int8": pa.int8(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "bool": pa.bool_(),
    "date": pa.date32(),
    "list<string>": pa.list_(pa.string()),
    "list<int8>": pa.list_(pa.int8()),
}

# What a row must tell of its origin; `observed_at` may be unknown.
_ORIGIN = ("source", "source_ref", "snapshot_id", "value_class")


def arrow_type(field: Field) -> pa.DataType:
    return _TYPES[field.type]


def _arrow_field(name: str, nullable: bool) -> pa.Field:
    field = FIELDS[name]
    metadata = {"description": field.description} | ({"unit": field.unit} if field.unit else {})
    return pa.field(name, arrow_type(field), nullable=nullable, metadata=metadata)


def table_schema(name: str) -> pa.Schema:
    """Return the schema of a published table; columns of `never_null` are not nullable."""
    declared = table(name)
    never_null = {*declared.never_null, *_ORIGIN, *VISIBILITY_MARKS}
    return pa.schema([_arrow_field(column, column not in never_null) for column in declared.columns])


def staged_schema(name: str) -> pa.Schema:
    """Return the schema of the rows that a source brings for a table: all nullable but where they came from."""
    return pa.schema([_arrow_field(column, column not in _ORIGIN) for column in table(name).staged_columns])
