"""The home and its lock: one build at a time, and none waits for a dead one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.home import Home, HomeError

HOLD = """
import sys, time
from pathlib import Path
from pipeline.home import Home
home = Home(Path(sys.argv[1]))
home.prepare()
with home.lock():
    print("held", flush=True)
    time.sleep(60)
"""


def _holder(folder: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "held"
    return process


def test_a_second_process_is_told_at_once_who_holds_the_home(tmp_path: Path) -> None:
    process = _holder(tmp_path)
    try:
        with pytest.raises(HomeError, match=f"in use by process {process.pid}"), Home(tmp_path).lock():
            pass
    finally:
        process.kill()
        process.wait()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    process = _holder(tmp_path)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with Home(tmp_path).lock():
        pass


def test_the_holder_may_take_the_lock_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.lock(), home.lock():
        pass
    with home.lock():
        pass


def test_a_home_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeError, match=r"file/home.*choose another folder with --home"):
        Home(tmp_path / "file" / "home").prepare()


def test_the_home_holds_the_projects_dagster_settings(tmp_path: Path) -> None:
    Home(tmp_path).prepare()
    assert "telemetry" in (tmp_path / "dagster" / "dagster.yaml").read_text()
