"""A process that publishes one release after the other until it is killed."""

import itertools
from multiprocessing.synchronize import Event
from pathlib import Path

from tests.warehouse import world
from warehouse.release.publish import publish


def publish_for_ever(folder: Path, start: int, is_going: Event) -> None:
    """Publish into `<folder>/releases`, each time other data than the time before: it is never "nothing new"."""
    for number in itertools.count(start):
        brought = world.contribution(title=f"number {number}")
        publish(folder / "releases", world.draft(folder / "candidate", contributions=(brought,)))
        is_going.set()
