"""District at `/district`: its sitemap, and the page of each event, in the two forms that addresses have.

Of the events of a world, some pages hold their data as scripts, some only within the streamed page data, and some not
at all. The sitemap leads to all of them, to events of years ago, to collections, and to pages that are gone.
"""

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.clock import Clock
from sources.sandbox.district.pages import COLLECTIONS, collection_page, event_page, sitemap
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.recorder import count_call
from sources.sandbox.world import World

# The site states no limit; it is one that a polite collector never feels.
LIMIT = Limit(calls=1, seconds=1.0)

_NOT_FOUND = "<!DOCTYPE html>\n<html><head><title>Constructed: not found</title></head><body></body></html>\n"


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    site = _Site(world, clock)
    return [
        Route("/sitemap/event-detail-pages.xml", site.sitemap, methods=["GET"]),
        Route("/events/{slug}", site.page, methods=["GET"]),
        Route("/{slug}/event", site.page, methods=["GET"]),
    ]


class _Site:
    def __init__(self, world: World, clock: Clock) -> None:
        self._seed, self._happenings = world.seed, world.happenings
        self._by_path = {
            happening.path: happening for happening in map(event_page, world.happenings) if not happening.is_gone
        }
        self._limiter, self._clock = Limiter(LIMIT), clock

    async def sitemap(self, request: Request) -> Response:
        return self._limited(request) or Response(sitemap(self._happenings), media_type="application/xml")

    async def page(self, request: Request) -> Response:
        refused = self._limited(request)
        if refused is not None:
            return refused
        path = request.url.path.removeprefix(request.scope.get("root_path", ""))
        if path in COLLECTIONS:
            return HTMLResponse(collection_page(path))
        found = self._by_path.get(path)
        return HTMLResponse(_NOT_FOUND, 404) if found is None else HTMLResponse(found.html(self._seed))

    def _limited(self, request: Request) -> Response | None:
        now = self._clock.now()
        count_call(request.scope, self._limiter, now)
        return None if self._limiter.admit(now) else PlainTextResponse("Constructed: too many requests", 429)
