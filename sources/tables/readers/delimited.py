"""CSV with every cell as text: no types, no nulls, nothing trimmed.

A record is what stands between two line ends outside quotes; empty lines are none. A record has as many cells as the
header or it is torn, unless the file is known to leave out the empty cells at the end of a record.
"""

import csv
import io

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from sources.tables.readers.records import (
    UNDECODABLE,
    Fault,
    ReadError,
    Records,
    as_text,
    read_records,
    refuse_large,
    unique_names,
)

_END = "\x1eend of file\x1e"


def read_csv(data: bytes, encoding: str = "utf-8", delimiter: str = ",", *, is_trimmed: bool = False) -> Records:
    """Read the bytes of a CSV file; in a trimmed one a short record has empty cells at its end.

    Columns are called as in the header (`x#2` for the second `x`, the empty text for an empty one). Raises ReadError
    for a file without header, with a header that cannot be decoded, with a quote that nobody closes, or above 2 GiB.
    """
    text = as_text(data, encoding).lstrip("\r\n")
    names = unique_names(_header(text, delimiter))
    if is_trimmed:
        text = _filled_up(text, delimiter, len(names))
    # The last record must come back as it was sent; where it does not, an open quote has swallowed it.
    last = delimiter.join([_END] * len(names))
    data = f"{text}\n{last}\n".encode()
    refuse_large(data)
    torn: list[Fault] = []

    def tear(row: arrow_csv.InvalidRow) -> str:
        message = f"the header has {row.expected_columns} cells, the record has {row.actual_columns}"
        torn.append(Fault(row.number - 1, "torn_row", message, row.text.replace(UNDECODABLE, "")))
        return "skip"

    numbered = [str(place) for place in range(len(names))]
    try:
        table = arrow_csv.read_csv(
            pa.py_buffer(data),
            # Threads would lose the numbers of torn records; one block lets a record be of any length.
            read_options=arrow_csv.ReadOptions(
                column_names=numbered, skip_rows_after_names=1, use_threads=False, block_size=len(data) + 1
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, invalid_row_handler=tear
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(numbered, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowException as error:
        raise ReadError(f"the header does not end where its line ends; close its quotes ({error})") from None
    columns = [table.column(place).combine_chunks() for place in range(len(names))]
    if not len(table) or any(column[-1].as_py() != _END for column in columns):
        number = len(table) + len(torn)
        raise ReadError(f"record {number} opens a quote that nobody closes and swallows the rest of the file; close it")
    rows = len(table) - 1
    torn_numbers = np.array([fault.number for fault in torn], np.int64)
    numbers = np.setdiff1d(np.arange(1, rows + len(torn) + 1, dtype=np.int64), torn_numbers, assume_unique=True)
    return read_records(dict(zip(names, (column.slice(0, rows) for column in columns), strict=True)), numbers, torn)


def _header(text: str, delimiter: str) -> list[str]:
    # Far more than a header needs, so that a large file is not copied.
    try:
        header = next(csv.reader(io.StringIO(text[: 2**20], newline=""), delimiter=delimiter))
    except (StopIteration, csv.Error):
        raise ReadError("the file has no header; its first line must name the columns") from None
    if any(UNDECODABLE in name for name in header):
        raise ReadError("the header holds bytes that are no text in the declared encoding; declare the right one")
    return header


def _filled_up(text: str, delimiter: str, cells: int) -> str:
    """Return the text with as many delimiters at the end of each record as it lacks cells; what they hold is kept."""
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=delimiter)
    result, start = [], 0
    try:
        for record in reader:
            written = "".join(lines[start : reader.line_num])
            start = reader.line_num
            missing = cells - len(record) if record else 0
            end = written[len(written.rstrip("\r\n")) :]
            result.append(written.removesuffix(end) + delimiter * missing + end)
    except csv.Error as error:
        raise ReadError(f"line {reader.line_num} cannot be told apart into cells: {error}; mend the file") from None
    return "".join(result)
