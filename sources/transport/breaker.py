"""Which providers are not asked any more, and why. One stops; the others go on."""

import threading
from dataclasses import dataclass

from sources.protocol.declaration import Endpoint
from sources.protocol.types import Answer, Request
from sources.transport.errors import ProviderStopped

MOST_FAILURES = 3
"""So many requests in a row without any answer stop a provider: it is down, or it has shut us out."""

_QUOTA_BODY = 1 << 16


@dataclass(frozen=True)
class Stop:
    """Why a provider is not asked any more, and what to do."""

    cause: str
    next_step: str


def verdict(answer: Answer, endpoint: Endpoint, tries: int, pause_s: float | None) -> Stop | None:
    """Return why the provider must not be asked any more after this answer, None where it may.

    `pause_s` is a pause that the provider asked for and that is too long to wait.
    """
    body = answer.body or b""
    variables = " and ".join(sorted({secret.variable for secret in endpoint.secrets}))
    if len(body) <= _QUOTA_BODY and any(mark.encode() in body for mark in endpoint.quota_marks):
        return Stop("it says that the quota is spent", "wait for the next period, or buy more")
    if answer.status == 401:
        return Stop("it does not accept us (401)", f"check {variables}" if variables else "look at its terms")
    if answer.status == 403:
        return Stop("it shuts us out (403)", f"check {variables} and its terms" if variables else "look at its terms")
    if pause_s is not None:
        return Stop(f"it wants a pause of {pause_s:g} s", "try again later")
    if answer.status == 429:
        return Stop(f"it said {tries} times that there are too many calls (429)", "try again later")
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
