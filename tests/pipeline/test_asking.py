"""From a provider to a release over real HTTP: a constructed world on loopback is asked, the tables are its truth."""

import json
import os
import random
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from pipeline.allowances import read_allowances
from pipeline.asking import Needed, Settled, open_requests, plan
from pipeline.fetching import TIME_SCALE, blocked, fetch
from pipeline.home import Home
from pipeline.regions import read_region
from pipeline.settings import settings_for
from schemas.errors import UtpError
from sources.protocol.discovery import Source, find_sources
from sources.sandbox.process import running
from sources.sandbox.world import World, build_world
from sources.transport.archive import Archive
from tests.pipeline.command import start, utp
from tests.warehouse.world import draft as world_draft
from warehouse import read
from warehouse.release import store
from warehouse.release.publish import publish

REGION = read_region("sample")
OSM = find_sources()["osm"]
USUAL = read_allowances(Path("nowhere"), [OSM.declaration], of_stand_ins=True)
ACCOUNT = USUAL.accounts["osm"]


def nothing(source: Source) -> Needed:
    assert source.declaration.needs == ()
    return {}


@pytest.fixture(scope="module")
def stand_in() -> Iterator[str]:
    with running("sample", time_scale=TIME_SCALE) as address:
        os.environ["UTP_SANDBOX"] = address
        yield address
        del os.environ["UTP_SANDBOX"]


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(REGION, 1)


@pytest.fixture(scope="module")
def fetched(stand_in: str, tmp_path_factory: pytest.TempPathFactory) -> Home:
    assert stand_in.startswith("http://127.0.0.1:")
    home = Home(tmp_path_factory.mktemp("fetched"))
    asked = fetch([OSM], REGION, home, "sandbox", USUAL, nothing)["osm"]
    assert (asked.failed, asked.stopped) == ((), None)
    return home


def _log(address: str) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{address}/_log") as reply:
        return [json.loads(line) for line in reply.read().decode().splitlines()]


def test_what_was_answered_is_not_asked_again(fetched: Home, stand_in: str) -> None:
    before = len(_log(stand_in))
    assert fetch([OSM], REGION, fetched, "sandbox", USUAL, nothing)["osm"].done == 0
    assert len(_log(stand_in)) == before


def test_the_plan_of_a_static_endpoint_is_exact(tmp_path: Path, fetched: Home) -> None:
    now = datetime.now(UTC)
    todo = plan(OSM, REGION, Archive(tmp_path / "raw"), ACCOUNT, now, None, {})
    assert todo.requests_min == todo.requests_max == todo.endpoints["stops"].jobs > 100
    assert plan(OSM, REGION, Archive(fetched.raw), ACCOUNT, now, None, {}).requests_max == 0


def test_an_answer_that_is_too_old_is_due(fetched: Home) -> None:
    archive, now = Archive(fetched.raw), datetime.now(UTC)
    days = OSM.declaration.endpoints["stops"].days_valid
    assert open_requests(OSM, REGION, archive, ACCOUNT, now + timedelta(days=days - 1), {}) == []
    assert len(open_requests(OSM, REGION, archive, ACCOUNT, now + timedelta(days=days + 1), {})) > 100


@pytest.mark.usefixtures("fetched")
def test_limits_are_kept(stand_in: str) -> None:
    lines = [line for line in _log(stand_in) if "calls_in_window" in line]
    assert max(line["calls_in_window"] for line in lines) <= lines[0]["limit_calls"]


def test_nobody_is_asked_live_before_a_maintainer_has_signed(tmp_path: Path) -> None:
    assert "no maintainer has accepted the terms" in blocked({"osm": OSM}, "live")["osm"]
    outcome = fetch([OSM], REGION, Home(tmp_path), "live", USUAL, nothing)["osm"]
    assert (outcome.done, outcome.stopped) == (0, blocked({"osm": OSM}, "live")["osm"])
    assert not (tmp_path / "raw").exists()


