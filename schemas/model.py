"""The words in which tables are declared: field, table, foreign key.

A field is a column's meaning, declared once and used by any number of tables. A table says which fields it has,
which of them a row needs before the evaluator may see it, and who fills them: a source or the warehouse.
"""

from dataclasses import dataclass
from typing import Literal

FieldType = Literal["string", "double", "int8", "int32", "int64", "bool", "date", "list<string>", "list<int8>"]
Provenance = Literal["observed", "derived", "declared"]
FieldClass = Literal["id", "raw", "derived", "text", "own"]


@dataclass(frozen=True)
class Field:
    """One column meaning.

    `unit` is the unit of the number. `minimum` and `maximum` are inclusive, `above` is exclusive. `vocabulary` names
    the closed list that the value, or each member of a list value, comes from; `pattern` is a regular expression that
    the whole text matches. `provenance` says whether the value is read from a source, computed by a rule, or declared.
    `klass` says what of a source's rights is in the value (`schemas.publicity`): its `id`; `raw`, also after renaming,
    rounding or any arithmetic that can be undone; `derived` from five or more of its values; generated `text`; our
    `own`, which measures or describes our work.
    """

    name: str
    type: FieldType
    description: str
    unit: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    pattern: str | None = None
    vocabulary: str | None = None
    provenance: Provenance = "observed"
    klass: FieldClass = "raw"


@dataclass(frozen=True)
class ForeignKey:
    """Columns whose values, where all are set, must stand in `columns` of another table."""

    columns: tuple[str, ...]
    table: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """One table of the warehouse.

    `required`: a row with a null here stays in the table but is hidden from the evaluator, with the columns listed in
    `missing`. `never_null`: null here is a wrong row, whoever looks. `from_warehouse`: filled by derivation; all other
    columns are brought by a source. `key` is unique over all rows; `evaluator_key` is unique over visible rows after
    case folding. `enriched_by`: columns of which one set value makes the row uncertainty-enriched. `staged_extra`:
    columns that a source brings for the derivation only.
    """

    name: str
    title: str
    description: str
    required: tuple[str, ...]
    key: tuple[str, ...]
    optional: tuple[str, ...] = ()
    never_null: tuple[str, ...] = ()
    evaluator_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    from_warehouse: tuple[str, ...] = ()
    staged_extra: tuple[str, ...] = ()
    enriched_by: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """All column names in file order: required, optional, then the marks every row carries."""
        return (*self.required, *self.optional, *PROVENANCE_MARKS, *VISIBILITY_MARKS)

    @property
    def staged_columns(self) -> tuple[str, ...]:
        """The columns of a staged row: what a source brings, then where it came from."""
        brought = (name for name in (*self.required, *self.optional) if name not in self.from_warehouse)
        return (*brought, *self.staged_extra, *PROVENANCE_MARKS)


PROVENANCE_MARKS = ("source", "source_ref", "snapshot_id", "observed_at", "value_class")
VISIBILITY_MARKS = ("evaluator_visible", "missing")
