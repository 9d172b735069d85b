"""What is archived of one provider. Which of it settles a request is for whoever asks."""

from collections.abc import Iterable

from sources.protocol.types import Answer, Request
from sources.transport.archive.records import to_answer
from sources.transport.archive.snapshot import Snapshot, latest, of_endpoint


class KnownAnswers:
    """The latest answers of one moment, with their bodies, read when they are asked for.

    It keeps its files open as long as it lives.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._latest = latest(snapshot.index(["endpoint"]))
        self._rows = {request_id: row for row, request_id in enumerate(self._latest["request_id"].to_pylist())}

    def answer(self, request: Request) -> Answer | None:
        """Return the latest answer to a request, whatever its outcome."""
        row = self._rows.get(request.id)
        if row is None:
            return None
        return next(map(to_answer, self._snapshot.records(self._latest.slice(row, 1))))

    def answers(self, endpoint: str) -> Iterable[Answer]:
        """Return the latest answer to each request of an endpoint, in order of request id."""
        return map(to_answer, self._snapshot.records(of_endpoint(self._latest, endpoint)))
