"""What a reader returns: the records of a file as columns of text, and the records that are none."""

import codecs
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

# A code point that Unicode keeps out of all texts: it stands before the digits of bytes that could not be decoded.
UNDECODABLE = "\ufdd0"
_HANDLER = "utp-undecodable"
_LARGEST = 2**31 - 2**20


class ReadError(ValueError):
    """A file in which no table can be read; the message gives the cause and the next step."""


class Fault(NamedTuple):
    """A record that cannot be used: its number (from 1), the reason, and the text at fault."""

    number: int
    code: str
    message: str
    value: str | None = None


class Records(NamedTuple):
    """The records of a file.

    `columns`: text columns of equal length by unique raw name; null where a record does not have the value. `numbers`:
    record number of each row, rising. `faults`: records that are not among the rows. `rows_in`: rows and faults.
    `knows_columns` is False where the file holds no record that could tell which columns there are. `slots`: number of
    each row within its record, from 1; None where a record is a row.
    """

    columns: dict[str, pa.Array]
    numbers: npt.NDArray[np.int64]
    faults: tuple[Fault, ...]
    knows_columns: bool = True
    slots: npt.NDArray[np.int64] | None = None

    @property
    def rows_in(self) -> int:
        return len(self.numbers) + len(self.faults)


def unique_names(names: Sequence[str]) -> list[str]:
    """Return names that stand once: the second `x` is called `x#2`, the third `x#3`."""
    given = set(names)
    taken: set[str] = set()
    result = []
    for name in names:
        candidate, count = name, 1
        while candidate in taken or (count > 1 and candidate in given):
            count += 1
            candidate = f"{name}#{count}"
        taken.add(candidate)
        result.append(candidate)
    return result


def refuse_large(data: bytes) -> None:
    """Refuse what does not fit into Arrow columns of text."""
    if len(data) > _LARGEST:
        raise ReadError("the file is larger than 2 GiB; split it")


def as_text(data: bytes, encoding: str) -> str:
    """Decode a file; bytes that mean nothing become UNDECODABLE and their digits, and `read_records` refuses them."""
    refuse_large(data)
    try:
        return data.decode(encoding, _HANDLER).removeprefix("\ufeff")
    except UnicodeError as error:
        raise ReadError(f"the file is not {encoding}: {error}; declare its encoding") from None


def without_halves(text: str) -> str:
    """Mark halves of surrogate pairs, which JSON can spell but no text can hold, as UNDECODABLE."""
    return text.encode("utf-8", _HANDLER).decode("utf-8")


def read_records(columns: dict[str, pa.Array], numbers: npt.NDArray[np.int64], faults: Sequence[Fault]) -> Records:
    """Put together what a reader found; records that hold UNDECODABLE become faults."""
    marked = {name: _is_marked(values) for name, values in columns.items()}
    bad = np.logical_or.reduce([np.zeros(len(numbers), bool), *marked.values()])
    if not bad.any():
        return Records(columns, numbers, tuple(faults))
    undecodable = []
    for row in np.flatnonzero(bad):
        name = next(name for name, rows in marked.items() if rows[row])
        message = f"column {name!r} holds bytes that are no text in the declared encoding"
        value = columns[name][row].as_py().replace(UNDECODABLE, "")
        undecodable.append(Fault(int(numbers[row]), "undecodable", message, value))
    kept = {name: values.filter(pa.array(~bad)) for name, values in columns.items()}
    return Records(kept, numbers[~bad], (*faults, *undecodable))


def _is_marked(values: pa.Array) -> npt.NDArray[np.bool_]:
    found = pc.fill_null(pc.match_substring(values, UNDECODABLE), False)
    return np.asarray(found.to_numpy(zero_copy_only=False), bool)


def _mark(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeDecodeError | UnicodeEncodeError):
        raise error
    digits = (f"{unit if isinstance(unit, int) else ord(unit):02x}" for unit in error.object[error.start : error.end])
    mark = f"{UNDECODABLE}<{' '.join(digits)}>"
    return (mark if isinstance(error, UnicodeDecodeError) else mark.encode()), error.end


codecs.register_error(_HANDLER, _mark)
