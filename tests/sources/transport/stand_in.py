"""A provider to ask on loopback: it notes every arrival before it answers, and answers as a test tells it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Arrival:
    at: float
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class StandIn:
    """`on(path, *scripts)`: one script for each arrival at a path, the last one again and again."""

    def __init__(self) -> None:
        self.arrivals: list[Arrival] = []
        self._scripts: dict[str, list[Script]] = {}
        self._lock = threading.Lock()
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                script = stand_in._note(Arrival(time.monotonic(), self.command, self.path, headers, body))
                try:
                    script(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            do_GET = do_POST = handle_any

            def log_message(self, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *args: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def on(self, path: str, *scripts: Script) -> None:
        self._scripts[path] = list(scripts)

    def at(self, path: str) -> list[Arrival]:
        return [arrival for arrival in self.arrivals if arrival.path.partition("?")[0] == path]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _note(self, arrival: Arrival) -> Script:
        with self._lock:
            self.arrivals.append(arrival)
            scripts = self._scripts.get(arrival.path.partition("?")[0], [reply(404, b"nothing here")])
            return scripts.pop(0) if len(scripts) > 1 else scripts[0]


@contextmanager
def standing_in() -> Iterator[StandIn]:
    stand_in = StandIn()
    try:
        yield stand_in
    finally:
        stand_in.close()


def reply(status: int, body: bytes = b"{}", media_type: str = "application/json", **headers: str) -> Script:
    def script(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", media_type)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return script


def redirect(location: str, status: int = 302) -> Script:
    return reply(status, b"", Location=location)


def raw(*pieces: bytes, pause_s: float = 0.0) -> Script:
    """Send bytes as they are, with pauses between, and close."""

    def script(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(pause_s)

    return script


def slowly(script: Script, seconds: float) -> Script:
    def slow(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)
        script(handler)

    return slow
