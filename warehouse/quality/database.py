"""The files of a candidate as tables that DuckDB can query. No rule stands here.

Files are opened when a rule first needs them and are read column by column, so that memory follows the query.
"""

from types import TracebackType
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.quality.candidate import Candidate
from warehouse.quality.results import EXAMPLES, CannotRun, Finding, plain

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "1GB",
}


class Database:
    """A candidate's files, each as a view of its table's name; use it as a context manager.

    DuckDB does not tell `city` from `City`: a column whose name was taken, but for case, is called `<name>_1` in SQL.
    `column` gives that name for a declared one.
    """

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self._connection = duckdb.connect(config=_SETTINGS)
        self._columns: dict[str, dict[str, str]] = {}

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()

    def absence(self, table: str) -> str:
        """Say that a table is absent, and why."""
        return f"{table} is absent ({self.candidate.absent[table]})"

    def schema(self, table: str) -> pa.Schema:
        """Return the Arrow schema of a file; CannotRun tells why it cannot be read."""
        path = self.candidate.path(table)
        if not path.is_file():
            raise CannotRun(f"there is no {path.name} in {path.parent.name}, and nothing says that {table} is absent")
        try:
            return pq.read_schema(path)
        except (OSError, pa.ArrowException) as error:
            raise CannotRun(f"{path.name} cannot be read ({_first_line(error)})") from None

    def view(self, table: str) -> str:
        """Make the view of a table if it is not there yet, and return its name."""
        if table not in self._columns:
            taken: set[str] = set()
            names: dict[str, str] = {}
            for name in self.schema(table).names:
                names[name] = f"{name}_1" if name.lower() in taken else name
                taken.add(name.lower())
            listed = ", ".join(_quoted(name) for name in names.values())
            path = str(self.candidate.path(table)).replace("'", "''")
            self._run(f"CREATE VIEW {table}({listed}) AS SELECT * FROM read_parquet('{path}')")
            self._columns[table] = names
        return table

    def column(self, table: str, name: str) -> str:
        """Return the quoted SQL name of a column; CannotRun when the file does not have it in this very spelling."""
        self.view(table)
        if name not in self._columns[table]:
            raise CannotRun(f"{table}.parquet has no column {name!r}")
        return _quoted(self._columns[table][name])

    def arrow(self, table: str, columns: list[str]) -> pa.Table:
        """Read some columns of a file; those that it does not have are left out."""
        present = set(self.schema(table).names)
        try:
            return pq.read_table(self.candidate.path(table), columns=[name for name in columns if name in present])
        except (OSError, pa.ArrowException) as error:
            raise CannotRun(f"{table}.parquet cannot be read ({_first_line(error)})") from None

    def register(self, name: str, rows: pa.Table) -> None:
        """Make an Arrow table known to SQL under a name that is no table's."""
        self._connection.register(name, rows)

    def number(self, sql: str) -> float:
        """Run a query that yields one number."""
        row = self._run(sql).fetchone()
        return float(row[0] or 0) if row else 0.0

    def rows(self, sql: str) -> list[dict[str, Any]]:
        """Run a query and return its rows as JSON-safe dictionaries."""
        result = self._run(sql)
        names = [column[0] for column in result.description or ()]
        return [{name: plain(value) for name, value in zip(names, row, strict=True)} for row in result.fetchall()]

    def findings(self, cause: str, sql: str) -> list[Finding]:
        """Run a query for rows at fault: no finding if there is none, else one with count and first examples."""
        counted = f"SELECT *, count(*) OVER () AS rows_at_fault FROM ({sql}) ORDER BY ALL LIMIT {EXAMPLES}"
        examples = self.rows(counted)
        counts = [example.pop("rows_at_fault") for example in examples]
        return [Finding(cause, counts[0], tuple(examples))] if counts else []

    def _run(self, sql: str) -> duckdb.DuckDBPyConnection:
        try:
            return self._connection.execute(sql)
        except duckdb.Error as error:
            raise CannotRun(_first_line(error)) from None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
