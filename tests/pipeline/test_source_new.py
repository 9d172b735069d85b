"""A provider is three files: begun with one command, served by a stand-in, built into a table, nothing else edited."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from pipeline.provider_rows import stage_answers
from pipeline.regions import read_region
from pipeline.settings import settings_for
from schemas.errors import UtpError
from schemas.fields import FIELDS
from schemas.tables import FROM_SOURCES, TABLES
from sources.protocol.discovery import SHIPPED, Source, load_source
from sources.protocol.scaffold import three_files
from sources.protocol.types import Answer, Refusal, Row, Unknown
from tests.pipeline.command import ROOT, start, utp
from warehouse import read

THREE = {"source.yaml", "requests.py", "parse.py"}
REGION = read_region("sample")
OF_PUNE = {"search_city_id": "in-pune"}
CENTRES = {city.name: (city.latitude, city.longitude) for city in REGION.cities}

STAND_IN = f"""
from starlette.responses import JSONResponse
from starlette.routing import Route

CENTRES = {CENTRES!r}


def routes(world, clock):
    async def attractions(request):
        city, state = request.query_params["city"], request.query_params["state"]
        latitude, longitude = CENTRES[city]
        fort = {{"source_id": f"fort-{{city}}", "name": f"Constructed Fort of {{city}}", "city_name": city,
                "state_name": state, "latitude": latitude, "longitude": longitude, "rating": 4.5, "website": "",
                "subcategories": ["Museums"], "opened": 1751}}
        return JSONResponse([fort, {{"source_id": f"gate-{{city}}", "name": f"Constructed Gate of {{city}}",
                              "subcategories": ["Museums"]}},
                             {{"name": "Constructed Wrong", "rating": "good"}}])

    async def day(request):
        return JSONResponse(clock.as_of.isoformat())

    return [Route("/api/attractions", attractions), Route("/day", day)]
"""


@pytest.fixture(scope="module")
def providers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `city_guide` was begun."""
    folder = tmp_path_factory.mktemp("begun") / "providers"
    done = utp("source", "new", "city_guide", "--dir", folder, "--json")
    assert done.status == 0, done.err
    assert done.document == {"source": "city_guide", "folder": str(folder / "city_guide"), "files": sorted(THREE)}
    return folder


@pytest.fixture(scope="module")
def guide(providers: Path) -> Source:
    return load_source(providers / "city_guide")


@contextmanager
def served(file: Path, *options: str) -> Iterator[str]:
    process = start("sandbox", "serve", "--provider", file, *options)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().removeprefix("sandbox ").strip()
    finally:
        process.terminate()
        process.communicate(timeout=10)


def answer(body: bytes, status: int = 200, subject: Mapping[str, str] = OF_PUNE) -> Answer:
    return Answer(
        request_id="0" * 64,
        provider="city_guide",
        endpoint="listing",
        scope="in-pune",
        params={},
        url="",
        status=status,
        headers={},
        media_type="application/json",
        fetched_at=datetime(2026, 3, 1, tzinfo=UTC),
        body=body,
        body_sha256="0" * 64,
        origin="sandbox",
        subject=subject,
    )


def test_a_provider_that_was_begun_is_built_into_a_table(
    providers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "city_guide.py").write_text(STAND_IN)
    monkeypatch.setenv("UTP_SOURCES", str(providers))
    keep = ("UTP_SOURCES", "UTP_SANDBOX")
    with served(tmp_path / "city_guide.py") as address:
        monkeypatch.setenv("UTP_SANDBOX", address)
        home = tmp_path / "home"
        done = utp("build", "--region", "sample", "--profile", "sandbox", "--home", home, "--json", keep=keep)
    assert done.status == 0, done.err
    assert done.document["requests"]["city_guide"] == len(REGION.cities)
    release = read.open(home)
    rows = release.table("attractions", visible_only=False)
    assert set(rows["source"].to_pylist()) == {"city_guide"}
    assert sorted(zip(rows["name"].to_pylist(), rows["City"].to_pylist(), strict=True)) == sorted(
        (f"Constructed {what} of {city}", city) for what in ("Fort", "Gate") for city in CENTRES
    )
    (brought,) = [one for one in release.manifest.origins if (one.table, one.source) == ("attractions", "city_guide")]
    assert brought.rows_quarantined == {"bad_value": len(REGION.cities)}
    assert {path.name for path in (providers / "city_guide").iterdir()} - {"__pycache__"} == THREE


