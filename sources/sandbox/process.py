"""The sandbox as a child process, for a build and for tests."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from schemas.errors import StorageError

_PROJECT = Path(__file__).resolve().parents[2]


@contextmanager
def running(
    region: str | Path,
    *,
    seed: int = 1,
    time_scale: float = 60.0,
    as_of: date | None = None,
    faults: str = "none",
    providers: Sequence[Path] = (),
) -> Iterator[str]:
    """Run a sandbox and yield its address, as `http://127.0.0.1:8123`; a provider is at `<address>/<its name>`.

    It ends with the block, and by itself when this process is killed. Raises StorageError when it does not start.
    """
    where = region if isinstance(region, str) else str(region.absolute())
    command = [sys.executable, "-m", "sources.sandbox", "--region", where, "--seed", str(seed)]
    command += ["--time-scale", str(time_scale), "--faults", faults, "--parent", str(os.getpid())]
    command += ["--as-of", as_of.isoformat()] if as_of else []
    for file in providers:
        command += ["--provider", str(file.absolute())]
    with subprocess.Popen(command, cwd=_PROJECT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            word, _, address = child.stdout.readline().strip().partition(" ")
            if word != "sandbox" or not address:
                raise StorageError(f"the sandbox for region {where!r} did not start; what it says stands above")
            yield address
        finally:
            child.terminate()
            try:
                child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                child.kill()
