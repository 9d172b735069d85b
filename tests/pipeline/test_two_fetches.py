"""Two fetches at once, each into a home of its own: providers count them as one customer, and so do we."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.fetching import TIME_SCALE
from pipeline.settings import known_sources
from sources.sandbox.process import running
from tests.pipeline.command import ROOT, utp
from tests.pipeline.killing import log_of

# At the usual speed of a stand-in, answers on a busy machine take longer than the limits make anybody wait.
SLOWLY = 40.0
FETCH_SLOWLY = f"import pipeline.fetching; pipeline.fetching.TIME_SCALE = {SLOWLY}; from pipeline.cli import run; run()"
FETCH = ("fetch", "--region", "sample", "--profile", "sandbox", "--json")


@pytest.mark.parametrize("sources", [("osm",), ("tripadvisor",), pytest.param((), marks=pytest.mark.scale)], ids=str)
def test_two_fetches_into_two_homes_keep_every_limit_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sources: tuple[str, ...]
) -> None:
    only = [word for name in sources for word in ("--source", name)]
    with running("sample", time_scale=SLOWLY) as address:
        monkeypatch.setenv("UTP_SANDBOX", address)
        both = [_start_slowly(*FETCH, *only, "--home", tmp_path / home) for home in ("one", "two")]
        for process in both:
            out, err = process.communicate(timeout=300)
            stopped = {name: one["stopped"] for name, one in json.loads(out)["providers"].items()}
            assert set(stopped.values()) == {None}, err
        log = log_of(address)
    counted = [line for line in log if "limit_calls" in line]
    assert {line["path"].split("/")[1] for line in counted} == (set(sources) or known_sources().keys())
    assert [line for line in counted if line["calls_in_window"] > line["limit_calls"]] == []
    # They did meet: the second to ask something asked it before all was asked for the first time.
    seen: set[str] = set()
    is_first = []
    for line in counted:
        is_first.append(line["request_sha256"] not in seen)
        seen.add(line["request_sha256"])
    assert True in is_first[is_first.index(False) :]


def test_limits_are_shared_by_all_homes_of_a_person(
    tmp_path: Path, own_state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running("sample", time_scale=TIME_SCALE) as address:
        monkeypatch.setenv("UTP_SANDBOX", address)
        fetch = (*FETCH, "--source", "osm", "--home", tmp_path / "home")
        assert utp(*fetch, keep=("UTP_SANDBOX",)).status == 0
        assert (own_state / "utp" / "limits" / address.removeprefix("http://") / "calls.sqlite").is_file()
        assert not (tmp_path / "home" / "limits").exists()
        monkeypatch.setenv("UTP_LIMITS", str(tmp_path / "chosen"))
        done = utp(*fetch, "--home", tmp_path / "other", keep=("UTP_SANDBOX", "UTP_LIMITS"))
        assert json.loads(done.out)["providers"]["osm"]["stopped"] is None
        assert (tmp_path / "chosen" / address.removeprefix("http://") / "calls.sqlite").is_file()
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("UTP_LIMITS", str(tmp_path / "file"))
        done = utp(*fetch, keep=("UTP_SANDBOX", "UTP_LIMITS"))
        assert (done.status, done.err.count("\n")) == (3, 1)
        assert "set UTP_LIMITS" in done.err


def _start_slowly(*arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", FETCH_SLOWLY, *map(str, arguments)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
