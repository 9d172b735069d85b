"""Terra: locations as its lists and its single answers give them.

The shapes of hours and cuisines are not established, so nothing is read of them: what there is comes out as an unknown
field. Descriptions, telephone numbers, mail and the place's own page are known by name and never read.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sources.protocol.types import Answer, Parsed, Refusal
from sources.tripadvisor.envelope import open_answer
from sources.tripadvisor.places import KINDS, Kind, Place, is_stray, kind_of_listing, listing, place_row, refusal, stray
from sources.tripadvisor.reading import (
    Fields,
    Record,
    UnfitError,
    inner,
    location_id,
    members,
    point,
    rating,
    text,
    unknown,
    whole,
)

CATEGORIES: Mapping[str, Kind] = {
    "HOTEL": KINDS["hotel"],
    "RESTAURANT": KINDS["restaurant"],
    "ATTRACTION": KINDS["attraction"],
}
# A page never holds more.
PAGE_SIZE = 20

_WORDS: Fields = {"language": None, "value": None, "primary": None}
_LOCATION: Fields = {
    **dict.fromkeys(
        ("id", "geo_id", "geo", "descriptions", "phone_numbers", "official_email", "recommended_visit_length")
    ),
    "names": _WORDS,
    "status": {"value": None},
    "coordinates": {"latitude": None, "longitude": None},
    "addresses": dict.fromkeys(
        ("street_address", "city", "state", "country_name", "country_code", "postal_code", "formatted")
    ),
    "urls": {
        "tripadvisor": {"main": None, "photos": None, "write_review": None, "questions_answers": None},
        "official": None,
    },
    "traveler_ratings": {
        "overall": {"rating": None, "count": None, "icon_url": None},
        "breakdowns": None,
        "subratings": None,
    },
}
_PAGINATION: Fields = {"page": None, "size": None, "total_pages": None, "total_elements": None}
_ITEM: Fields = {
    "location": _LOCATION, "matched_value": {"language": None, "value": None}, "bearing": None,
    "distance_miles": None, "distance_kilometers": None,
}  # fmt: skip
_DOCUMENT: Fields = {"data": None, "pagination": _PAGINATION}


class Page(NamedTuple):
    """What a page of a list names: the ids of its places, and how many items it holds."""

    ids: tuple[str, ...] = ()
    items: int = 0


def page(answer: Answer, subject: Mapping[str, str]) -> Page:
    """Return what a page of a list names, nothing for one that failed. Never raises."""
    document = open_answer(answer)
    found = None if isinstance(document, Refusal) else document.get("data")
    if not isinstance(found, list):
        return Page()
    ids = []
    for item in found:
        try:
            location = inner(item, "location") if isinstance(item, dict) else {}
            kind = _kind(location, answer.params)
            ids.append(_place(location, kind, subject).source_id)
        except UnfitError:
            continue
    return Page(tuple(ids), len(found))


def parse_locations(document: dict[str, Any], answer: Answer) -> Iterator[Parsed]:
    """Yield the rows of the locations of any answer, a list or a single one, or why one has none."""
    if "data" not in document and "id" in document:
        yield from _parsed(document, answer, "")
        yield from unknown(document, _LOCATION)
        return
    found = document.get("data")
    if not isinstance(found, list):
        raise UnfitError("not_tripadvisor", "the answer has no list under data", "data")
    yield from unknown(document, _DOCUMENT)
    is_bare = answer.endpoint == "terra_locations"
    for place, item in enumerate(found):
        prefix = f"data[{place}]." if is_bare else f"data[{place}].location."
        yield from unknown(item, _LOCATION if is_bare else _ITEM, "data[]")
        location = item if is_bare or not isinstance(item, dict) else item.get("location")
        if isinstance(location, dict):
            yield from _parsed(location, answer, prefix)
        else:
            yield Refusal("bad_type", "a location must be an object", prefix.rstrip("."))


def _parsed(location: dict[str, Any], answer: Answer, prefix: str) -> Iterator[Parsed]:
    kind: Kind | None = None
    try:
        kind = _kind(location, answer.params)
        place = _place(location, kind, answer.subject)
    except UnfitError as error:
        yield refusal(error, kind.table if kind else None, _id_of(location), prefix)
    else:
        yield place_row(kind, place, {})


def _id_of(location: Record) -> str | None:
    try:
        return location_id(location, "id")
    except UnfitError:
        return None


def _kind(location: Record, params: Mapping[str, str]) -> Kind:
    """Return what a place is: what was asked for, else what the page of its listing is called."""
    kind = CATEGORIES.get(params.get("category", ""))
    urls = location.get("urls")
    pages = urls.get("tripadvisor") if isinstance(urls, dict) else None
    kind = kind or kind_of_listing(pages.get("main") if isinstance(pages, dict) else None)
    if kind is None:
        raise UnfitError("unknown_category", "nothing says whether it is a hotel, restaurant or attraction", "urls")
    return kind


def _place(location: Record, kind: Kind, subject: Mapping[str, str]) -> Place:
    source_id = location_id(location, "id")
    name = _name(location)
    status = text(inner(location, "status"), "value")
    if status is not None and status.upper() != "OPEN":
        raise UnfitError("not_open", "the status of the place is not that it is open", "status")
    addresses = members(location, "addresses")
    address = addresses[0] if addresses else {}
    if is_stray(text(address, "country_name"), text(address, "country_code"), subject):
        raise stray(subject)
    latitude, longitude = point(inner(location, "coordinates"))
    overall = inner(inner(location, "traveler_ratings"), "overall")
    return Place(
        source_id=source_id,
        name=name,
        latitude=latitude,
        longitude=longitude,
        rating=rating(overall, "rating", whole(overall, "count", 0, 10**9)),
        address=text(address, "formatted"),
        locality=None,
        website=listing(inner(inner(location, "urls"), "tripadvisor"), "main", kind),
        city_name=text(address, "city"),
        state_name=text(address, "state"),
        search_city_id=subject.get("city_id"),
    )


def _name(location: Record) -> str:
    """Return the primary name; where none is marked, the only one."""
    names = members(location, "names")
    primary = [one for one in names if one.get("primary") is True] or names
    found = [text(one, "value") for one in primary]
    if len(found) != 1 or found[0] is None:
        raise UnfitError("no_name", "the place has no primary name, or several", "names")
    return found[0]
