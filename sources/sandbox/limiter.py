"""How many calls a provider takes: a sliding window over scaled seconds. What a refused call gets is the provider's."""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    """At most `calls` in any window of `seconds`; calls that lie exactly `seconds` apart share no window."""

    calls: int
    seconds: float


class Limiter:
    """The calls of all clients together. Times are scaled seconds and never run backwards.

    Every call is counted, also one that is refused; only admitted ones use the limit up, so that a client that hammers
    is answered at the rate of the limit and its excess still shows.
    """

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self._seen: deque[float] = deque()
        self._admitted: deque[float] = deque()

    def seen(self, now: float) -> int:
        """Count a call; return the calls of the window that ends with it, itself included."""
        self._seen.append(now)
        self._forget(self._seen, now)
        return len(self._seen)

    def admit(self, now: float) -> bool:
        """Return whether a call may be answered, and use up its share if so."""
        is_free = self.free(now) > 0
        if is_free:
            self._admitted.append(now)
        return is_free

    def free(self, now: float) -> int:
        """Return how many calls would be admitted at once."""
        self._forget(self._admitted, now)
        return self.limit.calls - len(self._admitted)

    def waits(self, now: float) -> list[float]:
        """Return for each share that is used up the seconds until it is free again."""
        self._forget(self._admitted, now)
        return [call + self.limit.seconds - now for call in self._admitted]

    def _forget(self, calls: deque[float], now: float) -> None:
        while calls and calls[0] <= now - self.limit.seconds:
            calls.popleft()
