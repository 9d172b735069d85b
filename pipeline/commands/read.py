"""`utp read`: rows of a table of the current release."""

import argparse
import functools
from typing import TYPE_CHECKING, Any

from pipeline.commands.output import print_json, print_table
from pipeline.home import existing_home
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
    warehouse = read.open(existing_home(arguments.home, arguments.region))
    rows = warehouse.table(arguments.table, visible_only=not arguments.all)
    if arguments.city:
        rows = rows.filter(_of_city(warehouse, rows, arguments))
    found = _first(rows, arguments)
    if arguments.json:
        print_json(found)
        return 0
    shown = [name for name in rows.column_names if any(row[name] is not None for row in found)]
    print_table(shown, ([_cell(row[name]) for name in shown] for row in found))
    if len(found) == arguments.limit:
        print(f"first {arguments.limit} rows; --limit shows more")
    return 0


def _of_city(warehouse: read.Warehouse, rows: "pa.Table", arguments: argparse.Namespace) -> Any:
    """Return which rows name a city, given by name or alias."""
    import pyarrow.compute as pc

    columns = [name for name in _CITY_COLUMNS if name in rows.column_names]
    city = warehouse.city(arguments.city)
    if city is None or not columns:
        cause = "the table names no city" if city else f"no city {arguments.city!r}; `utp read city_set` lists them"
        raise UtpError(f"--city with {arguments.table}: {cause}")
    names = [pc.fill_null(pc.equal(rows[name], city.name), False) for name in columns]
    return functools.reduce(pc.or_, names)


def _first(rows: "pa.Table", arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the first rows for which the condition holds."""
    if not arguments.where:
        first: list[dict[str, Any]] = rows.slice(0, arguments.limit).to_pylist()
        return first
    import duckdb

    # A condition is a person's text: one expression on the columns of this table, which sees nothing else.
    with duckdb.connect(
        config={"enable_external_access": "false", "memory_limit": "2GB", "lock_configuration": "true"}
    ) as database:
        try:
            relation = database.from_arrow(rows).filter(arguments.where).limit(arguments.limit)
            found: list[dict[str, Any]] = relation.to_arrow_table().to_pylist()
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise UtpError(
                f"--where {arguments.where!r}: {reason}; columns of {arguments.table}: {', '.join(rows.column_names)}"
            ) from None
    return found


def _cell(value: Any) -> Any:
    return ", ".join(value) if isinstance(value, list) else value
