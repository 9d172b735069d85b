"""etrain.info: the running history of trains at `/etrain/train/...`, in its real page form.

- `GET /train/{Slug}-{number}/history?d=1w|1m|3m|6m|1y` gives a page, without `d` the one of this month. A bare number,
  or another slug before it, is sent on (301) to the right slug, and what was asked by `d` is lost on the way.
- `GET /sitemap-dynamic.xml` lists every train of which there is a page. Of others there is none (404).

One call in three seconds is taken, which is what those who know the site keep to; what it does itself is not known.
"""

from datetime import date
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.clock import Clock
from sources.sandbox.delays import runs_of, within
from sources.sandbox.etrain import pages
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.recorder import count_call
from sources.sandbox.trains import TrueTrain
from sources.sandbox.world import World

LIMIT = Limit(calls=1, seconds=3.0)

# Every page of some hundred trains, so that a train that is asked for again is not drawn again.
_KEPT = 2048


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    server = _Etrain(world, clock)
    return [
        Route("/train/{train}/history", server.history, methods=["GET"]),
        Route("/sitemap-dynamic.xml", server.sitemap, methods=["GET"]),
    ]


class _Etrain:
    def __init__(self, world: World, clock: Clock) -> None:
        self._trains = {train.number: train for train in world.trains if train.tracking != "unlisted"}
        self._seed, self._clock = world.seed, clock
        self._limiter = Limiter(LIMIT)
        self._page = lru_cache(maxsize=_KEPT)(self._made)

    async def history(self, request: Request) -> Response:
        if refused := self._refused(request):
            return refused
        asked = request.path_params["train"]
        train = self._trains.get(asked.rpartition("-")[2])
        window = request.query_params.get("d", pages.DEFAULT)
        if train is None or window not in pages.WINDOWS:
            return HTMLResponse(pages.NOT_FOUND, 404)
        if asked != pages.slug(train):
            root = request.scope.get("root_path", "")
            return RedirectResponse(f"{root}/train/{pages.slug(train)}/history", 301)
        return HTMLResponse(self._page(train, window, self._clock.as_of))

    async def sitemap(self, request: Request) -> Response:
        return self._refused(request) or Response(
            pages.sitemap(self._trains.values(), self._clock.as_of), media_type="application/xml"
        )

    def _refused(self, request: Request) -> Response | None:
        now = self._clock.now()
        count_call(request.scope, self._limiter, now)
        return None if self._limiter.admit(now) else PlainTextResponse("Too Many Requests", 429)

    def _made(self, train: TrueTrain, window: str, as_of: date) -> str:
        horizon, _ = pages.WINDOWS[window]
        return pages.history(train, window, within(runs_of(train, self._seed, as_of), horizon, as_of))
