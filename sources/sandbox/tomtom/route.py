"""One route of calculateRoute, with the three extra travel times on demand, its traffic and its ferry."""

import re
from datetime import datetime, time, timedelta
from random import Random
from typing import Any
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

import numpy as np

from sources.sandbox.clock import Clock
from sources.sandbox.roads import NO_ROUTE, OK, Floats
from sources.sandbox.tomtom.network import Network, take
from sources.sandbox.tomtom.rejection import (
    NO_ROUTE_MESSAGE,
    OUT_OF_TIME_MESSAGE,
    VERSION,
    off_road_message,
    rejected_route,
    unknown_parameter,
)

# With the values that the sandbox knows; none are any.
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "key": (),
    "departAt": (),
    "computeTravelTimeFor": ("none", "all"),
    "routeRepresentation": ("polyline", "summaryOnly"),
    "traffic": ("true", "false"),
    "travelMode": ("car",),
    "routeType": ("fastest",),
    "maxAlternatives": ("0",),
    "sectionType": ("traffic", "ferry"),
}
_DEGREES = r"(-?\d+(?:\.\d+)?)"
_ENDS = re.compile(rf"{_DEGREES},{_DEGREES}:{_DEGREES},{_DEGREES}")
_POINTS = 40
_MOST_SECTIONS = 3
_OFF_BY_A_SECOND = 0.2


def answer_route(points: str, query: str, network: Network, clock: Clock) -> dict[str, Any]:
    """Return the document for the route between two points. Raises Rejected.

    A departure now is at some time of the day of the data, so that the same question gets the same answer.
    """
    asked = _asked(query)
    ends = _ends(points)
    trip = _Trip(ends, network, clock, asked.get("departAt", ["now"])[-1])
    summary = trip.summary(is_all="all" in asked.get("computeTravelTimeFor", []))
    line = {} if "summaryOnly" in asked.get("routeRepresentation", []) else {"points": _line(ends)}
    wanted = [name.upper() for name in asked.get("sectionType", ["traffic", "ferry"])]
    sections = [section for section in trip.sections() if section["sectionType"] in wanted]
    route = {"summary": summary, "legs": [{"summary": summary, **line}], "sections": sections}
    return {"formatVersion": VERSION, "routes": [route]}


