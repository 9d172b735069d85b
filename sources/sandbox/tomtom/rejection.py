"""What is said where nothing is answered: the error documents of the two services, and the messages that they share."""

from collections.abc import Collection
from typing import Any
from urllib.parse import parse_qsl

VERSION = "0.0.12"

_ENGINE = "Engine error while executing route request"
NO_ROUTE_MESSAGE = f"{_ENGINE}: NO_ROUTE_FOUND: route search failed between origin and waypoint 1"
STOPPED_MESSAGE = f"{_ENGINE}: NO_ROUTE_FOUND: route search STOPPED between origin and waypoint 1"
OUT_OF_TIME_MESSAGE = f"{_ENGINE}: COMPUTE_TIME_LIMIT_EXCEEDED: route search STOPPED"


class Rejected(Exception):
    """A call that is answered with an error document."""

    def __init__(self, status: int, document: dict[str, Any]) -> None:
        super().__init__(document)
        self.status, self.document = status, document


def rejected_matrix(code: str, message: str, status: int = 400) -> Rejected:
    """Return the rejection of a matrix, or of a call about a job."""
    return Rejected(status, {"detailedError": {"code": code, "message": message}})


def rejected_route(code: str, message: str, *, has_description: bool = True) -> Rejected:
    """Return the rejection of a route; the older of the two fields that say why is not always there."""
    description = {"error": {"description": message}} if has_description else {}
    return Rejected(400, {"formatVersion": VERSION, **description, "detailedError": {"message": message, "code": code}})


def off_road_message(side: str, latitude: float, longitude: float) -> str:
    """Return what is said of a point (`side` is Origin or Destination) that lies off every road."""
    return f"{_ENGINE}: MAP_MATCHING_FAILURE: {side} ({latitude}, {longitude})"


def unknown_parameter(query: str, known: Collection[str]) -> str | None:
    """Return what is said of a parameter that is not known, None if all are; it repeats the query, keys included."""
    names = [name for name, _ in parse_qsl(query, keep_blank_values=True)]
    unknown = next((name for name in names if name not in known), None)
    return None if unknown is None else f"Unknown parameter: {unknown}. Query: {query}"
