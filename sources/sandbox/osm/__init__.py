"""OpenStreetMap, through Overpass: `/osm/api/interpreter` and `/osm/api/status`, in their real wire form.

Like the real server it refuses clients that do not say who they are (406), questions that it cannot read (400), calls
beyond its limit (429) and what is too much for it: a box that holds more than MOST_ELEMENTS is answered with a remark
and no or half of its elements, as if that were a success; one of BUSY_FROM_ELEMENTS or more with 504. The same box
gets the same answer for ever, so it helps only to ask for less.
"""

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.clock import Clock
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.osm import pages
from sources.sandbox.osm.agents import is_identifying
from sources.sandbox.osm.answer import Answers
from sources.sandbox.osm.elements import encode
from sources.sandbox.osm.query import QueryError, parse_query
from sources.sandbox.recorder import count_call
from sources.sandbox.world import World

# A client that keeps one call in two seconds stays below it with a call to spare, which absorbs how unevenly calls
# travel; two clients that keep that rate each for itself exceed it.
LIMIT = Limit(calls=5, seconds=8.0)

_HTML = "text/html; charset=utf-8"


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    server = _Overpass(world, clock)
    return [
        Route("/api/interpreter", server.interpreter, methods=["GET", "POST"]),
        Route("/api/status", server.status, methods=["GET"]),
    ]


class _Made(NamedTuple):
    status: int
    media_type: str
    body: str


class _Overpass:
    def __init__(self, world: World, clock: Clock) -> None:
        self._answers = Answers(encode(world), world.seed, clock.as_of)
        self._clock = clock
        self._limiter = Limiter(LIMIT)
        self._made = lru_cache(maxsize=4096)(self._make)

    async def interpreter(self, request: Request) -> Response:
        now = self._clock.now()
        count_call(request.scope, self._limiter, now)
        if not is_identifying(request.headers):
            return Response(pages.not_acceptable(), 406, media_type="text/html; charset=iso-8859-1")
        made = self._made(await _question(request))
        # A question that cannot be read never reaches the database, so it uses nothing up.
        if made.status != 400 and not self._limiter.admit(now):
            return Response(pages.rate_limited(), 429, media_type=_HTML)
        return Response(made.body, made.status, media_type=made.media_type)

    async def status(self, request: Request) -> Response:
        if not is_identifying(request.headers):
            return Response(pages.not_acceptable(), 406, media_type="text/html; charset=iso-8859-1")
        return Response(pages.status(self._limiter, self._clock), media_type="text/plain")

    def _make(self, question: str) -> _Made:
        try:
            query = parse_query(question)
        except QueryError as error:
            return _Made(400, _HTML, pages.error(str(error)))
        document = self._answers.answer(query)
        if document is None:
            return _Made(504, _HTML, pages.too_busy())
        return _Made(200, "application/json", document)


async def _question(request: Request) -> str:
    """Return the query of a call: the field `data` of its form or address."""
    if request.method == "GET":
        return request.query_params.get("data", "")
    form = parse_qs((await request.body()).decode("utf-8", "replace"))
    return form.get("data", [""])[0]
