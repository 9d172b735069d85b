"""`utp build` and the commands that look at what it made, as processes of their own."""

import random
import signal
import time
from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.home import Home
from tests.pipeline.command import start, utp
from warehouse import read
from warehouse.release import store


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, module_tables: Path) -> Path:
    """A home in which `sample` was built once from the constructed tables."""
    home = tmp_path_factory.mktemp("built") / "home"
    done = utp("build", "--region", "sample", "--tables-dir", module_tables, "--home", home)
    assert (done.status, "Traceback" in done.err) == (0, False), done.err
    return home


def test_the_summary_is_one_json_document_with_the_promised_keys(built: Path, module_tables: Path) -> None:
    done = utp("build", "--region", "sample", "--tables-dir", module_tables, "--home", built, "--json")
    assert done.status == 0
    assert {"release", "origin", "rows", "quarantined", "partitions", "requests", "seconds", "report"} <= set(
        done.document
    )
    assert done.document["rows"]["city_set"] == 12
    assert done.document["rows"]["restaurants"] == 4
    assert done.document["quarantined"]["restaurants"] == 1
    assert Path(done.document["report"]).is_file()


def test_a_second_build_reuses_everything_and_publishes_nothing_new(built: Path, module_tables: Path) -> None:
    before = store.release_ids(built / "releases")
    done = utp("build", "--region", "sample", "--tables-dir", module_tables, "--home", built, "--json")
    assert done.document["partitions"]["built"] == 0
    assert store.release_ids(built / "releases") == before


def test_the_release_holds_what_the_files_say(built: Path) -> None:
    warehouse = read.open(built)
    place = warehouse.place("restaurants", "Constructed Cafe", "Poona")
    assert place is not None
    assert (place.city, place.row["avg_cost"]) == ("Pune", 200.0)
    # Namesakes of one city carry their locality.
    assert {one.name for one in warehouse.places_in("restaurants", "Mumbai")} == {
        "Constructed Kitchen - Fort",
        "Constructed Kitchen - Dadar",
    }
    stop = warehouse.nearest_stop("Constructed Cafe", "Pune", "restaurant")
    assert stop is not None
    assert stop.stop_name == "Constructed Halt"
    assert stop.distance_m == pytest.approx(73.2, abs=1)
    hidden = warehouse.table("restaurants", visible_only=False)
    far = hidden.filter(pa.compute.equal(hidden["name"], "Constructed Far")).to_pylist()
    assert [(row["City"], row["missing"]) for row in far] == [(None, ["City"])]


