"""robots.txt of each origin: asked for once a day at most, archived and remembered. What it means is for `robots`."""

import threading
from contextlib import nullcontext
from datetime import datetime

from sources.protocol.cuts import is_too_large
from sources.protocol.types import Answer, Request
from sources.transport.addresses import Reach, origin_of
from sources.transport.archive import ROBOTS
from sources.transport.attempts import Asker, Question
from sources.transport.clock import Clock
from sources.transport.keeping import Keeper
from sources.transport.robots import FRESH, MAX_BYTES, Rules, closed, read_rules
from sources.transport.wire import Call, Fault

_SECONDS = 30.0


class RobotsKeeper:
    """The rules of all origins for one robot; `product` is its name without version."""

    def __init__(self, product: str, asker: Asker, keeper: Keeper, clock: Clock) -> None:
        self._product, self._asker, self._keeper, self._clock = product, asker, keeper, clock
        self._known: dict[tuple[str, str], tuple[Rules, datetime]] = {}
        self._lock = threading.Lock()

    def rules(self, provider: str, called: str, canonical_origin: str, reach: Reach) -> Rules:
        """Return the rules for the origin of an address that is about to be called.

        `canonical_origin` is the origin under which the answer is kept, where a stand-in is called in its place.
        """
        origin = origin_of(called)
        with self._lock:
            known = origin, canonical_origin
            rules, since = self._known.get(known, (None, self._clock.now()))
            if rules is None or self._clock.now() - since >= FRESH:
                rules, since = self._read(provider, origin, canonical_origin, reach)
                self._known[known] = rules, since
            return rules

    def _read(self, provider: str, origin: str, canonical_origin: str, reach: Reach) -> tuple[Rules, datetime]:
        request = Request(provider, ROBOTS, canonical_origin, {"origin": canonical_origin})
        archived = self._keeper.known(request)
        if archived is not None and archived.body is not None and self._clock.now() - archived.fetched_at < FRESH:
            rules = self._rules(archived)
            # A refusal may be over by now; rules hold for their day.
            if rules.refusal is None:
                return rules, archived.fetched_at
        call = Call("GET", f"{origin}/{ROBOTS}", {"Accept": "text/plain, */*;q=0.5"}, None)
        question = Question(call, reach, _SECONDS, MAX_BYTES, lambda *_: nullcontext(), is_cut=True)
        try:
            reply = self._asker.ask(question).reply
        except Fault as fault:
            refusal = f"robots.txt could not be read ({fault.cause}), which counts as a no to everything"
            return closed(self._product, refusal), self._clock.now()
        answer = self._keeper.keep(request, f"{canonical_origin}/{ROBOTS}", reply)
        return self._rules(answer), answer.fetched_at

    def _rules(self, answer: Answer) -> Rules:
        if is_too_large(answer):
            return closed(self._product, "robots.txt is packed beyond measure, which counts as a no to everything")
        return read_rules(self._product, answer.status, answer.body or b"")
