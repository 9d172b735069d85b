"""What came of a file under its mapping, small enough to look at."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from schemas.rows import Built
from sources.tables.grammar import Mapping
from sources.tables.stage import stage

FIRST_ROWS = 5
EXAMPLES = 3


@dataclass(frozen=True)
class RejectGroup:
    """Rows refused under one code: how many, the message of the first, and (record, value) of the first few."""

    code: str
    message: str
    count: int
    examples: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class Preview:
    """The outcome of staging one file.

    `rows_in` = `kept` + `merged` + `quarantined`. `first_rows` are the first kept rows with the columns that the
    mapping fills; `nulls` counts the kept rows in which such a column is null. `merges`: rule -> rows merged away.
    `rejects` come largest first. `unmapped` is that of schemas.rows.Notes.
    """

    mapping_id: str
    table: str
    rows_in: int
    kept: int
    merged: int
    quarantined: int
    first_rows: tuple[dict[str, Any], ...]
    rejects: tuple[RejectGroup, ...]
    merges: dict[str, int]
    unused_columns: tuple[str, ...]
    unmapped: dict[str, dict[str, int]]
    nulls: dict[str, int]


def check(mapping: Mapping, path: Path) -> Preview:
    """Stage a file and say what came of it; raises StageError as `stage` does."""
    built = stage(mapping, path)
    filled = [name for name in built.rows.column_names if name in mapping.filled]
    return Preview(
        mapping_id=mapping.id,
        table=mapping.table,
        rows_in=built.notes.rows_in,
        kept=len(built.rows),
        merged=len(built.merges),
        quarantined=len(built.quarantine),
        first_rows=tuple(built.rows.select([*filled, "source_ref"]).slice(0, FIRST_ROWS).to_pylist()),
        rejects=_rejects(built),
        merges=_counted(built.merges.column("rule")),
        unused_columns=built.notes.unused_columns,
        unmapped=built.notes.unmapped,
        nulls={name: built.rows.column(name).null_count for name in filled},
    )


def _counted(values: pa.ChunkedArray) -> dict[str, int]:
    pairs = [(pair["values"], pair["counts"]) for pair in values.value_counts().to_pylist()]
    return dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))


def _rejects(built: Built) -> tuple[RejectGroup, ...]:
    groups = []
    for code, count in _counted(built.quarantine.column("code")).items():
        rows = built.quarantine.filter(pc.equal(built.quarantine.column("code"), code)).slice(0, EXAMPLES).to_pylist()
        examples = tuple((row["source_ref"], row["value"]) for row in rows)
        groups.append(RejectGroup(code, rows[0]["message"], count, examples))
    return tuple(groups)
