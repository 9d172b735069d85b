"""A publisher is killed again and again while somebody reads: nobody ever sees half a release."""

import multiprocessing
import random
import signal
import time
from pathlib import Path

from tests.warehouse import world
from tests.warehouse.release.publisher import publish_for_ever
from warehouse import read
from warehouse.release import store
from warehouse.release.publish import publish

KILLS = 8


def _read_all(releases: Path) -> str:
    warehouse = read.open(releases)
    assert set(warehouse.tables()) == set(world.TABLES_HELD)
    for name in warehouse.tables():
        # Reading holds each file against its SHA-256.
        assert warehouse.table(name, visible_only=False).num_rows == warehouse.manifest.tables[name].rows_total
    return warehouse.manifest.id


def test_a_reader_sees_whole_releases_only_while_publishers_are_killed(tmp_path: Path) -> None:
    releases = tmp_path / "releases"
    publish(releases, world.draft(tmp_path / "candidate"))
    # Processes that start at once: what is slow to import is imported before they are forked.
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["pandas", publish_for_ever.__module__])
    chance = random.Random(20260314)
    seen = set()
    left_behind = 0
    for kill in range(KILLS):
        is_going = processes.Event()
        publisher = processes.Process(target=publish_for_ever, args=(tmp_path, kill * 1000, is_going))
        publisher.start()
        assert is_going.wait(30), "the publisher does not start"
        end = time.monotonic() + chance.uniform(0.0, 0.25)
        while time.monotonic() < end:
            seen.add(_read_all(releases))
        publisher.kill()
        publisher.join()
        assert publisher.exitcode == -signal.SIGKILL, "the publisher ended by itself"
        seen.add(_read_all(releases))
        assert all(store.verify(releases, name) == () for name in store.release_ids(releases)[-3:])
        hidden = [path.name for path in releases.iterdir() if path.name.startswith(".")]
        assert all(name.startswith(".staging-") for name in hidden)
        left_behind += bool(hidden)
    assert len(seen) >= KILLS, "the publishers were killed before they published anything"
    assert left_behind > 0, "no publisher was killed in the middle"

    last = publish(releases, world.draft(tmp_path / "candidate"))
    assert store.current_id(releases) == last.id
    assert not [path.name for path in releases.iterdir() if path.name.startswith(".")]
    undisturbed = publish(tmp_path / "undisturbed", world.draft(tmp_path / "undisturbed-candidate"))
    assert undisturbed.content_hash == last.content_hash
