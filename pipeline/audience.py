"""What a public build may take from each source and hold in each table; how what is withheld leaves the staged rows.

The decisions themselves are `schemas.publicity`. A column of a source that may not be public is emptied before anything
is derived from it; a source without a column that its table requires is left out whole, so that the table is built from
the others.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

import pyarrow as pa

from pipeline.origins import SourceCard
from schemas.fields import FIELDS
from schemas.model import PROVENANCE_MARKS
from schemas.publicity import Decision, Input, TableDecision, decide, decide_table
from schemas.rows import QUARANTINE_SCHEMA, Built
from schemas.tables import TABLES
from schemas.terms import Terms
from sources.protocol.declaration import Declaration
from sources.tables.grammar import Mapping as TableMapping


@dataclass(frozen=True)
class Bringer:
    """A source as it brings rows to one table: a mapped file, or a provider with its answers.

    `columns` are those that it may fill; its terms speak of them by their staged names. `fetched_at` is when the oldest
    of its answers came, None for a file.
    """

    id: str
    table: str
    columns: tuple[str, ...]
    terms: Terms
    is_sandbox: bool = False
    fetched_at: datetime | None = None


def file_bringer(mapping: TableMapping) -> Bringer:
    """Return a mapped file as what it brings."""
    brought = [*(column.name for column in mapping.columns), *mapping.constants, *mapping.rate_columns]
    return Bringer(mapping.id, mapping.table, tuple(sorted(brought)), mapping.terms)


def answers_bringer(declaration: Declaration, table: str, is_sandbox: bool, fetched_at: datetime) -> Bringer:
    """Return a provider as what it brings to a table."""
    brought = sorted(set(TABLES[table].staged_columns) - set(PROVENANCE_MARKS))
    return Bringer(declaration.id, table, tuple(brought), declaration.terms, is_sandbox, fetched_at)


def source_rights(bringer: Bringer, today: date) -> TableDecision:
    """Decide on each column that a source brings, and so on whether the source may be used at all."""
    required = {*TABLES[bringer.table].required, *TABLES[bringer.table].never_null}
    return decide_table({name: [decision] for name, decision in column_rights(bringer, today).items()}, required)


def column_rights(bringer: Bringer, today: date) -> dict[str, Decision]:
    """Decide on each column that a source brings."""
    return {
        name: decide(
            FIELDS[name].klass,
            [Input(bringer.id, name, bringer.terms, bringer.is_sandbox, bringer.fetched_at)],
            today,
        )
        for name in bringer.columns
    }


def region_rights(origins: Mapping[str, SourceCard], today: date) -> TableDecision:
    """Decide on the tables of a region's own files, of which any may rest on any."""
    parts = [decide("raw", [Input(card.id, "", card.terms)], today) for card in origins.values()]
    return decide_table({"any": parts}, {"any"})


def joint_rights(sources: Iterable[Mapping[str, Decision]]) -> TableDecision:
    """Decide on a table with rows of several sources, of each what may be public."""
    columns: dict[str, list[Decision]] = {}
    for decisions in sources:
        for name, decision in decisions.items():
            if decision.is_public:
                columns.setdefault(name, []).append(decision)
    return decide_table(columns, columns)


def emptied(built: Built, columns: Collection[str]) -> Built:
    """Return staged rows with these columns null, and none of the texts of the file that may tell what stood there."""
    if not columns:
        return built
    rows, quarantine = built.rows, built.quarantine
    for name in columns:
        rows = _nulled(rows, name)
    return replace(
        built,
        rows=rows,
        quarantine=_nulled(quarantine, "value").cast(QUARANTINE_SCHEMA),
        notes=replace(built.notes, unmapped={}),
    )


def _nulled(rows: pa.Table, name: str) -> pa.Table:
    place = rows.schema.get_field_index(name)
    field = rows.schema.field(place)
    return rows.set_column(place, field, pa.nulls(len(rows), field.type))
