"""A made-up provider, questions to it, and a clock that a test turns."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from schemas.terms import Terms
from sources.protocol.declaration import Declaration, Endpoint, Price, Rate, Secret
from sources.protocol.types import Account, Request
from sources.transport.clock import Clock

STOPS = Endpoint(
    name="stops",
    base=None,
    method="GET",
    path="/stops",
    params_in="query",
    secrets=(),
    scope="area",
    is_static=True,
    rate=Rate(1000, 1.0),
    daily_calls=None,
    unit="call",
    price=Price(0.0, "USD"),
    days_valid=90,
    timeout_s=5.0,
    max_bytes=1_000_000,
    media_types=("application/json",),
)


def declare(name: str = "acme", robots: str = "not_applicable", **changes: Any) -> Declaration:
    """One provider with one endpoint, `stops`, changed as told."""
    endpoint = replace(STOPS, **changes)
    return Declaration(
        id=name,
        title=name,
        base=f"https://api.{name}.example/v1",
        hosts=(f"api.{name}.example",),
        secrets={secret.name: secret.variable for secret in endpoint.secrets},
        endpoints={"stops": endpoint},
        terms=Terms(robots=robots),
        floors={},
        accounts={"standard": Account("standard", {})},
        stand_in_account="standard",
        sha256="0" * 64,
    )


QUERY_KEY = (Secret("query", "key", "UTP_ACME_KEY"),)
HEADER_KEY = (Secret("header", "X-Api-Key", "UTP_ACME_KEY"),)


def ask(scope: str = "Kochi", provider: str = "acme", **params: str) -> Request:
    return Request(provider, "stops", scope, params or {"area": scope})


class FakeClock(Clock):
    """Stands still but for sleeping, and for what a test adds."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._start = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
        self._passed = 1000.0

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed)

    def monotonic(self) -> float:
        return self._passed

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._passed += seconds
