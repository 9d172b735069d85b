"""The stand-in for all providers: a process on loopback that lives as long as the build that asks it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from schemas.errors import StorageError

# A contact is demanded of whoever asks; the stand-in has nobody who would write to it.
STAND_IN_CONTACT = "stand-in"
SEED = 1
TIME_SCALE = 100.0


@dataclass(frozen=True)
class StandIn:
    """Where the stand-in listens, and how many times faster than time its limits run."""

    address: str
    time_scale: float


@contextmanager
def running_sandbox(region_id: str, seed: int = SEED, time_scale: float = TIME_SCALE) -> Iterator[StandIn]:
    """Start the stand-in for a region, and end it. StorageError when it does not start."""
    command = [sys.executable, "-m", "sources.sandbox", "--region", region_id, "--seed", str(seed)]
    process = subprocess.Popen(
        [*command, "--time-scale", str(time_scale)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line.startswith("sandbox http"):
            _, said = process.communicate(timeout=10)
            raise StorageError(f"the stand-in for {region_id} did not start: {said.strip() or 'no word from it'}")
        yield StandIn(line.split()[1], time_scale)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
