"""The README of the mappings: its numbers are those of the files, and no file is forgotten."""

from pathlib import Path

import pytest

from sources.tables.mapping import SHIPPED, find_mappings
from sources.tables.preview import check
from sources.tables.report import BEGIN, END, README, main, numbers, rewritten

PAGE = README.read_text(encoding="utf-8")


def test_the_numbers_of_the_page_are_those_of_the_files(shared_data: Path) -> None:
    assert rewritten(PAGE, numbers(shared_data)) == PAGE, "run python -m sources.tables.report FOLDER"


def test_rows_in_are_staged_merged_or_quarantined(shared_data: Path) -> None:
    for mapping in find_mappings(SHIPPED).values():
        found = check(mapping, shared_data / mapping.file)
        assert found.rows_in == found.kept + found.merged + found.quarantined > 0, mapping.id
        assert found.quarantined == sum(group.count for group in found.rejects), mapping.id


def test_every_mapping_stands_in_the_page() -> None:
    listed = [line.split("`")[1] for line in PAGE.partition(BEGIN)[2].partition(END)[0].splitlines()[2:]]
    assert listed == list(find_mappings(SHIPPED))


def test_every_file_is_mapped_or_the_page_says_why_not(shared_data: Path) -> None:
    files = {path.relative_to(shared_data) for path in shared_data.rglob("*") if path.is_file()}
    told = [file for file in files if f"`{file.as_posix()}`" in PAGE or f"`{file.parent.as_posix()}/`" in PAGE]
    assert files - {*told} == {Path("SOURCES.md")}


def test_a_page_keeps_all_but_its_numbers() -> None:
    page = f"before\n{BEGIN}| old |\n{END}after\n"
    assert rewritten(page, "| new |\n") == f"before\n{BEGIN}| new |\n{END}after\n"


@pytest.mark.parametrize("page", ["", BEGIN, END + BEGIN, BEGIN + BEGIN + END, BEGIN + END + END])
def test_a_page_without_its_two_marks_is_not_touched(page: str) -> None:
    with pytest.raises(ValueError, match="once"):
        rewritten(page, "")


def test_the_command_needs_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "FOLDER" in capsys.readouterr().err
