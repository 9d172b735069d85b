"""TomTom in memory, with its faults on demand, and an archive and rounds in which it is asked."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from schemas.region import Region
from sources.protocol.declaration import load_declaration
from sources.protocol.types import Account, Answer, Refusal, Request
from sources.tomtom.jobs import Ends, ends_of
from sources.tomtom.parse import parse
from sources.tomtom.points import Point
from sources.tomtom.requests import requests
from tests.sources.tomtom.answers import FOLDER, NOON, answer_to, failed, matrix, road

DECLARATION = load_declaration(FOLDER / "source.yaml")
Pair = tuple[Point, Point]
Reply = tuple[int, bytes]

OK = "ok"
NO_ROUTE = "no_route"
STOPPED = "stopped"
MISSING = "missing"
_ERRORS = {
    NO_ROUTE: {"code": "CELL_PROCESSING_ERROR", "innerError": {"code": "NO_ROUTE_FOUND"}},
    STOPPED: {"code": "CELL_PROCESSING_ERROR", "innerError": {"code": "NO_ROUTE_FOUND", "message": "STOPPED"}},
}


class Archive:
    """The latest answer to each request. Of an earlier run only those that settle are seen. Implements `Known`."""

    def __init__(self, limits: Mapping[str, float], name: str = "any") -> None:
        self.account = Account(name, limits)
        self.buses: list[dict[str, str | None]] = []
        self.made_in_this_run: Counter[str] = Counter()
        self._held: dict[str, Answer] = {}

    def keep(self, request: Request, answer: Answer) -> None:
        self._held[request.id] = answer
        self.made_in_this_run[request.id] += 1

    def rows(self, table: str) -> Sequence[Mapping[str, Any]]:
        assert table == "buses"
        return self.buses

    def answer(self, request: Request) -> Answer | None:
        answer = self._held.get(request.id)
        return answer if answer is not None and self._settles(answer) else None

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return [
            answer for _, answer in sorted(self._held.items()) if answer.endpoint == endpoint and self._settles(answer)
        ]

    def _settles(self, answer: Answer) -> bool:
        if answer.request_id in self.made_in_this_run:
            return True
        first = next(iter(parse(answer)), None)
        return not (isinstance(first, Refusal) and first.is_retryable)


class Provider:
    """Answers as the real one. Jobs are complete at their `polls`-th poll; `cell` says how a pair ends at which time.

    `faults` are asked first: given a request and how often it was made, each may answer in place of the provider.
    `paid` counts how often each pair was submitted.
    """

    def __init__(self, polls: int = 2, cell: Callable[[Pair, int], str] = lambda _pair, _time: OK) -> None:
        self.paid: Counter[Pair] = Counter()
        self.jobs: dict[str, Ends] = {}
        self.made: Counter[str] = Counter()
        self.log: list[Request] = []
        self.faults: list[Callable[[Request, int], Reply | None]] = []
        self._polls, self._cell = polls, cell
        self._results: dict[str, bytes] = {}
        self._now = NOON

    def reply(self, request: Request) -> Answer:
        self.log.append(request)
        self.made[request.id] += 1
        self._now += timedelta(seconds=1)
        faulty = (fault(request, self.made[request.id]) for fault in self.faults)
        status, body = next((reply for reply in faulty if reply), None) or self._reply(request)
        return answer_to(request, body, status=status, fetched_at=self._now)

    def submitted(self) -> list[Request]:
        return [request for request in self.log if request.endpoint == "matrix"]

    def _reply(self, request: Request) -> Reply:
        match request.endpoint:
            case "matrix":
                return 202, _text({"jobId": self._submit(request), "state": "Submitted"})
            case "matrix_status":
                job_id = request.params["jobId"]
                is_complete = self.made[request.id] >= self._polls
                return 200, _text({"jobId": job_id, "state": "Completed" if is_complete else "InProgress"})
            case "matrix_result":
                return 200, self._results[request.params["jobId"]]
        message = "NO_ROUTE_FOUND: route search failed"
        return 400, _text({"detailedError": {"code": "NO_ROUTE_FOUND", "message": message}})

    def _submit(self, request: Request) -> str:
        ends = ends_of(answer_to(request, b""))
        assert ends is not None
        job_id = f"00-{len(self.jobs)}-0000"
        self.jobs[job_id] = ends
        cells = []
        for row, origin in enumerate(ends.origins):
            for column, destination in enumerate(ends.destinations):
                self.paid[origin, destination] += 1
                word = self._cell((origin, destination), self.paid[origin, destination])
                if word == OK:
                    cells.append(road(row, column))
                elif word != MISSING:
                    cells.append(failed(row, column, _ERRORS[word]))
        self._results[job_id] = _text(matrix(cells[::-1], len(ends.origins) * len(ends.destinations)))
        return job_id


def run(region: Region, archive: Archive, provider: Provider, most_answers: int = 1_000_000) -> list[Request]:
    """Ask in rounds, as a fetch does, until nothing is left, or the process is killed after so many answers.

    Returns the requests that stayed open.
    """
    archive.made_in_this_run.clear()
    left = most_answers
    while True:
        still_open = list(requests(region, archive))
        able = [one for one in still_open if archive.made_in_this_run[one.id] < repeats_of(one)]
        if not able:
            return still_open
        for request in able:
            if not left:
                return still_open
            left -= 1
            archive.keep(request, provider.reply(request))


def repeats_of(request: Request) -> int:
    return DECLARATION.endpoints[request.endpoint].repeat.most


def _text(document: Any) -> bytes:
    return json.dumps(document).encode()
