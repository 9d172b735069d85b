"""Which venue an answer is about, and whether it is the place that was asked about: often it is another one nearby.

The rule: the venue keeps the time of the place's city and lies within 2 km of the place, and either

- both have the same name, and lie within 500 m of each other or at the same address; or
- the name of one holds all words of the other's, and they lie at the same address.

Names and addresses are sets of words without accents, case, articles and the names of city, state and country.
Addresses are the same where at least half of the words of the shorter one stand in the other. What a saved answer was
asked about may not be known; then as much of the rule holds as can be looked at.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from geopy.distance import great_circle

from schemas.text import fold
from sources.besttime.reading import Record, UnfitError, degrees, text
from sources.protocol.types import Answer

FARTHEST_KM = 2.0
NEAR_KM = 0.5

_ID = re.compile(r"ven_[0-9A-Za-z]{8,200}")
_SMALL_WORDS = frozenset({"a", "an", "and", "at", "in", "of", "on", "the"})


class Venue(NamedTuple):
    """A venue, by staged column; what only forecasts tell is None elsewhere."""

    venue_id: str
    venue_name: str
    venue_address: str | None = None
    latitude: float | None = None
    longitude: float | None = None


class Asked(NamedTuple):
    """The place that was asked about, as far as that is known. `area` names its city, state and country."""

    name: str | None
    address: str | None
    point: tuple[float, float] | None
    time_zone: str | None
    area: str


def asked_of(answer: Answer) -> Asked:
    """Return what an answer was asked about: name and address were sent, the rest was noted beside them."""
    subject = answer.subject
    return Asked(
        answer.params.get("venue_name"),
        answer.params.get("venue_address"),
        _point(subject),
        subject.get("time_zone") if subject.get("time_zone") in _zones() else None,
        subject.get("area", ""),
    )


def _point(subject: Mapping[str, str]) -> tuple[float, float] | None:
    try:
        latitude, longitude = float(subject["latitude"]), float(subject["longitude"])
    except (KeyError, ValueError):
        return None
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def identity(info: Record) -> Venue:
    """Return id and name of a venue; of other things no answer but a forecast tells. Raises UnfitError."""
    venue_id, name = info.get("venue_id"), text(info, "venue_name")
    if not isinstance(venue_id, str) or not _ID.fullmatch(venue_id):
        raise UnfitError("bad_id", "a venue needs an id of its own form", "venue_id")
    if name is None:
        raise UnfitError("no_name", "a venue needs a name", "venue_name")
    return Venue(venue_id, name)


def forecast_venue(info: Record, answer: Answer) -> Venue:
    """Return the venue of a forecast. Raises UnfitError, with the code `other_venue` for one that was not meant."""
    latitude, longitude = degrees(info, "venue_lat", 90), degrees(info, "venue_lon", 180)
    if latitude == longitude == 0:
        raise UnfitError("bad_point", "0, 0 stands for an unknown point, not for a venue", "venue_lat")
    address = text(info, "venue_address")
    venue = identity(info)._replace(venue_address=address, latitude=latitude, longitude=longitude)
    reason = _mismatch(asked_of(answer), venue, _time_zone(info), answer.fetched_at)
    if reason is not None:
        raise UnfitError("other_venue", f"another venue than was asked about: {reason}", "venue_info")
    return venue


def _time_zone(info: Record) -> str | None:
    zone = text(info, "venue_timezone")
    if zone is not None and zone not in _zones():
        raise UnfitError("bad_time_zone", "venue_timezone is no time zone", "venue_timezone")
    return zone


def _mismatch(asked: Asked, venue: Venue, zone: str | None, at: datetime) -> str | None:
    if zone and asked.time_zone and _offset(zone, at) != _offset(asked.time_zone, at):
        return "its time zone is another"
    km = great_circle(asked.point, (venue.latitude, venue.longitude)).km if asked.point else None
    if km is not None and km > FARTHEST_KM:
        return f"it lies more than {FARTHEST_KM:g} km away"
    if asked.name is None:
        return None
    ours, theirs = _words(asked.name, asked.area), _words(venue.venue_name, asked.area)
    if not (ours <= theirs or theirs <= ours):
        return "its name is another"
    is_at_address = _is_same_address(asked.address, venue.venue_address, asked.area)
    if ours != theirs and not is_at_address:
        return "its name is longer or shorter, and its address is another"
    if km is not None and km > NEAR_KM and not is_at_address:
        return f"it has the same name, but lies more than {NEAR_KM * 1000:g} m away at another address"
    return None


def _is_same_address(one: str | None, other: str | None, area: str) -> bool:
    left, right = (_street_words(address, area) for address in (one, other))
    return bool(left and right) and 2 * len(left & right) >= min(len(left), len(right))


def _street_words(address: str | None, area: str) -> frozenset[str]:
    return _split(address or "") - _split(area)


def _words(name: str, area: str) -> frozenset[str]:
    # A name may consist of nothing but the name of its city.
    return _split(name) - _split(area) or _split(name)


def _split(value: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", fold(value.replace("'", "").replace("\u2019", "")))) - _SMALL_WORDS


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _offset(zone: str, at: datetime) -> timedelta | None:
    # Zones have several names, so that only what they mean can be compared.
    return at.astimezone(ZoneInfo(zone)).utcoffset()


def marks(answer: Answer) -> Mapping[str, str | None]:
    """Return the staged columns that say which place was asked about; None where a saved answer does not tell."""
    return {"poi_type": answer.subject.get("poi_type"), "asked_place_id": answer.subject.get("place_id")}
