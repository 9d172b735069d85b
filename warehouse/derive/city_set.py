"""The tables that follow from the region alone: cities with their coverage, airports, great-circle distances."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.region import Region
from schemas.rows import Built, Notes
from schemas.tables import TABLES
from warehouse.derive.columns import flat
from warehouse.derive.geodesy import great_circle_km
from warehouse.derive.visibility import publish_form


def build_city_set(region: Region, tables: Mapping[str, pa.Table]) -> Built:
    """Build `city_set`: every city of the region, with the names of the given tables that hold a row for it."""
    held = {name: _cities_held(name, tables[name]) for name in TABLES if name in tables}
    cities = region.cities
    rows = pa.table(
        {
            "City": pa.array([city.name for city in cities], pa.string()),
            "State": pa.array([city.state for city in cities], pa.string()),
            "city_id": pa.array([city.city_id for city in cities], pa.string()),
            "latitude": pa.array([city.latitude for city in cities], pa.float64()),
            "longitude": pa.array([city.longitude for city in cities], pa.float64()),
            "uncertainty_city": pa.array([city.is_uncertainty_city for city in cities], pa.bool_()),
            "aliases": pa.array([list(city.aliases) for city in cities], pa.list_(pa.string())),
            "geonames_id": pa.array([city.geonames_id for city in cities], pa.int64()),
            "population": pa.array([city.population for city in cities], pa.int64()),
            "time_zone": pa.array([city.time_zone for city in cities], pa.string()),
            "coverage": pa.array(
                [[name for name, names in held.items() if city.name in names] for city in cities],
                pa.list_(pa.string()),
            ),
            **_origin(region, "geonames", "cities.csv", [city.city_id for city in cities], "declared"),
        }
    )
    return _built(rows, "city_set")


def build_airports(region: Region) -> Built:
    """Build `airports`; one that serves no city of the region has no City and stays hidden, with its rule."""
    names = {city.city_id: city.name for city in region.cities}
    airports = region.airports
    rows = pa.table(
        {
            "iata": pa.array([airport.iata for airport in airports], pa.string()),
            "icao": pa.array([airport.icao or None for airport in airports], pa.string()),
            "airport_name": pa.array([airport.name or None for airport in airports], pa.string()),
            "City": pa.array(
                [names[airport.city_id] if airport.city_id else None for airport in airports], pa.string()
            ),
            "latitude": pa.array([airport.latitude for airport in airports], pa.float64()),
            "longitude": pa.array([airport.longitude for airport in airports], pa.float64()),
            "city_rule": pa.array([airport.rule for airport in airports], pa.string()),
            **_origin(region, "airportsdata", "airports.csv", [airport.iata for airport in airports], "declared"),
        }
    )
    return _built(rows, "airports")


def build_distance_matrix(region: Region) -> Built:
    """Build `distance_matrix`: every ordered pair of different cities, n x (n - 1) rows; no road was asked for."""
    names = pa.array([city.name for city in region.cities], pa.string())
    ids = pa.array([city.city_id for city in region.cities], pa.string())
    latitudes = np.array([city.latitude for city in region.cities], dtype=np.float64)
    longitudes = np.array([city.longitude for city in region.cities], dtype=np.float64)
    origins, destinations = np.nonzero(~np.eye(len(names), dtype=np.bool_))
    kilometres = great_circle_km(
        latitudes[origins], longitudes[origins], latitudes[destinations], longitudes[destinations]
    )
    pairs = pc.binary_join_element_wise(ids.take(origins), ids.take(destinations), ",")
    rows = pa.table(
        {
            "origin": names.take(origins),
            "destination": names.take(destinations),
            "great_circle_km": kilometres,
            "road_status": pa.repeat("not_asked", len(origins)),
            **_origin(region, "geonames", "cities.csv", pairs, "derived"),
        }
    )
    return _built(rows, "distance_matrix")


def _cities_held(table_name: str, rows: pa.Table) -> set[str]:
    columns = {
        column
        for foreign_key in TABLES[table_name].foreign_keys
        if foreign_key.table == "city_set"
        for column in foreign_key.columns
    }
    return {city for column in columns for city in flat(rows[column]).unique().to_pylist() if city is not None}


def _origin(
    region: Region, source: str, file: str, records: list[str] | pa.Array, value_class: str
) -> dict[str, pa.Array]:
    return {
        "source": pa.repeat(source, len(records)),
        "source_ref": pc.binary_join_element_wise(file, pa.array(records, pa.string()), "#"),
        "snapshot_id": pa.repeat(region.snapshots[file], len(records)),
        "observed_at": pa.nulls(len(records), pa.date32()),
        "value_class": pa.repeat(value_class, len(records)),
    }


def _built(rows: pa.Table, table_name: str) -> Built:
    return Built(publish_form(rows, table_name), Notes(rows_in=len(rows)))
