"""Twenty kills at random moments of a build of real files: the same content as undisturbed, every time.

The normal run has three kills on small tables (`tests/pipeline/test_build_command.py`).
"""

import random
import time
from pathlib import Path

import pytest

from tests.pipeline.command import start, utp
from warehouse.release import store

KILLS = 20


@pytest.mark.scale
def test_a_build_of_real_files_survives_kills(shared_data: Path, tmp_path: Path) -> None:
    def arguments(home: str) -> tuple[object, ...]:
        return ("build", "--region", "india", "--tables-dir", shared_data, "--home", tmp_path / home)

    began = time.monotonic()
    undisturbed = utp(*arguments("undisturbed"))
    assert undisturbed.status == 0, undisturbed.err
    seconds = time.monotonic() - began
    wanted = store.show(tmp_path / "undisturbed" / "releases").content_hash

    generator, releases = random.Random(1), tmp_path / "killed" / "releases"
    for _ in range(KILLS):
        process = start(*arguments("killed"))
        time.sleep(generator.uniform(1.0, seconds))
        process.kill()
        process.communicate()
        if store.current_id(releases) is not None:
            assert store.verify(releases) == ()
    done = utp(*arguments("killed"))
    assert done.status == 0, done.err
    assert store.show(releases).content_hash == wanted
    print(f"\n{KILLS} kills within the first {seconds:.0f} s of a build: same content")
