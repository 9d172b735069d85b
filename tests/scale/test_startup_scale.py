"""How long a person waits before anything happens: `utp --help`, the definitions, a build in which nothing changed.

Prints what it measures; the numbers depend on the machine, so nothing fails on them.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.pipeline.command import utp

DEFINITIONS = (
    "from pathlib import Path; from pipeline.definitions import build_defs; from pipeline.settings import settings_for;"
    "build_defs(settings_for('india', Path('/nonexistent'))).resolve_job_def('build_release')"
)


def _seconds(*command: str, runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


@pytest.mark.scale
def test_help_and_definitions() -> None:
    python, helping = _seconds("-c", "pass"), _seconds("-m", "pipeline.cli", "--help")
    dagster, definitions = _seconds("-c", "import dagster", runs=3), _seconds("-c", DEFINITIONS, runs=3)
    print(f"\nutp --help: {helping:.3f} s, {helping / python:.1f} x the start of python (wanted: below 8)")
    print(f"definitions: {definitions - dagster:.2f} s beyond importing dagster (wanted: below 4)")


@pytest.mark.scale
def test_a_build_in_which_nothing_changed(shared_data: Path, tmp_path: Path) -> None:
    arguments = ("build", "--region", "india", "--tables-dir", shared_data, "--home", tmp_path / "home", "--json")
    first, second = utp(*arguments).document, utp(*arguments).document
    assert second["partitions"]["built"] == 0
    assert second["release"] == first["release"]
    print(f"\nindia with real files: {first['seconds']} s, again: {second['seconds']} s")
