"""A provider is a folder of three files; it is found by looking, wherever it lies."""

from pathlib import Path
from typing import Any

import pytest

from sources.protocol.discovery import SHIPPED, SourceError, find_sources, load_source
from sources.protocol.types import Request

SOURCE = """\
id: {id}
title: A provider
base: https://api.example.org
hosts: [api.example.org]
robots: obey
endpoints:
  search:
    method: GET
    path: /search
    params_in: query
    scope: city
    is_static: true
    rate: {{calls: 1, seconds: 1}}
    unit: call
    price: {{amount: 0, currency: USD}}
    days_valid: 90
    timeout_s: 20
    max_bytes: 1000
    media_types: [application/json]
terms: {{}}
"""
REQUESTS = """\
from sources.protocol.types import Request
from .words import ENDPOINT

def requests(region, known):
    yield Request("{id}", ENDPOINT, "here")
"""
PARSE = "def parse(answer):\n    return []\n"


def write(home: Path, name: str) -> Path:
    folder = home / name
    folder.mkdir(parents=True)
    texts = {"source.yaml": SOURCE, "requests.py": REQUESTS, "parse.py": PARSE, "words.py": "ENDPOINT = 'search'\n"}
    for file, text in texts.items():
        (folder / file).write_text(text.format(id=name), encoding="utf-8")
    return folder


def asked(source: Any) -> list[Request]:
    return list(source.requests(None, None))


def test_the_shipped_providers_are_found_and_named_as_their_folders() -> None:
    sources = find_sources()
    assert "osm" in sources
    assert [source.folder for source in sources.values()] == [SHIPPED / name for name in sorted(sources)]


def test_a_provider_from_elsewhere_is_found_and_its_modules_see_each_other(tmp_path: Path) -> None:
    for name in ("zeta", "alpha"):
        write(tmp_path, name)
    (tmp_path / "no_provider").mkdir()
    sources = find_sources(tmp_path)
    assert list(sources) == ["alpha", "zeta"]
    assert asked(sources["zeta"]) == [Request("zeta", "search", "here")]
    assert sources["alpha"].declaration.endpoints["search"].path == "/search"
    assert sources["alpha"].folder == tmp_path / "alpha"
    assert list(find_sources(SHIPPED, tmp_path)) == sorted([*find_sources(), "alpha", "zeta"])


def test_two_folders_of_one_name_do_not_see_each_others_modules(tmp_path: Path) -> None:
    one, two = write(tmp_path / "one", "demo"), write(tmp_path / "two", "demo")
    (two / "words.py").write_text("ENDPOINT = 'other'\n", encoding="utf-8")
    first, second = load_source(one), load_source(two)
    assert [asked(source)[0].endpoint for source in (first, second)] == ["search", "other"]
    with pytest.raises(SourceError, match=r"two/demo: provider 'demo' stands already in .*one/demo"):
        find_sources(tmp_path / "one", tmp_path / "two")


def test_a_folder_that_was_changed_is_read_again(tmp_path: Path) -> None:
    folder = write(tmp_path, "demo")
    load_source(folder)
    (folder / "words.py").write_text("ENDPOINT = 'changed_name'\n", encoding="utf-8")
    assert asked(load_source(folder))[0].endpoint == "changed_name"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("requests.py", None, r"requests\.py: no such file; a provider is source\.yaml"),
        ("parse.py", "parse = 1\n", r"parse\.py has no function 'parse'"),
        ("requests.py", "def request(region, known): ...\n", r"requests\.py has no function 'requests'"),
        ("parse.py", "import no_such_module\n", r"parse\.py cannot be imported: ModuleNotFoundError"),
        ("parse.py", "def parse(:\n", r"parse\.py cannot be imported: SyntaxError"),
    ],
)
def test_a_provider_that_lacks_something_is_refused_with_its_file(
    tmp_path: Path, file: str, text: str | None, message: str
) -> None:
    folder = write(tmp_path, "demo")
    if text is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        find_sources(tmp_path)
