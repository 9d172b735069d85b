"""What other processes do to an archive in the tests. Each tells through a pipe what it did, after it did it."""

import multiprocessing
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from schemas.errors import StorageError
from sources.transport.archive import Archive
from tests.sources.transport.archive.answers import answer, numbered_body

# Children are forked from a server that has loaded everything, and can be killed at their first step.
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__])


@contextmanager
def running(work: Callable[..., None], *arguments: object) -> Iterator[tuple[BaseProcess, Connection]]:
    """Run work in a process that is killed at the end; what it sends comes out of the connection until EOFError."""
    receiver, sender = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=work, args=(sender, *arguments))
    process.start()
    sender.close()
    try:
        yield process, receiver
    finally:
        process.kill()
        process.join()
        receiver.close()


def received(connection: Connection) -> Iterator[int]:
    """Yield what was sent so far without waiting for more."""
    try:
        while connection.poll():
            yield connection.recv()
    except EOFError:
        return


def append(told: Connection, folder: Path, first: int) -> None:
    """Append answers from number `first` on, for ever, in journals of five."""
    archive = Archive(folder)
    number = first
    while True:
        with archive.writer("osm") as writer:
            for _ in range(5):
                writer.append(answer(number, numbered_body(number)))
                told.send(number)
                number += 1


def maintain(told: Connection, folder: Path) -> None:
    """Seal and compact, for ever."""
    archive = Archive(folder)
    for turn in range(1_000_000):
        archive.seal()
        if turn % 2:
            archive.compact()
        told.send(turn)


def append_and_maintain(told: Connection, folder: Path, first: int) -> None:
    """Append three answers from number `first` on, seal, append, seal and compact, for ever."""
    archive = Archive(folder)
    number = first
    while True:
        with archive.writer("osm") as writer:
            for _ in range(3):
                writer.append(answer(number, numbered_body(number)))
                told.send(number)
                number += 1
        archive.seal()
        if number % 2:
            archive.compact()


def append_until_full(told: Connection, folder: Path, file_bytes: int) -> None:
    """Append until no file may grow any more, and once again when there is room."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, hard))
    number = 0
    with Archive(folder).writer("osm") as writer:
        try:
            while True:
                writer.append(answer(number, numbered_body(number)))
                told.send(number)
                number += 1
        except StorageError as error:
            told.send(error.exit_status)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        try:
            writer.append(answer(number, numbered_body(number)))
        except StorageError as error:
            told.send(error.exit_status)


def maintain_when_full(told: Connection, folder: Path, file_bytes: int) -> None:
    """Seal and expire where no file may grow beyond a size."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    for step in (Archive(folder).seal, Archive(folder).compact):
        try:
            step()
        except StorageError as error:
            told.send(error.exit_status)


def import_whole(told: Connection, folder: Path, file: Path) -> None:
    """Import a file and tell that it is done."""
    Archive(folder).import_from(file)
    told.send(0)


def import_when_full(told: Connection, folder: Path, file: Path, file_bytes: int) -> None:
    """Import where no file may grow beyond a size."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    try:
        Archive(folder).import_from(file)
    except StorageError as error:
        told.send(error.exit_status)
