"""The gateway before the services: who may ask, how much at once, and how often. It speaks HTML, never JSON."""

from dataclasses import dataclass
from itertools import count

from starlette.requests import Request
from starlette.responses import Response

from sources.sandbox.clock import Clock
from sources.sandbox.limiter import Limit, Limiter
from sources.sandbox.recorder import count_call
from sources.sandbox.tomtom.question import MatrixQuestion, Size

_SHORTEST_KEY = 8
# Older and newer gateways refuse the same thing differently; one call in so many comes to a newer one.
_NEWER = 4


@dataclass(frozen=True)
class Account:
    """What an account may ask for: in a job, and at once where the question is unboxed."""

    most_in_a_job: Size
    most_unboxed: Size

    def most_at_once(self, question: MatrixQuestion) -> Size:
        """Return how large a matrix may be that is to be answered at once."""
        if question.is_unboxed:
            return self.most_unboxed
        return Size(200, 200) if question.is_in_a_box else Size(100, 100)


STANDARD = Account(Size(2_500, 1_000), Size(200, 200))
CONTRACTED = Account(Size(100_000_000, 10_000), Size(2_500, 1_000))


class Gateway:
    """The gateway of one group of endpoints, which share a limit."""

    def __init__(self, limit: Limit, clock: Clock) -> None:
        self._limiter = Limiter(limit)
        self._clock = clock
        self._refusals = count(1)

    def enter(self, request: Request) -> Account | Response:
        """Count a call; return whose it is, or what it is refused with."""
        now = self._clock.now()
        count_call(request.scope, self._limiter, now)
        key = request.query_params.get("key", "")
        if len(key) < _SHORTEST_KEY:
            return _page("Inactive", "Account Inactive")
        if not self._limiter.admit(now):
            if next(self._refusals) % _NEWER == 0:
                return Response(status_code=429)
            return _page("Over Qps", "Account Over Queries Per Second Limit", {"Retry-After": "1"})
        return CONTRACTED if key.endswith("contracted") else STANDARD


def _page(what: str, detail: str, more: dict[str, str] | None = None) -> Response:
    headers = {
        **(more or {}),
        "X-Error-Detail-Header": detail,
        "X-Mashery-Error-Code": "ERR_403_DEVELOPER_" + what.upper().replace(" ", "_"),
        # Said to be XML and written as HTML; what is said to be text would also be given a charset.
        "Content-Type": "text/xml",
    }
    return Response(f"<h1>Developer {what}</h1>", 403, headers)
