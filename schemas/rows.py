"""What a step hands on: good rows, what went to quarantine, what was merged away, and what was noticed.

Every row that enters a step leaves it by exactly one of three doors, so that rows in = kept + merged + quarantined can
be checked for each source (`warehouse.quality`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa

QUARANTINE_SCHEMA = pa.schema(
    [
        pa.field("table", pa.string(), nullable=False, metadata={"description": "Table the row was meant for."}),
        pa.field("source", pa.string(), nullable=False, metadata={"description": "Source of the row."}),
        pa.field("source_ref", pa.string(), nullable=False, metadata={"description": "Record within the source."}),
        pa.field("code", pa.string(), nullable=False, metadata={"description": "Reason code."}),
        pa.field("message", pa.string(), nullable=False, metadata={"description": "What is wrong, in words."}),
        pa.field("column", pa.string(), metadata={"description": "Column at fault, where there is one."}),
        pa.field("value", pa.string(), metadata={"description": "The value at fault as text, cut to 200 characters."}),
    ]
)

MERGES_SCHEMA = pa.schema(
    [
        pa.field("table", pa.string(), nullable=False, metadata={"description": "Table of the row."}),
        pa.field("source", pa.string(), nullable=False, metadata={"description": "Source of the row merged away."}),
        pa.field("source_ref", pa.string(), nullable=False, metadata={"description": "The record merged away."}),
        pa.field("into_source", pa.string(), nullable=False, metadata={"description": "Source of the row that stays."}),
        pa.field("into_ref", pa.string(), nullable=False, metadata={"description": "The record that stays."}),
        pa.field("rule", pa.string(), nullable=False, metadata={"description": "Rule that found the two to be one."}),
    ]
)

VALUE_LIMIT = 200


class Reject(NamedTuple):
    """One row that cannot be used; the fields are those of QUARANTINE_SCHEMA."""

    table: str
    source: str
    source_ref: str
    code: str
    message: str
    column: str | None = None
    value: str | None = None


class Merge(NamedTuple):
    """One row that is another one; the fields are those of MERGES_SCHEMA."""

    table: str
    source: str
    source_ref: str
    into_source: str
    into_ref: str
    rule: str


@dataclass(frozen=True)
class Notes:
    """What a step noticed besides its rows.

    `rows_in`: records read. `unmapped`: map name -> outside term -> count of rows whose term leads nowhere.
    `unused_columns`: columns of a file that its mapping neither reads nor ignores. `remarks`: sentences for the report.
    """

    rows_in: int
    unmapped: dict[str, dict[str, int]] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Built:
    """The result of a step. `rows` has the staged or the published schema of its table."""

    rows: pa.Table
    notes: Notes
    quarantine: pa.Table = field(default_factory=QUARANTINE_SCHEMA.empty_table)
    merges: pa.Table = field(default_factory=MERGES_SCHEMA.empty_table)


def quarantine_table(rejects: Iterable[Reject]) -> pa.Table:
    """Turn rejects into an Arrow table of QUARANTINE_SCHEMA; values are cut to VALUE_LIMIT characters."""
    rows = [reject._replace(value=reject.value[:VALUE_LIMIT] if reject.value else None) for reject in rejects]
    return pa.Table.from_pylist([row._asdict() for row in rows], schema=QUARANTINE_SCHEMA)


def merges_table(merges: Iterable[Merge]) -> pa.Table:
    """Turn merges into an Arrow table of MERGES_SCHEMA."""
    return pa.Table.from_pylist([merge._asdict() for merge in merges], schema=MERGES_SCHEMA)
