"""From the document of a day to rows of `flights`, one for each flight that is flown under its own number."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import Any

from sources.flightstats.appendix import FIELDS as APPENDIX_FIELDS
from sources.flightstats.appendix import Appendix
from sources.flightstats.reading import Fields, Record, UnfitError, flight_number, settled, text, unknown
from sources.protocol.types import Parsed, Refusal, Row, Skipped

TABLE = "flights"

_DATA = "scheduledFlights"
_KEY = ("Flight Number", "OriginAirport", "DestAirport", "FlightDate", "DepTime")
_CODESHARE = "a flight under the number of an airline that only sells it"

# Local time without an offset. One with an offset, or with seconds, would mean something else.
_LOCAL = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:00(\\.0+)?")
_MOST_DAYS_LATER = 4

_SOLD: Fields = dict.fromkeys(
    ("carrierFsCode", "flightNumber", "serviceType", "serviceClasses", "trafficRestrictions", "referenceCode")
)
_FIELDS: Fields = {
    "request": None,
    "error": None,
    "appendix": APPENDIX_FIELDS,
    _DATA: {
        **_SOLD,
        **dict.fromkeys(("departureAirportFsCode", "arrivalAirportFsCode", "departureTime", "arrivalTime", "stops")),
        **dict.fromkeys(("departureTerminal", "arrivalTerminal", "flightEquipmentIataCode")),
        **dict.fromkeys(("isCodeshare", "isWetlease")),
        "codeshares": _SOLD,
        "operator": _SOLD,
    },
}


def flights_of(document: dict[str, Any]) -> Iterator[Parsed]:
    """Yield the flights of a day. A day without flights is an answer like any other. Never raises."""
    flights = document.get(_DATA)
    if not isinstance(flights, list):
        yield Refusal("no_flights", "the answer holds no list of flights, not even an empty one", _DATA, table=TABLE)
        return
    appendix = Appendix(document)
    yield from settled(TABLE, flights, _DATA, _KEY, lambda flight: _flight(flight, appendix))
    yield from unknown(document, _FIELDS)


def _flight(flight: Record, appendix: Appendix) -> list[Row | Skipped]:
    is_sold = flight.get("isCodeshare")
    if not isinstance(is_sold, bool):
        raise UnfitError("bad_type", "it is not told whether the flight is a codeshare", "isCodeshare", is_sold)
    if is_sold:
        return [Skipped(_CODESHARE, 1)]
    code, airline = appendix.airline(flight, "carrierFsCode")
    ends = "departureAirportFsCode", "arrivalAirportFsCode"
    origin, destination = (appendix.airport(flight, end) for end in ends)
    zones = [appendix.time_zone(flight, end) for end in ends]
    departure, arrival = (_local(flight, field) for field in ("departureTime", "arrivalTime"))
    days_later = (arrival.date() - departure.date()).days
    duration_min = _minutes_between(departure, arrival, zones)
    if duration_min < 1 or not 0 <= days_later <= _MOST_DAYS_LATER:
        raise UnfitError(
            "bad_times", "the flight arrives before it departs, or days later", "arrivalTime", str(arrival)
        )
    row = Row(
        TABLE,
        {
            "Flight Number": f"{code}-{flight_number(flight)}",
            "Airline": airline,
            "OriginAirport": origin,
            "DestAirport": destination,
            "DepTime": f"{departure:%H:%M}",
            "ArrTime": f"{arrival:%H:%M}",
            "arr_day_offset": days_later,
            "duration_min": duration_min,
            "Price": None,
            "fare_class": None,
            "FlightDate": departure.date(),
            # One day says nothing about the others.
            "days_of_operation": None,
        },
    )
    return [row]


def _local(flight: Record, field: str) -> datetime:
    written = text(flight, field)
    try:
        if not _LOCAL.fullmatch(written):
            raise ValueError
        return datetime.fromisoformat(written[:19])
    except ValueError:
        raise UnfitError("bad_time", f"{field} must be local time to the minute", field, written) from None


def _minutes_between(departure: datetime, arrival: datetime, zones: list[tzinfo]) -> int:
    """Return how long a flight takes, by the clocks of two airports."""
    try:
        # In UTC: Python counts between two times of one zone as if its clocks were never moved.
        start, end = (
            time.replace(tzinfo=zone).astimezone(UTC) for time, zone in zip((departure, arrival), zones, strict=True)
        )
    except OverflowError:
        raise UnfitError("bad_time", "a year at the end of the calendar", "departureTime", str(departure)) from None
    return int((end - start).total_seconds() // 60)