def test_a_sandbox_home_takes_no_real_files(tmp_path: Path) -> None:
    with pytest.raises(UtpError, match="takes no real files"):
        settings_for("sample", tmp_path, tmp_path, profile="sandbox")


def test_a_home_of_constructed_answers_takes_no_real_files_in_any_profile(fetched: Home, tmp_path: Path) -> None:
    with pytest.raises(UtpError, match="takes no real files"):
        settings_for("sample", fetched.folder, tmp_path)


def test_a_home_of_real_releases_takes_no_constructed_answers(tmp_path: Path) -> None:
    publish(tmp_path / "releases", world_draft(tmp_path / "candidate"))
    with pytest.raises(UtpError, match="constructed answers need another --home"):
        settings_for("sample", tmp_path, profile="sandbox")


@pytest.mark.usefixtures("stand_in")
def test_the_release_of_a_constructed_world_says_so_and_holds_its_truth(fetched: Home, world: World) -> None:
    done = utp("build", "--region", "sample", "--profile", "sandbox", "--home", fetched.folder, "--json")
    assert done.status == 0, done.err
    assert "-sandbox-" in done.document["release"]
    manifest = read.open(fetched.folder).manifest
    assert manifest.origin == "sandbox"
    page = (fetched.releases / manifest.id / "report" / "index.html").read_text(encoding="utf-8")
    assert "sandbox" in page
    stops = read.open(fetched.folder).table("transit_stops")
    assert set(stops["value_class"].to_pylist()) == {"constructed"}
    # A name in the local script alone is no name yet.
    named = [stop for stop in world.stops if stop.name]
    assert stops.num_rows == len(named)
    found = Counter(stops["stop_mode"].to_pylist())
    assert found == Counter(stop.mode for stop in named)
    latitudes = sorted(round(stop.latitude, 5) for stop in named)
    assert pc.max(stops["latitude"]).as_py() == pytest.approx(latitudes[-1], abs=0.01)


def test_a_fetch_that_is_killed_goes_on_and_asks_nothing_twice(stand_in: str, fetched: Home, tmp_path: Path) -> None:
    before = len(_log(stand_in))
    generator = random.Random(7)
    arguments = ("fetch", "--region", "sample", "--profile", "sandbox", "--home", tmp_path, "--json")
    for _ in range(4):
        process = start(*arguments, keep=("UTP_SANDBOX",))
        time.sleep(generator.uniform(1.0, 3.0))
        process.kill()
        process.communicate()
    done = start(*arguments, keep=("UTP_SANDBOX",))
    out, err = done.communicate(timeout=300)
    assert done.returncode == 0, err
    assert json.loads(out)["providers"]["osm"]["failed"] == []
    assert Archive(tmp_path / "raw").content_hash("osm") == Archive(fetched.raw).content_hash("osm")
    assert Archive(tmp_path / "raw").verify() == []
    answered = Counter(line["request_sha256"] for line in _log(stand_in)[before:] if line["status"] == 200)
    # An answer in flight at a kill was made and never arrived; it alone may be asked for once more.
    assert sum(count - 1 for count in answered.values()) <= 4


def test_an_answer_of_this_run_settles_its_request_even_when_it_failed(fetched: Home) -> None:
    known = Archive(fetched.raw).known("osm")
    first = next(iter(known.answers("stops")))
    old = Settled(OSM, known, ACCOUNT, first.fetched_at + timedelta(days=3650))
    assert list(old.answers("stops")) == []
    same_run = Settled(OSM, known, ACCOUNT, first.fetched_at + timedelta(days=3650), {}, {first.request_id: 1})
    assert [answer.request_id for answer in same_run.answers("stops")] == [first.request_id]


def test_releases_of_constructed_answers_are_never_published_under_a_live_name(fetched: Home) -> None:
    assert all("-sandbox-" in name for name in store.release_ids(fetched.releases))
