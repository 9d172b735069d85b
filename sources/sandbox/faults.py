"""Answers spoilt on their way to the client. What a provider itself answers to a bad question is not a fault."""

from collections import Counter
from random import Random
from typing import Literal

Fault = Literal["reset", "error", "truncated"]
PROFILES = ("none", "flaky")

_RATE = 0.25
_KINDS: tuple[Fault, ...] = ("reset", "error", "truncated")


class Faults:
    """Which answers are spoilt, by profile and seed; the same for a request whoever else asks in between.

    `reset` breaks the connection off, `error` is a 500 page, `truncated` half a body that claims to be whole.
    """

    def __init__(self, profile: str, seed: int) -> None:
        self._is_flaky = profile == "flaky"
        self._seed = seed
        self._tries: Counter[str] = Counter()

    def next(self, request: str) -> Fault | None:
        """Return the fault of the next answer to a request; of three answers in a row at least one has none."""
        if not self._is_flaky:
            return None
        self._tries[request] += 1
        if self._tries[request] % 3 == 0:
            return None
        random = Random(f"{self._seed}:{request}:{self._tries[request]}")
        return _KINDS[int(random.random() * len(_KINDS))] if random.random() < _RATE else None
