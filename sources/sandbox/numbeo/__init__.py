"""Numbeo's API at `/numbeo/api/...`: cities, items, currency_exchange_rates and city_prices.

It takes its key as `api_key` in the address. What fails is answered with status 200 and a member `error`, as at the
provider; a key that begins with `expired` gets a page. A city that is asked for by free text may be answered with a
namesake, and one whose id was given away is answered with another city's prices.
"""

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.clock import Clock
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.numbeo.answers import Answers, Failure
from sources.sandbox.recorder import count_call
from sources.sandbox.world import World

# The real limit is not known; it is one that a polite client never feels.
LIMIT = Limit(calls=1, seconds=1.0)

_EXPIRED, _REFUSED = "expired", "refused"
_PAGE = (
    "<!DOCTYPE html>\n<html><head><title>Numbeo API</title></head><body>Constructed: renew your key.</body></html>\n"
)


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    return [Route("/api/{question}", _Server(world, clock).respond, methods=["GET"])]


class _Server:
    def __init__(self, world: World, clock: Clock) -> None:
        self._answers = Answers(world.prices, world.seed)
        self._limiter, self._clock = Limiter(LIMIT), clock

    async def respond(self, request: Request) -> Response:
        now = self._clock.now()
        count_call(request.scope, self._limiter, now)
        is_admitted = self._limiter.admit(now)
        key = request.query_params.get("api_key", "")
        if key.startswith(_EXPIRED):
            return HTMLResponse(_PAGE)
        if not key or key.startswith(_REFUSED):
            return _failed("Invalid api_key")
        if not is_admitted:
            return _failed("Too many requests")
        try:
            return JSONResponse(self._answers.answer(request.path_params["question"], request.query_params))
        except Failure as failure:
            return _failed(str(failure))


def _failed(words: str) -> Response:
    return JSONResponse({"error": words})
