"""The three tables of places, from the staged rows of their sources: City, identity, names, durations."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.region import Region
from schemas.rows import Built, Notes
from warehouse.derive.cities import CityIndex, unresolved
from warehouse.derive.columns import (
    Indices,
    brought,
    combine_by_trust,
    coordinates,
    day_numbers,
    flat,
    folded,
    group_codes,
    is_set,
    map_text,
    numbers,
    rank_by,
    replaced,
    short_hash,
    space_points,
)
from warehouse.derive.doors import Sieve, merged
from warehouse.derive.durations import visit_durations
from warehouse.derive.geodesy import Floats, great_circle_km
from warehouse.derive.identity import merge_equal, merge_near, number_repeats
from warehouse.derive.lodging import with_lodging
from warehouse.derive.names import name_hazard, tell_apart
from warehouse.derive.visibility import missing_count, publish_form

# Contract 1.9.
SAME_PLACE_M = 75.0

# The suburbs of the largest cities end some 50 km from the centre; a point farther off is another place's.
FARTHEST_FROM_CITY_KM = 75.0


def build_places(table_name: str, staged: Sequence[pa.Table], region: Region) -> Built:
    """Build `attractions`, `restaurants` or `accommodations` from staged tables in the order of their priority.

    Which row of a place stays is told in `_rank`. Its nulls are not filled from the rows merged into it: a row's
    provenance names one record, where each of its values must stand.
    """
    rows = combine_by_trust(staged, table_name)
    index = CityIndex(region)
    cities = cities_of_places(rows, index)
    lost = unresolved(rows["city_name"], rows["state_name"], cities)
    rows = rows.append_column("City", cities)
    rows_in = len(rows)

    sieve = _sifted(rows, table_name, region)
    rows, merges = _merge(sieve.rows, table_name)
    ids = number_repeats(_place_ids(rows), brought(rows, table_name))
    rows = rows.append_column("place_id", ids)

    is_visible = missing_count(rows, table_name) == 0
    names = tell_apart(rows, is_visible, {city.name: index.spellings(city.name) for city in region.cities})
    renamed = pc.sum(pc.not_equal(names, flat(rows["name"]))).as_py() or 0
    rows = rows.append_column("source_name", rows["name"]).append_column("name_hazard", name_hazard(names))
    remarks = (f"{renamed} namesakes carry their locality or a number",) if renamed else ()
    return Built(
        publish_form(replaced(rows, "name", names), table_name),
        Notes(rows_in, {"cities": lost} if lost else {}, remarks=remarks),
        sieve.quarantine,
        merges,
    )


def cities_of_places(rows: pa.Table, index: CityIndex) -> pa.Array:
    """Return the City of each staged place: the one that the source names, else the one around which it was found."""
    named = index.resolve(rows["city_name"], rows["state_name"])
    return pc.coalesce(named, map_text(rows["search_city_id"], index.by_id))


def _sifted(rows: pa.Table, table_name: str, region: Region) -> Sieve:
    """Return the rows that can be used, with what follows from them: durations, or what is known of a house."""
    sieve = Sieve(table_name, rows)
    sieve.reject_lacking("name")
    sieve.reject_unreadable("name")
    sieve.reject_outside(region.bbox)
    message = f"the point lies more than {FARTHEST_FROM_CITY_KM:.0f} km from the city"
    sieve.reject(_km_from_city(sieve.rows, region) > FARTHEST_FROM_CITY_KM, "far_from_city", message, "latitude")
    if table_name == "restaurants":
        sieve.rows = _without_idle_method(sieve.rows)
    if table_name == "accommodations":
        sieve.rows = with_lodging(sieve.rows)
    if table_name == "attractions":
        durations = visit_durations(sieve.rows["subcategories"])
        sieve.rows = sieve.rows.append_column("visit_duration", durations.hours)
        sieve.rows = sieve.rows.append_column("visit_duration_min", durations.minutes)
        message = "none of the categories has a known visit duration"
        # One answer may leave out the categories that another one gives for the same id: it is merged into that.
        best = _merge_by_id(sieve.rows, table_name)
        sieve.reject(~is_set(durations.hours)[best], "no_duration_category", message, "source_categories")
    return sieve


def _km_from_city(rows: pa.Table, region: Region) -> Floats:
    """Great-circle kilometres from each row's point to its City; NaN, which compares as false, where one is null."""
    centres = {city.name: (city.latitude, city.longitude) for city in region.cities} | {None: (np.nan, np.nan)}
    there = np.array([centres[name] for name in rows["City"].to_pylist()], dtype=np.float64).reshape(-1, 2)
    return great_circle_km(*coordinates(rows), there[:, 0], there[:, 1])


def _without_idle_method(rows: pa.Table) -> pa.Table:
    """Where there is no cost there is no way in which it came to be."""
    method = pc.if_else(pc.is_null(rows["avg_cost"]), pa.scalar(None, pa.string()), rows["avg_cost_method"])
    return replaced(rows, "avg_cost_method", method)


def _place_ids(rows: pa.Table) -> pa.Array:
    described = [rows[name] for name in ("city_name", "state_name", "address", "locality")]
    own = pc.coalesce(flat(rows["source_id"]), short_hash([folded(rows["name"]), *described]))
    return pc.binary_join_element_wise(flat(rows["source"]), own, ":")


def _rank(rows: pa.Table, table_name: str) -> Indices:
    """Rank rows of one place: what can be used at all, by the fewest missing required values, then the more trusted
    source, the fewest nulls, the latest day, the earlier row."""
    nulls = np.sum([~is_set(column) for column in brought(rows, table_name).columns], axis=0)
    is_idle = ~is_set(rows["visit_duration"]) if table_name == "attractions" else np.zeros(len(rows), dtype=np.bool_)
    missing, trust = missing_count(rows, table_name), numbers(rows, "_trust")
    return rank_by(is_idle, missing, trust, nulls, -day_numbers(rows), np.arange(len(rows)))


def _merge_by_id(rows: pa.Table, table_name: str) -> Indices:
    return merge_equal(group_codes(rows["source"], rows["source_id"]), _rank(rows, table_name))


def _merge(rows: pa.Table, table_name: str) -> tuple[pa.Table, pa.Table]:
    rank = _rank(rows, table_name)
    itself = np.arange(len(rows))
    by_id = _merge_by_id(rows, table_name)
    names = np.where(by_id == itself, group_codes(folded(rows["name"]), rows["City"]), -1)
    # A source that gives each place an id says itself which of its records are different places.
    distinct = np.where(is_set(rows["source_id"]), group_codes(rows["source"]), -1)
    radius = np.full(len(rows), SAME_PLACE_M)
    by_nearness = merge_near(names, space_points(rows), rank, radius, distinct=distinct)
    into = by_nearness[by_id]
    merges = pa.concat_tables(
        [
            merged(rows, table_name, by_id != itself, into, "same_id"),
            merged(rows, table_name, by_nearness != itself, into, "same_place"),
        ]
    )
    return rows.filter(into == itself), merges
