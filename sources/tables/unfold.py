"""Records that hold several rows of a table each: a timetable in one line, a ride with its two ends.

Rows come in the order of the records and, within one, of the slots. Every row has the columns that its record has
besides the slots. A slot without any text is no row; a record without any row is a fault.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from schemas.strict import choose
from sources.tables.grammar import Repeated, Slot, Unfolding
from sources.tables.readers import Fault, ReadError, Records

# The columns of one slot under the names that they have in a row; a text stands in each row.
_SlotColumns = Mapping[str, pa.Array | str]


def unfold(records: Records, rule: Unfolding) -> Records:
    """Turn each record into its rows. Raises ReadError where the file does not have the columns of the rule."""
    if not records.knows_columns:
        return records
    if isinstance(rule, Repeated):
        shared, slots = _repeated(records.columns, rule.columns)
    else:
        shared, slots = _named(records.columns, rule, len(records.numbers))
    filled = [np.flatnonzero(_is_filled(slot, len(records.numbers))) for slot in slots]
    held = np.concatenate(filled)
    places = np.repeat(np.arange(1, len(slots) + 1), [len(rows) for rows in filled])
    order = np.lexsort((places, held))
    columns = {name: values.take(pa.array(held[order])) for name, values in shared.items()}
    for name in slots[0]:
        parts = [_cells(slot[name], rows) for slot, rows in zip(slots, filled, strict=True)]
        columns[name] = pa.concat_arrays(parts).take(pa.array(order))
    without = np.setdiff1d(records.numbers, records.numbers[held])
    message = f"none of the {len(slots)} rows that the record may hold is filled"
    faults = (*records.faults, *(Fault(int(number), "no_rows", message) for number in without))
    return Records(columns, records.numbers[held[order]], faults, slots=places[order])


def _repeated(columns: dict[str, pa.Array], first: Sequence[str]) -> tuple[dict[str, pa.Array], Sequence[_SlotColumns]]:
    names = list(columns)
    if first[0] not in columns:
        raise ReadError(f"no column {first[0]!r}, where the slots begin; {choose(first[0], names)}")
    begin, width = names.index(first[0]), len(first)
    held = names[begin:]
    if held[:width] != list(first):
        raise ReadError(f"the first slot has the columns {held[:width]}, declared are {list(first)}")
    if len(held) % width:
        raise ReadError(f"the {len(held)} columns from {first[0]!r} on are no slots of {width} columns")
    slots = [
        dict(zip(first, (columns[name] for name in held[start : start + width]), strict=True))
        for start in range(0, len(held), width)
    ]
    return {name: columns[name] for name in names[:begin]}, slots


def _named(
    columns: dict[str, pa.Array], rule: Sequence[Slot], rows: int
) -> tuple[dict[str, pa.Array], Sequence[_SlotColumns]]:
    names = dict.fromkeys(name for slot in rule for name in (*slot.columns, *slot.constants))
    for name in names:
        if name in columns:
            raise ReadError(f"{name!r}, a column of 'rows', is a column of the file, too; call it by another name")
    unknown = pa.nulls(rows, pa.string())
    slots = []
    for slot in rule:
        for raw in slot.columns.values():
            if raw not in columns:
                raise ReadError(f"no column {raw!r}, which 'rows' names; {choose(raw, columns)}")
        taken = {name: columns[raw] for name, raw in slot.columns.items()}
        slots.append({name: slot.constants.get(name, taken.get(name, unknown)) for name in names})
    return columns, slots


def _is_filled(slot: _SlotColumns, rows: int) -> npt.NDArray[np.bool_]:
    is_filled = np.zeros(rows, bool)
    for values in slot.values():
        if isinstance(values, pa.Array):
            has_text = pc.fill_null(pc.not_equal(pc.utf8_trim_whitespace(values), ""), False)
            is_filled |= has_text.to_numpy(zero_copy_only=False)
    return is_filled


def _cells(values: pa.Array | str, rows: npt.NDArray[np.int64]) -> pa.Array:
    if isinstance(values, str):
        return pa.repeat(pa.scalar(values, pa.string()), len(rows))
    return values.take(pa.array(rows))
