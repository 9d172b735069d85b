"""From the archived answers of a provider to staged rows and refusals, by columns.

Each record of an answer is a row, refused, or skipped with a reason; a refusal of a whole answer is one refused record.
The loop over records is that of the provider's parser; everything after it works on columns.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from schemas.arrow import staged_schema
from schemas.fields import FIELDS
from schemas.rows import Built, Notes, Reject, quarantine_table
from sources.protocol.discovery import Source
from sources.protocol.types import Answer, Refusal, Row, Skipped, Unknown

BATCH = 50_000


def stage_answers(source: Source, answers: Iterable[Answer], still_open: int = 0) -> dict[str, Built]:
    """Parse all answers of a provider; return the rows of each table that it brings.

    `still_open` requests have no answer; that rows are missing for it is said in the remarks. What is not about one
    table (an answer that could not be read at all, unknown fields, what was skipped) stands with the first of them.
    `source_ref` is the first 16 digits of the request id, a `#`, and the number of the record within its answer.
    """
    books = {table: _Book(table) for table in source.declaration.tables}
    first = next(iter(books.values()))
    unknown: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for answer in answers:
        if answer.endpoint not in source.declaration.endpoints:
            continue
        marks, reference = _marks(source, answer), f"{answer.request_id[:16]}#"
        number = 0
        for item in source.read(answer):
            match item:
                case Row(table, values):
                    number += 1
                    books[table].add({**marks, "source_ref": f"{reference}{number}", **values})
                case Refusal(is_split=True):
                    skipped[f"{item.code}, asked for in parts instead"] += 1
                case Refusal():
                    number += 1
                    book = books[item.table] if item.table else first
                    book.rejects.append(_reject(source, item, f"{reference}{number}", book.table))
                case Unknown(path):
                    unknown[path] += 1
                case Skipped(reason, count):
                    skipped[reason] += count
    open_remark = (f"{still_open} requests are still open, so rows are missing",) if still_open else ()
    remarks = tuple(f"{count} records skipped: {reason}" for reason, count in sorted(skipped.items()))
    return {
        table: book.closed(
            {"unknown fields": dict(unknown)} if unknown and book is first else {},
            (*open_remark, *(remarks if book is first else ())),
        )
        for table, book in books.items()
    }


@dataclass
class _Book:
    """The rows of one table in the making."""

    table: str
    rejects: list[Reject] = field(default_factory=list)
    _rows: list[dict[str, Any]] = field(default_factory=list)
    _batches: list[pa.RecordBatch] = field(default_factory=list)

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) >= BATCH:
            self._flush()

    def closed(self, unmapped: dict[str, dict[str, int]], remarks: tuple[str, ...]) -> Built:
        self._flush()
        rows = pa.Table.from_batches(self._batches, schema=staged_schema(self.table)).combine_chunks()
        notes = Notes(rows_in=rows.num_rows + len(self.rejects), unmapped=unmapped, remarks=remarks)
        return Built(rows, notes, quarantine_table(self.rejects))

    def _flush(self) -> None:
        self._batches.append(pa.RecordBatch.from_pylist(self._rows, schema=staged_schema(self.table)))
        self._rows.clear()


def _marks(source: Source, answer: Answer) -> dict[str, Any]:
    return {
        "source": source.declaration.id,
        "snapshot_id": answer.body_sha256[:16],
        "observed_at": answer.fetched_at.date(),
        "value_class": "constructed" if answer.origin == "sandbox" else "observed",
    }


def _reject(source: Source, refusal: Refusal, reference: str, table: str) -> Reject:
    where = refusal.where or None
    return Reject(
        table,
        source.declaration.id,
        reference,
        refusal.code,
        refusal.message,
        where if where in FIELDS else None,
        refusal.value or where,
    )
