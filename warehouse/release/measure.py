"""Counting what is in the files of a draft, by columns; manifest and report both take their numbers from here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import reduce
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from schemas.rows import QUARANTINE_SCHEMA
from schemas.tables import table as declared_table

EXAMPLES = 3
_CITY_COLUMNS = ("City", "OriginCityName", "DestCityName", "origin", "destination")


@dataclass(frozen=True)
class TableMeasure:
    """Counts of one table file. `hidden_by`: missing column -> hidden rows; a row may count under several columns."""

    rows: int
    visible: int
    enriched: int
    observed_oldest: date | None
    observed_newest: date | None
    observed_unknown: int
    sources: tuple[str, ...]
    hidden_by: Mapping[str, int]
    cities: frozenset[str]


@dataclass(frozen=True)
class RejectGroup:
    """The quarantined rows of one table and source under one code: how many, and the first few."""

    table: str
    source: str
    code: str
    rows: int
    examples: tuple[Mapping[str, Any], ...]


def measure_table(name: str, path: Path) -> TableMeasure:
    """Count one table file of the published schema; only the columns that are counted are read."""
    declared = declared_table(name)
    city_columns = [column for column in declared.columns if column in _CITY_COLUMNS]
    wanted = {*declared.enriched_by, *city_columns, "source", "observed_at", "evaluator_visible", "missing"}
    rows = pq.read_table(path, columns=sorted(wanted))
    observed = pc.min_max(rows["observed_at"]).as_py()
    return TableMeasure(
        rows=rows.num_rows,
        visible=pc.sum(rows["evaluator_visible"], min_count=0).as_py(),
        enriched=_count_any_set(rows, declared.enriched_by),
        observed_oldest=observed["min"],
        observed_newest=observed["max"],
        observed_unknown=rows["observed_at"].null_count,
        sources=tuple(sorted(rows["source"].unique().to_pylist())),
        hidden_by=_counts(pc.list_flatten(rows["missing"])),
        cities=frozenset().union(*(rows[column].drop_null().unique().to_pylist() for column in city_columns)),
    )


def measure_rejects(rejects: pa.Table) -> tuple[RejectGroup, ...]:
    """Group quarantined rows by table, source and code, in that order, with the first rows of each as examples."""
    by = ["table", "source", "code"]
    groups = rejects.group_by(by).aggregate([([], "count_all")]).sort_by([(column, "ascending") for column in by])
    return tuple(
        RejectGroup(
            **{column: group[column] for column in by},
            rows=group["count_all"],
            examples=tuple(_first(rejects, {column: group[column] for column in by})),
        )
        for group in groups.to_pylist()
    )


def read_parts(parts: Mapping[str, Path], schema: pa.Schema) -> pa.Table:
    """Read and join Parquet files of one schema in the order of their names."""
    tables = [pq.read_table(parts[name]).cast(schema) for name in sorted(parts)]
    return pa.concat_tables([schema.empty_table(), *tables]).replace_schema_metadata(schema.metadata)


def rejects_of_table(groups: Iterable[RejectGroup], table: str) -> int:
    """Return how many quarantined rows were meant for a table."""
    return sum(group.rows for group in groups if group.table == table)


def _first(rejects: pa.Table, values: Mapping[str, str]) -> list[dict[str, Any]]:
    hits = reduce(pc.and_, (pc.equal(rejects[column], value) for column, value in values.items()))
    columns = [name for name in QUARANTINE_SCHEMA.names if name not in values]
    found: list[dict[str, Any]] = rejects.filter(hits).select(columns).slice(0, EXAMPLES).to_pylist()
    return found


def _count_any_set(rows: pa.Table, columns: tuple[str, ...]) -> int:
    if not columns:
        return 0
    is_set = reduce(pc.or_, (pc.is_valid(rows[column]) for column in columns))
    return int(pc.sum(is_set, min_count=0).as_py())


def _counts(values: pa.ChunkedArray) -> dict[str, int]:
    return {pair["values"]: pair["counts"] for pair in sorted(pc.value_counts(values).to_pylist(), key=_by_count)}


def _by_count(pair: dict[str, Any]) -> tuple[int, str]:
    return (-pair["counts"], pair["values"])
