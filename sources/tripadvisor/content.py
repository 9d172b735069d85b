"""The Content API: lists of hits, details of one place, and photos and reviews, of which nothing is kept.

What is personal (description, e-mail, telephone, the place's own page, whoever wrote or photographed) is known by name
and never read.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sources.protocol.types import Answer, Parsed, Refusal, Skipped, Unknown
from sources.tripadvisor.envelope import open_answer
from sources.tripadvisor.hours import Interval, intervals
from sources.tripadvisor.places import (
    HOURS,
    KINDS,
    Kind,
    Place,
    hours_row,
    is_stray,
    listing,
    mapped,
    place_row,
    price_tier,
    refusal,
    stray,
    unmapped,
)
from sources.tripadvisor.reading import (
    Fields,
    Record,
    UnfitError,
    inner,
    location_id,
    members,
    number,
    point,
    rating,
    text,
    texts,
    unknown,
    whole,
)

# What `category` of a question finds, by the word of the API.
CATEGORIES: Mapping[str, Kind] = {
    "hotels": KINDS["hotel"],
    "restaurants": KINDS["restaurant"],
    "attractions": KINDS["attraction"],
}
_SIGHTS = "attraction_categories"
# A list never holds more hits.
MOST_HITS = 10

_ADDRESS: Fields = dict.fromkeys(
    ("street1", "street2", "city", "state", "country", "postalcode", "address_string")
)  # fmt: skip
_WORDS: Fields = {"name": None, "localized_name": None}
_MOMENT: Fields = {"day": None, "time": None}
_HIT: Fields = {"location_id": None, "name": None, "address_obj": _ADDRESS, "distance": None, "bearing": None}
_LIST: Fields = {"data": None, "error": None}
_DETAILS: Fields = {
    **dict.fromkeys(
        ("location_id", "name", "web_url", "description", "latitude", "longitude", "timezone", "email", "phone",
         "website", "write_review", "see_all_photos", "rating", "rating_image_url", "num_reviews", "photo_count",
         "review_rating_count", "price_level", "amenities", "styles", "parent_brand", "brand", "features", "error")
    ),
    "address_obj": _ADDRESS,
    "ancestors": {"level": None, "name": None, "location_id": None, "abbrv": None},
    "ranking_data": dict.fromkeys(
        ("geo_location_id", "ranking_string", "geo_location_name", "ranking_out_of", "ranking")
    ),
    "subratings": {"*": {"name": None, "localized_name": None, "rating_image_url": None, "value": None}},
    "hours": {"periods": {"open": _MOMENT, "close": _MOMENT}, "weekday_text": None},
    "cuisine": _WORDS,
    "category": _WORDS,
    "subcategory": _WORDS,
    "groups": {"name": None, "localized_name": None, "categories": _WORDS},
    "neighborhood_info": {"location_id": None, "name": None},
    "trip_types": {"name": None, "localized_name": None, "value": None},
    "awards": {"award_type": None, "year": None, "images": None, "categories": None, "display_name": None},
}  # fmt: skip
_PHOTO: Fields = dict.fromkeys(
    ("id", "is_blessed", "caption", "published_date", "images", "album", "source", "user")
)  # fmt: skip
_REVIEW: Fields = dict.fromkeys(
    ("id", "lang", "location_id", "published_date", "rating", "helpful_votes", "rating_image_url", "url", "title",
     "text", "trip_type", "travel_date", "user", "subratings", "owner_response")
)  # fmt: skip
# Other interfaces of TripAdvisor give the same places in a like form, under other terms and with other meanings.
_LOOK_ALIKES = frozenset({"ranking_position", "raw_ranking", "is_closed", "percent_recommended", "location_string"})


class Hits(NamedTuple):
    """What a list names: the ids that are worth asking for, and whether there may be more than it could hold."""

    ids: tuple[str, ...] = ()
    is_full: bool = False


def hits(answer: Answer, subject: Mapping[str, str]) -> Hits:
    """Return the hits of a search or nearby answer, none of an answer that failed. Never raises."""
    document = open_answer(answer)
    found = None if isinstance(document, Refusal) else document.get("data")
    if not isinstance(found, list):
        return Hits()
    ids = []
    for item in found:
        try:
            ids.append(_hit(item, subject))
        except UnfitError:
            continue
    return Hits(tuple(dict.fromkeys(ids)), len(found) >= MOST_HITS)


def parse_list(document: dict[str, Any], answer: Answer) -> Iterator[Parsed]:
    """Yield what a search or nearby answer holds: hits to be asked for, and what is wrong with others."""
    kind = CATEGORIES.get(answer.params.get("category", ""))
    found = _data(document)
    yield from unknown(document, _LIST)
    good = 0
    for place, item in enumerate(found):
        yield from unknown(item, _HIT, "data[]")
        try:
            _hit(item, answer.subject)
        except UnfitError as error:
            yield refusal(error, kind.table if kind else None, _id_of(item), f"data[{place}].")
        else:
            good += 1
    if good:
        yield Skipped("a hit whose details are asked for", good)


def parse_dropped(document: dict[str, Any], answer: Answer) -> Iterator[Parsed]:
    """Yield how many photos or reviews are dropped, and nothing of what is in them."""
    word, fields = ("photo", _PHOTO) if answer.endpoint == "location_photos" else ("review", _REVIEW)
    found = _data(document)
    yield from unknown(document, _LIST)
    dropped = 0
    for place, item in enumerate(found):
        yield from unknown(item, fields, "data[]")
        if isinstance(item, dict) and type(item.get("id")) is int:
            dropped += 1
        else:
            yield Refusal("bad_id", f"a {word} needs a number", f"data[{place}].id")
    if dropped:
        yield Skipped(f"a {word}, of which nothing is kept", dropped)


def parse_details(document: dict[str, Any], answer: Answer) -> Iterator[Parsed]:
    """Yield the row of one place and those of its hours, or why there are none."""
    kind: Kind | None = None
    try:
        _refuse_look_alike(document)
        category = _category(document)
        kind = KINDS.get(category)
        if kind is None:
            yield Skipped("an area, which is no place", 1)
        else:
            place = _place(document, answer, kind)
            further, strangers = _FURTHER[category](document)
            yield place_row(kind, place, further)
            yield from _hours(document, kind, place.source_id)
            yield from strangers
    except UnfitError as error:
        yield refusal(error, kind.table if kind else None, _id_of(document))
    yield from unknown(document, _DETAILS)


def _data(document: Record) -> list[Any]:
    found = document.get("data")
    if not isinstance(found, list):
        raise UnfitError("not_tripadvisor", "the answer has no list under data", "data")
    return found


def _id_of(item: Any) -> str | None:
    try:
        return location_id(item) if isinstance(item, dict) else None
    except UnfitError:
        return None


def _hit(item: Any, subject: Mapping[str, str]) -> str:
    """Return the id of a hit."""
    if not isinstance(item, dict):
        raise UnfitError("bad_type", "a hit must be an object", "")
    _refuse_look_alike(item)
    found = location_id(item)
    if text(item, "name") is None:
        raise UnfitError("no_name", "a hit has no name", "name")
    number(item, "distance", 0, 25_000)
    if is_stray(text(_address(item), "country"), None, subject):
        raise stray(subject)
    return found


def _refuse_look_alike(record: Record) -> None:
    address = record.get("address_obj")
    has_nulls = isinstance(address, dict) and None in address.values()
    if has_nulls or not _LOOK_ALIKES.isdisjoint(record):
        raise UnfitError("look_alike", "a record of another interface of TripAdvisor", "")


def _address(record: Record) -> dict[str, Any]:
    if "address_obj" not in record:
        raise UnfitError("bad_address", "a listing has an address, if only its text", "address_obj")
    return inner(record, "address_obj")


def _category(document: Record) -> str:
    if "location_id" not in document and "category" not in document:
        raise UnfitError("not_tripadvisor", "the answer has not the form of details", "")
    category = text(inner(document, "category"), "name")
    if category not in KINDS and category != "geographic":
        raise UnfitError("unknown_category", "the listing is no hotel, restaurant or attraction", "category")
    return category or ""


def _place(document: Record, answer: Answer, kind: Kind) -> Place:
    source_id = location_id(document)
    if answer.params.get("location_id", source_id) != source_id:
        raise UnfitError("wrong_place", "the answer is about another place than was asked for", "location_id")
    name = text(document, "name")
    if name is None:
        raise UnfitError("no_name", "the place has no name", "name")
    address = _address(document)
    areas = {text(area, "level"): text(area, "name") for area in members(document, "ancestors")}
    if is_stray(text(address, "country") or areas.get("Country"), None, answer.subject):
        raise stray(answer.subject)
    latitude, longitude = point(document)
    quarters = members(document, "neighborhood_info")
    return Place(
        source_id=source_id,
        name=name,
        latitude=latitude,
        longitude=longitude,
        rating=rating(document, "rating", whole(document, "num_reviews", 0, 10**9)),
        address=text(address, "address_string"),
        # The narrowest comes first.
        locality=text(quarters[0], "name") if quarters else None,
        website=listing(document, "web_url", kind),
        city_name=text(address, "city") or areas.get("City"),
        state_name=text(address, "state") or areas.get("State"),
        search_city_id=answer.subject.get("city_id"),
    )


def _hours(document: Record, kind: Kind, source_id: str) -> Iterator[Parsed]:
    """Yield hours of a place; wrong ones cost themselves alone."""
    try:
        found = list(intervals(document))
    except UnfitError as error:
        yield refusal(error, HOURS, source_id)
        return
    for one in found:
        yield hours_row(kind, source_id, one) if isinstance(one, Interval) else one


Further = tuple[dict[str, Any], Iterator[Unknown]]


def _hotel(document: Record) -> Further:
    further = {
        "property_type": ", ".join(_names(document, "subcategory", "localized_name")) or None,
        "source_amenities": texts(document, "amenities") or None,
        "source_styles": texts(document, "styles") or None,
    }
    return further, iter(())


def _restaurant(document: Record) -> Further:
    codes = _names(document, "cuisine")
    further = {"cuisines": mapped(codes, "cuisines"), "price_tier": price_tier(document)}
    return further, unmapped(codes, "cuisines", "cuisine[].name")


def _attraction(document: Record) -> Further:
    """Return the categories: those of the groups, which are the finer ones, else those of the subcategories."""
    groups = members(document, "groups")
    names, codes = _names(document, "groups"), _names(document, "subcategory")
    inside = [name for group in groups for name in _names(group, "categories")]
    further = {
        "subcategories": mapped(names, _SIGHTS) or mapped(codes, _SIGHTS),
        "source_categories": list(dict.fromkeys((*names, *inside))) or codes or None,
    }
    if names:
        return further, unmapped(names, _SIGHTS, "groups[].name")
    return further, unmapped(codes, _SIGHTS, "subcategory[].name")


def _names(record: Record, name: str, key: str = "name") -> list[str]:
    """Return the names in a list of objects, each once, without the empty one that `Other` may hold."""
    return list(dict.fromkeys(filter(None, (text(one, key) for one in members(record, name)))))


_FURTHER = {"hotel": _hotel, "restaurant": _restaurant, "attraction": _attraction}
