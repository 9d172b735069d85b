"""From the document of one route to the row of its pair: travel times without traffic, as usual, and now."""

from collections.abc import Iterator
from typing import Any

from sources.protocol.types import Parsed, Refusal, Row, Skipped, Unknown
from sources.tomtom.envelope import Document, shown, unknown_fields
from sources.tomtom.points import Point

TABLE = "road_delay"

# Without a time of departure it is now; for a time to come there would be no live traffic in the answer. Without a
# vehicle it is a car.
QUESTION = {"computeTravelTimeFor": "all", "routeRepresentation": "summaryOnly", "traffic": "true"}

_TIMES = {
    "free_flow_travel_time_min": "noTrafficTravelTimeInSeconds",
    "historical_travel_time_min": "historicTrafficTravelTimeInSeconds",
    "live_travel_time_min": "liveTrafficIncidentsTravelTimeInSeconds",
}
_DELAY = "trafficDelayInSeconds"
# Less would be rounded to no time at all; more than two months is no drive.
_LEAST_SECONDS = 3
_MOST_SECONDS = 5_000_000
# Twice around the Earth.
_MOST_METRES = 80_000_000
_LENGTH = "lengthInMeters"

_TOP_FIELDS = frozenset({"formatVersion", "routes"})
_ROUTE_FIELDS = frozenset({"summary", "legs", "sections", "guidance", "progress"})
_SUMMARY_FIELDS = frozenset(
    {_LENGTH, "travelTimeInSeconds", "trafficLengthInMeters", "departureTime", "arrivalTime"}
    | {"deviationDistance", "deviationTime", "deviationPoint", _DELAY, *_TIMES.values()}
)
_LEG_FIELDS = frozenset({"summary", "points"})
_SECTION_FIELDS = frozenset(
    {"sectionType", "startPointIndex", "endPointIndex", "travelMode", "countryCode"}
    | {"delayInSeconds", "magnitudeOfDelay", "effectiveSpeedInKmh", "tec", "simpleCategory", "eventId"}
)


def delay_of(document: Document, pair: tuple[Point, Point]) -> Iterator[Parsed]:
    """Yield the row of `road_delay` of a pair, or why there is none. Never raises."""
    if "batchItems" in document:
        yield Refusal(
            "batch", "the answer to many questions at once; ask for one pair of cities at a time", table=TABLE
        )
        return
    routes = document.get("routes")
    first = routes[0] if isinstance(routes, list) and routes else None
    summary = first.get("summary") if isinstance(first, dict) else None
    if not isinstance(routes, list) or not isinstance(first, dict) or not isinstance(summary, dict):
        yield Refusal("no_summary", "the answer has no route with a summary", "routes", table=TABLE)
        return
    row = _row(summary, pair)
    yield row
    yield from _unknown(document, first, summary)
    if isinstance(row, Row) and _has_ferry(first.get("sections")):
        yield Skipped("routed by ferry; its row stays", 1)
    if len(routes) > 1:
        yield Skipped("another way for the same pair", len(routes) - 1)


def _row(summary: Document, pair: tuple[Point, Point]) -> Row | Refusal:
    where = "routes[0].summary."
    missing = [field for field in (*_TIMES.values(), _DELAY) if summary.get(field) is None]
    if missing:
        message = "a travel time is missing; ask with computeTravelTimeFor=all"
        return Refusal("no_time", message, where + missing[0], table=TABLE)
    least = {**dict.fromkeys(_TIMES.values(), _LEAST_SECONDS), _DELAY: 0}
    for field, lowest in least.items():
        seconds = summary[field]
        if type(seconds) is not int or not lowest <= seconds <= _MOST_SECONDS:
            return Refusal("bad_number", "no time in seconds", where + field, table=TABLE, value=shown(seconds))
    metres = summary.get(_LENGTH)
    if type(metres) is not int or not 1 <= metres <= _MOST_METRES:
        message = "no length of a road in metres"
        return Refusal("bad_number", message, where + _LENGTH, table=TABLE, value=shown(metres))
    (origin_latitude, origin_longitude), (destination_latitude, destination_longitude) = pair
    return Row(
        TABLE,
        {
            # Tenths of a minute are six seconds.
            **{column: (summary[field] + 3) // 6 / 10 for column, field in _TIMES.items()},
            # As given: it is no difference of the travel times.
            "traffic_delay_s": summary[_DELAY],
            "origin_latitude": origin_latitude,
            "origin_longitude": origin_longitude,
            "destination_latitude": destination_latitude,
            "destination_longitude": destination_longitude,
        },
    )


def _has_ferry(sections: Any) -> bool:
    return any(section.get("sectionType") == "FERRY" for section in _objects(sections))


def _unknown(document: Document, route: Document, summary: Document) -> Iterator[Unknown]:
    yield from unknown_fields(document, _TOP_FIELDS)
    yield from unknown_fields(route, _ROUTE_FIELDS, "routes[].")
    yield from unknown_fields(summary, _SUMMARY_FIELDS, "routes[].summary.")
    for leg in _objects(route.get("legs")):
        yield from unknown_fields(leg, _LEG_FIELDS, "routes[].legs[].")
    for section in _objects(route.get("sections")):
        yield from unknown_fields(section, _SECTION_FIELDS, "routes[].sections[].")


def _objects(members: Any) -> list[Document]:
    return [member for member in members if isinstance(member, dict)] if isinstance(members, list) else []