def test_releases_can_be_listed_shown_verified_and_read(built: Path) -> None:
    (line,) = utp("release", "list", "--home", built, "--json").document
    assert line["is_current"]
    assert utp("release", "show", "--home", built, "--json").document["id"] == line["id"]
    assert utp("release", "verify", "--home", built).status == 0
    rows = utp("read", "restaurants", "--city", "Bombay", "--where", "rating > 4", "--home", built, "--json").document
    assert [row["name"] for row in rows] == ["Constructed Kitchen - Fort"]


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["build", "--region", "atlantis"], 2, "Choose one of: india, sample"),
        (["build", "--region", "sample", "--tables-dir", "nowhere"], 2, "no tables folder"),
        (["build", "--region", "sample", "--tables-dir", "."], 2, "no file that a mapping names"),
        (["build", "--region", "sample", "--home", "a-file/home"], 3, "choose another folder with --home"),
        (["read", "restaurants"], 2, "nothing was built in data/india yet"),
        (["release", "list", "--home", "nowhere"], 2, "nothing was built in nowhere yet"),
        (["release", "rollback", "", "--home", "{built}"], 2, "no release ''"),
        (["build", "--tables-dir", ""], 2, "the path is empty"),
        (["ui", "--port", "99999999"], 2, "choose one from 1 to 65535"),
        (["read", "nothing", "--home", "{built}"], 2, "no table 'nothing'"),
        (["read", "events", "--home", "{built}"], 1, "no table events"),
        (["read", "restaurants", "--home", "{built}", "--city", "Atlantis"], 2, "no city 'Atlantis'"),
        (["read", "restaurants", "--home", "{built}", "--where", "costs > 1"], 2, "columns of restaurants"),
        (["read", "restaurants", "--home", "{built}", "--where", "1) UNION SELECT (1"], 2, "--where"),
        (["read", "restaurants", "--home", "{built}", "--where", "1=1); SELECT 42 WHERE (1=1"], 2, "--where"),
        (
            ["read", "city_set", "--home", "{built}", "--where", "City IN (FROM read_text('*'))"],
            2,
            "--where",
        ),
        (["read", "restaurants", "--home", "{built}", "--limit", "0"], 2, "from 1 up"),
        (["release", "show", "nothing", "--home", "{built}"], 2, "no release 'nothing'"),
        (["release", "rollback", "nothing", "--home", "{built}"], 2, "no release 'nothing'"),
        (["region", "show", "atlantis"], 2, "Choose one of"),
        (["tables", "check", "nothing", "a-file"], 2, "choose one of"),
        (["tables", "check", "zomato_india", "nowhere.csv"], 2, "nowhere.csv"),
        (["nonsense"], 2, "invalid choice"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str], status: int, says: str, built: Path, tmp_path: Path
) -> None:
    (tmp_path / "a-file").write_text("")
    done = utp(*(word.replace("{built}", str(built)) for word in arguments), cwd=tmp_path)
    assert done.status == status, done.err
    assert says in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_a_broken_floor_stops_publishing_and_leaves_a_report_and_the_old_release(
    built: Path, module_tables: Path, tmp_path: Path
) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    for path in module_tables.iterdir():
        (tables / path.name).write_bytes(path.read_bytes())
    # A file that lost its end: the mapping's stops are gone, so no place has a stop; the release would be worse.
    (tables / "restaurants.csv").write_bytes(b"\xff\xfe not a table")
    before = store.current_id(built / "releases")
    done = utp("build", "--region", "sample", "--tables-dir", tables, "--home", built)
    assert done.status == 1
    assert "nothing was published" in done.err
    assert "Traceback" not in done.err
    assert list(Home(built).failed.glob("*/index.html"))
    assert store.current_id(built / "releases") == before


def test_two_builds_on_one_home_do_not_meet(built: Path, module_tables: Path) -> None:
    with Home(built).lock():
        done = utp("build", "--region", "sample", "--tables-dir", module_tables, "--home", built)
    assert done.status == 3
    assert "in use by process" in done.err


def test_a_killed_build_goes_on_to_the_same_content(built: Path, module_tables: Path, tmp_path: Path) -> None:
    undisturbed = store.show(built / "releases")
    home = tmp_path / "home"
    arguments = ("build", "--region", "sample", "--tables-dir", module_tables, "--home", home)
    generator = random.Random(20261130)
    for _ in range(3):
        process = start(*arguments)
        time.sleep(generator.uniform(1.5, 9.0))
        process.kill()
        process.communicate()
        # Whatever a reader finds, it is whole.
        if store.current_id(home / "releases") is not None:
            assert store.verify(home / "releases") == ()
    done = utp(*arguments)
    assert done.status == 0, done.err
    assert store.show(home / "releases").content_hash == undisturbed.content_hash
    assert store.verify(home / "releases") == ()


def test_a_full_disk_is_said_in_one_line_and_the_same_command_goes_on_with_space(
    built: Path, module_tables: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    arguments = ("build", "--region", "sample", "--tables-dir", module_tables, "--home", home)
    process = start(*arguments, most_bytes=30_000)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (3, ""), err
    assert "nothing was published" in err
    assert "Traceback" not in err
    assert utp(*arguments).status == 0
    assert store.show(home / "releases").content_hash == store.show(built / "releases").content_hash


@pytest.mark.parametrize("seconds", [3.0, 7.0])
def test_a_stopped_build_says_so_in_one_line(module_tables: Path, tmp_path: Path, seconds: float) -> None:
    process = start("build", "--region", "sample", "--tables-dir", module_tables, "--home", tmp_path / "home")
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert "Traceback" not in err
    if process.returncode != 0:
        assert (process.returncode, "stopped" in err) == (3, True), err
