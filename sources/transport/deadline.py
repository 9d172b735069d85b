"""A total deadline for one exchange: whatever the other side does, its connection is shut when the time is up.

Timeouts of sockets start anew with every byte; a server that sends one byte a second never meets them.
"""

import os
import socket
import threading
import time
from contextlib import suppress
from contextvars import ContextVar, Token
from types import TracebackType


class Deadline:
    """A time by which an exchange is over. Connections in use put themselves under watch."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.is_over = False
        self._end = time.monotonic() + seconds
        self._watched: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        self._token: Token[Deadline | None] | None = None

    def __enter__(self) -> "Deadline":
        self._token = _CURRENT.set(self)
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self._token is not None:
            _CURRENT.reset(self._token)
        with self._lock:
            for sock in self._watched:
                sock.close()
            self._watched.clear()

    def remaining(self) -> float:
        """Return the seconds left; a little above 0 when there are none, as sockets read 0 as something else."""
        return max(0.001, self._end - time.monotonic())

    def watch(self, sock: socket.socket) -> None:
        """Shut the connection of `sock` when the time is up, also after TLS has taken the socket over."""
        twin = socket.socket(fileno=os.dup(sock.fileno()))
        with self._lock:
            self._watched.append(twin)
        if self.is_over:
            self._cut()

    def _cut(self) -> None:
        with self._lock:
            self.is_over = True
            for sock in self._watched:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)


_CURRENT: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def current_deadline() -> Deadline | None:
    """Return the deadline under which this thread works."""
    return _CURRENT.get()
