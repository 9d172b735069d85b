"""What can go wrong with the archive, told apart by what the reader of the message has to do."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from schemas.errors import DataError, StorageError, UtpError


class ArchiveError(UtpError):
    """Root of all errors about the archive; the message gives place, cause and next step."""


class UnfitAnswer(ArchiveError, ValueError):
    """An answer that contradicts itself or its place; nothing was written."""


class OriginError(ArchiveError):
    """An answer of one kind (live, sandbox) for a home of the other; nothing was written."""


class ArchiveFailed(ArchiveError, StorageError):
    """The storage failed. What was archived before is untouched."""


class DamagedArchive(ArchiveError, DataError):
    """A file of the archive is not what was written."""


def damaged(path: Path, cause: str) -> DamagedArchive:
    """Return the error for a damaged file."""
    return DamagedArchive(
        f"{path}: {cause}; bring the file back from a copy, or move it out of the archive: "
        "its requests are then asked again (`utp archive verify` lists all that is wrong)"
    )


@contextmanager
def storing(path: Path, doing: str) -> Iterator[None]:
    """Turn a failure of the storage into ArchiveFailed."""
    try:
        yield
    except OSError as error:
        raise ArchiveFailed(
            f"{path}: {doing} failed: {error.strerror or error}; make room or mend the storage, then run again: "
            "what was archived before is kept"
        ) from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever a damaged file makes its decoder say into DamagedArchive."""
    try:
        yield
    except (OSError, pa.ArrowException, struct.error, ValueError, KeyError, TypeError) as error:
        raise damaged(path, f"cannot be read back ({str(error).splitlines()[0] if str(error) else error!r})") from error
