"""Tripozo: flights, trains and buses at `/tripozo/...`, as pages.

- `GET /flight/results?origin=..&destination=..&from=..&...`: cards of flights, in the classes that are known of the
  real page. A question with a parameter missing gets the page as it is before its results are drawn.
- `GET /train/list?city=..&state=..`: the trains that call at the stations of a city, in one of two forms.
- `GET /train/{number}/schedule`: all stops of a train.
- `GET /bus/results?from=..&to=..&date=..`: buses, in one of two forms.

Where no layout of the real site is public, the forms are those of the closest equivalents, and of the constructed
captures. One page of each kind is given in three seconds; faster calls get a page that says so (429).
"""

from collections.abc import Callable, Mapping
from datetime import date

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.clock import Clock
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.recorder import count_call
from sources.sandbox.tripozo.buses import BusPages
from sources.sandbox.tripozo.flights import FlightPages
from sources.sandbox.tripozo.markup import error_page
from sources.sandbox.tripozo.trains import TrainPages
from sources.sandbox.world import World

LIMIT = Limit(calls=1, seconds=3.0)

# A body and its media type; None for a page that is not there.
Body = tuple[str, str] | None
Answering = Callable[[Mapping[str, str]], Body]


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    trains, buses = TrainPages(world.trains, world.buses.cities), BusPages(world.buses)
    pages: tuple[tuple[str, Answering, str | None], ...] = (
        ("/flight/results", FlightPages(world.flights).results, "from"),
        ("/train/list", trains.listing, None),
        ("/train/{number}/schedule", trains.schedule, None),
        ("/bus/results", buses.results, "date"),
    )
    return [Route(path, _Pages(answering, day, clock).respond, methods=["GET"]) for path, answering, day in pages]


class _Pages:
    """One kind of page, behind its limit; `day` is the parameter that names one, where there is any."""

    def __init__(self, answering: Answering, day: str | None, clock: Clock) -> None:
        self._answering, self._day, self._clock = answering, day, clock
        self._limiter = Limiter(LIMIT)

    async def respond(self, request: Request) -> Response:
        now = self._clock.now()
        count_call(request.scope, self._limiter, now)
        if not self._limiter.admit(now):
            return HTMLResponse(error_page("Too Many Requests"), 429)
        asked = {**request.query_params, **request.path_params}
        if self._day in asked and not _is_day(asked[self._day]):
            return HTMLResponse(error_page("Bad Request"), 400)
        answer = self._answering(asked)
        if answer is None:
            return HTMLResponse(error_page("Not Found"), 404)
        body, media_type = answer
        return Response(body, media_type=media_type)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
