"""The pages in docs: what they print is what the commands print, and what is referred to is there."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sources.tables.grammar import FORMATS
from sources.tables.mapping import MappingError, load_mapping
from sources.tables.parsers import MESSAGES
from sources.tables.repair import REPAIRS
from tests.pipeline.command import utp

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
OWN_TABLE = (DOCS / "own-table.md").read_text(encoding="utf-8")
CONTRACT = (DOCS / "contract.md").read_text(encoding="utf-8")
ID_AND_DAY = re.compile(r"sample-\d{8}-[0-9a-f]{8}")


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)


def printed(text: str) -> list[str]:
    """Return the lines of an output without what differs from day to day and without blanks at their ends."""
    return [ID_AND_DAY.sub("sample-ID", line).rstrip() for line in text.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `my_tables/`, which holds the two files of the page."""
    folder = tmp_path_factory.mktemp("example")
    tables = folder / "my_tables"
    tables.mkdir()
    (data,), (mapping, *_) = blocks(OWN_TABLE, "csv"), blocks(OWN_TABLE, "yaml")
    (tables / "food_guide.csv").write_text(data, encoding="utf-8")
    (tables / "food_guide.mapping.yaml").write_text(mapping, encoding="utf-8")
    return folder


def run_block(block: str, folder: Path) -> tuple[list[str], list[str]]:
    """Run the command of a console block; return what the page says it prints, and what it prints."""
    command, _, said = block.partition("\n")
    done = utp(*command.removeprefix("$ .venv/bin/utp ").split(), cwd=folder)
    assert done.status == 0, done.err
    return printed(said), printed(done.out)


def test_the_check_of_the_example_prints_what_the_page_shows(folder: Path) -> None:
    said, found = run_block(blocks(OWN_TABLE, "console")[0], folder)
    assert said == found


def test_the_build_of_the_example_prints_what_the_page_shows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said, found = run_block(blocks(OWN_TABLE, "console")[1], folder)
    lines = iter(found)
    assert all(line in lines for line in said if line != "..."), "\n".join(found)
    monkeypatch.chdir(folder)
    (session,) = blocks(OWN_TABLE, "pycon")
    example = doctest.DocTestParser().get_doctest(session, {}, "own-table.md", None, None)
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("code", [*FORMATS, *MESSAGES, *REPAIRS])
def test_the_page_of_own_tables_explains_every_format_repair_and_code_of_a_cell(code: str) -> None:
    assert f"`{code}`" in OWN_TABLE


# Each asks for something that is not there, so that the error lists what is.
STRANGERS = {
    "mapping": "stranger: 1",
    "kind": "columns: {name: {from: a, parse: stranger}}",
    "text": "columns: {name: {from: a, parse: text, stranger: 1}}",
    "number": "columns: {latitude: {from: a, parse: number, stranger: 1}}",
    "integer": "columns: {price_tier: {from: a, parse: integer, stranger: 1}}",
    "list": "columns: {cuisines: {from: a, parse: list, stranger: 1}}",
    "rates": "columns: {}\nrates: {USD: {stranger: 1}}",
    "observed": "columns: {}\nobserved: {stranger: 1}",
    "terms": "columns: {}\nterms: {stranger: 1}",
    "reject": "columns: {}\nreject: [{stranger: 1}]",
    "repeats": "columns: {}\nrepeats: [{stranger: 1}]",
    "track": (
        "columns: {latitude: {from: a, parse: number}, longitude: {from: a, parse: number}}\n"
        "reject: [{code: a, message: a, track: {stranger: 1}}]"
    ),
}


@pytest.mark.parametrize("part", STRANGERS)
def test_the_page_of_own_tables_explains_every_word_that_a_mapping_may_hold(part: str, tmp_path: Path) -> None:
    head = "id: example\ntable: restaurants\ntitle: a\nfile: a.csv\nformat: csv\n"
    head += "" if part == "observed" else "observed: {at: 2024-03-31}\n"
    path = tmp_path / "example.yaml"
    path.write_text(head + STRANGERS[part] + "\n", encoding="utf-8")
    with pytest.raises(MappingError, match="stranger") as error:
        load_mapping(path)
    words = re.findall(r"'(\w+)'", str(error.value).split("choose one of ")[1])
    assert words
    # In the page a word stands alone as code, or as the beginning of an example.
    assert [word for word in words if not re.search(rf"`(?:\w+: \{{(?:\w+, )*)?{word}\b", OWN_TABLE)] == []


def references() -> Iterator[tuple[str, str]]:
    """Return (heading, where) for each rule, choice and table of the paper that code or pages name."""
    sources = [
        path
        for package in ("pipeline", "sources", "schemas", "warehouse")
        for path in (ROOT / package).rglob("*")
        if path.suffix in (".py", ".yaml")
    ]
    for path in [*sources, *(page for page in PAGES if page.name != "contract.md")]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{path.relative_to(ROOT)}:{number}"
            if re.search(r"\bcontract\b", line, re.IGNORECASE):
                yield from ((f"Contract {rule}", where) for rule in re.findall(r"\b[1-8]\.[1-9]\d?\b", line))
            yield from ((f"Choice {choice}", where) for choice in re.findall(r"\bchoice (A\d+)", line, re.IGNORECASE))
            yield from ((f"Table {table}", where) for table in re.findall(r"\bTable (\d+)", line))


def test_every_rule_that_is_named_has_its_entry_and_no_entry_is_idle() -> None:
    named: dict[str, str] = dict(references())
    entries = re.findall(r"^### (.+)$", CONTRACT, flags=re.MULTILINE)
    assert {heading: where for heading, where in named.items() if heading not in entries} == {}
    assert sorted(entries) == sorted(named)


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_between_pages_has_its_target(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if not link.startswith("http"):
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            assert target.is_file(), link
            assert not anchor or anchor.lower() in anchors(target), link
