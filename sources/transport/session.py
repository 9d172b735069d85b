"""The door through which all providers are asked, and the order of the rules that stand before it.

Before anything is sent: the provider is not stopped, its keys are there, the budget allows it, its robots.txt too, and
the limits have room. After: keys are taken out, the answer is archived, and only then does anybody see it.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType

from sources.protocol.declaration import Declaration, Endpoint, Rate
from sources.protocol.types import Answer, Origin, Request
from sources.transport.addresses import origin_of
from sources.transport.archive import Archive
from sources.transport.attempts import Asker, Outcome, Question
from sources.transport.breaker import Breaker, Stop, verdict
from sources.transport.budget import Budget, Cost, Ledger, cost_of
from sources.transport.calls import UnfitParameters, all_keys, build_call, canonical_address, keys_of
from sources.transport.clock import Clock
from sources.transport.days import DayFull, Days
from sources.transport.errors import RobotsRefusal, TransportError, TransportSettingError
from sources.transport.keeping import Keeper
from sources.transport.limits import Limits
from sources.transport.providers import Provider, check_settings, providers_of
from sources.transport.redaction import RedactingFilter, Redactor
from sources.transport.retries import LONGEST_WAIT_S
from sources.transport.robots_keeper import RobotsKeeper
from sources.transport.wire import Fault, Wire

LOG = logging.getLogger(__name__)

_URLLIB3_LOG = logging.getLogger("urllib3.connectionpool")
_LATER = "try again later"


class Transport:
    """Asks providers. One for a run; threads may share it, processes share limits and daily counts by `limits_folder`.

    `agent` is `<name>/<version>`, `contact` an address where a provider finds who asks. `bases` gives the address on
    loopback of a stand-in, which is what origin `sandbox` is asked of, and nothing else: it answers at `/PATH` below it
    for the provider's `https://HOST/PATH`. Durations are the provider's; a stand-in may live `time_scale` times as
    fast. Raises TransportSettingError where the parts do not fit together.
    """

    def __init__(
        self,
        declarations: Mapping[str, Declaration],
        archive: Archive,
        *,
        agent: str,
        contact: str,
        origin: Origin,
        limits_folder: Path,
        environment: Mapping[str, str],
        budget: Budget | None = None,
        bases: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        time_scale: float = 1.0,
    ) -> None:
        check_settings(agent, contact, origin, time_scale)
        self._providers = providers_of(declarations, bases or {})
        self._origin, self._environment = origin, environment
        self._clock = clock or Clock()
        self._redactor = Redactor(all_keys(declarations.values(), environment))
        self._filter = RedactingFilter(self._redactor)
        _URLLIB3_LOG.addFilter(self._filter)
        stand_ins = [provider.reach.stand_in for provider in self._providers.values()]
        self._wire = Wire(f"{agent} (+{contact})", [place for place in stand_ins if place is not None])
        self._keeper = Keeper(archive, self._redactor, origin, self._clock)
        self._limits = Limits(limits_folder, self._clock, time_scale)
        self._days = Days(limits_folder, self._clock, time_scale)
        self._ledger = Ledger(budget or Budget())
        self._breaker = Breaker()
        self._asker = Asker(self._wire, self._clock, self._redactor, time_scale)
        self._robots = RobotsKeeper(agent.partition("/")[0], self._asker, self._keeper, self._clock)

    def __enter__(self) -> "Transport":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close connections, writers and limits."""
        self._wire.close()
        self._limits.close()
        self._keeper.close()
        _URLLIB3_LOG.removeFilter(self._filter)

    @property
    def stops(self) -> Mapping[str, Stop]:
        """Return the providers that are not asked any more, and why."""
        return self._breaker.stops

    def spent(self, provider: str) -> Cost:
        """Return what this transport has spent on a provider."""
        return self._ledger.spent(provider)

    def check(self, requests: Iterable[Request]) -> None:
        """Look at requests before the first of them is made: are all keys there, and does the budget allow them all?

        Raises SecretMissing or BudgetSpent. Tries beyond the first are not foreseen.
        """
        planned: dict[str, tuple[Request, Cost]] = {}
        for request in requests:
            provider, endpoint = self._declared(request)
            keys_of(provider.declaration, endpoint, self._environment)
            first, cost = planned.get(request.provider, (request, Cost()))
            planned[request.provider] = first, cost + cost_of(request, endpoint)
        for first, cost in planned.values():
            self._ledger.check(first, cost)

    def fetch(self, request: Request) -> Answer:
        """Ask, and return the answer, archived, whatever its status.

        Raises ProviderStopped where the provider must not be asked any more (the answer that stopped it is archived),
        BudgetSpent, SecretMissing, RobotsRefusal, or TransportError where no answer could be had.
        """
        provider, endpoint = self._declared(request)
        self._breaker.check(request)
        question, address = self._question(request, provider, endpoint)
        self._ledger.check(request, cost_of(request, endpoint))
        started = self._clock.monotonic()
        try:
            outcome = self._asker.ask(question)
        except Fault as fault:
            failure = fault
        except TransportError as error:
            self._log(request, started, "-", "-", "-", error.cause)
            raise
        else:
            return self._answer(request, endpoint, address, outcome, started)
        # Raised outside of the handler, so that nothing with a key in it hangs on as context.
        raise self._failure(request, failure, started)

    def _declared(self, request: Request) -> tuple[Provider, Endpoint]:
        provider = self._providers.get(request.provider)
        endpoint = provider.declaration.endpoints.get(request.endpoint) if provider else None
        if provider is None or endpoint is None:
            raise TransportSettingError(
                f"{request.provider}, {request.endpoint} of {request.scope}: no such endpoint is declared; "
                "see `utp source list`"
            )
        provider.check_origin(self._origin)
        return provider, endpoint

    def _question(self, request: Request, provider: Provider, endpoint: Endpoint) -> tuple[Question, str]:
        keys = keys_of(provider.declaration, endpoint, self._environment)
        if any(self._redactor.finds(text) for text in (request.scope, *request.params, *request.params.values())):
            raise self._error(request, "its parameters hold a key", "take it out; the transport adds keys itself")
        try:
            call = build_call(endpoint, request, provider.base(endpoint), keys)
            address = canonical_address(provider.declaration, endpoint, request)
        except UnfitParameters as unfit:
            raise self._error(request, str(unfit), "mend requests.py or source.yaml") from None
        question = Question(
            call=call,
            reach=provider.reach,
            seconds=endpoint.timeout_s,
            max_bytes=endpoint.max_bytes,
            permit=lambda url, hop: self._permit(request, provider, endpoint, url, hop),
            key_headers=tuple(keys.headers),
            rate_marks=endpoint.rate_marks,
            quota_marks=endpoint.quota_marks,
        )
        return question, address

    @contextmanager
    def _permit(self, request: Request, provider: Provider, endpoint: Endpoint, url: str, hop: int) -> Iterator[None]:
        key = f"{request.provider}.{request.endpoint}"
        with ExitStack() as slots:
            if provider.declaration.robots == "obey":
                delay_s = self._obey_robots(request, provider, endpoint, url)
                if delay_s is not None:
                    slots.enter_context(self._limits.slot(origin_of(url), Rate(1, delay_s)))
            slots.enter_context(self._limits.slot(key, endpoint.rate))
            if endpoint.daily_calls is not None:
                try:
                    self._days.count(key, endpoint.daily_calls)
                except DayFull:
                    cause = f"{endpoint.daily_calls} calls in 24 hours are the cap of {request.endpoint}"
                    raise self._breaker.stop(request, Stop(cause, "go on tomorrow")) from None
            # A redirect is one more call, but not one more unit.
            self._ledger.charge(request, Cost(1) if hop else cost_of(request, endpoint))
            yield

    def _obey_robots(self, request: Request, provider: Provider, endpoint: Endpoint, url: str) -> float | None:
        # A stand-in answers for every origin of its provider.
        canonical = origin_of(url if provider.stand_in is None else provider.declaration.base_of(endpoint))
        rules = self._robots.rules(request.provider, url, canonical, provider.reach)
        if rules.refusal is not None:
            raise self._breaker.stop(request, Stop(self._redactor.text(rules.refusal), _LATER))
        if not rules.allows(url):
            raise RobotsRefusal(
                request.provider, request.endpoint, request.scope, f"robots.txt of {canonical} forbids this address",
                "do not ask for it; the provider may give leave",
            )  # fmt: skip
        delay_s = rules.crawl_delay_s
        if delay_s is not None and delay_s > LONGEST_WAIT_S:
            cause = f"robots.txt of {canonical} wants {delay_s:g} s between two calls"
            raise self._breaker.stop(request, Stop(cause, "ask the provider for another way"))
        return delay_s

    def _answer(self, request: Request, endpoint: Endpoint, address: str, outcome: Outcome, started: float) -> Answer:
        answer = self._keeper.keep(request, address, outcome.reply)
        stop = verdict(outcome, endpoint)
        size = str(len(answer.body or b""))
        cut = f"larger than {endpoint.max_bytes} bytes" if outcome.reply.is_too_large else ""
        self._log(request, started, str(answer.status), size, str(outcome.tries), stop.cause if stop else cut)
        self._breaker.answered(request.provider)
        if stop is not None:
            raise self._breaker.stop(request, stop)
        return answer

    def _failure(self, request: Request, fault: Fault, started: float) -> TransportError:
        cause = self._redactor.text(fault.cause)
        self._log(request, started, "-", "-", "-", cause)
        is_about_provider = fault.most_tries > 1
        stop = self._breaker.failed(request, Stop(cause, _LATER)) if is_about_provider else None
        return stop or self._error(request, cause, fault.next_step)

    def _error(self, request: Request, cause: str, next_step: str) -> TransportError:
        scope = self._redactor.text(request.scope)
        return TransportError(request.provider, request.endpoint, scope, cause, next_step)

    def _log(self, request: Request, started: float, status: str, size: str, tries: str, cause: str) -> None:
        facts = {
            "provider": request.provider,
            "endpoint": request.endpoint,
            "scope": request.scope,
            "status": status,
            "ms": str(round((self._clock.monotonic() - started) * 1000)),
            "bytes": size,
            "tries": tries,
            "cause": cause,
        }
        line = " ".join(f"{name}={_quoted(value)}" for name, value in facts.items() if value)
        LOG.info("%s", self._redactor.text(line))


def _quoted(value: str) -> str:
    """Return a value in one line, in quotes where it would not stand alone."""
    return value if re.fullmatch(r"[^\s\"=]+", value) else '"' + " ".join(value.replace('"', "'").split()) + '"'
