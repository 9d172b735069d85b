"""What is still to be asked of a provider, what it will cost, and asking it, in rounds until nothing is left.

Whether an archived answer settles its request is decided here: one that is older than its endpoint allows does not, nor
one that failed for a while in an earlier run. What an answer means for further requests is the provider's own business.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from schemas.region import Region
from sources.protocol.discovery import Source
from sources.protocol.types import Account, Answer, Parsed, Refusal, Request
from sources.transport.archive import Archive
from sources.transport.archive.known import KnownAnswers
from sources.transport.errors import BudgetSpent, ProviderStopped, SecretMissing, TransportError
from sources.transport.session import Transport

# So many answers in a row that are failures for now tell that it is the provider, not the question.
MOST_FAILURES = 10

# Whether an answer has failed for a while, by all that its parser may judge by.
_VERDICTS: dict[tuple[object, ...], bool] = {}

Rows = Sequence[Mapping[str, Any]]

# The derived rows of each table that a provider needs; a table without rows may be left out.
Needed = Mapping[str, Rows]


@dataclass(frozen=True)
class EndpointPlan:
    """What one endpoint would still be asked. `jobs`: different requests that are known already.

    `requests_max` is None where answers decide without a bound about further requests.
    """

    jobs: int
    requests_min: int
    requests_max: int | None
    units: Decimal


@dataclass(frozen=True)
class Plan:
    """What a fetch from one provider would ask, before it asks.

    `cost` is that of the requests that are known already, None where a price is not known. `hours` is the least that
    its limits allow.
    """

    provider: str
    endpoints: dict[str, EndpointPlan]
    cost: Decimal | None
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
    """How a fetch from one provider ended.

    `failed`: what has no usable answer and is asked again by the next fetch. `refused`: how many answers say for good
    that there is nothing (a venue that nobody knows) or cannot be read, by code. `stopped`: why it ended early.
    """

    done: int
    failed: tuple[str, ...] = ()
    refused: Mapping[str, int] = field(default_factory=dict)
    stopped: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all was answered that was asked, and at least one of the answers can be used."""
        return not self.failed and not self.stopped and (not self.done or sum(self.refused.values()) < self.done)


@dataclass(frozen=True)
class Settled:
    """The archived answers that settle their requests, as `requests(region, known)` sees them. Implements `Known`."""

    source: Source
    known: KnownAnswers
    account: Account
    now: datetime
    needed: Needed = field(default_factory=dict)
    asked_in_this_run: Mapping[str, int] = field(default_factory=dict)

    def rows(self, table: str) -> Rows:
        """Return the rows of a table that the source needs."""
        if table not in self.source.declaration.needs:
            raise KeyError(f"{self.source.declaration.id} does not list {table!r} under 'needs' in its source.yaml")
        return self.needed.get(table, ())

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
        if endpoint is None or answer.body is None:
            return False
        if answer.fetched_at + timedelta(days=endpoint.days_valid) < self.now:
            return False
        return not has_failed_for_a_while(self.source, answer)


def has_failed_for_a_while(source: Source, answer: Answer) -> bool:
    """Whether the whole answer is a failure that may be gone when it is asked again."""
    facts = (source.parse, answer.request_id, answer.fetched_at, answer.status, answer.media_type, answer.body_sha256)
    # Each round looks at all answers once more, and a large one takes long to read.
    if facts not in _VERDICTS:
        first = next(source.read(answer), None)
        _VERDICTS[facts] = isinstance(first, Refusal) and first.is_retryable
    return _VERDICTS[facts]


def plan(
    source: Source,
    region: Region,
    archive: Archive,
    account: Account,
    now: datetime,
    blocked: str | None,
    needed: Needed,
) -> Plan:
    """Return what a fetch would still ask. Reads the archive, asks nobody."""
    declaration = source.declaration
    jobs: dict[str, list[Request]] = {name: [] for name in declaration.endpoints}
    for request in open_requests(source, region, archive, account, now, needed):
        jobs[request.endpoint].append(request)
    endpoints: dict[str, EndpointPlan] = {}
    cost, is_priced, seconds, currency = Decimal(0), True, 0.0, "USD"
    for name, requests in jobs.items():
        endpoint = declaration.endpoints[name]
        units = sum((Decimal(str(request.units)) for request in requests), Decimal(0))
        least, most = len(requests), len(requests) if endpoint.is_static or endpoint.follows else None
        if endpoint.follows:
            before = endpoints[endpoint.follows.endpoint]
            least += before.requests_min * endpoint.follows.least
            most = _sum(most, before.requests_max, endpoint.follows.most)
        most = None if most is None else most * endpoint.repeat.most
        endpoints[name] = EndpointPlan(len(requests), least, most, units)
        cost += units * Decimal(str(endpoint.price.amount or 0))
        is_priced = is_priced and (not units or endpoint.price.amount is not None)
        currency = endpoint.price.currency
        seconds += max(0, least - endpoint.rate.calls) * endpoint.rate.seconds / endpoint.rate.calls
    return Plan(declaration.id, endpoints, cost if is_priced else None, currency, round(seconds / 3600, 3), blocked)


