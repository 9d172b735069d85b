"""The two side doors of a builder, by columns: rows into quarantine, rows merged into others."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.fields import FIELDS
from schemas.rows import MERGES_SCHEMA, QUARANTINE_SCHEMA, VALUE_LIMIT
from warehouse.derive.columns import Indices, Mask, flat, is_set


@dataclass
class Sieve:
    """Rows of a table on their way in; what is rejected leaves `rows` for `quarantine`, with its first fault."""

    table: str
    rows: pa.Table
    _parts: list[pa.Table] = field(default_factory=list)

    @property
    def quarantine(self) -> pa.Table:
        """Records of QUARANTINE_SCHEMA, one for each row rejected so far."""
        return pa.concat_tables([QUARANTINE_SCHEMA.empty_table(), *self._parts])

    def reject(self, wrong: Mask, code: str, message: str, column: str) -> None:
        """Reject rows for a fault in a column, whose value is kept as text (the members of a list with commas)."""
        out = self.rows.filter(wrong)
        values = flat(out[column])
        is_list = pa.types.is_list(values.type)
        texts = pc.binary_join(values.cast(pa.list_(pa.string())), ", ") if is_list else values.cast(pa.string())
        fixed = {"table": self.table, "code": code, "message": message, "column": column}
        values_cut = {"value": pc.utf8_slice_codeunits(texts, 0, VALUE_LIMIT)}
        self._parts.append(_records(out, QUARANTINE_SCHEMA, fixed, values_cut))
        self.rows = self.rows.filter(~wrong)

    def reject_lacking(self, *columns: str) -> None:
        """Reject rows without a value that no row may lack."""
        for column in columns:
            self.reject(~is_set(self.rows[column]), "required", f"the row has no {column}", column)

    def reject_outside(self, bbox: tuple[float, float, float, float]) -> None:
        """Reject rows whose point lies outside a box (south, west, north, east); a row without a point is not judged.

        It is by this that a place in another country is told where nobody wrote down its country.
        """
        south, west, north, east = bbox
        for column, low, high in (("latitude", south, north), ("longitude", west, east)):
            values = flat(self.rows[column]).to_numpy(zero_copy_only=False)
            message = f"the {column} lies outside the box of the region ({low} to {high})"
            self.reject((values < low) | (values > high), "outside_region", message, column)

    def reject_unreadable(self, column: str) -> None:
        """Reject rows whose name cannot stand in a plan (contract 1.10); a row without a name is not judged."""
        pattern = rf"\A(?:{FIELDS['name'].pattern})\z"
        matches = pc.match_substring_regex(flat(self.rows[column]), pattern)
        fits = pc.fill_null(matches, True).to_numpy(zero_copy_only=False)
        message = "a plan with this name could not be read: it holds a semicolon, a tab or a line break"
        self.reject(~np.asarray(fits, dtype=np.bool_), "name_breaks_grammar", message, column)


def keep_one(rows: pa.Table, table: str, into: Indices, rule: str) -> tuple[pa.Table, pa.Table]:
    """Return the rows that stand for themselves, and a merge record for each other one (`identity`)."""
    stays = into == np.arange(len(rows))
    return rows.filter(stays), merged(rows, table, ~stays, into, rule)


def merged(rows: pa.Table, table: str, gone: Mask, into: Indices, rule: str) -> pa.Table:
    """Return a merge record for each row that is `gone`; `into` counts, for every row, the row of `rows` that stays."""
    return merged_into(rows.filter(gone), table, rows.take(into[gone]), rule)


def merged_into(rows: pa.Table, table: str, stays: pa.Table, rule: str) -> pa.Table:
    """Return a merge record for each of `rows`, into the row at the same place of `stays`."""
    targets = {"into_source": stays["source"], "into_ref": stays["source_ref"]}
    return _records(rows, MERGES_SCHEMA, {"table": table, "rule": rule}, targets)


def _records(
    rows: pa.Table, schema: pa.Schema, fixed: Mapping[str, str], columns: Mapping[str, pa.Array | pa.ChunkedArray]
) -> pa.Table:
    own = {name: rows[name] for name in ("source", "source_ref")}
    constant = {name: pa.repeat(text, len(rows)) for name, text in fixed.items()}
    everything = {**own, **constant, **columns}
    return pa.table([everything[name] for name in schema.names], schema=schema)
