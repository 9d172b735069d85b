"""From the archived answers of a provider to staged rows and refusals, by columns.

Each record of an answer is a row, refused, or skipped with a reason; a refusal of a whole answer is one refused record.
The loop over records is that of the provider's parser; everything after it works on columns.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from schemas.arrow import staged_schema
from schemas.fields import FIELDS
from schemas.rows import Built, Notes, Reject, quarantine_table
from sources.protocol.discovery import Source
from sources.protocol.types import Answer, Refusal, Row, Skipped, Unknown

BATCH = 50_000


def tables_of(source: Source) -> tuple[str, ...]:
    """The tables that a provider brings, which are those that it declares floors for."""
    return tuple(sorted(source.declaration.floors))


def stage_answers(source: Source, answers: Iterable[Answer], table: str, still_open: int = 0) -> Built:
    """Parse all answers of a provider and keep the rows that are meant for one table.

    `still_open` requests have no answer; that rows are missing for it is said in the remarks.
    `source_ref` is the first 16 digits of the request id, a `#`, and the number of the record within its answer.
    """
    schema = staged_schema(table)
    batches: list[pa.RecordBatch] = []
    rows: list[dict[str, Any]] = []
    rejects: list[Reject] = []
    unknown: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for answer in answers:
        marks = _marks(source, answer)
        number = 0
        for item in source.parse(answer):
            match item:
                case Row(meant, values) if meant == table:
                    number += 1
                    rows.append({**marks, "source_ref": f"{answer.request_id[:16]}#{number}", **values})
                case Refusal() if item.table in (None, table):
                    number += 1
                    rejects.append(_reject(source, answer, item, number, table))
                case Unknown(path):
                    unknown[path] += 1
                case Skipped(reason, count):
                    skipped[reason] += count
                case _:
                    continue
            if len(rows) >= BATCH:
                batches.append(pa.RecordBatch.from_pylist(rows, schema=schema))
                rows.clear()
    batches.append(pa.RecordBatch.from_pylist(rows, schema=schema))
    staged = pa.Table.from_batches(batches, schema=schema).combine_chunks()
    return Built(
        staged,
        Notes(
            rows_in=staged.num_rows + len(rejects),
            unmapped={"unknown fields": dict(unknown)} if unknown else {},
            remarks=(
                *((f"{still_open} requests are still open, so rows are missing",) if still_open else ()),
                *(f"{count} records skipped: {reason}" for reason, count in sorted(skipped.items())),
            ),
        ),
        quarantine_table(rejects),
    )


def _marks(source: Source, answer: Answer) -> dict[str, Any]:
    return {
        "source": source.declaration.id,
        "snapshot_id": answer.body_sha256[:16],
        "observed_at": answer.fetched_at.date(),
        "value_class": "constructed" if answer.origin == "sandbox" else "observed",
    }


def _reject(source: Source, answer: Answer, refusal: Refusal, number: int, table: str) -> Reject:
    where = refusal.where or None
    return Reject(
        table,
        source.declaration.id,
        f"{answer.request_id[:16]}#{number}",
        refusal.code,
        refusal.message,
        where if where in FIELDS else None,
        refusal.value or where,
    )
