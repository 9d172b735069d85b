"""The folder of one provider: which names mean what, and who may list or change it when.

The lock makes listing and renaming exclude each other and is held for moments. The maintenance lock lets one process
seal, compact or expire at a time and is held as long as that takes. Both end with the process that holds them.
"""

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sources.transport.archive.errors import ArchiveError, storing

PROVIDER = re.compile(r"[a-z0-9_]+")
JOURNAL = re.compile(r"\d{20}-\d+-[0-9a-f]{8}\.journal")
SEGMENT = re.compile(r"(?P<number>\d{6,})-(?P<digest>[0-9a-f]{16})-(?P<footer>[0-9a-f]{16})\.parquet")
DRAFT = ".draft-"
LOCK, MAINTENANCE = ".lock", ".maintenance"


@dataclass(frozen=True)
class ProviderFolder:
    """`<archive>/<provider>/`."""

    archive: Path
    provider: str

    def __post_init__(self) -> None:
        if not PROVIDER.fullmatch(self.provider):
            raise ArchiveError(f"{self.provider!r} is no provider id; use lower-case letters, digits and _")

    @property
    def path(self) -> Path:
        return self.archive / self.provider

    def create(self) -> None:
        """Make the folder, so that it outlasts a power cut."""
        if not self.path.is_dir():
            self.path.mkdir(parents=True, exist_ok=True)
            for folder in (self.archive, self.archive.parent):
                sync_folder(folder)

    def names(self, pattern: re.Pattern[str]) -> list[str]:
        """Return the names of that form, sorted. For a holder of one of the locks."""
        return sorted(path.name for path in self.path.iterdir() if pattern.fullmatch(path.name))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder still; what is listed and opened under it is one moment of the folder."""
        yield from self._hold(LOCK)

    @contextmanager
    def maintained(self) -> Iterator[None]:
        """Be the only one that seals, compacts or expires; waits for its turn. The folder exists."""
        yield from self._hold(MAINTENANCE)

    def commit(self, draft: Path | None, name: str, replaced: Iterable[str]) -> None:
        """Give a finished draft its name, then remove the files that it replaces; each step is forced to disk."""
        with self.locked():
            if draft is not None:
                draft.rename(self.path / name)
                sync_folder(self.path)
            for old in replaced:
                (self.path / old).unlink(missing_ok=True)

    def _hold(self, name: str) -> Iterator[None]:
        path = self.path / name
        with storing(path, "locking"):
            try:
                handle = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
            except PermissionError:
                handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to disk; without it a new name may be lost in a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
