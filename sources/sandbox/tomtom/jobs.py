"""Matrices that are worked on after they were submitted: their states over time, and their results."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from sources.sandbox.clock import Clock
from sources.sandbox.tomtom.matrix import MatrixAnswer, answer_matrix
from sources.sandbox.tomtom.network import Network, take
from sources.sandbox.tomtom.question import MatrixQuestion
from sources.sandbox.tomtom.rejection import Rejected, rejected_matrix

# Scaled seconds. The real service works for hours on the largest matrices.
SUBMITTED_S = 3.0
_WORKED_ON_S = 5.0
_CELLS_PER_S = 10_000


@dataclass(frozen=True, eq=False)
class Job:
    """One submission. `expires` says that its provider forgets it as soon as it should be worked on."""

    id: str
    question: MatrixQuestion
    network: Network
    submitted_at: float
    expires: bool

    @cached_property
    def answer(self) -> MatrixAnswer:
        """Return its result, which is made once."""
        return answer_matrix(self.question, self.network)

    def state(self, now: float) -> str | None:
        """Return its state; None when it has expired."""
        age = now - self.submitted_at
        if age < SUBMITTED_S:
            return "Submitted"
        if self.expires:
            return None
        cells = len(self.question.origins) * len(self.question.destinations)
        return "InProgress" if age < SUBMITTED_S + _WORKED_ON_S + cells / _CELLS_PER_S else "Completed"


class Jobs:
    """All jobs of the server. The same questions in the same order get the same ids."""

    def __init__(self, network: Network, clock: Clock) -> None:
        self._network, self._clock = network, clock
        self._jobs: dict[str, Job] = {}
        self._submissions: Counter[str] = Counter()

    def submit(self, question: MatrixQuestion) -> Job:
        """Return a new job. The first that holds a certain pair of cities expires, and no other does."""
        self._submissions[question.digest] += 1
        name = f"{self._network.roads.seed}:{question.digest}:{self._submissions[question.digest]}"
        number = UUID(bytes=hashlib.blake2b(name.encode(), digest_size=16).digest())
        places = self._network.places
        expires = take(self._network.is_expiring, places(question.origins), places(question.destinations)).any().item()
        job = Job(f"00-{number}-0000", question, self._network, self._clock.now(), expires)
        self._jobs[job.id] = job
        return job

    def state(self, job_id: str) -> tuple[Job, str]:
        """Return a job and its state. Raises Rejected where it is unknown or has expired."""
        job = self._jobs.get(job_id)
        state = job.state(self._clock.now()) if job else None
        if job is None or state is None:
            raise _not_found(f"There is no job {job_id}")
        return job, state

    def result(self, job_id: str) -> bytes:
        """Return the result of a completed job. Raises Rejected."""
        job, state = self.state(job_id)
        if state != "Completed":
            raise _not_found(f"There is no result of job {job_id}, which is {state}")
        return job.answer.body


def _not_found(message: str) -> Rejected:
    return rejected_matrix("NOT_FOUND", message, 404)
