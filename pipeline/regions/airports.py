"""Which city an airport serves: a reviewed decision, else its name, else the nearest city, else none.

Every airport of the country with an IATA code gets a row; one that serves no city of the region keeps an empty
`city_id`, so that an unmapped code is seen and not lost.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import airportsdata
import numpy as np

from pipeline.regions.geonames import distances_km
from pipeline.regions.selection import AirportRules
from schemas.region import Airport, City
from schemas.text import clean, fold


@dataclass(frozen=True)
class Field:
    """One airport as the package has it; `town` is the place it names, empty where it names none."""

    iata: str
    icao: str
    name: str
    town: str
    latitude: float
    longitude: float


def read_fields(country: str, bbox: tuple[float, float, float, float]) -> list[Field]:
    """The airports with an IATA code that belong to the country by code and by position, sorted by code."""
    south, west, north, east = bbox
    return sorted(
        (
            Field(
                row["iata"], row["icao"], clean(row["name"]), clean(row["city"]), float(row["lat"]), float(row["lon"])
            )
            for row in airportsdata.load("ICAO").values()
            if row["country"] == country and row["iata"] and south <= row["lat"] <= north and west <= row["lon"] <= east
        ),
        key=lambda field: field.iata,
    )


def map_airports(fields: Sequence[Field], cities: Sequence[City], rules: AirportRules) -> list[Airport]:
    """Give each airport its city by the written rule; raises RegionError when a reviewed entry means nothing."""
    known = {field.iata for field in fields}
    places = {code: override.place for code, override in rules.overrides.items()}
    places |= {code: position.place for code, position in rules.positions.items()}
    for code in places.keys() - known:
        raise places[code].error(f"there is no airport {code}", "Remove the entry or correct its code")
    return [_map_airport(_corrected(field, rules), cities, rules) for field in fields]


def _corrected(field: Field, rules: AirportRules) -> Field:
    position = rules.positions.get(field.iata)
    return replace(field, latitude=position.latitude, longitude=position.longitude) if position else field


def _map_airport(field: Field, cities: Sequence[City], rules: AirportRules) -> Airport:
    points = np.array([(city.latitude, city.longitude) for city in cities])
    distances = distances_km(points, field.latitude, field.longitude)
    city_id, rule = _decide(field, cities, [float(km) for km in distances], rules)
    notes = [rules.notes.get(field.iata, "")]
    if field.iata in rules.positions:
        notes.append(f"position corrected, {rules.positions[field.iata].note}")
    return Airport(
        iata=field.iata,
        icao=field.icao,
        name=field.name,
        latitude=field.latitude,
        longitude=field.longitude,
        city_id=city_id,
        rule="; ".join(filter(None, (rule, *notes))),
    )


def _decide(field: Field, cities: Sequence[City], distances: list[float], rules: AirportRules) -> tuple[str, str]:
    override = rules.overrides.get(field.iata)
    if override is not None:
        for city in cities:
            if city.name == override.city:
                return city.city_id, f"reviewed: {override.note}"
        raise override.place.error(f"there is no city {override.city!r}", "Name a city of cities.csv")
    by_name = [
        (-length, km, city.city_id)
        for city, km in zip(cities, distances, strict=True)
        if km <= rules.name_match_km and (length := _name_match(field, city))
    ]
    if by_name:
        _, km, city_id = min(by_name)
        return city_id, f"name match, {km:.0f} km"
    nearest, km = min(enumerate(distances), key=lambda pair: pair[1])
    if km <= rules.nearest_km:
        return cities[nearest].city_id, f"nearest city, {km:.0f} km"
    return "", f"unmapped: no city within {rules.nearest_km:.0f} km, nearest {cities[nearest].name} at {km:.0f} km"


def _name_match(field: Field, city: City) -> int:
    """The length of the longest spelling of the city that is the town, or stands as words in the airport's name."""
    spellings = [fold(name) for name in (city.name, *city.aliases)]
    return max(
        (
            len(name)
            for name in spellings
            if name == fold(field.town) or re.search(rf"\b{re.escape(name)}\b", fold(field.name))
        ),
        default=0,
    )
