"""FlightStats: Ratings v1 and Schedules v1 under `/flightstats/flex`, in their real wire form.

- `GET /ratings/rest/v1/json/route/{dep}/{arr}` and `.../flight/{carrier}/{number}`: how punctual flights were.
- `GET /schedules/rest/v1/json/from/{dep}/to/{arr}/departing/{year}/{month}/{day}`: the flights of a day.

`appId` and `appKey` stand in the address. As at the real provider a failure is an `error` object in a success, which
may repeat who asked. Nobody has seen what it says of too many calls: a quota that is spent is refused as a key is, in
the words of the gateway that is known to stand there, and calls that come too fast are refused by a plain 429.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.clock import Clock
from sources.sandbox.flightstats.documents import BadQuestion, Document, failed
from sources.sandbox.flightstats.geography import Geography
from sources.sandbox.flightstats.ratings import DATA as RATINGS
from sources.sandbox.flightstats.ratings import Ratings
from sources.sandbox.flightstats.schedules import DATA as FLIGHTS
from sources.sandbox.flightstats.schedules import Schedules
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.recorder import count_call
from sources.sandbox.world import World

# The plan for evaluation, as documented. How many calls a second are borne is not: this is a guess on the safe side.
QUOTA = Limit(calls=20_000, seconds=30 * 86_400.0)
PACE = Limit(calls=4, seconds=1.0)

Answering = Callable[[Request], Document]

_SHORTEST = 8
_REFUSED = "refused"
_PARAMETERS = frozenset({"appId", "appKey", "codeType", "departureAirport"})


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    geography = Geography(world, clock.as_of)
    ratings, schedules = Ratings(world, geography), Schedules(world, geography)
    door = _Door(clock)
    route, number = "/ratings/rest/v1/json/route/{dep}/{arr}", "/ratings/rest/v1/json/flight/{carrier}/{number}"
    day = "/schedules/rest/v1/json/from/{dep}/to/{arr}/departing/{year:int}/{month:int}/{day:int}"
    return [
        door.route(route, RATINGS, lambda asked: _of_route(ratings, asked)),
        door.route(number, RATINGS, lambda asked: _of_flight(ratings, asked)),
        door.route(day, FLIGHTS, lambda asked: _of_day(schedules, asked)),
    ]


def _of_route(ratings: Ratings, asked: Request) -> Document:
    return ratings.of_route(asked.path_params["dep"], asked.path_params["arr"])


def _of_flight(ratings: Ratings, asked: Request) -> Document:
    carrier, number = asked.path_params["carrier"], asked.path_params["number"]
    return ratings.of_flight(carrier, number, asked.query_params.get("departureAirport"))


def _of_day(schedules: Schedules, asked: Request) -> Document:
    where: dict[str, Any] = asked.path_params
    try:
        day = date(where["year"], where["month"], where["day"])
    except ValueError:
        raise BadQuestion("BAD_DATE", "The date is none", {}) from None
    return schedules.of_day(where["dep"], where["arr"], day)


class _Door:
    """Who may come in, and how often. What a question means is not its business."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._quota, self._pace = clock, Limiter(QUOTA), Limiter(PACE)

    def route(self, path: str, data: str, answering: Answering) -> Route:
        """Return the route of an endpoint behind the door; `data` is the list that a failure leaves empty."""

        async def respond(request: Request) -> Response:
            now = self._clock.now()
            count_call(request.scope, self._pace, now)
            if not self._pace.admit(now):
                return PlainTextResponse("Too Many Requests", 429, {"Retry-After": "1"})
            return JSONResponse(self._answer(request, data, answering, now))

        return Route(f"/flex{path}", respond, methods=["GET"])

    def _answer(self, request: Request, data: str, answering: Answering, now: float) -> Document:
        try:
            document = answering(request)
        except BadQuestion as bad:
            document = failed(bad.echo, 400, bad.code, str(bad), data)
        # Whoever asks is looked at last, so that a refusal repeats the question as a genuine one does.
        echo, refusal = document["request"], _why_refused(request)
        if refusal is None and not self._quota.admit(now):
            refusal = "limits_exceeded:usage limits are exceeded"
        if refusal is not None:
            return failed(echo, 403, "AUTH_FAILURE", f"Authorization failed. {refusal}", data)
        unknown = sorted(request.query_params.keys() - _PARAMETERS)
        return failed(echo, 400, "BAD_REQUEST", f"Unknown parameter {unknown[0]}", data) if unknown else document


def _why_refused(request: Request) -> str | None:
    """Return why an application is refused, in words that repeat its id or its key."""
    app, key = (request.query_params.get(name, "") for name in ("appId", "appKey"))
    if len(app) < _SHORTEST or app.startswith(_REFUSED):
        return f'application_not_found:application with id="{app}" was not found'
    if len(key) < _SHORTEST or key.startswith(_REFUSED):
        return f'application_key_invalid:application key "{key}" is invalid'
    return None
