"""Events as schema.org writes them (JSON-LD): which objects are events, when and where each is, why some are left out.

Pure functions over decoded JSON, with nothing of District in them. Who performs, who hosts, and what is said about an
event is never looked at.
"""

from collections.abc import Iterator, Mapping
from datetime import date, time, timedelta
from typing import Any, NamedTuple

from schemas.text import clean, fold, is_placeholder
from schemas.vocab import term_map
from sources.district.cities import city_in_address
from sources.district.moments import Moment, read_moment
from sources.district.offers import last_word

Event = Mapping[str, Any]

# What goes on for longer is a sight that is open on any day, and no event.
MOST_DAYS = 31
ANY_DAY = "open on any day, so a sight and no event"

_WRAPPERS = ("@graph", "itemListElement", "item")
_SCHEDULED = frozenset({None, "EventScheduled", "EventRescheduled"})
_DROPPED = {
    "EventCancelled": "a cancelled event",
    "EventPostponed": "an event postponed to an unknown day",
    "EventMovedOnline": "an event that takes place online",
}
_OFFLINE = frozenset({None, "OfflineEventAttendanceMode", "MixedEventAttendanceMode"})
_ONLINE = "OnlineEventAttendanceMode"
# An evening that ends before six in the morning is over with its own day.
_MORNING = time(6)
_INDIA = frozenset({"in", "ind", "india"})
_SOUTH, _NORTH, _WEST, _EAST = 6.0, 38.0, 68.0, 98.0


class UnfitError(ValueError):
    """Something that costs an event: the code of a refusal, what is wrong, and the field."""

    def __init__(self, code: str, message: str, field: str) -> None:
        super().__init__(message)
        self.code, self.message, self.field = code, message, field


class Place(NamedTuple):
    """Where an event is, as written; `venue` is its name, `street` its address.

    `is_certain`: the city is told as one, or known to be one; another only stands where one is expected.
    """

    venue: str | None
    street: str | None
    city: str | None
    state: str | None
    is_certain: bool


def events_in(document: Any) -> Iterator[Event]:
    """Yield the events of a document, from lists, graphs and item lists, in their order."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            if any(kind.endswith("Event") for kind in kinds_of(value)):
                yield value
            else:
                waiting.extend(value[name] for name in reversed(_WRAPPERS) if isinstance(value.get(name), dict | list))


def kinds_of(record: Event) -> list[str]:
    """Return the types of a record, without the address of their vocabulary."""
    kind = record.get("@type")
    return [word for one in (kind if isinstance(kind, list) else [kind]) if (word := last_word(one))]


def reason_to_drop(event: Event) -> str | None:
    """Return why a rightly written event is of no use, None where it is of use. Raises UnfitError."""
    status, mode = last_word(event.get("eventStatus")), last_word(event.get("eventAttendanceMode"))
    if status in _DROPPED:
        return _DROPPED[status]
    if status not in _SCHEDULED:
        raise UnfitError("bad_status", "it is not known what this status means", "eventStatus")
    if mode == _ONLINE or any("VirtualLocation" in kinds_of(one) for one in _locations(event)[:1]):
        return "an event that takes place online"
    if mode not in _OFFLINE:
        raise UnfitError("bad_mode", "it is not known how people take part", "eventAttendanceMode")
    if _is_abroad(event):
        return "an event in another country"
    if event.get("eventSchedule") is not None:
        return ANY_DAY
    return None


def name_of(event: Event) -> str:
    """Return the title as written. Raises UnfitError."""
    name = text_of(event.get("name"))
    if name is None:
        raise UnfitError("bad_name", "an event needs a name", "name")
    return name


def days_of(event: Event) -> list[date]:
    """Return the local days on which an event takes place; none where it goes on for too long. Raises UnfitError.

    An end that is missing, or not behind the start, is unknown: then it is the day of the start alone.
    """
    start, end = read_moment(event.get("startDate")), read_moment(event.get("endDate"))
    if start is None:
        raise UnfitError("bad_date", "an event needs the day on which it begins", "startDate")
    if end is None and event.get("endDate") not in (None, ""):
        raise UnfitError("bad_date", "an end that is no moment", "endDate")
    days = max((_last_day(end) - start.day).days, 0) + 1 if end else 1
    return [start.day + timedelta(days=past) for past in range(days)] if days <= MOST_DAYS else []


def place_of(event: Event) -> Place:
    """Return where an event is. The name of a venue may hold its whole address."""
    location = next(iter(_locations(event)), {})
    venue, address = text_of(location.get("name")), location.get("address")
    if isinstance(address, list):
        address = next(iter(address), None)
    if isinstance(address, dict):
        street = text_of(address.get("streetAddress"))
        city, state = text_of(address.get("addressLocality")), text_of(address.get("addressRegion"))
    else:
        street, city, state = text_of(address), None, None
    street = street or venue
    if city is not None or street is None:
        return Place(venue, street, city, state, city is not None)
    written = city_in_address(street)
    return Place(venue, street, written.city, state or written.state, written.is_known)


def segment_of(event: Event) -> str | None:
    """Return the kind of an event by its key words, or else by its type; None where they name none or several."""
    words = event.get("keywords")
    texts = [text for one in (words if isinstance(words, list) else [words]) for text in _split(one)]
    for terms in (texts, kinds_of(event)):
        found = {token for term in terms for token in term_map("event_segments").lookup(term) or ()}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def text_of(value: Any) -> str | None:
    """Return a cleaned text, None where a value is none, cannot be written, or says that there is none."""
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        return None
    text = clean(value).rstrip(", ")
    return None if is_placeholder(text) else text


def _last_day(end: Moment) -> date:
    is_night = end.time is not None and end.time < _MORNING
    return end.day - timedelta(days=1) if is_night else end.day


def _locations(event: Event) -> list[dict[str, Any]]:
    location = event.get("location")
    members = location if isinstance(location, list) else [location]
    written = [{"name": one} if isinstance(one, str) else one for one in members]
    # Some write `type` for `@type`.
    return [{"@type": one.get("type"), **one} for one in written if isinstance(one, dict)]


def _is_abroad(event: Event) -> bool:
    location = next(iter(_locations(event)), {})
    address, point = location.get("address"), location.get("geo")
    country = address.get("addressCountry") if isinstance(address, dict) else None
    name = text_of(country.get("name") if isinstance(country, dict) else country)
    if name is not None and fold(name) not in _INDIA:
        return True
    if not isinstance(point, dict):
        return False
    latitude, longitude = _degrees(point.get("latitude")), _degrees(point.get("longitude"))
    if not latitude or not longitude:
        return False
    return not (_SOUTH <= latitude <= _NORTH and _WEST <= longitude <= _EAST)


def _degrees(value: Any) -> float | None:
    """Return degrees that are a number or a text, None for anything else; 0 stands for an unknown point."""
    try:
        degrees = float(value) if isinstance(value, str) and len(value) < 40 else value
    except ValueError:
        return None
    return float(degrees) if type(degrees) in (int, float) and abs(degrees) <= 180 else None


def _split(words: Any) -> list[str]:
    return [clean(word) for word in words.split(",")] if isinstance(words, str) else []
