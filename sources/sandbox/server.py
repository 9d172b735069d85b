"""The server: providers mounted side by side on loopback, in one process that ends when it is told or left alone."""

import asyncio
import importlib
import importlib.util
import os
import pkgutil
import socket
import struct
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

import sources.sandbox
from schemas.errors import UtpError
from sources.sandbox.clock import Clock
from sources.sandbox.faults import Faults
from sources.sandbox.recorder import LOG_PATH, Recorder
from sources.sandbox.world import World

HOST = "127.0.0.1"
Routes = Callable[[World, Clock], list[BaseRoute]]

_ROBOTS = f"# Constructed.\nUser-agent: *\nDisallow: {LOG_PATH}\n"
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)
_PARENT_WATCH_S = 0.3


class SandboxError(UtpError):
    """The sandbox cannot start as it was told to."""


def find_providers(files: Iterable[Path] = ()) -> dict[str, Routes]:
    """Return the providers: the packages of the sandbox, and a module for each of `files`, by name."""
    modules = {
        found.name: importlib.import_module(f"{sources.sandbox.__name__}.{found.name}")
        for found in pkgutil.iter_modules(sources.sandbox.__path__)
        if found.ispkg
    }
    modules |= {file.stem: _load(file) for file in files}
    return {name: module.routes for name, module in modules.items()}


def build_app(world: World, clock: Clock, faults: Faults, providers: Mapping[str, Routes]) -> Recorder:
    """Return the application: each provider at `/<name>`, `/robots.txt` and the log."""

    async def robots(_: Request) -> Response:
        return PlainTextResponse(_ROBOTS)

    async def log(_: Request) -> Response:
        return PlainTextResponse(recorder.log(), media_type="application/x-ndjson")

    mounts = [Mount(f"/{name}", routes=routes(world, clock)) for name, routes in providers.items()]
    app = Starlette(routes=[Route("/robots.txt", robots), Route(LOG_PATH, log), *mounts])
    recorder = Recorder(app, clock, faults, providers, _Connection.break_off)
    return recorder


def listen(port: int) -> socket.socket:
    """Return a socket that listens on loopback; port 0 is any free one. Raises SandboxError."""
    if not 0 <= port <= 65535:
        raise SandboxError(f"{port} is no port; choose one from 1 to 65535, or 0 for any free one")
    # The event loop sends small packets at once only where the protocol is named.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise SandboxError(f"port {port} cannot be used ({error.strerror}); choose another one, or 0") from None
    listening.listen(128)
    return listening


def serve(app: Recorder, listening: socket.socket, parent: int) -> None:
    """Answer until SIGTERM or SIGINT, or until `parent` is no more the parent of this process."""
    config = uvicorn.Config(
        app,
        http=_Connection,
        lifespan="off",
        log_level="error",
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    async def watch() -> None:
        while os.getppid() == parent:
            await asyncio.sleep(_PARENT_WATCH_S)
        server.should_exit = True

    async def run() -> None:
        watching = asyncio.create_task(watch())
        await server.serve(sockets=[listening])
        watching.cancel()

    asyncio.run(run())


class _Connection(H11Protocol):
    """A connection that can be reset, which no application can do by itself."""

    _open: dict[Any, asyncio.Transport] = {}  # noqa: RUF012 (shared by all connections on purpose)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._open[transport.get_extra_info("peername")] = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.pop(self.transport.get_extra_info("peername"), None)
        super().connection_lost(exc)

    @classmethod
    async def break_off(cls, scope: Scope) -> None:
        transport = cls._open[tuple(scope["client"])]
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        transport.abort()
        # The loop must tell the connection that it is lost before the application ends without an answer.
        await asyncio.sleep(0)


def _load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"sandbox_provider_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise SandboxError(f"{file} is no Python file; name one that holds `routes(world, clock)`")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
