"""The tables that follow from the region alone: cities with their coverage, and airports."""

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from schemas.region import Region
from schemas.rows import Built, Notes
from schemas.tables import TABLES
from warehouse.derive.columns import flat
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
            **region_origin(region, "geonames", "cities.csv", [city.city_id for city in cities], "declared"),
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
            **region_origin(region, "airportsdata", "airports.csv", [airport.iata for airport in airports], "declared"),
        }
    )
    return _built(rows, "airports")


def region_origin(
    region: Region, source: str, file: str, records: list[str] | pa.Array, value_class: str
) -> dict[str, pa.Array]:
    """Return the marks of rows that are facts of the region: records of one of its files."""
    return {
        "source": pa.repeat(source, len(records)),
        "source_ref": pc.binary_join_element_wise(file, pa.array(records, pa.string()), "#"),
        "snapshot_id": pa.repeat(region.snapshots[file], len(records)),
        "observed_at": pa.nulls(len(records), pa.date32()),
        "value_class": pa.repeat(value_class, len(records)),
    }


def _cities_held(table_name: str, rows: pa.Table) -> set[str]:
    columns = {
        column
        for foreign_key in TABLES[table_name].foreign_keys
        if foreign_key.table == "city_set"
        for column in foreign_key.columns
    }
    return {city for column in columns for city in flat(rows[column]).unique().to_pylist() if city is not None}


def _built(rows: pa.Table, table_name: str) -> Built:
    return Built(publish_form(rows, table_name), Notes(rows_in=len(rows)))
