"""A place as both APIs tell of it, and its rows: one of its own table, and its hours."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from schemas.text import fold
from schemas.vocab import term_map, vocabulary
from sources.protocol.types import Refusal, Row, Unknown
from sources.tripadvisor.hours import Interval
from sources.tripadvisor.reading import Record, UnfitError, shown, text

HOURS = "place_hours"

# What the page of a listing begins with where nobody can go to it: a tour for sale, a flat, a line, a whole country.
_NO_PLACE = re.compile(r"/(AttractionProduct|Attraction_Products|VacationRental|Airline|Cruise|ShowForum|Tourism)")
# A restaurant is one of three levels, of which the middle one spans two signs; it takes the lower.
_RANGE = "$$ - $$$"


class Kind(NamedTuple):
    """What a place is: its table, its token of `poi_types`, and what the page of its listing is called."""

    table: str
    poi_type: str
    page: str


KINDS: Mapping[str, Kind] = {
    "hotel": Kind("accommodations", "accommodation", "/Hotel_Review-"),
    "restaurant": Kind("restaurants", "restaurant", "/Restaurant_Review-"),
    "attraction": Kind("attractions", "attraction", "/Attraction_Review-"),
}


class Place(NamedTuple):
    """What both APIs tell of a place, by staged column."""

    source_id: str
    name: str
    latitude: float | None
    longitude: float | None
    rating: float | None
    address: str | None
    locality: str | None
    website: str | None
    city_name: str | None
    state_name: str | None
    search_city_id: str | None


def place_row(kind: Kind, place: Place, further: Mapping[str, Any]) -> Row:
    """Return the row of a place, with the columns that only its table has."""
    return Row(kind.table, {**place._asdict(), **further})


def hours_row(kind: Kind, source_id: str, interval: Interval) -> Row:
    """Return one row of opening hours."""
    weekday, state, opens, closes, offset = interval
    values = {
        "poi_type": kind.poi_type,
        "weekday": weekday,
        "hours_state": state,
        "opens": opens,
        "closes": closes,
        "closes_day_offset": offset,
        "source_id": source_id,
    }
    return Row(HOURS, values)


def refusal(error: UnfitError, table: str | None, source_id: str | None, prefix: str = "") -> Refusal:
    """Return the refusal of one record, which is named by its id alone."""
    return Refusal(error.code, error.message, f"{prefix}{error.where}", table=table, value=source_id)


def is_stray(named: str | None, code: str | None, subject: Mapping[str, str]) -> bool:
    """Whether a place says, by name or code, that it lies in another country than was asked about."""
    if code and subject.get("country"):
        return code.upper() != subject["country"]
    asked = subject.get("country_name")
    return bool(named and asked) and fold(named or "") != fold(asked or "")


def stray(subject: Mapping[str, str]) -> UnfitError:
    """Return the error of a place in another country: text is compared across borders."""
    return UnfitError("wrong_country", f"the place does not lie in {subject.get('country_name')}", "address")


def listing(record: Record, name: str, kind: Kind | None) -> str | None:
    """Return the page of a listing, None where there is none; one of something else than a place is refused."""
    page = text(record, name)
    if page is None:
        return None
    try:
        parts = urlsplit(page)
        is_page = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_page = False
    if not is_page:
        raise UnfitError("bad_url", f"{name} is no address of a page", name)
    if _NO_PLACE.match(parts.path):
        raise UnfitError("no_place", f"{name} is the page of something that is no place", name)
    if kind and any(parts.path.startswith(other.page) for other in KINDS.values() if other is not kind):
        raise UnfitError("contradictory_category", f"{name} is not the page of one of the {kind.table}", name)
    return page


def kind_of_listing(page: Any) -> Kind | None:
    """Return what a place is by the page of its listing, None where that does not tell."""
    return next((kind for kind in KINDS.values() if isinstance(page, str) and kind.page in page), None)


def price_tier(record: Record) -> int | None:
    """Return the price level of a restaurant from its signs, None where there are none."""
    signs = text(record, "price_level")
    if signs is None:
        return None
    sign = _RANGE.partition(" ")[0] if signs == _RANGE else signs
    tiers = vocabulary("price_tiers").terms
    found = next((tier for tier, attributes in tiers.items() if attributes["sign"] == sign), None)
    if found is None:
        raise UnfitError("bad_price_level", "price_level is none of the known levels", "price_level")
    return int(found)


def mapped(terms: Iterable[str], map_name: str) -> list[str] | None:
    """Return the tokens that terms lead to, in the order of the vocabulary, None where they lead to none."""
    leads = term_map(map_name)
    found = {token for term in terms for token in leads.lookup(_spelled(term)) or ()}
    return [token for token in vocabulary(leads.vocabulary).tokens if token in found] or None


def unmapped(terms: Iterable[str], map_name: str, path: str) -> Iterator[Unknown]:
    """Yield the terms that nobody has reviewed."""
    leads = term_map(map_name)
    return (Unknown(f"{path}: {shown(term)}") for term in terms if leads.lookup(_spelled(term)) is None)


def _spelled(term: str) -> str:
    """Return a code such as `middle_eastern` in the words of a map."""
    return term.replace("_", " ")
