"""A key is found nowhere: not in the archive, not in logs, not in Dagster's records, not in a release.

Every secret that any source.yaml names is set to a canary, and a provider that echoes its keys wherever a provider can
is asked besides the others. A fetch and a build are run with all that any library has to say on standard error.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipeline.fetching import TIME_SCALE
from pipeline.settings import known_sources
from sources.protocol.scaffold import three_files
from sources.sandbox.process import running
from sources.transport.archive import Archive
from tests.pipeline.canary import canaries_in, planted, spellings_in
from tests.pipeline.command import ROOT
from tests.pipeline.killing import log_of

# Each sign of it looks different in some encoding.
CANARY = 'kAnary/7+Zq=="<&>\\%41 end'

ENDPOINTS = ("body", "page", "redirect", "abroad", "reason")
STAND_IN = """
import base64
import json
from urllib.parse import quote

from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route


def routes(world, clock):
    def keys(request):
        return [request.query_params.get("key", ""), request.headers.get("X-Echo-Key", "")]

    async def body(request):
        told = keys(request)
        escaped = "".join(f"\\\\u{ord(sign):04x}" for sign in told[1])
        echo = {"name": " ".join(told), "website": quote(told[0], safe=""), "locality": escaped,
                "address": base64.b64encode(told[0].encode()).decode(), told[0]: told[1]}
        return JSONResponse([echo], headers={"ETag": quote(told[0]), "X-Error-Detail-Header": quote(told[1])})

    async def page(request):
        return HTMLResponse(f"<p>No access with {keys(request)}</p>".replace("&", "&amp;"), 404)

    async def redirect(request):
        query = request.url.query
        return Response("", 302, headers={"Location": f"/echo/api/body?{query}&again={quote(keys(request)[1])}"})

    async def abroad(request):
        return Response("", 302, headers={"Location": f"https://elsewhere.example/?{request.url.query}"})

    async def reason(request):
        key = keys(request)[0]
        return PlainTextResponse(f"bad key {key!r}", 403, headers={"WWW-Authenticate": quote(key)})

    functions = [body, page, redirect, abroad, reason]
    return [Route(f"/api/{one.__name__}", one) for one in functions]
"""
REQUESTS = f"""
from sources.protocol.types import Request


def requests(region, known):
    for endpoint in {ENDPOINTS!r}:
        request = Request("echo", endpoint, "here")
        if known.answer(request) is None:
            yield request
"""
LOUD = "import logging; logging.basicConfig(level=logging.DEBUG, force=True); from pipeline.cli import run; run()"


@dataclass(frozen=True)
class Said:
    """What a command printed."""

    out: str
    err: str


@pytest.fixture(scope="module")
def keys(echo: Path) -> dict[str, str]:
    """A canary for each secret that any provider names, by environment variable."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UTP_SOURCES", str(echo))
        variables = sorted({name for one in known_sources().values() for name in one.declaration.secrets.values()})
    return {variable: f"{CANARY} {number}" for number, variable in enumerate(variables)}


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a provider that is sent two keys, one in the address and one in a header."""
    folder = tmp_path_factory.mktemp("providers")
    files = three_files("echo", "attractions", "https://echo.example/api")
    head, _, rest = files["source.yaml"].partition("endpoints:\n")
    _, _, tail = rest.partition("# Nothing is known")
    endpoint = rest.removesuffix(f"# Nothing is known{tail}").replace("  listing:\n", "")
    endpoints = "".join(
        "  " + name + ":\n" + endpoint.replace("path: /attractions", f"path: /{name}")
        + "    secret_in: {query: key, header: X-Echo-Key}\n"
        for name in ENDPOINTS
    )  # fmt: skip
    secrets = "secrets: {key: UTP_ECHO_KEY, X-Echo-Key: UTP_ECHO_HEADER}\n"
    files |= {"source.yaml": f"{head}{secrets}endpoints:\n{endpoints}# Nothing is known{tail}", "requests.py": REQUESTS}
    (folder / "echo").mkdir()
    for file, text in files.items():
        (folder / "echo" / file).write_text(text, encoding="utf-8")
    return folder


def start(
    verb: str, home: Path, environment: Mapping[str, str], said_to: int = subprocess.PIPE
) -> "subprocess.Popen[str]":
    """Start a command with the logs of all libraries on standard error."""
    arguments = (verb, "--region", "sample", "--profile", "sandbox", "--home", home, "--json")
    return subprocess.Popen(
        [sys.executable, "-c", LOUD, *map(str, arguments)],
        cwd=ROOT, env=dict(environment), stdout=said_to, stderr=said_to, text=True,
    )  # fmt: skip


def run(verb: str, home: Path, environment: Mapping[str, str]) -> Said:
    """Run a command to its end."""
    done = start(verb, home, environment)
    out, err = done.communicate(timeout=600)
    # A provider that stops, as this one does, ends a fetch with 3; the build goes on without it.
    assert done.returncode == (3 if verb == "fetch" else 0), err[-2000:]
    return Said(out, err)


def test_the_search_finds_a_key_in_every_spelling_and_container(tmp_path: Path) -> None:
    key = f"{CANARY} 0"
    files = planted(key)
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    found = canaries_in(tmp_path, [key])
    assert {line.partition(":")[0] for line in found} == set(files)
    assert spellings_in(b"nothing " * 100 + CANARY.encode(), [key]) == []


def test_keys_are_found_nowhere(echo: Path, keys: dict[str, str], own_state: Path, tmp_path: Path) -> None:
    assert {"UTP_ECHO_KEY", "UTP_ECHO_HEADER"} < keys.keys()
    (tmp_path / "echo.py").write_text(STAND_IN)
    home, killed = tmp_path / "home", tmp_path / "killed"
    with running("sample", time_scale=TIME_SCALE, providers=[tmp_path / "echo.py"]) as address:
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("UTP_", "DAGSTER_"))}
        environment = ours | keys | {"UTP_SANDBOX": address, "UTP_SOURCES": str(echo)}
        _kill_after_echo(killed, address, environment)
        said = [run("fetch", home, environment), run("build", home, environment)]

    # It was asked, it did echo, and whatever libraries say was said.
    answers = {answer.endpoint: answer for answer in Archive(home / "raw").answers("echo")}
    assert answers.keys() == {"body", "page", "redirect", "reason"}
    assert all(b"REDACTED" in (answer.body or b"") for answer in answers.values())
    assert "REDACTED" in answers["body"].headers["etag"]
    assert "urllib3" in said[0].err
    assert "provider=echo" in said[0].err

    everything = list(keys.values())
    for one in said:
        assert spellings_in(one.out.encode(), everything) == []
        assert spellings_in(one.err.encode(), everything) == []
    assert {path.suffix for path in home.rglob("*")} >= {".parquet", ".json", ".html", ".db"}
    assert list(killed.rglob("echo/*.journal"))
    for folder in (home, killed, own_state):
        assert canaries_in(folder, everything) == []


def _kill_after_echo(home: Path, address: str, environment: Mapping[str, str]) -> None:
    """Kill a fetch when the provider that echoes has answered, so that its journal is left."""
    # Nobody would read what it says, so a pipe would fill and hold it up.
    process = start("fetch", home, environment, subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until and not any(line["path"] == "/echo/api/reason" for line in log_of(address)):
        time.sleep(0.05)
    process.kill()
    process.communicate()
