"""From a reply to the answer that is kept: keys taken out, forced to disk, before anybody sees it."""

import hashlib
import threading
from contextlib import ExitStack
from datetime import datetime

from sources.protocol.cuts import CUT
from sources.protocol.types import Answer, Origin, Request
from sources.transport.archive import AnswerWriter, Archive
from sources.transport.clock import Clock
from sources.transport.redaction import Redactor
from sources.transport.wire import Reply

KEPT_HEADERS = ("content-type", "date", "etag", "last-modified", "retry-after", "x-error-detail-header")


def answer_of(
    request: Request, address: str, reply: Reply, redactor: Redactor, origin: Origin, fetched_at: datetime
) -> Answer:
    """Return a reply as the answer to a request, without keys; `address` is the canonical one, without keys too."""
    body = redactor.body(reply.body)
    headers = {name: redactor.text(reply.headers[name]) for name in KEPT_HEADERS if name in reply.headers}
    return Answer(
        request_id=request.id,
        provider=request.provider,
        endpoint=request.endpoint,
        scope=request.scope,
        params=dict(request.params),
        url=redactor.text(address),
        status=reply.status,
        headers={**headers, **(CUT if reply.is_too_large else {})},
        media_type=headers.get("content-type", "").partition(";")[0].strip().lower(),
        fetched_at=fetched_at,
        body=body,
        body_sha256=hashlib.sha256(body).hexdigest(),
        origin=origin,
        subject=dict(request.subject),
    )


class Keeper:
    """Archives replies of all providers, each into its own writer, which is opened with its first answer."""

    def __init__(self, archive: Archive, redactor: Redactor, origin: Origin, clock: Clock) -> None:
        self._archive, self._redactor, self._origin, self._clock = archive, redactor, origin, clock
        self._writers: dict[str, AnswerWriter] = {}
        self._open = ExitStack()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close all writers."""
        self._writers.clear()
        self._open.close()

    def known(self, request: Request) -> Answer | None:
        """Return the latest answer that is archived for a request."""
        return self._archive.known(request.provider).answer(request)

    def keep(self, request: Request, address: str, reply: Reply) -> Answer:
        """Archive a reply as the answer to a request and return it; `address` is the canonical one, without keys."""
        answer = answer_of(request, address, reply, self._redactor, self._origin, self._clock.now())
        self._writer(request.provider).append(answer)
        return answer

    def _writer(self, provider: str) -> AnswerWriter:
        with self._lock:
            if provider not in self._writers:
                self._writers[provider] = self._open.enter_context(self._archive.writer(provider))
            return self._writers[provider]
