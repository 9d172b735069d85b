"""Which city a railway station belongs to: by review, by name and nearness, by nearness; else to none.

Never by a part of its name: `Rampur Halt` is not at Rampur, and `Hazrat Nizamuddin` is at Delhi.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.fields.patterns import STATION_CODE
from schemas.model import PROVENANCE_MARKS
from schemas.region import Region
from schemas.rows import Built, Notes
from warehouse.derive.cities import CityIndex
from warehouse.derive.columns import Mask, coordinates, equals, flat, map_text
from warehouse.derive.geodesy import Floats, great_circle_km
from warehouse.derive.stops import station_key
from warehouse.derive.timetables import current_code
from warehouse.derive.visibility import publish_form

_TABLE = "stations"

# A station that bears the name of a city lies within 17 km of it, or more than 100 km away at a namesake.
SAME_NAME_KM = 20.0

# How far the stations of a city lie from its centre, by its inhabitants. A station between two cities is of the one of
# whose reach it is the smaller part: Hazrat Nizamuddin is nearer to Noida, and at Delhi.
REACH_KM = ((5_000_000, 20.0), (1_000_000, 12.0), (0, 7.0))

# What a station's name says beyond that of its city.
_OF_THE_STATION = frozenset({"cantonment", "central", "city", "main", "terminus", "town"})


class _Choice(NamedTuple):
    """The number of each station's city (-1: none) and the rule by which it was chosen."""

    cities: list[int]
    rules: list[str]


def build_stations(stops: pa.Table, train_stops: pa.Table | None, region: Region) -> Built:
    """Build `stations` from `transit_stops` and the codes at which trains call: one row for each code of today.

    The point of a station is that of a stop of its code or of a former one; where no stop has a point, only a review
    gives the station a city.
    """
    rows = _stations(stops, train_stops)
    choice = _chosen(rows, region)
    names = pa.array([city.name for city in region.cities], pa.string())
    numbers = np.array(choice.cities, dtype=np.int64)
    rows = rows.append_column("City", names.take(pa.array(numbers, mask=numbers < 0)))
    rows = rows.append_column("city_rule", pa.array(choice.rules, pa.string()))
    without = int((numbers < 0).sum())
    remarks = (f"{without} of {len(rows)} stations belong to no city of the region",) if without else ()
    return Built(publish_form(rows, _TABLE), Notes(len(rows), remarks=remarks))


def _stations(stops: pa.Table, train_stops: pa.Table | None) -> pa.Table:
    """One row for each code of today: the point of the first stop that has one, the name under the code itself."""
    columns = ["code", "station_name", "latitude", "longitude", *PROVENANCE_MARKS]
    rail = stops.filter(equals(stops["stop_mode"], "rail") & _has_code(stops["stop_code"]))
    found = [rail.rename_columns({"stop_code": "code", "stop_name": "station_name"}).select(columns)]
    if train_stops is not None:
        nowhere = pa.nulls(len(train_stops), pa.float64())
        called = train_stops.rename_columns({"station_code": "code"})
        found.append(called.append_column("latitude", nowhere).append_column("longitude", nowhere).select(columns))
    frame = pa.concat_tables(found, promote_options="permissive").to_pandas(date_as_object=True)
    frame["station_code"] = map_text(pa.array(frame["code"], pa.string()), current_code).to_pandas()
    frame["lacks_point"] = frame["latitude"].isna() | frame["longitude"].isna()
    frame["is_former"] = frame["code"] != frame["station_code"]
    by_name = frame.sort_values(["station_code", "is_former"], kind="stable").dropna(subset=["station_name"])
    by_point = frame.sort_values(["station_code", "lacks_point", "is_former"], kind="stable")
    one = by_point.drop_duplicates("station_code").drop(columns=["code", "station_name", "lacks_point", "is_former"])
    named = one.merge(by_name.drop_duplicates("station_code")[["station_code", "station_name"]], how="left")
    return pa.Table.from_pandas(named.assign(value_class="derived"), preserve_index=False)


def _has_code(codes: pa.Array | pa.ChunkedArray) -> Mask:
    fits = pc.match_substring_regex(flat(codes), rf"\A(?:{STATION_CODE})\z")
    return np.asarray(pc.fill_null(fits, False).to_numpy(zero_copy_only=False), dtype=np.bool_)


def _chosen(rows: pa.Table, region: Region) -> _Choice:
    codes, names = (flat(rows[name]).to_pylist() for name in ("station_code", "station_name"))
    away = _km_to_cities(rows, region)
    is_named = _named_alike(names, region) & (away <= SAME_NAME_KM)
    reach = np.array([_reach(city.population) for city in region.cities])
    named, near = np.where(is_named, away, np.inf), np.where(away <= reach, away / reach, np.inf)
    places = {city.city_id: number for number, city in enumerate(region.cities)}
    reviews = {review.station_code: review for review in region.stations}
    choice = _Choice([], [])
    for row, code in enumerate(codes):
        city, rule = -1, "no position is known"
        if code in reviews:
            city, rule = places.get(reviews[code].city_id, -1), f"reviewed: {reviews[code].reason}"
        elif np.isfinite(away[row]).any():
            city, rule = _nearest(away[row], named[row], near[row], region)
        choice.cities.append(city)
        choice.rules.append(rule)
    return choice


def _nearest(away: Floats, named: Floats, near: Floats, region: Region) -> tuple[int, str]:
    for measure, rule in ((named, "name"), (near, "nearest city")):
        best = int(measure.argmin())
        if np.isfinite(measure[best]):
            return best, f"{rule}, {away[best]:.0f} km"
    closest = int(away.argmin())
    return -1, f"no city of the region is near: {region.cities[closest].name} is {away[closest]:.0f} km away"


def _reach(population: int) -> float:
    return next(km for least, km in REACH_KM if population >= least)


def _km_to_cities(rows: pa.Table, region: Region) -> Floats:
    """Kilometres from each station to each city, shape (stations, cities); infinite where a station has no point."""
    latitudes, longitudes = coordinates(rows)
    points = np.array([(city.latitude, city.longitude) for city in region.cities], dtype=np.float64).reshape(-1, 2)
    away = great_circle_km(latitudes[:, None], longitudes[:, None], points[None, :, 0], points[None, :, 1])
    return np.nan_to_num(away, nan=np.inf)


def _named_alike(names: Sequence[str | None], region: Region) -> Mask:
    """Which stations bear the name of which city, shape (stations, cities)."""
    index = CityIndex(region)
    cities: dict[str, list[int]] = {}
    for number, city in enumerate(region.cities):
        for key in {station_key(spelling) for spelling in index.spellings(city.name)}:
            cities.setdefault(key, []).append(number)
    alike = np.zeros((len(names), len(region.cities)), dtype=np.bool_)
    for row, name in enumerate(names):
        alike[row, _cities_named(name, cities)] = True
    return alike


def _cities_named(name: str | None, cities: Mapping[str, list[int]]) -> list[int]:
    words = station_key(name).split() if name else []
    while words:
        if (found := cities.get(" ".join(words))) is not None:
            return found
        if words[-1] not in _OF_THE_STATION:
            return []
        words.pop()
    return []
