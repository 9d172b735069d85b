"""`utp read`: rows of a table of the current release."""

import argparse
from typing import TYPE_CHECKING, Any

from pipeline.commands.output import print_json, print_table
from pipeline.home import default_home
from schemas.errors import UtpError
from warehouse import read

if TYPE_CHECKING:
    import pyarrow as pa

# Columns that name a city, in the order in which a table may have them.
_CITY_COLUMNS = ("City", "origin", "destination", "OriginCityName", "DestCityName")


def run(arguments: argparse.Namespace) -> int:
    """Print rows of one table, filtered by city and by a condition in SQL."""
    if arguments.limit < 1:
        raise UtpError(f"--limit {arguments.limit}: give a number of rows from 1 up")
    warehouse = read.open(arguments.home or default_home(arguments.region))
    rows = warehouse.table(arguments.table, visible_only=not arguments.all)
    conditions = [f"({arguments.where})"] if arguments.where else []
    values: list[str] = []
    if arguments.city:
        columns = [name for name in _CITY_COLUMNS if name in rows.column_names]
        city = warehouse.city(arguments.city)
        if city is None or not columns:
            cause = "table names no city" if city else f"no city {arguments.city!r}; `utp read city_set` lists them"
            raise UtpError(f"--city with {arguments.table}: {cause}")
        conditions.append("(" + " OR ".join(f'"{name}" = ?' for name in columns) + ")")
        values += [city.name] * len(columns)
    found = _query(rows, " AND ".join(conditions) or "true", values, arguments)
    if arguments.json:
        print_json(found)
        return 0
    shown = [name for name in rows.column_names if any(row[name] is not None for row in found)]
    print_table(shown, ([_cell(row[name]) for name in shown] for row in found))
    if len(found) == arguments.limit:
        print(f"first {arguments.limit} rows; --limit shows more")
    return 0


def _query(rows: "pa.Table", condition: str, values: list[str], arguments: argparse.Namespace) -> list[dict[str, Any]]:
    import duckdb

    # A condition is a person's text: it may look at this table and at nothing else.
    with duckdb.connect(config={"enable_external_access": "false", "lock_configuration": "true"}) as database:
        database.register("this_table", rows)
        try:
            relation = database.sql(
                f"SELECT * FROM this_table WHERE {condition} LIMIT {arguments.limit}", params=values or None
            )
            found: list[dict[str, Any]] = relation.to_arrow_table().to_pylist()
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise UtpError(
                f"--where {arguments.where!r}: {reason}; columns of {arguments.table}: {', '.join(rows.column_names)}"
            ) from None
    return found


def _cell(value: Any) -> Any:
    return ", ".join(value) if isinstance(value, list) else value
