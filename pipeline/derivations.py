"""How each table is derived: by which function, from which staged rows, other tables, vocabularies and maps.

What a derivation reads beyond its arguments' content is declared here, because reuse hangs on it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

from schemas.fields import FIELDS
from schemas.region import Region
from schemas.rows import Built
from schemas.tables import PLACE_TABLES, TABLES
from warehouse.derive.city_set import build_airports, build_city_set
from warehouse.derive.hours import Places, build_place_hours
from warehouse.derive.lodging import TARGETS
from warehouse.derive.places import build_places
from warehouse.derive.prices import build_cost_of_living
from warehouse.derive.roads import build_distance_matrix, build_road_delay
from warehouse.derive.stops import build_poi_nearest_stops, build_transit_stops


@dataclass(frozen=True)
class Material:
    """What a derivation works on: the region, staged rows by source, other derived tables by name.

    `records` and `merges` are, by table, the staged rows that another table was derived from, and which of them went
    into which.
    """

    region: Region
    staged: dict[str, pa.Table] = field(default_factory=dict)
    tables: dict[str, pa.Table] = field(default_factory=dict)
    records: dict[str, list[pa.Table]] = field(default_factory=dict)
    merges: dict[str, pa.Table] = field(default_factory=dict)

    def places(self, table: str) -> Places:
        """Return a place table together with its records."""
        return Places(self.tables[table], self.records[table], self.merges[table])


@dataclass(frozen=True)
class Derivation:
    """One table's derivation. `needs` must all be there; of `uses` whatever is there is taken.

    `rows_from`: each row is a record of a staged source, a fact of the region (which a record may have answered), or a
    visible row of a table of `uses`. Of the tables of `records_of` the staged rows and merges are wanted as well.
    """

    table: str
    build: Callable[[Material], Built]
    code: Callable[..., Any]
    rows_from: Literal["sources", "region", "tables"]
    needs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    records_of: tuple[str, ...] = ()
    vocabularies: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()

    @property
    def all_vocabularies(self) -> tuple[str, ...]:
        """The vocabularies that the derivation reads, and those that its columns are held against."""
        of_columns = (FIELDS[column].vocabulary for column in TABLES[self.table].columns)
        return tuple(sorted({*self.vocabularies, *(name for name in of_columns if name)}))


@dataclass(frozen=True)
class Completion:
    """How a derived table gets columns of other tables, which were asked for by its rows and so could not stand before.

    `complete` takes the rows and the tables of `uses` that are there; it adds no row and takes none away.
    """

    table: str
    complete: Callable[[pa.Table, dict[str, pa.Table]], pa.Table]
    code: Callable[..., Any]
    uses: tuple[str, ...]


def _places(table: str, vocabularies: tuple[str, ...] = (), maps: tuple[str, ...] = ()) -> Derivation:
    return Derivation(
        table,
        lambda material: build_places(table, list(material.staged.values()), material.region),
        code=build_places,
        rows_from="sources",
        vocabularies=vocabularies,
        maps=("states", *maps),
    )


_ALL = (
    Derivation("airports", lambda material: build_airports(material.region), code=build_airports, rows_from="region"),
    Derivation(
        "distance_matrix",
        lambda material: build_distance_matrix(material.region, list(material.staged.values())),
        code=build_distance_matrix,
        rows_from="region",
    ),
    Derivation(
        "road_delay",
        lambda material: build_road_delay(list(material.staged.values()), material.region),
        code=build_road_delay,
        rows_from="sources",
    ),
    _places("attractions", vocabularies=("attraction_categories",)),
    _places("restaurants"),
    _places("accommodations", vocabularies=("room_kinds",), maps=tuple(TARGETS.values())),
    Derivation(
        "place_hours",
        lambda material: build_place_hours(
            list(material.staged.values()), {name: material.places(name) for name in material.tables}
        ),
        code=build_place_hours,
        rows_from="sources",
        uses=PLACE_TABLES,
        records_of=PLACE_TABLES,
    ),
    Derivation(
        "transit_stops",
        lambda material: build_transit_stops(list(material.staged.values()), material.region),
        code=build_transit_stops,
        rows_from="sources",
        maps=("states",),
    ),
    Derivation(
        "cost_of_living",
        lambda material: build_cost_of_living(list(material.staged.values()), material.region),
        code=build_cost_of_living,
        rows_from="sources",
        maps=("states",),
    ),
    Derivation(
        "poi_nearest_stops",
        lambda material: build_poi_nearest_stops(
            {name: material.tables[name] for name in PLACE_TABLES if name in material.tables},
            material.tables["transit_stops"],
        ),
        code=build_poi_nearest_stops,
        rows_from="tables",
        needs=("transit_stops",),
        uses=PLACE_TABLES,
    ),
    Derivation(
        "city_set",
        lambda material: build_city_set(material.region, material.tables),
        code=build_city_set,
        rows_from="region",
        uses=("airports", *PLACE_TABLES, "place_hours", "cost_of_living", "road_delay"),
    ),
)

DERIVATIONS: dict[str, Derivation] = {derivation.table: derivation for derivation in _ALL}
COMPLETIONS: dict[str, Completion] = {}
NOT_DERIVED = "no provider brings it yet"
