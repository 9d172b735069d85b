"""TripAdvisor: the Content API at `/tripadvisor/api/v1/location/...` and Terra at `/tripadvisor/api/locations...`.

Both speak of the same places under the same ids, as at the provider. The Content API takes its key as `key` in the
address, Terra in the header `X-API-Key`. Any key is good but one that begins with `refused`; errors may repeat it, as
real ones do. Terra's reviews and photos are beyond the plan (403), as their form is not known. Limits by the second are
kept; those by the day are not, as nobody knows when a day begins.
"""

from collections.abc import Callable
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.clock import Clock
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.recorder import count_call
from sources.sandbox.tripadvisor import errors
from sources.sandbox.tripadvisor.content import ContentApi
from sources.sandbox.tripadvisor.reading import BadQuestion, Params
from sources.sandbox.tripadvisor.terra import Terra
from sources.sandbox.world import World

CONTENT_LIMIT = Limit(calls=50, seconds=1.0)
TERRA_LIMIT = Limit(calls=10, seconds=1.0)

Answer = Callable[[str, Params], str | None]

_REFUSED = "refused"
_JSON = "application/json"
# More than one page for each place of India, so that nothing is made twice.
_KEPT = 32_768


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    content = _Content(ContentApi(world.places, world.seed, clock.as_of).answer, Limiter(CONTENT_LIMIT), clock)
    terra = _Terra(Terra(world.places, world.seed).answer, Limiter(TERRA_LIMIT), clock)
    return [
        Route("/api/v1/location/{question:path}", content.respond, methods=["GET"]),
        Route("/api/locations", terra.respond, methods=["GET"]),
        Route("/api/locations/{number:int}/{what}", terra.beyond_plan, methods=["GET"]),
        Route("/api/locations/{question}", terra.respond, methods=["GET"]),
    ]


class _Server:
    """One of the two APIs: whom it lets in, how often, and how it words what goes wrong."""

    def __init__(self, answer: Answer, limiter: Limiter, clock: Clock) -> None:
        self._answer = lru_cache(maxsize=_KEPT)(answer)
        self._limiter, self._clock = limiter, clock

    def _is_admitted(self, request: Request) -> bool:
        now = self._clock.now()
        count_call(request.scope, self._limiter, now)
        return self._limiter.admit(now)


class _Content(_Server):
    async def respond(self, request: Request) -> Response:
        is_admitted = self._is_admitted(request)
        key = request.query_params.get("key", "")
        if not key:
            return Response(errors.envelope(401, "Unauthorized"), 401, media_type=_JSON)
        if key.startswith(_REFUSED):
            return Response(errors.GATEWAY, 403, media_type=_JSON)
        if not is_admitted:
            return Response(errors.TOO_MANY, 429, media_type="text/plain")
        params = tuple(pair for pair in request.query_params.multi_items() if pair[0] != "key")
        try:
            body = self._answer(request.path_params["question"], params)
        except BadQuestion as error:
            message = f"Bad Request: {error} in {request.url.path}?{request.url.query}"
            return Response(errors.envelope(400, message), 400, media_type=_JSON)
        if body is None:
            return Response(errors.envelope(404, "Not Found"), 404, media_type=_JSON)
        return Response(body, media_type=_JSON)


class _Terra(_Server):
    async def respond(self, request: Request) -> Response:
        refused = self._refused(request)
        if refused is not None:
            return refused
        try:
            body = self._answer(request.path_params.get("question", ""), tuple(request.query_params.multi_items()))
        except BadQuestion as error:
            field_error = {
                "field": error.field,
                "message": error.message,
                "object_name": "searchRequest",
                "rejected_value": error.rejected,
            }
            return self._problem(400, "Validation failed", request, field_error)
        if body is None:
            return Response(errors.NOT_FOUND, 404, media_type=_JSON)
        return Response(body, media_type=_JSON)

    async def beyond_plan(self, request: Request) -> Response:
        return self._refused(request) or self._problem(403, "The plan does not include this endpoint", request)

    def _refused(self, request: Request) -> Response | None:
        is_admitted = self._is_admitted(request)
        key = request.headers.get("x-api-key", "")
        if not key or key.startswith(_REFUSED):
            return self._problem(401, f"The key {key!r} is not valid", request)
        return None if is_admitted else self._problem(429, errors.TOO_MANY, request)

    def _problem(self, status: int, detail: str, request: Request, *field_errors: errors.FieldError) -> Response:
        instance = request.url.path.removeprefix(request.scope.get("root_path", ""))
        return Response(errors.problem(status, detail, instance, *field_errors), status, media_type=_JSON)