class _Trip:
    """What there is to say of a journey from one city to another."""

    def __init__(self, ends: Floats, network: Network, clock: Clock, depart_at: str) -> None:
        origin, destination = network.places(ends).tolist()
        _check_road(origin, destination, ends, network)
        cities = network.roads.cities
        names = f"{cities[origin].city_id}:{cities[destination].city_id}"
        self._random = Random(f"{network.roads.seed}:tomtom:{names}")
        self._zones = [ZoneInfo(cities[place].time_zone) for place in (origin, destination)]
        today = datetime.combine(clock.as_of, time(9), self._zones[0])
        self._departure = today + timedelta(seconds=self._random.randrange(3600))
        if depart_at != "now":
            self._departure = _moment(depart_at, self._zones[0])
        if self._departure.date() < clock.as_of:
            raise rejected_route("BAD_INPUT", f"Invalid value for departAt: {depart_at}. It lies in the past")
        # Of a day to come nobody knows the traffic: the time that it takes as a rule is all there is.
        self._is_future = self._departure.date() > clock.as_of
        truth = {name: matrix[origin, destination].item() for name, matrix in network.measures._asdict().items()}
        self._metres, self._is_by_ferry = truth["metres"], truth["is_by_ferry"]
        self._free_flow_s, self._historical_s = truth["free_flow_s"], truth["historical_s"]
        self._live_s = truth["historical_s" if self._is_future else "live_s"]
        self._delay_s = 0 if self._is_future else truth["delay_s"]

    def summary(self, *, is_all: bool) -> dict[str, Any]:
        lag_s = self._random.choice((-1, 1)) if self._random.random() < _OFF_BY_A_SECOND else 0
        arrival = self._departure + timedelta(seconds=max(0, self._live_s + lag_s))
        held_up_m = int(self._metres * self._random.uniform(0.02, 0.2)) if self._delay_s else 0
        summary: dict[str, Any] = {
            "lengthInMeters": self._metres,
            "travelTimeInSeconds": self._live_s,
            "trafficDelayInSeconds": self._delay_s,
        }
        if not self._is_future:
            summary["trafficLengthInMeters"] = held_up_m
        summary["departureTime"] = self._departure.isoformat(timespec="seconds")
        summary["arrivalTime"] = arrival.astimezone(self._zones[1]).isoformat(timespec="seconds")
        if is_all:
            summary["noTrafficTravelTimeInSeconds"] = self._free_flow_s
            summary["historicTrafficTravelTimeInSeconds"] = self._historical_s
            summary["liveTrafficIncidentsTravelTimeInSeconds"] = self._live_s
        return summary

    def sections(self) -> list[dict[str, Any]]:
        """Return stretches of the line: those where traffic holds up, in all as long as it delays, and a ferry."""
        count = min(_MOST_SECTIONS, self._delay_s)
        cuts = sorted(self._random.sample(range(1, self._delay_s), count - 1)) if count else []
        delays = np.diff([0, *cuts, self._delay_s]).tolist() if count else []
        borders = sorted(self._random.sample(range(_POINTS), 2 * count))
        sections = [
            self._jam(delay, start, end) for delay, start, end in zip(delays, borders[::2], borders[1::2], strict=True)
        ]
        if self._is_by_ferry:
            sections.append({"startPointIndex": 1, "endPointIndex": 2, "sectionType": "FERRY"})
        return sections

    def _jam(self, delay_s: int, start: int, end: int) -> dict[str, Any]:
        causes = self._random.sample(range(1, 10), self._random.randint(1, 3))
        return {
            "startPointIndex": start,
            "endPointIndex": end,
            "sectionType": "TRAFFIC",
            "effectiveSpeedInKmh": self._random.randint(3, 30),
            "delayInSeconds": delay_s,
            "magnitudeOfDelay": 1 if delay_s < 60 else 2 if delay_s < 600 else 3,
            "tec": {"causes": [{"mainCauseCode": cause} for cause in causes], "effectCode": 6},
        }


def _check_road(origin: int, destination: int, ends: Floats, network: Network) -> None:
    if take(network.is_slow_alone, np.array([origin]), np.array([destination])).any():
        raise rejected_route("COMPUTE_TIME_LIMIT_EXCEEDED", OUT_OF_TIME_MESSAGE, has_description=False)
    status = network.measures.status[origin, destination]
    if status == NO_ROUTE:
        raise rejected_route("NO_ROUTE_FOUND", NO_ROUTE_MESSAGE)
    if status != OK:
        side, point = ("Origin", ends[0]) if network.is_off_road[origin] else ("Destination", ends[1])
        raise rejected_route("MAP_MATCHING_FAILURE", off_road_message(side, *point.tolist()), has_description=False)


def _asked(query: str) -> dict[str, list[str]]:
    if complaint := unknown_parameter(query, _PARAMETERS):
        raise rejected_route("BAD_INPUT", complaint)
    asked: dict[str, list[str]] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if _PARAMETERS[name] and value not in _PARAMETERS[name]:
            known = ", ".join(_PARAMETERS[name])
            raise rejected_route("BAD_INPUT", f"Invalid value for {name}: {value}. Value must be one of {known}")
        asked.setdefault(name, []).append(value)
    return asked


def _ends(points: str) -> Floats:
    match = _ENDS.fullmatch(points)
    ends = np.array(match.groups() if match else [np.nan] * 4, np.float64).reshape(2, 2)
    if not (np.abs(ends) <= (90.0, 180.0)).all():
        raise rejected_route("BAD_INPUT", f"Invalid points: {points}. The sandbox routes from lat,lon to lat,lon")
    return ends


def _moment(text: str, zone: ZoneInfo) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise rejected_route("BAD_INPUT", f"Invalid value for departAt: {text}") from None
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)


def _line(ends: Floats) -> list[dict[str, float]]:
    """Return the points of a route, which is straight in the constructed world whatever its length."""
    line = np.linspace(ends[0], ends[1], _POINTS).round(5).tolist()
    return [{"latitude": latitude, "longitude": longitude} for latitude, longitude in line]
