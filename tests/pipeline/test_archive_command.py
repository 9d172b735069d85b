"""`utp capture` and `utp archive`: saved answers go in, expire by their terms, and move between homes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipeline.provider_rows import stage_answers
from sources.protocol.discovery import find_sources
from sources.protocol.scaffold import three_files
from sources.protocol.types import Request
from sources.transport.archive import Archive
from tests.pipeline.command import Done, utp
from tests.sources.transport.capture.files import entry, har

OVERPASS = "https://overpass-api.de/api/interpreter"
OSM = find_sources()["osm"]
EXAMPLE = OSM.folder / "examples" / "one_box.json"
QUERY = "[out:json];node(1);out;"


def saved_har(folder: Path) -> Path:
    posted = {"mimeType": "application/x-www-form-urlencoded", "text": "data=%5Bout%3Ajson%5D%3Bnode%281%29%3Bout%3B"}
    text = EXAMPLE.read_text(encoding="utf-8")
    return har(
        folder,
        entry(OVERPASS, method="POST", posted=posted, text=text, at="2026-07-14T12:00:00Z"),
        entry(OVERPASS, method="POST", posted=posted, text=text, at="2026-07-15T12:00:00Z"),
        entry("https://elsewhere.example/", text="<html>"),
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def capture(home: Path, file: Path, *more: Any) -> Done:
    return utp("capture", file, "--source", "osm", "--home", home, "--json", *more)


def capture_one(home: Path, *more: Any) -> Done:
    asked = ("--endpoint", "stops", "--param", f"data={QUERY}", "--fetched-at", "2026-07-14T17:30:00+05:30")
    return capture(home, EXAMPLE, *asked, *more)


def archive(verb: str, home: Path, *more: Any) -> Done:
    return utp("archive", verb, *more, "--home", home, "--json")


def test_the_entries_of_a_har_become_answers_once(tmp_path: Path, home: Path) -> None:
    file = saved_har(tmp_path)
    done = capture(home, file)
    assert (done.status, done.document["answers"]) == (0, 2)
    (skipped,) = done.document["skipped"]
    assert skipped.startswith("entry 3, GET https://elsewhere.example/: no endpoint of osm")
    again = capture(home, file)
    assert (again.status, again.document["answers"]) == (0, 0)
    assert sum("archived already" in line for line in again.document["skipped"]) == 2
    assert archive("stats", home).document["osm"]["by_origin"] == {"capture": 2}
    assert archive("verify", home).document == {"problems": []}
    (answer,) = Archive(home / "raw").answers("osm")
    assert (dict(answer.params), answer.fetched_at.day) == ({"data": QUERY}, 15)


def test_a_file_in_which_nobody_asks_the_provider_is_no_success(tmp_path: Path, home: Path) -> None:
    done = capture(home, har(tmp_path, entry("https://elsewhere.example/")))
    assert (done.status, done.document["answers"], len(done.document["skipped"])) == (1, 0, 1)
    assert not (home / "raw" / "osm").exists()


def test_a_single_answer_needs_to_be_said_what_was_asked_and_when(home: Path) -> None:
    for lacking in (("--endpoint", "stops"), ("--fetched-at", "2026-07-14T12:00:00Z"), ()):
        done = capture(home, EXAMPLE, *lacking)
        assert done.status == 2
        assert "--endpoint" in done.err
    assert capture_one(home).document == {"answers": 1, "skipped": []}
    (answer,) = Archive(home / "raw").answers("osm")
    assert answer.fetched_at == datetime(2026, 7, 14, 12, tzinfo=UTC)
    assert capture_one(home).document["answers"] == 0


def test_a_har_says_itself_what_was_asked_and_when(tmp_path: Path, home: Path) -> None:
    done = capture(home, saved_har(tmp_path), "--fetched-at", "2026-07-14T12:00:00Z")
    assert done.status == 2
    assert "leave --param and --fetched-at out" in done.err


def test_bodies_expire_after_the_days_given_and_a_dry_run_says_which(home: Path) -> None:
    capture_one(home)
    assert archive("expire", home).document == {"osm": {"dropped": 0, "waiting": 0}}, "OSM may be kept for ever"
    dry = archive("expire", home, "--days", "1", "--dry-run")
    assert (dry.status, dry.document) == (0, {"osm": {"dropped": 1, "waiting": 0}})
    assert all(answer.body for answer in Archive(home / "raw").answers("osm"))
    assert archive("expire", home, "--days", "1").document == dry.document
    assert archive("expire", home, "--days", "1").document == {"osm": {"dropped": 0, "waiting": 0}}
    assert archive("verify", home).document == {"problems": []}


def test_a_source_whose_terms_nobody_knows_keeps_the_others_from_nothing(home: Path) -> None:
    capture_one(home)
    with Archive(home / "raw").writer("gone") as writer:
        (answer,) = Archive(home / "raw").answers("osm")
        asked = Request("gone", answer.endpoint, answer.scope, answer.params)
        writer.append(replace(answer, provider="gone", request_id=asked.id))
    done = archive("expire", home)
    assert (done.status, done.document) == (2, {"osm": {"dropped": 0, "waiting": 0}})
    assert "the terms of gone are not known here" in done.err
    assert archive("expire", home, "--source", "gone", "--days", "1").document == {"gone": {"dropped": 1, "waiting": 0}}


def test_a_provider_of_ones_own_expires_by_its_own_terms(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own" / "mine"
    own.mkdir(parents=True)
    for name, text in three_files("mine", "attractions", "https://mine.example/api").items():
        text = text.replace("terms:\n", "terms:\n  may_store: {default_days: 30}\n") if name == "source.yaml" else text
        (own / name).write_text(text, encoding="utf-8")
    body = tmp_path / "body.json"
    body.write_text("[]", encoding="utf-8")
    monkeypatch.setenv("UTP_SOURCES", str(own.parent))
    asked = ("--source", "mine", "--endpoint", "listing", "--fetched-at", "2026-01-01T00:00:00Z", "--home", home)
    assert utp("capture", body, *asked, keep=("UTP_SOURCES",)).status == 0
    assert archive("expire", home).status == 2, "without its folder nobody knows its terms"
    done = utp("archive", "expire", "--home", home, "--json", keep=("UTP_SOURCES",))
    assert (done.status, done.document) == (0, {"mine": {"dropped": 1, "waiting": 0}})


@pytest.mark.parametrize("verb", ["verify", "stats", "compact", "expire", "export"])
def test_a_home_without_an_archive_is_a_wrong_home_and_never_a_sound_one(tmp_path: Path, verb: str) -> None:
    a_file, without, empty, broken = (tmp_path / name for name in ("file", "without", "empty", "broken"))
    a_file.write_text("")
    for folder in (without, empty / "raw", broken):
        folder.mkdir(parents=True)
    (broken / "raw").write_text("")
    file = [tmp_path / "out.parquet"] if verb == "export" else []
    for home, status, reason in (
        (tmp_path / "nowhere", 2, "nothing is archived in"),
        (a_file, 2, "nothing is archived in"),
        (without, 2, "nothing is archived in"),
        (empty, 2, "nothing is archived in"),
        (broken, 3, "Not a directory"),
    ):
        done = archive(verb, home, *file)
        assert (done.status, done.out) == (status, ""), home
        assert reason in done.err
    assert not (tmp_path / "nowhere").exists()


def test_a_provider_of_which_nothing_is_archived_does_not_expire_in_silence(home: Path) -> None:
    capture_one(home)
    done = archive("expire", home, "--source", "osmm", "--days", "1")
    assert (done.status, done.out) == (2, "")
    assert "nothing of 'osmm' is archived" in done.err


def test_the_answers_of_a_stand_in_are_found_where_its_fetches_put_them(tmp_path: Path, home: Path) -> None:
    capture_one(home)
    (tmp_path / "data").mkdir()
    home.rename(tmp_path / "data" / "sample-sandbox")
    asked = ("archive", "stats", "--region", "sample", "--json")
    assert utp(*asked, cwd=tmp_path).status == 2
    done = utp(*asked, "--profile", "sandbox", cwd=tmp_path)
    assert (done.status, list(done.document)) == (0, ["osm"])


@pytest.mark.parametrize("days", ["-1", "x", "1.5", "99999999"])
def test_days_are_a_number_of_days(home: Path, days: str) -> None:
    assert archive("expire", home, f"--days={days}").status == 2


def test_a_replay_of_what_has_expired_says_so_and_never_only_has_fewer_rows(home: Path) -> None:
    capture_one(home)
    kept = Archive(home / "raw")
    before = stage_answers(OSM, kept.answers("osm"))["transit_stops"]
    assert before.rows.num_rows > 0
    kept.expire("osm", lambda fetched_at: fetched_at, datetime.now(UTC))
    after = stage_answers(OSM, kept.answers("osm"))["transit_stops"]
    assert after.rows.num_rows == 0
    assert after.quarantine["code"].to_pylist() == ["expired"]
    assert after.notes.rows_in == 1


def test_answers_move_from_home_to_home_in_one_file(tmp_path: Path, home: Path) -> None:
    capture_one(home)
    file, other = tmp_path / "answers.parquet", tmp_path / "other"
    assert archive("export", home, file).document == {"file": str(file), "answers": {"osm": 1}}
    assert archive("export", home, file).status == 2
    assert archive("import", other, file).document == {"osm": {"added": 1, "known": 0}}
    assert archive("import", other, file).document == {"osm": {"added": 0, "known": 1}}
    assert list(Archive(other / "raw").answers("osm")) == list(Archive(home / "raw").answers("osm"))
    file.write_bytes(file.read_bytes()[:-1])
    torn = archive("import", tmp_path / "third", file)
    assert (torn.status, torn.out) == (1, "")
    assert "nothing was taken over" in torn.err


def test_constructed_answers_are_not_imported_among_captures(tmp_path: Path, home: Path) -> None:
    capture_one(home)
    constructed = Archive(tmp_path / "sandbox" / "raw")
    with constructed.writer("osm") as writer:
        (answer,) = Archive(home / "raw").answers("osm")
        writer.append(replace(answer, origin="sandbox", fetched_at=answer.fetched_at + timedelta(days=1)))
    file = tmp_path / "constructed.parquet"
    constructed.export_to(file)
    refused = archive("import", home, file)
    assert refused.status == 2
    assert "another --home" in refused.err
    assert len(list(Archive(home / "raw").answers("osm"))) == 1


@pytest.mark.parametrize("status", ["99999999999", "99", "600", "-200", "x"])
def test_a_status_is_one_of_http(home: Path, status: str) -> None:
    done = capture_one(home, f"--status={status}")
    assert (done.status, "is no HTTP status" in done.err) == (2, True)
    assert not home.exists()


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (("--param", "data=node(2);"), "--param data is given twice"),
        (("--param", "=1"), "'=1' is no K=V"),
        (("--lines", "--param-from", "data=asked"), "'data' is given with --param and with --param-from"),
        (("--lines", "--param-from", "a=b", "--param-from", "a=c"), "a is given twice"),
        (("--fetched-at", "0001-01-01T00:00:00+14:00"), "write a time like"),
        (("--fetched-at", "9999-12-31T23:59:59-14:00"), "write a time like"),
    ],
)
def test_what_was_asked_and_when_is_said_once_and_as_it_can_be(home: Path, more: tuple[str, ...], reason: str) -> None:
    done = capture_one(home, *more)
    assert (done.status, done.out) == (2, "")
    assert reason in done.err
    assert "Traceback" not in done.err
    assert not home.exists()


def test_a_har_in_which_nothing_stands_says_so(tmp_path: Path, home: Path) -> None:
    done = capture(home, har(tmp_path))
    assert (done.status, done.out) == (1, "")
    assert "holds no answer at all" in done.err


def test_each_line_of_a_file_can_be_an_answer_that_says_what_was_asked(tmp_path: Path, home: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"asked": "node(1);"}\n{"asked": "node(2);"}\n{}\n', encoding="utf-8")
    lines = ("--lines", "--endpoint", "stops", "--param-from", "data=asked", "--fetched-at", "2026-07-14T12:00:00Z")
    done = capture(home, file, *lines)
    assert (done.status, done.document["answers"]) == (0, 2)
    assert done.document["skipped"] == ["line 3: it has no asked, which would say what was asked"]
    assert {answer.params["data"] for answer in Archive(home / "raw").answers("osm")} == {"node(1);", "node(2);"}
    assert capture(home, file, *lines).document["answers"] == 0


def test_where_a_line_says_what_was_asked_means_nothing_without_lines(home: Path) -> None:
    done = capture_one(home, "--param-from", "data=asked")
    assert (done.status, "--lines" in done.err) == (2, True)
