"""Which providers are not asked any more, and why. One stops; the others go on."""

import threading
from dataclasses import dataclass

from sources.protocol.types import Request
from sources.transport.errors import ProviderStopped

MOST_FAILURES = 3
"""So many requests in a row without any answer stop a provider: it is down, or it has shut us out."""


@dataclass(frozen=True)
class Stop:
    """Why a provider is not asked any more, and what to do."""

    cause: str
    next_step: str


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
