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
from warehouse.derive.city_set import build_airports, build_city_set, build_distance_matrix
from warehouse.derive.places import build_places
from warehouse.derive.prices import build_cost_of_living
from warehouse.derive.stops import build_poi_nearest_stops, build_transit_stops


@dataclass(frozen=True)
class Material:
    """What a derivation works on: the region, staged rows by source, other derived tables by name."""

    region: Region
    staged: dict[str, pa.Table] = field(default_factory=dict)
    tables: dict[str, pa.Table] = field(default_factory=dict)


@dataclass(frozen=True)
class Derivation:
    """One table's derivation. `needs` must all be there; of `uses` whatever is there is taken.

    `rows_from`: each row is a record of a staged source, a fact of the region, or a visible row of a table of `uses`.
    """

    table: str
    build: Callable[[Material], Built]
    code: Callable[..., Any]
    rows_from: Literal["sources", "region", "tables"]
    needs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    vocabularies: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()

    @property
    def all_vocabularies(self) -> tuple[str, ...]:
        """The vocabularies that the derivation reads, and those that its columns are held against."""
        of_columns = (FIELDS[column].vocabulary for column in TABLES[self.table].columns)
        return tuple(sorted({*self.vocabularies, *(name for name in of_columns if name)}))


def _places(table: str, vocabularies: tuple[str, ...] = ()) -> Derivation:
    return Derivation(
        table,
        lambda material: build_places(table, list(material.staged.values()), material.region),
        code=build_places,
        rows_from="sources",
        vocabularies=vocabularies,
        maps=("states",),
    )


_ALL = (
    Derivation("airports", lambda material: build_airports(material.region), code=build_airports, rows_from="region"),
    Derivation(
        "distance_matrix",
        lambda material: build_distance_matrix(material.region),
        code=build_distance_matrix,
        rows_from="region",
    ),
    _places("attractions", vocabularies=("attraction_categories",)),
    _places("restaurants"),
    _places("accommodations"),
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
        uses=("airports", *PLACE_TABLES, "cost_of_living"),
    ),
)

DERIVATIONS: dict[str, Derivation] = {derivation.table: derivation for derivation in _ALL}
NOT_DERIVED = "no provider brings it yet"
