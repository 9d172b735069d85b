"""Everything that passes between clients and providers: it is marked as constructed, spoilt on demand, and logged."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sources.sandbox.clock import Clock
from sources.sandbox.faults import Fault, Faults
from sources.sandbox.limiter import Limiter

LOG_PATH = "/_log"
_ERROR_PAGE = (
    b"<!DOCTYPE html>\n<html><head><title>500 Internal Server Error</title></head><body>Constructed</body></html>\n"
)


@dataclass
class _Answer:
    """What an application answered; `status` is None where the client gets nothing at all."""

    status: int | None = None
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    async def take(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = list(message.get("headers", []))
        else:
            self.body += message.get("body", b"")

    def spoil(self, fault: Fault) -> None:
        if fault == "reset":
            self.status, self.body = None, b""
        elif fault == "error":
            self.status, self.headers, self.body = 500, [(b"content-type", b"text/html")], _ERROR_PAGE
        else:
            self.body = self.body[: len(self.body) // 2]


def count_call(scope: Scope, limiter: Limiter, now: float) -> None:
    """Count a call against a provider's limit, so that its log line tells how full the window is."""
    scope["state"]["window"] = {
        "calls_in_window": limiter.seen(now),
        "limit_calls": limiter.limit.calls,
        "limit_seconds": limiter.limit.seconds,
    }


class Recorder:
    """An application around another one. `break_off(scope)` resets the connection of a request.

    Only whole answers (status 200) of the `providers` are spoilt; the log itself is not logged.
    """

    def __init__(
        self,
        app: ASGIApp,
        clock: Clock,
        faults: Faults,
        providers: Iterable[str],
        break_off: Callable[[Scope], Awaitable[None]],
    ) -> None:
        self._app = app
        self._clock = clock
        self._faults = faults
        self._providers = frozenset(providers)
        self._break_off = break_off
        self._lines: list[str] = []

    def log(self) -> str:
        """Return the log: a JSON line for each answered request, in the order of the answers."""
        return "".join(self._lines)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        at = self._clock.now()
        body = await _read(receive)
        if body is None:
            return
        scope["state"] = {}
        path, answer = scope["path"], _Answer()
        await self._app(scope, _replay(body), answer.take)
        request = hashlib.sha256(b"\0".join([scope["method"].encode(), path.encode(), scope["query_string"], body]))
        fault = None
        if answer.status == 200 and path.split("/")[1] in self._providers:
            fault = self._faults.next(request.hexdigest())
        if fault:
            answer.spoil(fault)
        if path != LOG_PATH:
            self._lines.append(self._line(scope, at, body, request.hexdigest(), answer, fault))
        if answer.status is None:
            await self._break_off(scope)
            return
        kept = [(name, value) for name, value in answer.headers if name != b"content-length"]
        added = [(b"content-length", str(len(answer.body)).encode()), (b"x-constructed", b"yes")]
        await send({"type": "http.response.start", "status": answer.status, "headers": kept + added})
        await send({"type": "http.response.body", "body": answer.body})

    def _line(self, scope: Scope, at: float, body: bytes, request: str, answer: _Answer, fault: Fault | None) -> str:
        headers = dict(scope["headers"])
        line = {
            "at_s": round(at, 6),
            "method": scope["method"],
            "path": scope["path"],
            "request_sha256": request,
            "body_sha256": hashlib.sha256(body).hexdigest(),
            "status": answer.status,
            "fault": fault,
            "user_agent": headers.get(b"user-agent", b"").decode("latin-1"),
            **scope["state"].get("window", {}),
        }
        return json.dumps(line) + "\n"


async def _read(receive: Receive) -> bytes | None:
    """Return the body of a request, None when the client went away before its end."""
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body


def _replay(body: bytes) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else {"type": "http.disconnect"}

    return receive
