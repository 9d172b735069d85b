"""TomTom: Matrix Routing v2 and calculateRoute v1 under `/tomtom/routing`, in their real wire form.

- `POST /matrix/2` answers at once. `POST /matrix/2/async` submits a job; `GET /matrix/2/async/{jobId}` tells its state
  and `.../result` gives its cells, in no order, once it is completed.
- `GET /1/calculateRoute/{lat,lon:lat,lon}/json` gives one route, with all its times on demand.

The gateway in front wants a key (one that ends in `contracted` is that of a contracted account, which may ask for
more), and refuses calls beyond its limits. Like the real provider it fails within answers that are successes: cells
without a road, cells that were stopped and cells that are not there. The last two are right when they are asked for
once more, and so is the one job that expires. What it cannot route it refuses, so nothing is ever answered by guess.
"""

from collections.abc import Awaitable, Callable

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sources.sandbox.clock import Clock
from sources.sandbox.limiter import Limit
from sources.sandbox.tomtom.gateway import Account, Gateway
from sources.sandbox.tomtom.jobs import Jobs
from sources.sandbox.tomtom.matrix import answer_matrix
from sources.sandbox.tomtom.network import Network
from sources.sandbox.tomtom.question import read_matrix
from sources.sandbox.tomtom.rejection import Rejected
from sources.sandbox.tomtom.route import answer_route
from sources.sandbox.world import World

# As documented: submissions, states and downloads count alike.
MATRIX_LIMIT = Limit(calls=10, seconds=1.0)
ROUTING_LIMIT = Limit(calls=5, seconds=1.0)

_JSON = "application/json"

Endpoint = Callable[[Request], Awaitable[Response]]
Answering = Callable[[Request, Account], Awaitable[Response]]


def routes(world: World, clock: Clock) -> list[BaseRoute]:
    """Return the routes of the provider."""
    server = _TomTom(world, clock)
    matrix, routing = Gateway(MATRIX_LIMIT, clock), Gateway(ROUTING_LIMIT, clock)
    packed = [Middleware(GZipMiddleware, compresslevel=1)]
    job = "/routing/matrix/2/async/{job_id}"
    route = "/routing/1/calculateRoute/{points}/json"
    return [
        Route("/routing/matrix/2", _behind(matrix, server.matrix), methods=["POST"], middleware=packed),
        Route("/routing/matrix/2/async", _behind(matrix, server.submit), methods=["POST"]),
        Route(job, _behind(matrix, server.state), methods=["GET"]),
        Route(f"{job}/result", _behind(matrix, server.result), methods=["GET"], middleware=packed),
        Route(route, _behind(routing, server.route), methods=["GET"], middleware=packed),
    ]


def _behind(gateway: Gateway, answering: Answering) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        entered = gateway.enter(request)
        if isinstance(entered, Response):
            return entered
        try:
            return await answering(request, entered)
        except Rejected as rejected:
            return JSONResponse(rejected.document, rejected.status)

    return endpoint


class _TomTom:
    def __init__(self, world: World, clock: Clock) -> None:
        self._network = Network(world.roads)
        self._jobs = Jobs(self._network, clock)
        self._clock = clock

    async def matrix(self, request: Request, account: Account) -> Response:
        question = read_matrix(request.url.query, await request.body())
        question.check(account.most_at_once(question))
        return Response(answer_matrix(question, self._network).body, media_type=_JSON)

    async def submit(self, request: Request, account: Account) -> Response:
        question = read_matrix(request.url.query, await request.body())
        question.check(account.most_in_a_job)
        job = self._jobs.submit(question)
        return JSONResponse({"jobId": job.id, "state": "Submitted"}, 202)

    async def state(self, request: Request, _: Account) -> Response:
        job, state = self._jobs.state(request.path_params["job_id"])
        statistics = {"statistics": job.answer.counts} if state == "Completed" else {}
        return JSONResponse({"jobId": job.id, "state": state, **statistics})

    async def result(self, request: Request, _: Account) -> Response:
        return Response(self._jobs.result(request.path_params["job_id"]), media_type=_JSON)

    async def route(self, request: Request, _: Account) -> Response:
        return JSONResponse(answer_route(request.path_params["points"], request.url.query, self._network, self._clock))
