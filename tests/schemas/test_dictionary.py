"""The data dictionary page."""

import re
from pathlib import Path

import pytest

from schemas import dictionary
from schemas.model import Field
from schemas.tables import TABLES
from schemas.vocab import vocabulary, vocabulary_names


@pytest.fixture(scope="module")
def page() -> str:
    return dictionary.render()


def test_the_page_in_docs_is_the_one_that_the_declarations_give(page: str) -> None:
    assert dictionary.PAGE.read_text(encoding="utf-8") == page, "run `python -m schemas.dictionary`"


def test_every_table_has_its_anchor_and_every_link_has_its_target(page: str) -> None:
    anchors = set(re.findall(r"^#+ (\S+)$", page, flags=re.MULTILINE))
    assert anchors >= {*TABLES, *vocabulary_names(), "rejects", "merges"}
    assert {link.lower() for link in re.findall(r"\]\(#([^)]+)\)", page)} <= {anchor.lower() for anchor in anchors}


def test_every_row_of_a_table_has_as_many_cells_as_its_head(page: str) -> None:
    for block in re.findall(r"(?:^\|.*\n)+", page, flags=re.MULTILINE):
        widths = {len(re.split(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1, block


def test_every_token_of_a_vocabulary_is_listed(page: str) -> None:
    for name in vocabulary_names():
        section = page.split(f"\n### {name}\n")[1].split("\n### ")[0]
        assert [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")] == [
            *vocabulary(name).tokens
        ]


def test_bounds_are_written_as_they_are_declared() -> None:
    assert dictionary._values(Field("one", "double", "One.", minimum=0, maximum=5)) == ">= 0, <= 5"
    assert dictionary._values(Field("two", "double", "Two.", above=0)) == "> 0"


def test_the_command_writes_the_page(tmp_path: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert dictionary.main([str(tmp_path / "new" / "page.md")]) == 0
    assert (tmp_path / "new" / "page.md").read_text(encoding="utf-8") == page
    assert capsys.readouterr().out.strip().endswith("page.md")
