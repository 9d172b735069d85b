"""How a rule about the rows of one table is written: as a query for the rows that break it.

A null satisfies every rule but those that speak of nulls: whether a value may be null is judged by `visibility` and
`values`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Invariant:
    """`cause` says what a broken row shows; `sql` selects the broken rows; `needs` are other tables that it reads."""

    table: str
    cause: str
    columns: tuple[str, ...]
    sql: str
    needs: tuple[str, ...] = ()


def row_rule(table: str, cause: str, broken: str, *columns: str, needs: tuple[str, ...] = ()) -> Invariant:
    listed = ", ".join(f't."{column}"' for column in (*columns, "source_ref"))
    return Invariant(table, cause, columns, f"SELECT {listed} FROM {table} t WHERE {broken}", needs)


def minutes(clock: str) -> str:
    return f"(60 * TRY_CAST({clock}[1:2] AS INTEGER) + TRY_CAST({clock}[4:5] AS INTEGER))"
