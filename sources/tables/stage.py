"""From a file and its mapping to staged rows.

Each record is read once and leaves by one of three doors: staged, merged into another record, or quarantined. Where a
record holds several rows, each of them does. The order is: records that cannot be read, cells that a row cannot do
without, declared rules, repeats.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

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
from sources.tables.days import stage_day
from sources.tables.grammar import DAY_KINDS, Column, Mapping
from sources.tables.parsers import MESSAGES
from sources.tables.readers import Fault, ReadError, Records, read
from sources.tables.rejects import refused
from sources.tables.repeats import first_of_each, latest_first
from sources.tables.rides import ENDS, ride_column
from sources.tables.track import LineTooLong
from sources.tables.unfold import unfold


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
        if mapping.unfolding is not None:
            records = unfold(records, mapping.unfolding)
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


class _Where(NamedTuple):
    """Where rows stand in the file: record, and slot of the record (0: the whole record)."""

    numbers: npt.NDArray[np.int64]
    slots: npt.NDArray[np.int64]

    def of(self, rows: npt.NDArray[np.int64]) -> "_Where":
        return _Where(self.numbers[rows], self.slots[rows])

    def refs(self, file: str) -> pa.Array:
        """Name rows as `stops.csv#3`, and as `stops.csv#3.2` where a record holds several."""
        slots = pc.if_else(pa.array(self.slots > 0), pc.binary_join_element_wise("", _texts(self.slots), "."), "")
        return pc.binary_join_element_wise(file, "#", _texts(self.numbers), slots, "")


@dataclass
class _Doors:
    """Which rows are still in, and the tables of those that left."""

    mapping: Mapping
    where: _Where
    alive: npt.NDArray[np.bool_]
    quarantine: list[pa.Table] = field(default_factory=list)
    merges: list[pa.Table] = field(default_factory=list)

    def refuse(
        self, rows: npt.NDArray[np.int64], code: str, message: str, column: str | None, values: pa.Array
    ) -> None:
        self.alive[rows] = False
        self._quarantine(self.where.of(rows), _same(code, rows), _same(message, rows), _same(column, rows), values)

    def refuse_unread(self, faults: Sequence[Fault]) -> None:
        numbers = np.array([fault.number for fault in faults], np.int64)
        codes = pa.array([fault.code for fault in faults], pa.string())
        messages = pa.array([fault.message for fault in faults], pa.string())
        values = pa.array([fault.value for fault in faults], pa.string())
        self._quarantine(_Where(numbers, np.zeros_like(numbers)), codes, messages, _same(None, numbers), values)

    def _quarantine(
        self, where: _Where, codes: pa.Array, messages: pa.Array, names: pa.Array, values: pa.Array
    ) -> None:
        columns = {
            "table": _same(self.mapping.table, where.numbers),
            "source": _same(self.mapping.id, where.numbers),
            "source_ref": where.refs(self.mapping.file),
            "code": codes,
            "message": messages,
            "column": names,
            "value": pc.utf8_slice_codeunits(values, 0, VALUE_LIMIT),
        }
        self.quarantine.append(_placed(pa.table(columns, schema=QUARANTINE_SCHEMA), where))

    def merge(self, rows: npt.NDArray[np.int64], into: npt.NDArray[np.int64], rule: str) -> None:
        self.alive[rows] = False
        columns = {
            "table": _same(self.mapping.table, rows),
            "source": _same(self.mapping.id, rows),
            "source_ref": self.where.of(rows).refs(self.mapping.file),
            "into_source": _same(self.mapping.id, rows),
            "into_ref": self.where.of(into).refs(self.mapping.file),
            "rule": _same(rule, rows),
        }
        self.merges.append(_placed(pa.table(columns, schema=MERGES_SCHEMA), self.where.of(rows)))


def _placed(part: pa.Table, where: _Where) -> pa.Table:
    return part.append_column("number", pa.array(where.numbers)).append_column("slot", pa.array(where.slots))


def _texts(numbers: npt.NDArray[np.int64]) -> pa.Array:
    return pa.array(numbers).cast(pa.string())


def _same(text: str | None, rows: npt.NDArray[np.int64]) -> pa.Array:
    return pa.repeat(pa.scalar(text, pa.string()), len(rows))


def _built(mapping: Mapping, records: Records, snapshot_id: str) -> Built:
    rows = len(records.numbers)
    raw = records.columns if records.knows_columns else dict.fromkeys(mapping.raw_columns, pa.nulls(0, pa.string()))
    staged = {column.name: _staged(mapping, column, raw) for column in mapping.columns}
    staged |= {name: constant_column(name, value, rows) for name, value in _fixed(mapping).items()}
    staged |= {
        name: ride_column(name, measure, *(staged[end] for end in ENDS))
        for name, measure in mapping.ride_columns.items()
    }
    if mapping.observed is not None:
        staged["observed_at"] = stage_column(mapping.observed, raw, {})
    slots = np.zeros(rows, np.int64) if records.slots is None else records.slots
    doors = _Doors(mapping, _Where(records.numbers, slots), np.ones(rows, bool))
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


def _staged(mapping: Mapping, column: Column, raw: dict[str, pa.Array]) -> StagedColumn:
    if column.parse in DAY_KINDS:
        return stage_day(column, {other.name: other for other in mapping.columns}, raw)
    return stage_column(column, raw, dict(mapping.rates))


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
        if rule.latest is not None:
            rows = latest_first(rows, raw[rule.latest])
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
    rows = np.flatnonzero(doors.alive)
    origin = {
        "source": _same(mapping.id, rows),
        "source_ref": doors.where.of(rows).refs(mapping.file),
        "snapshot_id": _same(snapshot_id, rows),
        "value_class": _same("observed", rows),
    }
    if mapping.observed is None:
        origin["observed_at"] = pa.repeat(pa.scalar(mapping.observed_at, pa.date32()), len(rows))
    schema = staged_schema(mapping.table)
    columns = {
        declared.name: origin[declared.name]
        if declared.name in origin
        else staged[declared.name].rows.filter(kept)
        if declared.name in staged
        else pa.nulls(len(rows), declared.type)
        for declared in schema
    }
    return pa.table(columns, schema=schema)


def _in_file_order(parts: list[pa.Table], schema: pa.Schema) -> pa.Table:
    if not parts:
        return schema.empty_table()
    in_order = pa.concat_tables(parts).sort_by([("number", "ascending"), ("slot", "ascending")])
    return in_order.drop_columns(["number", "slot"]).combine_chunks()
