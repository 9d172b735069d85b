"""Every table of the warehouse, as section 3 of the evaluator contract defines it, plus some of our own.

The evaluator reads none of ours: what it reads was made of them. Nearest stops and stations rest on `transit_stops`,
flights on `airports` and `flight_ratings`, trains on `stations`, `train_stops` and `train_delays`, crowd objects on
`venue_crowd`; `place_hours` stands for itself.
"""

from schemas.model import Table
from schemas.tables import cities, places, trains, transport

_ALL = (*cities.TABLES, *places.TABLES, *trains.TABLES, *transport.TABLES)

TABLES: dict[str, Table] = {table.name: table for table in _ALL}
PLACE_TABLES = ("attractions", "restaurants", "accommodations")

# The tables that a file can bring rows for; a mapping for another one would lead nowhere. Opening hours and crowds find
# their place by the id that the same source gives it or was asked with, so a file of its own cannot bring them.
FROM_SOURCES = (
    *PLACE_TABLES,
    "cost_of_living",
    "transit_stops",
    "distance_matrix",
    "road_delay",
    "train_stops",
    "train_delays",
    "flights",
    "flight_ratings",
    "buses",
    "events",
)


class UnknownTable(LookupError):
    """A table name that is not declared; the message lists the choices."""


def table(name: str) -> Table:
    """Return the declaration of a table; UnknownTable names the choices."""
    if name not in TABLES:
        raise UnknownTable(f"no table {name!r}; choose one of {', '.join(sorted(TABLES))}")
    return TABLES[name]
