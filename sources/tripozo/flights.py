"""From the cards of flights to rows of `flights`: one flight on one day, with its lowest fare where one is shown."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from schemas.text import clean, is_placeholder
from sources.protocol.types import Parsed, Refusal, Row, Skipped
from sources.tripozo.clocks import journey, read_clock, read_duration
from sources.tripozo.money import lowest_fare
from sources.tripozo.page import Page
from sources.tripozo.raw import RawFlight
from sources.tripozo.records import Found, remarks
from sources.tripozo.unfit import UnfitError, shown

TABLE = "flights"

# `(6E-2031)`, or the flights of a connection: the text stands between two signs.
_CODES = re.compile(r"\W?([A-Z0-9]{2}-?[0-9]{1,5}(?: ?[,/] ?[A-Z0-9]{2}-?[0-9]{1,5}){0,9})\W?")
_CODE = re.compile(r"([A-Z0-9]{2})-?0*([1-9][0-9]{0,3})")
_AIRPORT = re.compile("[A-Z]{3}")
_FARE_CLASSES = {"1": "Economy"}
# Between the two nearest airports takes longer, and no flight within a region takes as long.
_LEAST_MIN, _MOST_MIN = 15, 1440


def rows(found: Iterable[Found], page: Page) -> Iterator[Parsed]:
    """Yield the row of each card, or why it has none; what leads over several flights is skipped."""
    day = _day(page)
    if day is None:
        message = "nothing says of which day the flights are; give the address of the page, with its `from`"
        yield Refusal("no_date", message, table=TABLE)
        return
    connections = placeholders = 0
    for raw in found:
        if not isinstance(raw, RawFlight):
            yield from remarks(raw)
            continue
        try:
            codes = _codes(raw)
            if len(codes) > 1:
                connections += 1
                continue
            row, has_placeholder = _row(raw, codes[0], day, page.params)
        except UnfitError as error:
            yield error.refusal(TABLE, raw.where, shown(raw.code or ""))
            continue
        placeholders += has_placeholder
        yield row
    if connections:
        yield Skipped("a connection of several flights", connections)
    if placeholders:
        yield Skipped("a placeholder in place of a fare; the row stays", placeholders)


def _day(page: Page) -> date | None:
    try:
        return date.fromisoformat(page.params.get("from", ""))
    except ValueError:
        return None


def _codes(raw: RawFlight) -> list[str]:
    written = clean(raw.code or "")
    if not _CODES.fullmatch(written):
        raise UnfitError("bad_flight_number", "the code of the flight cannot be read", "code")
    found = [f"{code[1]}-{code[2]}" for code in _CODE.finditer(written)]
    if not found:
        raise UnfitError("bad_flight_number", "the flight has no number", "code")
    return found


def _row(raw: RawFlight, code: str, day: date, params: Mapping[str, str]) -> tuple[Row, bool]:
    airline = clean(raw.airline or "")
    if is_placeholder(airline):
        raise UnfitError("no_airline", "the card names no airline", "airline")
    origin, destination = _airport(raw.origin, "origin"), _airport(raw.destination, "destination")
    if origin == destination:
        raise UnfitError("same_airport", "the flight ends where it begins", "destination")
    departs, arrives = read_clock(raw.departs, "departs"), read_clock(raw.arrives, "arrives")
    found = journey(departs, arrives, arrives.day, read_duration(raw.duration, "duration"))
    if not _LEAST_MIN <= found.duration_min <= _MOST_MIN:
        raise UnfitError("bad_duration", f"no flight takes {found.duration_min} minutes", "duration")
    fare, has_placeholder = lowest_fare(raw.fares, "fare")
    values = {
        "Flight Number": code,
        "Airline": airline,
        "OriginAirport": origin,
        "DestAirport": destination,
        "DepTime": found.departs,
        "ArrTime": found.arrives,
        "arr_day_offset": found.day_offset,
        "duration_min": found.duration_min,
        "Price": fare,
        "fare_class": _FARE_CLASSES.get(params.get("class", "")),
        "FlightDate": day + timedelta(days=found.days_late),
        "days_of_operation": None,
    }
    return Row(TABLE, values), has_placeholder


def _airport(text: str | None, where: str) -> str:
    code = clean(text or "").strip("()")
    if not _AIRPORT.fullmatch(code):
        raise UnfitError("bad_airport", f"{shown(code)!r} is no code of an airport", where)
    return code
