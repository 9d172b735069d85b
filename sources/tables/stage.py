"""From a file and its mapping to staged rows.

Each record is read once and leaves by one of three doors: staged, merged into an earlier record, or quarantined. The
order is: records that cannot be read, cells that a row cannot do without, declared rules, repeats.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from schemas.arrow import staged_schema
from schemas.errors import UtpError
from schemas.fields import FIELDS
from schemas.rows import MERGES_SCHEMA, QUARANTINE_SCHEMA, VALUE_LIMIT, Built, Notes
from schemas.strict import choose
from schemas.tables import table
from schemas.textyaml import read_file
from sources.tables.cells import StagedColumn, constant_column, stage_column
from sources.tables.grammar import Mapping
from sources.tables.parsers import MESSAGES
from sources.tables.readers import Fault, ReadError, Records, read
from sources.tables.rejects import refused
from sources.tables.repeats import first_of_each
from sources.tables.track import LineTooLong


class StageError(UtpError, ValueError):
    """A file that its mapping cannot be applied to; the message names file, cause and next step."""


def stage(mapping: Mapping, path: Path) -> Built:
    """Read a file under its mapping: rows of `staged_schema(mapping.table)` in the order of the file.

    Raises StageError where the file is missing, cannot be read, or lacks a column that the mapping names.
    """
    try:
        data = read_file(path)
    except OSError as error:
        raise StageError(f"{path}: {error.strerror}; mapping {mapping.id!r} reads this file, bring it") from None
    try:
        records = read(mapping, data)
        _check_raw_columns(mapping, records, path)
        return _built(mapping, records, hashlib.sha256(data).hexdigest()[:16])
    except (ReadError, LineTooLong) as error:
        raise StageError(f"{path} (mapping {mapping.id!r}): {error}") from None


def _check_raw_columns(mapping: Mapping, records: Records, path: Path) -> None:
    if not records.knows_columns:
        return
    for raw, where in (mapping.unread_columns | mapping.raw_columns).items():
        if raw not in records.columns:
            raise StageError(f"{mapping.origin}, {where}: {path} has no column {raw!r}; {choose(raw, records.columns)}")


@dataclass
class _Doors:
    """Which rows are still in, and the tables of those that left."""

    mapping: Mapping
    numbers: npt.NDArray[np.int64]
    alive: npt.NDArray[np.bool_]
    quarantine: list[pa.Table] = field(default_factory=list)
    merges: list[pa.Table] = field(default_factory=list)

    def refs(self, numbers: npt.NDArray[np.int64]) -> pa.Array:
        return pc.binary_join_element_wise(self.mapping.file, pa.array(numbers).cast(pa.string()), "#")

    def refuse(
        self, rows: npt.NDArray[np.int64], code: str, message: str, column: str | None, values: pa.Array
    ) -> None:
        self.alive[rows] = False
        self._quarantine(self.numbers[rows], _same(code, rows), _same(message, rows), _same(column, rows), values)

    def refuse_unread(self, faults: Sequence[Fault]) -> None:
        numbers = np.array([fault.number for fault in faults], np.int64)
        codes = pa.array([fault.code for fault in faults], pa.string())
        messages = pa.array([fault.message for fault in faults], pa.string())
        values = pa.array([fault.value for fault in faults], pa.string())
        self._quarantine(numbers, codes, messages, _same(None, numbers), values)

    def _quarantine(
        self, numbers: npt.NDArray[np.int64], codes: pa.Array, messages: pa.Array, names: pa.Array, values: pa.Array
    ) -> None:
        columns = {
            "table": _same(self.mapping.table, numbers),
            "source": _same(self.mapping.id, numbers),
            "source_ref": self.refs(numbers),
            "code": codes,
            "message": messages,
            "column": names,
            "value": pc.utf8_slice_codeunits(values, 0, VALUE_LIMIT),
        }
        part = pa.table(columns, schema=QUARANTINE_SCHEMA)
        self.quarantine.append(part.append_column("number", pa.array(numbers, pa.int64())))

    def merge(self, rows: npt.NDArray[np.int64], into: npt.NDArray[np.int64], rule: str) -> None:
        self.alive[rows] = False
        columns = {
            "table": _same(self.mapping.table, rows),
            "source": _same(self.mapping.id, rows),
            "source_ref": self.refs(self.numbers[rows]),
            "into_source": _same(self.mapping.id, rows),
            "into_ref": self.refs(self.numbers[into]),
            "rule": _same(rule, rows),
        }
        part = pa.table(columns, schema=MERGES_SCHEMA)
        self.merges.append(part.append_column("number", pa.array(self.numbers[rows], pa.int64())))


def _same(text: str | None, rows: npt.NDArray[np.int64]) -> pa.Array:
    return pa.repeat(pa.scalar(text, pa.string()), len(rows))


def _built(mapping: Mapping, records: Records, snapshot_id: str) -> Built:
    rows = len(records.numbers)
    raw = records.columns if records.knows_columns else dict.fromkeys(mapping.raw_columns, pa.nulls(0, pa.string()))
    staged = {column.name: stage_column(column, raw, dict(mapping.rates)) for column in mapping.columns}
    staged |= {name: constant_column(name, value, rows) for name, value in _fixed(mapping).items()}
    doors = _Doors(mapping, records.numbers, np.ones(rows, bool))
    doors.refuse_unread(records.faults)
    declared = table(mapping.table)
    vital = {*declared.required, *declared.never_null, *declared.key}
    for name, column in staged.items():
        if name in vital and column.has_faults:
            _refuse_cells(doors, column)
    for rule in mapping.rejects:
        hit = refused(rule, staged, raw, doors.alive)
        if len(hit.rows):
            doors.refuse(hit.rows, rule.code, rule.message, hit.column, hit.values)
    _merge_repeats(doors, staged, raw)
    notes = Notes(
        rows_in=records.rows_in,
        unmapped=_unmapped(mapping, staged, doors.alive),
        unused_columns=tuple(name for name in raw if name not in mapping.raw_columns | mapping.unread_columns),
    )
    return Built(
        rows=_rows(mapping, staged, doors, snapshot_id),
        notes=notes,
        quarantine=_in_file_order(doors.quarantine, QUARANTINE_SCHEMA),
        merges=_in_file_order(doors.merges, MERGES_SCHEMA),
    )


def _fixed(mapping: Mapping) -> dict[str, str | tuple[str, ...]]:
    rates = {
        name: str(mapping.rates[currency].as_of if FIELDS[name].type == "date" else mapping.rates[currency].inr)
        for name, currency in mapping.rate_columns.items()
    }
    return {**mapping.constants, **rates}


def _refuse_cells(doors: _Doors, column: StagedColumn) -> None:
    codes = column.of_rows(column.codes)
    values = column.of_rows(column.raw)
    for code in pc.unique(column.codes.drop_null()).to_pylist():
        is_hit = pc.fill_null(pc.equal(codes, code), False).to_numpy(zero_copy_only=False)
        rows = np.flatnonzero(is_hit & doors.alive)
        if len(rows):
            message = f"{column.name} {MESSAGES[code]}"
            doors.refuse(rows, code, message, column.name, values.take(pa.array(rows)))


def _merge_repeats(doors: _Doors, staged: dict[str, StagedColumn], raw: dict[str, pa.Array]) -> None:
    for rule in doors.mapping.repeats:
        rows = np.flatnonzero(doors.alive)
        if rule.by is None:
            compared = [values for name, values in raw.items() if name not in rule.without]
            first = first_of_each(compared, rows, null_equals=True)
        else:
            first = first_of_each([staged[name].rows for name in rule.by], rows, null_equals=False)
        is_repeat = first != rows
        if is_repeat.any():
            doors.merge(rows[is_repeat], first[is_repeat], rule.rule)


def _unmapped(
    mapping: Mapping, staged: dict[str, StagedColumn], alive: npt.NDArray[np.bool_]
) -> dict[str, dict[str, int]]:
    """Count, over the rows that stay, terms without a meaning by map and bad values by column and code."""
    found: dict[str, Counter[str]] = {}
    maps = {column.name: column.term_map for column in mapping.columns if column.term_map}
    for name, column in staged.items():
        if not column.strangers and not column.has_faults:
            continue
        counts = column.counts(alive).tolist()
        for place, terms in column.strangers.items():
            found.setdefault(maps[name], Counter()).update(dict.fromkeys(terms, counts[place]))
        for code, term, count in zip(column.codes.to_pylist(), column.raw.to_pylist(), counts, strict=True):
            if code is not None:
                found.setdefault(f"cells:{name}:{code}", Counter())[term] += count
    positive = {key: {term: count for term, count in terms.items() if count} for key, terms in found.items()}
    return {key: terms for key, terms in positive.items() if terms}


def _rows(mapping: Mapping, staged: dict[str, StagedColumn], doors: _Doors, snapshot_id: str) -> pa.Table:
    kept = pa.array(doors.alive)
    numbers = doors.numbers[doors.alive]
    origin = {
        "source": _same(mapping.id, numbers),
        "source_ref": doors.refs(numbers),
        "snapshot_id": _same(snapshot_id, numbers),
        "observed_at": pa.repeat(pa.scalar(mapping.observed_at, pa.date32()), len(numbers)),
        "value_class": _same("observed", numbers),
    }
    schema = staged_schema(mapping.table)
    columns = {
        declared.name: origin[declared.name]
        if declared.name in origin
        else staged[declared.name].rows.filter(kept)
        if declared.name in staged
        else pa.nulls(len(numbers), declared.type)
        for declared in schema
    }
    return pa.table(columns, schema=schema)


def _in_file_order(parts: list[pa.Table], schema: pa.Schema) -> pa.Table:
    if not parts:
        return schema.empty_table()
    return pa.concat_tables(parts).sort_by("number").drop_columns("number").combine_chunks()
