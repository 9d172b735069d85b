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
from warehouse.derive.buses import build_buses
from warehouse.derive.city_set import build_airports, build_city_set
from warehouse.derive.crowd import build_venue_crowd, with_crowd
from warehouse.derive.delays import build_train_delays
from warehouse.derive.events import build_events
from warehouse.derive.flights import build_flights
from warehouse.derive.hours import Places, build_place_hours
from warehouse.derive.lodging import TARGETS
from warehouse.derive.places import build_places
from warehouse.derive.prices import build_cost_of_living
from warehouse.derive.punctuality import build_flight_ratings, with_punctuality
from warehouse.derive.roads import build_distance_matrix, build_road_delay
from warehouse.derive.stations import build_stations
from warehouse.derive.stops import build_poi_nearest_stops, build_transit_stops
from warehouse.derive.timetables import build_train_stops
from warehouse.derive.trains import build_trains, with_delays


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

    `rows_from`: each row is a record of a staged source, a fact of the region (which a record may have answered), a
    visible row of a table of `uses`, or a combination of rows of other tables, of which any number may go into it.
    Of the tables of `records_of` the staged rows and merges are wanted as well. `is_joint`: no provider brings whole
    rows, so that those of all providers are derived together.
    """

    table: str
    build: Callable[[Material], Built]
    code: Callable[..., Any]
    rows_from: Literal["sources", "region", "tables", "combinations"]
    needs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    records_of: tuple[str, ...] = ()
    vocabularies: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    is_joint: bool = False

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
    vocabularies: tuple[str, ...] = ()


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
        "venue_crowd",
        lambda material: build_venue_crowd(list(material.staged.values()), material.tables),
        code=build_venue_crowd,
        rows_from="sources",
        uses=PLACE_TABLES,
    ),
    Derivation(
        "events",
        lambda material: build_events(list(material.staged.values()), material.region),
        code=build_events,
        rows_from="sources",
        maps=("states",),
    ),
    Derivation(
        "flights",
        lambda material: build_flights(list(material.staged.values()), material.region),
        code=build_flights,
        rows_from="sources",
        # Schedules and fares come from different providers.
        is_joint=True,
    ),
    Derivation(
        "flight_ratings",
        lambda material: build_flight_ratings(list(material.staged.values())),
        code=build_flight_ratings,
        rows_from="sources",
    ),
    Derivation(
        "train_stops",
        lambda material: build_train_stops(list(material.staged.values())),
        code=build_train_stops,
        rows_from="sources",
        maps=("station_codes",),
    ),
    Derivation(
        "train_delays",
        lambda material: build_train_delays(list(material.staged.values())),
        code=build_train_delays,
        rows_from="sources",
        maps=("station_codes",),
    ),
    Derivation(
        "stations",
        lambda material: build_stations(
            material.tables["transit_stops"], material.tables.get("train_stops"), material.region
        ),
        code=build_stations,
        rows_from="combinations",
        needs=("transit_stops",),
        uses=("train_stops",),
        maps=("station_codes",),
    ),
    Derivation(
        "trains",
        lambda material: build_trains(material.tables["train_stops"], material.tables["stations"]),
        code=build_trains,
        rows_from="combinations",
        needs=("train_stops", "stations"),
    ),
    Derivation(
        "buses",
        lambda material: build_buses(list(material.staged.values()), material.region),
        code=build_buses,
        rows_from="sources",
        maps=("states",),
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
        uses=(
            "airports",
            *PLACE_TABLES,
            "place_hours",
            "events",
            "flights",
            "stations",
            "trains",
            "buses",
            "cost_of_living",
            "road_delay",
        ),
    ),
)

DERIVATIONS: dict[str, Derivation] = {derivation.table: derivation for derivation in _ALL}


def _crowd(table: str) -> Completion:
    return Completion(
        table,
        lambda rows, sides: with_crowd(rows, table, sides["venue_crowd"]),
        code=with_crowd,
        uses=("venue_crowd",),
        vocabularies=("crowd_tiers",),
    )


_COMPLETED = (
    _crowd("attractions"),
    _crowd("restaurants"),
    Completion(
        "flights",
        lambda rows, sides: with_punctuality(rows, sides["flight_ratings"]),
        code=with_punctuality,
        uses=("flight_ratings",),
    ),
    Completion(
        "trains",
        lambda rows, sides: with_delays(rows, sides["train_delays"]),
        code=with_delays,
        uses=("train_delays",),
        vocabularies=("delay_horizons",),
    ),
)

COMPLETIONS: dict[str, Completion] = {completion.table: completion for completion in _COMPLETED}
