"""The Content API, version 1: search, nearby_search, details, photos and reviews."""

import json
from datetime import date
from typing import Any

from sources.sandbox.ground import KM_PER_MILE
from sources.sandbox.places import PlaceTable, TruePlace
from sources.sandbox.tripadvisor import opinions
from sources.sandbox.tripadvisor.details import Document, details, geo_details, item
from sources.sandbox.tripadvisor.finding import Catalogue, Hit, words_of
from sources.sandbox.tripadvisor.geos import Geo, geos_of
from sources.sandbox.tripadvisor.reading import BadQuestion, Params, Reader
from sources.sandbox.tripadvisor.words import LANGUAGES

MOST_HITS = 10
_DEFAULT_RADIUS_KM = 16.0
_TABLES: dict[str, PlaceTable] = {
    "hotels": "accommodations",
    "attractions": "attractions",
    "restaurants": "restaurants",
}
_CATEGORIES = (*_TABLES, "geos")
_BEARINGS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


class ContentApi:
    """The API over a world. Each method returns the document of a call, None for an id that is not known."""

    def __init__(self, places: tuple[TruePlace, ...], seed: int, as_of: date) -> None:
        listed = tuple(place for place in places if place.trap != "gone")
        geos = geos_of(places)
        listings: tuple[TruePlace | Geo, ...] = (*listed, *geos)
        self._by_number = {listing.number: listing for listing in listings}
        self._all = Catalogue(listings, seed)
        self._geos = Catalogue(geos, seed)
        self._seed, self._as_of = seed, as_of

    def answer(self, question: str, params: Params) -> str | None:
        """Answer `search`, `nearby_search` or `<id>/<what>`. Raises BadQuestion."""
        reader = Reader(params)
        language = reader.choice("language", LANGUAGES) or "en"
        if question == "search":
            document = {"data": self._search(reader)}
        elif question == "nearby_search":
            document = {"data": self._nearby(reader)}
        else:
            number, _, what = question.partition("/")
            if not number.isascii() or not number.isdigit():
                raise BadQuestion("locationId", "must be a whole number", number)
            listing = self._by_number.get(int(number[:20]))
            if listing is None:
                return None
            document = self._of_one(listing, what, language, reader)
        return json.dumps(document, ensure_ascii=False)

    def _of_one(self, listing: TruePlace | Geo, what: str, language: str, reader: Reader) -> Document:
        if what == "details":
            currency = reader.text("currency") or "USD"
            if len(currency) != 3 or not currency.isupper():
                raise BadQuestion("currency", "must be a code of ISO 4217", currency)
            return geo_details(listing) if isinstance(listing, Geo) else details(listing, self._seed)
        found = self._opinions(listing, what, language, reader)
        offset = reader.whole("offset", 0, 0, 10_000)
        return {"data": found[offset : offset + reader.whole("limit", opinions.PER_CALL, 1, opinions.PER_CALL)]}

    def _opinions(self, listing: TruePlace | Geo, what: str, language: str, reader: Reader) -> list[Document]:
        if isinstance(listing, Geo):
            return []
        if what == "reviews":
            found = opinions.reviews(listing, self._seed, self._as_of)
            return [review for review in found if review["lang"] == language.partition("_")[0]]
        sources = {source for text in reader.all("source") for source in text.split(",") if source}
        found = opinions.photos(listing, self._seed, self._as_of)
        return [photo for photo in found if not sources or photo["source"]["name"] in sources]

    def _search(self, reader: Reader) -> list[Document]:
        catalogue, table = self._catalogue(reader)
        found = catalogue.by_words(reader.needed("searchQuery"), table, is_every_word_needed=False)
        centre, radius_km = reader.point("latLong"), reader.radius_km("radiusUnit", "km")
        # Words alone decide unless a radius is given too: text matching knows no borders.
        if centre is not None and radius_km is not None:
            near = {hit.listing.number for hit in catalogue.around(centre, radius_km, table)}
            found = [listing for listing in found if listing.number in near]
        return [item(listing) for listing in found if _is_as_told(listing, reader)][:MOST_HITS]

    def _nearby(self, reader: Reader) -> list[Document]:
        catalogue, table = self._catalogue(reader)
        reader.needed("latLong")
        centre, radius_km = reader.point("latLong"), reader.radius_km("radiusUnit", "km")
        assert centre is not None
        hits = catalogue.around(centre, radius_km or _DEFAULT_RADIUS_KM, table)
        nearest = [hit for hit in hits if _is_as_told(hit.listing, reader)][:MOST_HITS]
        return [_nearby_item(hit) for hit in catalogue.in_drawn_order(nearest)]

    def _catalogue(self, reader: Reader) -> tuple[Catalogue, PlaceTable | None]:
        category = reader.choice("category", _CATEGORIES)
        return (self._geos, None) if category == "geos" else (self._all, _TABLES.get(category or ""))


def _is_as_told(listing: TruePlace | Geo, reader: Reader) -> bool:
    """Whether a listing has the phone and the address that a call asks for; no constructed phone has a digit."""
    if reader.text("phone"):
        return False
    address = words_of(reader.text("address") or "")
    return set(address) <= set(words_of(item(listing)["address_obj"]["address_string"]))


def _nearby_item(hit: Hit) -> dict[str, Any]:
    written = item(hit.listing)
    where = {"distance": str(hit.km / KM_PER_MILE), "bearing": _BEARINGS[round(hit.turn * 8) % 8]}
    return {"location_id": written["location_id"], "name": written["name"], **where,
            "address_obj": written["address_obj"]}  # fmt: skip
