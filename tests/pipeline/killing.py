"""Killing `utp fetch` and `utp build` at random moments against a stand-in, and judging what comes of it.

Every home has a stand-in of its own, so that its log tells of this home alone and what it counts begins anew.
"""

import json
import random
import re
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.fetching import TIME_SCALE
from sources.sandbox.process import running
from sources.transport.archive import Archive
from tests.pipeline.command import start
from warehouse import read
from warehouse.release import store

# A call that is made again and again on purpose: it asks how far a job is.
POLL = re.compile(r"/tomtom/routing/matrix/2/async/[^/]+")
# A job that is submitted twice has two ids, and these stand in the origins of its rows.
SUBMISSION = re.compile(r"/tomtom/routing/matrix/2/async")
OF_JOBS = ("source_ref", "snapshot_id")
STARTUP_S = 1.2


@dataclass(frozen=True)
class Outcome:
    """A home whose fetch and build came to their ends, the log of its stand-in, and how long they took."""

    home: Path
    log: list[dict[str, Any]]
    fetch_s: float
    build_s: float
    in_flight: Counter[str] = field(default_factory=Counter)

    @property
    def answered(self) -> Counter[str]:
        """How often each request was answered whole."""
        return Counter(line["request_sha256"] for line in self.log if _is_answer(line))

    @property
    def submissions(self) -> int:
        return sum(1 for line in self.log if SUBMISSION.fullmatch(line["path"]))

    @property
    def content_hash(self) -> str:
        return store.show(self.home / "releases").content_hash

    @property
    def values(self) -> dict[str, pa.Table]:
        """All rows of the release by table, without what names jobs."""
        release = read.open(self.home)
        tables = {name: release.table(name, visible_only=False) for name in release.manifest.tables}
        return {
            name: rows.drop_columns([one for one in OF_JOBS if one in rows.column_names])
            for name, rows in tables.items()
        }


def undisturbed(home: Path, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """Fetch, then build."""
    with running("sample", time_scale=TIME_SCALE) as address:
        monkeypatch.setenv("UTP_SANDBOX", address)
        began = time.monotonic()
        _finish("fetch", home)
        fetched = time.monotonic()
        _finish("build", home)
        return Outcome(home, log_of(address), fetched - began, time.monotonic() - fetched)


def disturbed(
    home: Path, kills: int, seed: int, expected: Outcome, monkeypatch: pytest.MonkeyPatch, faults: str = "none"
) -> Outcome:
    """Kill so often, the first half while much is to be asked still, then fetch and build to their ends.

    After each kill whatever a reader finds is whole.
    """
    generator, in_flight = random.Random(seed), Counter[str]()
    most_s = STARTUP_S + 2 * expected.fetch_s / max(1, kills // 2)
    with running("sample", time_scale=TIME_SCALE, faults=faults) as address:
        monkeypatch.setenv("UTP_SANDBOX", address)
        for kill in range(kills):
            before = len(log_of(address))
            process = _start("build" if kill % 2 else "fetch", home)
            time.sleep(generator.uniform(0.5, most_s if kill < kills // 2 else expected.build_s))
            process.kill()
            process.communicate()
            # An answer that is on its way when its reader dies is made all the same.
            time.sleep(0.2)
            in_flight.update([line["request_sha256"] for line in log_of(address)[before:] if _is_answer(line)][-1:])
            assert Archive(home / "raw").verify() == []
            if store.current_id(home / "releases") is not None:
                assert store.verify(home / "releases") == ()
        began = time.monotonic()
        _finish("fetch", home)
        fetched = time.monotonic()
        _finish("build", home)
        return Outcome(home, log_of(address), fetched - began, time.monotonic() - fetched, in_flight)


def asked_again(outcome: Outcome, expected: Outcome) -> tuple[int, list[str]]:
    """Return how many answers were lost in flight and asked for again, and which requests were for no such reason."""
    usual, paths = expected.answered, {line["request_sha256"]: line["path"] for line in outcome.log}
    more = {one: count - max(1, usual[one]) for one, count in outcome.answered.items() if count > max(1, usual[one])}
    unfounded = [paths[one] for one, count in more.items() if count > outcome.in_flight[one]]
    return sum(more.values()), unfounded


def log_of(address: str) -> list[dict[str, Any]]:
    """Return the lines of a stand-in's log."""
    with urllib.request.urlopen(f"{address}/_log") as reply:
        return [json.loads(line) for line in reply.read().decode().splitlines()]


def _is_answer(line: dict[str, Any]) -> bool:
    return line["status"] in (200, 202) and line["fault"] is None and not POLL.fullmatch(line["path"])


def _start(verb: str, home: Path) -> Any:
    return start(verb, "--region", "sample", "--profile", "sandbox", "--home", home, "--json", keep=("UTP_SANDBOX",))


def _finish(verb: str, home: Path) -> None:
    """Run a command until it is done: what a provider fails to answer for a while is asked for by the next fetch."""
    for left in reversed(range(4 if verb == "fetch" else 1)):
        process = _start(verb, home)
        _, err = process.communicate(timeout=600)
        if process.returncode == 0:
            return
        assert left, err
