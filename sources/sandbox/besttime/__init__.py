"""BestTime: `POST /besttime/api/v1/forecasts`, with the name and address of a venue, or its id, in the address.

The key goes as `api_key_private` and comes back in each forecast. Any key is good but one that begins with `refused`.
A venue that is not known, or has too few visitors, is a failure (404), and some questions are answered with another
venue than was meant: one of the city, one at the same corner, or one in New York. Endpoints that read stored forecasts
are not served. Calls beyond the limits, by the second and by the minute, are refused.
"""

import json
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.besttime import failures
from sources.sandbox.besttime.finding import Finder
from sources.sandbox.besttime.forecast import Document, Writer
from sources.sandbox.clock import Clock
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.recorder import count_call
from sources.sandbox.world import World

SECOND_LIMIT = Limit(calls=10, seconds=1.0)
MINUTE_LIMIT = Limit(calls=300, seconds=60.0)

_REFUSED = "refused"
_JSON = "application/json"
_KEY = "api_key_private"
_LONGEST = {"venue_name": 256, "venue_address": 1024}
_KEPT = 8_192


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    server = _BestTime(world, clock)
    return [Route("/api/v1/forecasts", server.forecast, methods=["POST"])]


class _BestTime:
    def __init__(self, world: World, clock: Clock) -> None:
        self._finder = Finder(world.places, world.crowd)
        self._write = lru_cache(maxsize=_KEPT)(Writer(clock.as_of).forecast)
        self._as_of = clock.as_of
        self._second, self._minute, self._clock = Limiter(SECOND_LIMIT), Limiter(MINUTE_LIMIT), clock

    async def forecast(self, request: Request) -> Response:
        now = self._clock.now()
        count_call(request.scope, self._second, now)
        asked = dict(request.query_params)
        key = asked.pop(_KEY, "")
        if not key or key.startswith(_REFUSED):
            return JSONResponse(failures.KEY, 401)
        if not (self._second.admit(now) and self._minute.admit(now)):
            return JSONResponse(failures.TOO_MANY, 429)
        too_long = [name for name, most in _LONGEST.items() if len(asked.get(name, "")) > most]
        if too_long:
            return JSONResponse(failures.too_long({name: _LONGEST[name] for name in too_long}), 400)
        name, address, venue_id = (asked.get(field, "") for field in ("venue_name", "venue_address", "venue_id"))
        if not venue_id and not (name and address):
            return JSONResponse(failures.MISSING, 400)
        found = self._finder.by_id(venue_id) if venue_id else self._finder.by_words(name, address)
        if found is None:
            return JSONResponse(failures.not_found(name, address), 404)
        if found.crowd.days is None:
            return JSONResponse(failures.no_volume(found, self._as_of), 404)
        document: Document = {**self._write(found), _KEY: key}
        return Response(json.dumps(document, ensure_ascii=False), media_type=_JSON)
