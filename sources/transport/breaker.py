"""Which providers are not asked any more, and why. One stops; the others go on."""

import threading
from dataclasses import dataclass

from sources.protocol.declaration import Endpoint
from sources.protocol.types import Request
from sources.transport.attempts import Outcome
from sources.transport.errors import ProviderStopped
from sources.transport.marks import says

MOST_FAILURES = 3
"""So many requests in a row without any answer stop a provider: it is down, or it has shut us out."""


@dataclass(frozen=True)
class Stop:
    """Why a provider is not asked any more, and what to do."""

    cause: str
    next_step: str


def verdict(outcome: Outcome, endpoint: Endpoint) -> Stop | None:
    """Return why the provider must not be asked any more after this outcome, None where it may."""
    reply, pause_s = outcome.reply, outcome.pause_s
    variables = " and ".join(sorted({secret.variable for secret in endpoint.secrets}))
    if says(reply, endpoint.quota_marks):
        return Stop("it says that the quota is spent", "wait for the next period, or buy more")
    is_too_fast = says(reply, endpoint.rate_marks)
    if reply.status == 401 and not is_too_fast:
        return Stop("it does not accept us (401)", f"check {variables}" if variables else "look at its terms")
    if reply.status == 403 and not is_too_fast:
        return Stop("it shuts us out (403)", f"check {variables} and its terms" if variables else "look at its terms")
    if pause_s is not None:
        return Stop(f"it wants a pause of {pause_s:g} s", "try again later")
    if reply.status == 429 or is_too_fast:
        return Stop(f"it said {outcome.tries} times that there are too many calls ({reply.status})", "try again later")
    return None


class Breaker:
    """Stopped providers, for the life of one transport."""

    def __init__(self) -> None:
        self._stops: dict[str, Stop] = {}
        self._failures: dict[str, int] = {}
        self._lock = threading.Lock()

    @property
    def stops(self) -> dict[str, Stop]:
        """Return the stopped providers."""
        return dict(self._stops)

    def check(self, request: Request) -> None:
        """Raise ProviderStopped for a request of a stopped provider."""
        stop = self._stops.get(request.provider)
        if stop is not None:
            raise ProviderStopped(request.provider, request.endpoint, request.scope, stop.cause, stop.next_step)

    def stop(self, request: Request, stop: Stop) -> ProviderStopped:
        """Stop the provider of a request and return the error to raise. The first cause is kept."""
        with self._lock:
            kept = self._stops.setdefault(request.provider, stop)
        return ProviderStopped(request.provider, request.endpoint, request.scope, kept.cause, kept.next_step)

    def answered(self, provider: str) -> None:
        """Note that a provider answered."""
        with self._lock:
            self._failures[provider] = 0

    def failed(self, request: Request, stop: Stop) -> ProviderStopped | None:
        """Note a request without any answer; the one too many stops the provider."""
        with self._lock:
            failures = self._failures[request.provider] = self._failures.get(request.provider, 0) + 1
        return self.stop(request, stop) if failures >= MOST_FAILURES else None
