"""The folder in which a region lives, and the lock that lets one build at a time into it.

A home holds `staged/` and `derived/` (results of steps, by content), `candidate/`, `releases/`, `failed/` (reports of
builds that published nothing) and `dagster/`. The lock is the kernel's: it is gone when its process is gone, however
that process ended, so a killed build never has to be unlocked by hand.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import StorageError, UtpError

PROJECT = Path(__file__).resolve().parent.parent
DAGSTER_YAML = PROJECT / "dagster.yaml"


class HomeError(StorageError):
    """A home that cannot be used; the message says why and what to do."""


class HomeMissing(UtpError):
    """A home that is not there."""


@dataclass(frozen=True)
class Home:
    """Paths below one home folder."""

    folder: Path

    @property
    def releases(self) -> Path:
        return self.folder / "releases"

    @property
    def raw(self) -> Path:
        return self.folder / "raw"

    @property
    def candidate(self) -> Path:
        return self.folder / "candidate"

    @property
    def failed(self) -> Path:
        return self.folder / "failed"

    @property
    def dagster(self) -> Path:
        return self.folder / "dagster"

    def prepare(self) -> None:
        """Create the folder and Dagster's part of it, with the project's `dagster.yaml`. Raises HomeError."""
        try:
            self.dagster.mkdir(parents=True, exist_ok=True)
            target = self.dagster / "dagster.yaml"
            if not target.exists() or target.read_bytes() != DAGSTER_YAML.read_bytes():
                draft = target.with_name(f".dagster.yaml.{os.getpid()}")
                shutil.copyfile(DAGSTER_YAML, draft)
                draft.replace(target)
        except OSError as error:
            raise HomeError(
                f"home {self.folder}: {error.strerror or error}; choose another folder with --home, or mend this one"
            ) from None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the home alone; HomeError at once when another process holds it.

        A nested call of the process that holds the lock goes through.
        """
        path = self.folder / "lock"
        if path.resolve() in _held:
            yield
            return
        with path.open("a+") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                handle.seek(0)
                raise HomeError(
                    f"home {self.folder} is in use by {_holder(handle.read())}; wait for its end, or use another --home"
                ) from None
            handle.truncate(0)
            handle.write(json.dumps({"pid": os.getpid()}))
            handle.flush()
            _held.add(path.resolve())
            try:
                yield
            finally:
                _held.discard(path.resolve())


_held: set[Path] = set()


def _holder(text: str) -> str:
    try:
        return f"process {json.loads(text)['pid']}"
    except (ValueError, KeyError, TypeError):
        return "another process"


def default_home(region_id: str, profile: str = "replay") -> Path:
    """Return `./data/<region>`; what is constructed has a home of its own, `./data/<region>-sandbox`."""
    return Path("data") / (f"{region_id}-sandbox" if profile == "sandbox" else region_id)


def existing_home(home: Path | None, region_id: str) -> Path:
    """Return the home that is meant; HomeMissing when nothing was built there yet."""
    folder = home or default_home(region_id)
    if not folder.is_dir():
        raise HomeMissing(
            f"nothing was built in {folder} yet; build with `utp build`, or name another --home or --region"
        )
    return folder
