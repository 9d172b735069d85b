"""Terra, the successor of the Content API: search and nearby in pages, many ids at once, one id."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sources.sandbox.ground import KM_PER_MILE, Point
from sources.sandbox.places import PlaceTable, TruePlace
from sources.sandbox.tripadvisor.details import SITE
from sources.sandbox.tripadvisor.finding import Catalogue, Hit, words_of
from sources.sandbox.tripadvisor.geos import city_number
from sources.sandbox.tripadvisor.reading import BadQuestion, Params, Reader

MOST_PER_PAGE = 20
MOST_IDS = 50
_LARGEST_ID = 2**31 - 1
_CATEGORIES: dict[str, PlaceTable] = {
    "RESTAURANT": "restaurants",
    "ATTRACTION": "attractions",
    "HOTEL": "accommodations",
}
_SEARCH_TYPES = ("NAME",)
_SORTS = ("distance", "rating")
_BOX = ("sw_lat", "sw_lon", "ne_lat", "ne_lon")
_BEARINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
_LONGEST_QUERY = 500
T = TypeVar("T")
Document = dict[str, Any]


class Terra:
    """The API over a world. Places that are gone are still there, with a status that says so."""

    def __init__(self, places: tuple[TruePlace, ...], seed: int) -> None:
        self._by_number = {place.number: place for place in places}
        self._catalogue = Catalogue(places, seed)

    def answer(self, question: str, params: Params) -> str | None:
        """Answer `search`, `nearby`, an id, or many ids (the empty question); None: not found. Raises BadQuestion."""
        reader = Reader(params)
        if question == "search":
            document = self._search(reader)
        elif question == "nearby":
            document = self._nearby(reader)
        elif question:
            place = self._by_number.get(_id(question))
            if place is None:
                return None
            document = location(place)
        else:
            document = {"data": self._many(reader)}
        return json.dumps(document, ensure_ascii=False)

    def _search(self, reader: Reader) -> Document:
        query = reader.needed("query")
        if len(query) > _LONGEST_QUERY:
            raise BadQuestion("query", f"size must be between 1 and {_LONGEST_QUERY}", query)
        reader.choice("search_type", _SEARCH_TYPES)
        found = [
            place
            for place in self._catalogue.by_words(query, _table(reader), is_every_word_needed=True)
            if isinstance(place, TruePlace) and _is_in(place, reader)
        ]
        return _page(found, reader, lambda place: {"location": location(place), "matched_value": _match(place, query)})

    def _nearby(self, reader: Reader) -> Document:
        least = reader.number("min_rating", 1, 5)
        hits = [
            hit
            for hit in self._around(reader, _table(reader))
            if isinstance(hit.listing, TruePlace) and (least is None or (hit.listing.rating or 0) >= least)
        ]
        if reader.choice("sort", _SORTS) == "rating":
            hits.sort(key=lambda hit: -(hit.listing.rating or 0) if isinstance(hit.listing, TruePlace) else 0)
        return _page(hits, reader, _nearby_item)

    def _around(self, reader: Reader, table: PlaceTable | None) -> list[Hit]:
        radius_km = reader.radius_km("unit", "MI")
        latitude, longitude = reader.number("lat", -90, 90), reader.number("lon", -180, 180)
        corners = [reader.number(side, -180, 180) for side in _BOX]
        reference = reader.text("location_id")
        given = [latitude is not None or longitude is not None, any(c is not None for c in corners), reference]
        if sum(map(bool, given)) != 1:
            raise BadQuestion("lat", "exactly one of lat/lon, location_id and a box must be given", latitude)
        if given[1]:
            south, west, north, east = corners
            if south is None or west is None or north is None or east is None or south > north or west > east:
                raise BadQuestion("sw_lat", "a box needs two corners, southwest before northeast", south)
            return self._catalogue.within(Point(south, west), Point(north, east), table)
        if reference:
            place = self._by_number.get(_id(reference))
            if place is None:
                raise BadQuestion("location_id", "is not known", reference)
            latitude, longitude = place.latitude, place.longitude
        if latitude is None or longitude is None:
            raise BadQuestion("lat", "must come with lon", latitude)
        if radius_km is None:
            raise BadQuestion("radius", "must not be null", None)
        return self._catalogue.around(Point(latitude, longitude), radius_km, table)

    def _many(self, reader: Reader) -> list[Document]:
        ids = [_id(text) for text in reader.all("id")]
        if not 1 <= len(ids) <= MOST_IDS:
            raise BadQuestion("id", f"size must be between 1 and {MOST_IDS}", len(ids))
        return [location(self._by_number[number]) for number in dict.fromkeys(ids) if number in self._by_number]


def location(place: TruePlace) -> Document:
    """Return a place as Terra writes it, with numbers as numbers and names by language."""
    names = [{"language": "en", "value": place.name, "primary": True}]
    if place.local_name:
        names.append({"language": "hi", "value": place.local_name, "primary": False})
    phones = [{"value": "constructed-contact-phone", "type": "MAIN"}] if place.number % 2 else []
    overall = {} if place.rating is None else {"overall": {"rating": place.rating, "count": place.number % 900 + 1}}
    return {
        "id": place.number,
        "geo_id": city_number(place),
        "geo": f"{place.city_name}, {place.state_name}",
        "names": names,
        "status": {"value": "CLOSED" if place.trap == "gone" else "OPEN"},
        "descriptions": [{"language": "en", "value": "Constructed description."}],
        "coordinates": {"latitude": place.latitude, "longitude": place.longitude},
        "addresses": [_address(place)],
        "phone_numbers": phones,
        "urls": {"tripadvisor": {"main": f"{SITE}/{place.number}"}},
        "traveler_ratings": {**overall, "breakdowns": [], "subratings": []},
        **({"recommended_visit_length": place.number % 4 + 1} if place.table == "attractions" else {}),
    }


def _address(place: TruePlace) -> Document:
    return {
        "street_address": " ".join(filter(None, (place.street, place.street_more))),
        "city": place.city_name,
        "state": place.state_name,
        "country_name": place.country,
        "country_code": place.country_code,
        **({"postal_code": place.postcode} if place.postcode else {}),
        "formatted": place.address,
    }


def _nearby_item(hit: Hit) -> Document:
    assert isinstance(hit.listing, TruePlace)
    return {
        "location": location(hit.listing),
        "bearing": _BEARINGS[round(hit.turn * 8) % 8],
        "distance_miles": round(hit.km / KM_PER_MILE, 2),
        "distance_kilometers": round(hit.km, 2),
    }


def _page(found: Sequence[T], reader: Reader, write: Callable[[T], Document]) -> Document:
    page, size = reader.whole("page", 1, 1, 10_000), reader.whole("size", MOST_PER_PAGE, 1, MOST_PER_PAGE)
    shown = found[(page - 1) * size : page * size]
    pagination = {"page": page, "size": size, "total_pages": -(-len(found) // size), "total_elements": len(found)}
    return {"data": [write(each) for each in shown], "pagination": pagination}


def _match(place: TruePlace, query: str) -> Document:
    """Return the name that the query met: the local one where it is written in its script."""
    if place.local_name and set(words_of(query)) <= set(words_of(place.local_name)):
        return {"language": "hi", "value": place.local_name}
    return {"language": "en", "value": place.name}


def _table(reader: Reader) -> PlaceTable | None:
    return _CATEGORIES.get(reader.choice("category", _CATEGORIES) or "")


def _is_in(place: TruePlace, reader: Reader) -> bool:
    country, city, postcode = reader.text("country_code"), reader.text("geo_name"), reader.text("postal_code")
    if country and country != place.country_code:
        return False
    # A postal code counts more than a name of a city.
    return place.postcode == postcode if postcode else not city or words_of(city) == words_of(place.city_name)


def _id(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:20]) > _LARGEST_ID:
        raise BadQuestion("id", "must be a whole number of 31 bits", text)
    return int(text)
