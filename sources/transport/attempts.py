"""One question asked until it is answered: redirects followed, tries repeated after polite pauses, within bounds.

What a single exchange needs before it may happen (robots, limits, budget) is the `permit` that a question brings along.
"""

import random
import time
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from sources.transport.addresses import Reach
from sources.transport.clock import Clock
from sources.transport.deadline import Deadline
from sources.transport.marks import says
from sources.transport.redaction import Redactor
from sources.transport.redirects import MAX_HOPS, RedirectRefused, is_redirect, next_call
from sources.transport.retries import LONGEST_WAIT_S, MAX_TRIES, RETRIED, backoff, retry_after
from sources.transport.wire import Call, Fault, Reply, Wire

Permit = Callable[[str, int], AbstractContextManager[None]]
"""Opened around each exchange with the address called and the number of redirects before it; waits or raises."""


@dataclass(frozen=True)
class Question:
    """A call, where it may lead, and its bounds: `seconds` for one try in all, `max_bytes` for the reply.

    A reply with one of `rate_marks` was too fast and is tried again; one with one of `quota_marks` is the last.
    """

    call: Call
    reach: Reach
    seconds: float
    max_bytes: int
    permit: Permit = field(repr=False)
    key_headers: Collection[str] = ()
    rate_marks: Collection[str] = ()
    quota_marks: Collection[str] = ()
    is_cut: bool = False


@dataclass(frozen=True)
class Outcome:
    """The last reply, after so many tries. `pause_s` is the pause that was asked for and is too long to wait."""

    reply: Reply
    tries: int
    pause_s: float | None = None


@dataclass(frozen=True)
class Asker:
    """Asks over one wire. Pauses are in the time of the provider, `time_scale` times as fast as ours."""

    wire: Wire
    clock: Clock
    redactor: Redactor
    time_scale: float

    def ask(self, question: Question) -> Outcome:
        """Ask until there is a reply that is worth keeping, good or bad. Raises Fault when there is none."""
        tries = 0
        while True:
            tries += 1
            try:
                reply = self._try(question)
            except Fault as fault:
                if tries >= min(MAX_TRIES, fault.most_tries):
                    raise
                wait_s = backoff(tries, None, random.random())
            else:
                status = 429 if says(reply, question.rate_marks) else reply.status
                if status not in RETRIED or says(reply, question.quota_marks):
                    return Outcome(reply, tries)
                asked_s = retry_after(reply.headers, self.clock.now()) or 0.0
                if asked_s > LONGEST_WAIT_S:
                    return Outcome(reply, tries, asked_s)
                if tries >= MAX_TRIES:
                    return Outcome(reply, tries)
                wait_s = max(asked_s, backoff(tries, status, random.random()))
            self.clock.sleep(wait_s / self.time_scale)

    def _try(self, question: Question) -> Reply:
        call, left_s = question.call, question.seconds
        for hop in range(MAX_HOPS + 1):
            with question.permit(call.url, hop), Deadline(left_s) as deadline:
                started = time.monotonic()
                reply = self.wire.send(call, deadline, question.max_bytes, is_cut=question.is_cut)
                # Waiting for a permit is our own politeness and not the provider's time.
                left_s -= time.monotonic() - started
            if not is_redirect(reply):
                return reply
            try:
                call = next_call(call, reply, question.reach, question.key_headers, self.redactor)
            except RedirectRefused as refusal:
                cause = str(refusal)
                break
        else:
            cause = f"the provider redirects more than {MAX_HOPS} times"
        raise Fault(cause, 1, "look at the address and the hosts in source.yaml")