def test_the_stand_in_is_served_with_the_day_that_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "city_guide.py").write_text(STAND_IN)
    with (
        served(tmp_path / "city_guide.py", "--as-of", "2026-01-02") as address,
        urllib.request.urlopen(f"{address}/city_guide/day") as reply,
    ):
        assert json.load(reply) == "2026-01-02"


def test_commands_know_providers_of_the_folders_of_utp_sources(
    providers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert utp("source", "new", "town_guide", "--dir", tmp_path / "more").status == 0
    assert utp("source", "show", "town_guide").status == 2
    monkeypatch.setenv("UTP_SOURCES", os.pathsep.join([str(providers), str(tmp_path / "more")]))
    listed = utp("source", "list", "--json", keep=("UTP_SOURCES",)).document
    assert {one["source"]: one["accepted_by"] for one in listed}.items() >= {
        "city_guide": None,
        "town_guide": None,
    }.items()
    planned = utp("plan", "--region", "sample", "--home", tmp_path / "home", "--json", keep=("UTP_SOURCES",)).document
    assert planned["providers"]["town_guide"]["requests_max"] == len(REGION.cities)
    assert "no maintainer has accepted the terms" in planned["providers"]["town_guide"]["blocked"]


@pytest.mark.parametrize("folder", ["nowhere", "providers/city_guide"])
def test_a_folder_of_utp_sources_without_a_provider_is_refused(
    providers: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UTP_SOURCES", str(providers.parent / folder))
    done = utp("source", "list", keep=("UTP_SOURCES",))
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "UTP_SOURCES: no provider in" in done.err


def test_a_provider_named_as_a_mapping_is_refused(
    providers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    (tables / "city_guide.csv").write_text("a\n1\n")
    (tables / "city_guide.mapping.yaml").write_text(
        "id: city_guide\ntable: restaurants\ntitle: a\nfile: city_guide.csv\nformat: csv\nobserved: {at: 2024-03-31}\n"
        "columns: {name: {from: a, parse: text}}\n"
    )
    monkeypatch.setenv("UTP_SOURCES", str(providers))
    with pytest.raises(UtpError, match="a mapping is called 'city_guide' too"):
        settings_for("sample", tmp_path / "home", tables)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("osm",), "'osm' is already a provider in"),
        (("zomato_india",), "'zomato_india' is already a mapping"),
        (("transport",), f"{SHIPPED / 'transport'} exists"),
        (("City-Guide",), "'City-Guide' is no name of a provider"),
        (("class",), "'class' is a word of Python"),
        (("guide", "--table", "restaurant"), "did you mean 'restaurants'"),
        (("guide", "--table", "city_set"), "'city_set' takes no rows"),
        (("guide", "--base", "http://guide.example"), "'base' must be an https address"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_begun_is_said_in_one_line_and_writes_nothing(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    directory = () if says.endswith("exists") else ("--dir", tmp_path)
    before = sorted(SHIPPED.iterdir())
    done = utp("source", "new", *arguments, *directory)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert says in done.err
    assert sorted(SHIPPED.iterdir()) == before
    assert list(tmp_path.iterdir()) == []


def test_what_exists_is_never_written_over(providers: Path) -> None:
    before = {path.name: path.read_bytes() for path in (providers / "city_guide").glob("*.*")}
    assert utp("source", "new", "city_guide", "--dir", providers).status == 2
    assert {path.name: path.read_bytes() for path in (providers / "city_guide").glob("*.*")} == before


def test_the_files_for_every_table_pass_the_checks_of_the_project(tmp_path: Path) -> None:
    for table in FROM_SOURCES:
        folder = tmp_path / f"of_{table}"
        folder.mkdir()
        for file, text in three_files(folder.name, table, "https://api.guide.example/v1/").items():
            (folder / file).write_text(text, encoding="utf-8")
        assert load_source(folder).declaration.tables == (table,)
    config = ("--config", ROOT / "pyproject.toml", tmp_path)
    for check in (
        ("ruff", "check", *config),
        ("ruff", "format", "--check", *config),
        ("mypy", "--strict", "--explicit-package-bases", "--cache-dir", ROOT / ".mypy_cache", tmp_path),
    ):
        done = subprocess.run(
            [sys.executable, "-m", *map(str, check)],
            cwd=tmp_path,
            env=os.environ | {"MYPYPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("table", FROM_SOURCES)
def test_every_column_that_a_table_takes_is_brought_from_the_field_of_its_name(table: str, tmp_path: Path) -> None:
    folder = tmp_path / "guide"
    folder.mkdir()
    for file, text in three_files("guide", table, "https://guide.example").items():
        (folder / file).write_text(text, encoding="utf-8")
    source = load_source(folder)
    samples: dict[str, Any] = {
        "string": "Pune", "double": 1, "int8": 1, "int32": 1, "date": "2026-01-02", "list<string>": ["one", "two"],
    }  # fmt: skip
    (request, *_) = source.requests(REGION, _Nothing())
    record = {
        column: samples[FIELDS[column].type] for column in TABLES[table].staged_columns if column not in request.subject
    }
    marks = {"source", "source_ref", "snapshot_id", "observed_at", "value_class"}
    body = json.dumps([{column: value for column, value in record.items() if column not in marks}]).encode()
    (row,) = source.parse(answer(body, subject=request.subject))
    assert isinstance(row, Row)
    assert row.values.keys() | marks == set(TABLES[table].staged_columns)
    assert stage_answers(source, [answer(body, subject=request.subject)])[table].rows.num_rows == 1


class _Nothing:
    """Nothing is known yet."""

    account = None

    def answer(self, _: Any) -> None:
        return None


@pytest.mark.parametrize(
    ("body", "status", "code", "is_retryable"),
    [
        (b"", 500, "http_status", True),
        (b"", 429, "http_status", True),
        (b"", 401, "http_status", True),
        (b"", 403, "http_status", True),
        (b"", 406, "http_status", True),
        (b"", 404, "http_status", False),
        (b"[{", 200, "not_json", True),
        (b"[" * 100_000, 200, "not_json", True),
        (b"{}", 200, "not_a_list", False),
        (b"[1]", 200, "bad_type", False),
        (b'[{"rating": "4"}]', 200, "bad_value", False),
        (b'[{"rating": NaN}]', 200, "bad_value", False),
        (b'[{"rating": true}]', 200, "bad_value", False),
        (b'[{"name": "half \\ud800"}]', 200, "bad_value", False),
        (b'[{"source_categories": ["a", 1]}]', 200, "bad_value", False),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_reason(
    guide: Source, body: bytes, status: int, code: str, is_retryable: bool
) -> None:
    (refusal,) = guide.parse(answer(body, status))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.is_retryable) == (code, is_retryable)


def test_what_says_nothing_is_null_and_what_nobody_knows_is_reported(guide: Source) -> None:
    body = b'[{"name": " Fort ", "address": "", "locality": "-", "website": "N/A", "subcategories": null, "new": 1}]'
    unknown, row = guide.parse(answer(body))
    assert unknown == Unknown("[].new")
    assert isinstance(row, Row)
    assert {column: value for column, value in row.values.items() if value is not None} == {
        "name": "Fort",
        "search_city_id": "in-pune",
    }


NUMBERS = st.integers() | st.floats() | st.just(10**400)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text() | st.just("\ud800"), lambda one: st.lists(one, max_size=3)
)
COLUMNS = st.sampled_from(TABLES["attractions"].staged_columns) | st.text() | st.just("\ud800")


@effort(deadline=None)
@given(st.lists(st.dictionaries(COLUMNS, VALUES) | VALUES, max_size=3) | VALUES)
def test_whatever_comes_becomes_rows_and_refusals(guide: Source, document: Any) -> None:
    built = stage_answers(guide, [answer(json.dumps(document).encode())])["attractions"]
    records = len(document) if isinstance(document, list) else 1
    assert built.rows.num_rows + built.quarantine.num_rows == records
