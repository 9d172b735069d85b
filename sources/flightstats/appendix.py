"""The appendix of an answer: what the provider's own codes of airports and airlines stand for.

Its codes are its own: `UK*` is the airline UK and `VEJH` the airport JRG. Records are joined by them alone, never by
place in the list nor by a code that looks like one of IATA.
"""

import re
from collections.abc import Mapping
from datetime import timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from schemas.text import clean, is_placeholder
from sources.flightstats.reading import Fields, Record, UnfitError, text

_AIRPORT = re.compile("[A-Z]{3}")
_AIRLINE = re.compile("[A-Z0-9]{2}")
_ZONE = re.compile("[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")
_FARTHEST_OFFSET_H = 14
_HALF_LETTER = re.compile("[\ud800-\udfff]")

_CODES = ("fs", "iata", "icao", "name", "active")
_ADDRESS = ("street1", "street2", "city", "cityCode", "stateCode", "postalCode", "countryCode", "countryName")
_PLACE = ("regionName", "timeZoneRegionName", "weatherZone", "localTime", "utcOffsetHours", "latitude", "longitude")
FIELDS: Fields = {
    "airlines": dict.fromkeys(_CODES),
    "airports": dict.fromkeys((*_CODES, "faa", *_ADDRESS, *_PLACE, "elevationFeet", "classification")),
    "equipments": dict.fromkeys(("iata", "name", "turboProp", "jet", "widebody", "regional")),
}


class Appendix:
    """The airlines and airports of one answer, by the provider's own code. Lookups raise UnfitError."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        appendix = document.get("appendix")
        found = appendix if isinstance(appendix, dict) else {}
        self._airlines, self._airports = _by_code(found.get("airlines")), _by_code(found.get("airports"))

    def airline(self, record: Record, field: str) -> tuple[str, str | None]:
        """Return the IATA code and the name of the airline whose code stands in a field; None for no name."""
        airline = _found(self._airlines, record, field)
        return _iata(airline, _AIRLINE, field), _name(airline)

    def airport(self, record: Record, field: str) -> str:
        """Return the IATA code of the airport whose code stands in a field."""
        return _iata(_found(self._airports, record, field), _AIRPORT, field)

    def time_zone(self, record: Record, field: str) -> tzinfo:
        """Return the time zone of the airport whose code stands in a field.

        Its name tells the offset on any day; the offset of the day of the answer stands in where there is none.
        """
        airport = _found(self._airports, record, field)
        name: Any = airport.get("timeZoneRegionName")
        hours: Any = airport.get("utcOffsetHours")
        zone = _zone(name) if isinstance(name, str) else None
        if zone is not None:
            return zone
        if type(hours) in (int, float) and abs(hours) <= _FARTHEST_OFFSET_H:
            return timezone(timedelta(hours=hours))
        raise UnfitError("no_time_zone", "the appendix tells no time zone of the airport", field, record[field])


def _by_code(members: Any) -> dict[str, Record | None]:
    """Return records by code; None for a code that two of them claim."""
    records: dict[str, Record | None] = {}
    for member in members if isinstance(members, list) else ():
        if isinstance(member, dict) and isinstance(member.get("fs"), str):
            records[member["fs"]] = member if records.get(member["fs"], member) == member else None
    return records


def _found(records: Mapping[str, Record | None], record: Record, field: str) -> Record:
    code = text(record, field)
    found = records.get(code)
    if found is None:
        raise UnfitError("unknown_code", "the appendix does not say what this code stands for", field, code)
    return found


def _iata(found: Record, pattern: re.Pattern[str], field: str) -> str:
    code = found.get("iata")
    if not isinstance(code, str) or not pattern.fullmatch(code):
        raise UnfitError("no_iata", "the appendix knows no IATA code of this", field, found.get("fs"))
    return code


def _name(airline: Record) -> str | None:
    name = airline.get("name")
    if not isinstance(name, str) or _HALF_LETTER.search(name):
        return None
    cleaned = clean(name)
    return None if is_placeholder(cleaned) else cleaned


@lru_cache(maxsize=1024)
def _zone(name: str) -> ZoneInfo | None:
    if not _ZONE.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return None
