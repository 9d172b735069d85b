"""`utp ui`: on which home and profile the page opens. The page itself is Dagster's."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.command import ROOT, utp

# In place of becoming the web server, what it would be started with is printed.
COMMAND = (
    "import json, os, sys\n"
    "def instead(path, arguments, environment):\n"
    "    print(json.dumps(environment))\n"
    "    sys.stdout.flush()\n"
    "    os._exit(0)\n"
    "os.execve = instead\n"
    "from pipeline.cli import run\n"
    "run()\n"
)
PAGE = (
    "import json\n"
    "from pipeline.definitions import settings_from_environment\n"
    "found = settings_from_environment()\n"
    "print(json.dumps([found.request.profile, str(found.home.folder), sorted(found.request.sources)]))\n"
)


def printed(code: str, *arguments: object, cwd: Path, environment: dict[str, str]) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd, env=environment | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("options", "profile", "home"), [((), "replay", "sample"), (("--profile", "sandbox"), "sandbox", "sample-sandbox")]
)
def test_the_page_opens_the_home_of_its_profile_with_all_providers(
    options: tuple[str, ...], profile: str, home: str, tmp_path: Path
) -> None:
    assert utp("source", "new", "city_guide", "--dir", tmp_path / "providers").status == 0
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("UTP_", "DAGSTER_"))}
    asked = ("ui", "--region", "sample", *options)
    # The page starts in the project's folder, so a relative path of providers must not be taken from there.
    environment = printed(COMMAND, *asked, cwd=tmp_path, environment=ours | {"UTP_SOURCES": "providers"})
    found = printed(PAGE, cwd=ROOT, environment=environment)
    assert found[:2] == [profile, str(tmp_path / "data" / home)]
    assert "city_guide" in found[2]


def test_the_page_asks_nobody_live() -> None:
    done = utp("ui", "--profile", "live")
    assert (done.status, "invalid choice: 'live'" in done.err) == (2, True)
