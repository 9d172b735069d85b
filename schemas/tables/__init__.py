"""Every table of the warehouse, as section 3 of the evaluator contract defines it, plus three of our own.

`transit_stops`, `airports` and `place_hours` are ours: the evaluator reads none of them, but nearest stops and flight
cities rest on the first two.
"""

from schemas.model import Table
from schemas.tables import cities, places, transport

TABLES: dict[str, Table] = {table.name: table for table in (*cities.TABLES, *places.TABLES, *transport.TABLES)}
PLACE_TABLES = ("attractions", "restaurants", "accommodations")

# The tables that a file can bring rows for today; a mapping for another one would lead nowhere. Opening hours find
# their place by the id that the same source gives it, so a file of its own cannot bring them.
FROM_SOURCES = (*PLACE_TABLES, "cost_of_living", "transit_stops", "distance_matrix", "road_delay")


class UnknownTable(LookupError):
    """A table name that is not declared; the message lists the choices."""


def table(name: str) -> Table:
    """Return the declaration of a table; UnknownTable names the choices."""
    if name not in TABLES:
        raise UnknownTable(f"no table {name!r}; choose one of {', '.join(sorted(TABLES))}")
    return TABLES[name]
