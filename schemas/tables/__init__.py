"""Every table of the warehouse, as section 3 of the evaluator contract defines it, plus two of our own.

`transit_stops` and `airports` are ours: the evaluator reads neither, but nearest stops and flight cities rest on them.
"""

from schemas.model import Table
from schemas.tables import cities, places, transport

TABLES: dict[str, Table] = {table.name: table for table in (*cities.TABLES, *places.TABLES, *transport.TABLES)}
PLACE_TABLES = ("attractions", "restaurants", "accommodations")

# The tables that are derived from rows of sources today; a mapping for another one would lead nowhere.
FROM_SOURCES = (*PLACE_TABLES, "cost_of_living", "transit_stops")


class UnknownTable(LookupError):
    """A table name that is not declared; the message lists the choices."""


def table(name: str) -> Table:
    """Return the declaration of a table; UnknownTable names the choices."""
    if name not in TABLES:
        raise UnknownTable(f"no table {name!r}; choose one of {', '.join(sorted(TABLES))}")
    return TABLES[name]