def _sum(known: int | None, before: int | None, each: int) -> int | None:
    return None if known is None or before is None else known + before * each


def ask(
    source: Source,
    region: Region,
    transport: Transport,
    archive: Archive,
    account: Account,
    now: datetime,
    needed: Needed,
    on_answer: Callable[[int, int], None],
    time_scale: float = 1.0,
) -> Asked:
    """Ask until no request is left, the provider is stopped, or the budget is spent; every answer is archived.

    `on_answer` hears after each answer how many are done and how many are still open in this round. Nothing is asked
    where what is known to be asked cannot be asked at all: a key is missing, or the budget is too small. Between two
    times of one request the pause of its endpoint is kept, shortened by `time_scale` towards a stand-in.
    """
    turns, ledger = _Turns(source, time_scale), _Outcome()
    while True:
        still_open = open_requests(source, region, archive, account, now, needed, turns.asked)
        requests = turns.next(still_open)
        if not requests:
            endless = {one.id: f"{one.scope}: not done after {turns.asked[one.id]} times" for one in still_open}
            ledger.failed = endless | ledger.failed
            return ledger.asked()
        try:
            transport.check(requests)
        except (BudgetSpent, SecretMissing) as stop:
            return ledger.asked(str(stop))
        for number, request in enumerate(requests, 1):
            turns.take(request)
            try:
                answer = transport.fetch(request)
            except (ProviderStopped, BudgetSpent) as stop:
                ledger.failed[request.id] = request.scope
                return ledger.asked(str(stop))
            except TransportError as error:
                ledger.failed[request.id] = f"{request.scope}: {error.cause}"
                continue
            ledger.take(request, next(source.read(answer), None))
            on_answer(ledger.done, len(requests) - number)
            if ledger.failed_in_a_row >= MOST_FAILURES:
                return ledger.asked(f"{MOST_FAILURES} answers in a row were failures, the last: {ledger.last_failure}")


class _Outcome:
    """What the answers of one run were good for."""

    def __init__(self) -> None:
        self.done, self.failed_in_a_row, self.last_failure = 0, 0, ""
        self.failed: dict[str, str] = {}
        self._refused: dict[str, str] = {}

    def take(self, request: Request, first: Parsed | None) -> None:
        """Count an answer by the first thing that it says."""
        self.done += 1
        self.failed.pop(request.id, None)
        self._refused.pop(request.id, None)
        if not isinstance(first, Refusal) or first.is_split:
            self.failed_in_a_row = 0
        elif first.is_retryable:
            self.failed[request.id] = f"{request.scope}: {first.message}"
            self.failed_in_a_row, self.last_failure = self.failed_in_a_row + 1, f"{first.code}, {first.message}"
        else:
            self._refused[request.id] = first.code
            self.failed_in_a_row = 0

    def asked(self, stopped: str | None = None) -> Asked:
        """Return how it ended."""
        return Asked(self.done, tuple(self.failed.values()), dict(Counter(self._refused.values())), stopped)


class _Turns:
    """How often each request was made in this run, and when it may be made again."""

    def __init__(self, source: Source, time_scale: float) -> None:
        self.asked: Counter[str] = Counter()
        self._endpoints = source.declaration.endpoints
        self._time_scale = time_scale
        self._made_at: dict[str, float] = {}

    def next(self, requests: Iterable[Request]) -> list[Request]:
        """Return the requests that may be made, those that were not made yet before the others."""
        free = [one for one in requests if self.asked[one.id] < self._endpoints[one.endpoint].repeat.most]
        return sorted(free, key=lambda one: self._made_at.get(one.id, 0.0))

    def take(self, request: Request) -> None:
        """Wait until a request may be made, and count it."""
        pause_s = self._endpoints[request.endpoint].repeat.every_s / self._time_scale
        if request.id in self._made_at:
            time.sleep(max(0.0, self._made_at[request.id] + pause_s - time.monotonic()))
        self._made_at[request.id] = time.monotonic()
        self.asked[request.id] += 1


def open_requests(
    source: Source,
    region: Region,
    archive: Archive,
    account: Account,
    now: datetime,
    needed: Needed,
    asked: Mapping[str, int] | None = None,
) -> list[Request]:
    """Return the requests that no archived answer settles; `asked` are the ids of those made in this run."""
    known = Settled(source, archive.known(source.declaration.id), account, now, needed, asked or {})
    return list({request.id: request for request in source.requests(region, known)}.values())
