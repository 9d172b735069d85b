"""What is still to be asked of a provider, what it will cost, and asking it, in rounds until nothing is left.

Whether an archived answer settles its request is decided here: one that is older than its endpoint allows does not, nor
one that failed for a while in an earlier run. What an answer means for further requests is the provider's own business.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from schemas.region import Region
from sources.protocol.discovery import Source
from sources.protocol.types import Answer, Known, Refusal, Request
from sources.transport.archive import Archive
from sources.transport.errors import BudgetSpent, ProviderStopped, TransportError
from sources.transport.session import Transport


@dataclass(frozen=True)
class EndpointPlan:
    """What one endpoint would still be asked. `requests_max` is None where answers decide about further requests."""

    jobs: int
    requests_min: int
    requests_max: int | None
    units: Decimal


@dataclass(frozen=True)
class Plan:
    """What a fetch from one provider would ask, before it asks. `hours` is the least that its limits allow."""

    provider: str
    endpoints: dict[str, EndpointPlan]
    cost: Decimal
    currency: str
    hours: float
    blocked: str | None

    @property
    def requests_min(self) -> int:
        return sum(one.requests_min for one in self.endpoints.values())

    @property
    def requests_max(self) -> int | None:
        most = [one.requests_max for one in self.endpoints.values()]
        return None if None in most else sum(one for one in most if one is not None)

    @property
    def units(self) -> Decimal:
        return sum((one.units for one in self.endpoints.values()), Decimal(0))


@dataclass(frozen=True)
class Asked:
    """How a fetch from one provider ended. `failed`: requests without a usable answer. `stopped`: why so early."""

    done: int
    failed: tuple[str, ...] = ()
    stopped: str | None = None


@dataclass(frozen=True)
class Settled:
    """The archived answers that settle their requests, as `requests(region, known)` sees them. Implements `Known`."""

    source: Source
    known: Known
    now: datetime
    asked_in_this_run: frozenset[str] = field(default_factory=frozenset)

    def answer(self, request: Request) -> Answer | None:
        """Return the answer that settles a request, or None when it is to be asked."""
        answer = self.known.answer(request)
        return answer if answer is not None and self._settles(answer) else None

    def answers(self, endpoint: str) -> Iterable[Answer]:
        """Return the answers of an endpoint that settle their requests."""
        return (answer for answer in self.known.answers(endpoint) if self._settles(answer))

    def _settles(self, answer: Answer) -> bool:
        if answer.request_id in self.asked_in_this_run:
            return True
        endpoint = self.source.declaration.endpoints.get(answer.endpoint)
        if endpoint is None or answer.fetched_at + timedelta(days=endpoint.days_valid) < self.now:
            return False
        return not has_failed_for_a_while(self.source, answer)


def has_failed_for_a_while(source: Source, answer: Answer) -> bool:
    """Whether the whole answer is a failure that may be gone when it is asked again."""
    first = next(iter(source.parse(answer)), None)
    return isinstance(first, Refusal) and first.is_retryable


def plan(source: Source, region: Region, archive: Archive, now: datetime, blocked: str | None) -> Plan:
    """Return what a fetch would still ask. Reads the archive, asks nobody."""
    declaration = source.declaration
    jobs: dict[str, list[Request]] = {name: [] for name in declaration.endpoints}
    for request in open_requests(source, region, archive, now, frozenset()):
        jobs[request.endpoint].append(request)
    endpoints = {}
    cost, seconds, currency = Decimal(0), 0.0, "USD"
    for name, requests in jobs.items():
        endpoint = declaration.endpoints[name]
        units = sum((Decimal(str(request.units)) for request in requests), Decimal(0))
        most = len(requests) if endpoint.is_static else None
        endpoints[name] = EndpointPlan(len(requests), len(requests), most, units)
        cost += units * Decimal(str(endpoint.price.amount))
        currency = endpoint.price.currency
        seconds += max(0, len(requests) - endpoint.rate.calls) * endpoint.rate.seconds / endpoint.rate.calls
    return Plan(declaration.id, endpoints, cost, currency, round(seconds / 3600, 3), blocked)


def ask(
    source: Source,
    region: Region,
    transport: Transport,
    archive: Archive,
    now: datetime,
    on_answer: Callable[[int, int], None],
) -> Asked:
    """Ask until no request is left, the provider is stopped, or the budget is spent; every answer is archived.

    `on_answer` hears after each answer how many are done and how many are still open in this round. Raises BudgetSpent
    and SecretMissing before the first call where what is known to be asked cannot be asked at all.
    """
    asked: set[str] = set()
    done = 0
    failed: list[str] = []
    while True:
        requests = [
            request
            for request in open_requests(source, region, archive, now, frozenset(asked))
            if request.id not in asked
        ]
        if not requests:
            return Asked(done, tuple(failed))
        transport.check(requests)
        for number, request in enumerate(requests, 1):
            asked.add(request.id)
            try:
                answer = transport.fetch(request)
            except (ProviderStopped, BudgetSpent) as stop:
                return Asked(done, (*failed, request.scope), str(stop))
            except TransportError as error:
                failed.append(f"{request.scope}: {error.cause}")
                continue
            done += 1
            if has_failed_for_a_while(source, answer):
                failed.append(request.scope)
            on_answer(done, len(requests) - number)


def open_requests(
    source: Source, region: Region, archive: Archive, now: datetime, asked: frozenset[str]
) -> list[Request]:
    known = Settled(source, archive.known(source.declaration.id), now, asked)
    return list(source.requests(region, known))
