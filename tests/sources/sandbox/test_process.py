"""The sandbox as a process: its address, its options, and its end."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from schemas.errors import StorageError
from schemas.region import Region
from sources.sandbox.process import running
from sources.sandbox.world import World, build_world
from tests.sources.sandbox.conftest import SAMPLE

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-m", "sources.sandbox"]


def _run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *options], cwd=ROOT, capture_output=True, text=True, timeout=20, check=False)


def _is_there(address: str) -> bool:
    try:
        return requests.get(f"{address}/robots.txt", timeout=2).ok
    except requests.ConnectionError:
        return False


def _gone_within(seconds: float, address: str) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not _is_there(address):
            return True
        time.sleep(0.05)
    return False


def test_the_address_is_the_only_line_and_answers_at_once_until_sigterm() -> None:
    with subprocess.Popen(COMMAND, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        line = child.stdout.readline()
        address = line.removeprefix("sandbox ").strip()
        assert line.startswith("sandbox http://127.0.0.1:")
        assert _is_there(address)
        # An open connection must not keep it alive.
        with requests.Session() as session:
            session.get(f"{address}/robots.txt", timeout=2)
            child.send_signal(signal.SIGTERM)
            rest = child.communicate(timeout=5)
        assert rest == ("", "")
    assert not _is_there(address)


def test_it_ends_when_its_parent_is_killed() -> None:
    program = (
        "import time\nfrom sources.sandbox.process import running\n"
        "with running('sample') as address:\n    print(address, flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        address = parent.stdout.readline().strip()
        assert _is_there(address)
        parent.kill()
        parent.wait()
    assert _gone_within(5, address)


def test_it_ends_at_once_when_its_parent_is_gone_before_it_looked() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    with subprocess.Popen([*COMMAND, "--parent", str(gone.pid)], cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        child.communicate(timeout=10)
    assert child.returncode == 0


def test_a_block_ends_its_sandbox() -> None:
    with running("sample") as address:
        assert _is_there(address)
    assert not _is_there(address)


def test_it_listens_on_this_machine_alone_and_a_taken_port_is_an_error_in_one_line() -> None:
    with running(SAMPLE) as address:
        port = address.rpartition(":")[2]
        failed = _run("--port", port)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.count("\n") == 1
    assert f"port {port} cannot be used" in failed.stderr


def test_the_truth_is_written_down_for_a_region_by_id_or_folder(tmp_path: Path, world: World, region: Region) -> None:
    assert _run("--write-truth", str(tmp_path / "one.json")).returncode == 0
    assert (tmp_path / "one.json").read_text(encoding="utf-8") == world.to_json()
    assert _run("--region", str(SAMPLE), "--seed", "7", "--write-truth", str(tmp_path / "two.json")).returncode == 0
    assert (tmp_path / "two.json").read_text(encoding="utf-8") == build_world(region, seed=7).to_json()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--region", "atlantis"), "no region 'atlantis'; choose one of india, sample"),
        (("--time-scale", "0"), "a number above 0"),
        (("--time-scale", "nan"), "a number above 0"),
        (("--time-scale", "inf"), "a number above 0"),
        (("--time-scale", "1e300"), "a number above 0"),
        (("--provider", "no/such.py"), "no Python file"),
        (("--port", "999999"), "999999 is no port"),
        (("--port", "-1"), "-1 is no port"),
    ],
)
def test_a_wrong_option_is_an_error_in_one_line(options: tuple[str, str], reason: str) -> None:
    failed = _run(*options)
    assert (failed.returncode, failed.stdout, failed.stderr.count("\n")) == (2, "", 1)
    assert failed.stderr.startswith("sandbox: ")
    assert reason in failed.stderr


def test_a_truth_that_cannot_be_written_is_an_error_in_one_line(tmp_path: Path) -> None:
    failed = _run("--write-truth", str(tmp_path / "gone" / "truth.json"))
    assert (failed.returncode, failed.stdout, failed.stderr.count("\n")) == (3, "", 1)


def test_one_that_does_not_start_is_told_to_its_caller() -> None:
    with pytest.raises(StorageError, match="did not start"), running("atlantis"):
        pass


def test_a_provider_from_elsewhere_is_served_under_the_name_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "weather.py"
    file.write_text(
        "from starlette.responses import JSONResponse\nfrom starlette.routing import Route\n\n\n"
        "def routes(world, clock):\n"
        "    async def count(_):\n        return JSONResponse({'stops': len(world.stops), 'day': str(clock.as_of)})\n"
        "    return [Route('/count', count)]\n"
    )
    with running("sample", providers=[file]) as address:
        answer = requests.get(f"{address}/weather/count", timeout=5)
        assert answer.json()["stops"] > 1000
        assert answer.headers["x-constructed"] == "yes"
        assert requests.get(f"{address}/osm/api/status", headers={"user-agent": "utp-tests"}, timeout=5).ok
