"""Statements about single rows of a staged file, and the account of all its rows.

Each test of a mapping states what rows read by hand from the raw file must become. A row is named by its record number
(counted from 1, header not counted), as in the last part of `source_ref`; where a record holds several rows, by record
and slot (`"3.2"`).
"""

from collections import Counter
from collections.abc import Mapping as MappingOf
from pathlib import Path
from typing import Any

from schemas.rows import Built
from sources.tables.mapping import load_mapping
from sources.tables.stage import stage

Number = int | str
MAPPINGS = Path(__file__).parents[4] / "sources" / "tables" / "mappings"


def stage_shipped(mapping_id: str, tables_folder: Path) -> Built:
    """Stage the file of a shipped mapping found below `tables_folder`."""
    mapping = load_mapping(MAPPINGS / f"{mapping_id}.yaml")
    return stage(mapping, tables_folder / mapping.file)


def assert_rows(built: Built, expected: MappingOf[Any, MappingOf[str, Any]]) -> None:
    """Each record is kept and has exactly these values in the named columns (None: null)."""
    numbers = _numbers(built.rows.column("source_ref").to_pylist())
    for number, values in expected.items():
        assert numbers.count(number) == 1, f"record {number} stands {numbers.count(number)} times among the kept rows"
        row = built.rows.slice(numbers.index(number), 1).to_pylist()[0]
        found = {column: row[column] for column in values}
        assert found == dict(values), f"record {number}"


def assert_reject(built: Built, number: Number, code: str, column: str | None = None) -> None:
    """The record is in quarantine, once, under this code (and column, where given), and neither kept nor merged."""
    found = [row for row in built.quarantine.to_pylist() if _number(row["source_ref"]) == number]
    assert [row["code"] for row in found] == [code], f"record {number}"
    assert column is None or found[0]["column"] == column, f"record {number}"
    assert found[0]["message"], f"record {number}: a reject says in words what is wrong"


def assert_merged(built: Built, number: Number, into: Number, rule: str) -> None:
    """The record was merged, once, into the other record of the same file by this rule; that record is kept."""
    found = [row for row in built.merges.to_pylist() if _number(row["source_ref"]) == number]
    assert [(_number(row["into_ref"]), row["rule"]) for row in found] == [(into, rule)], f"record {number}"
    assert into in _numbers(built.rows.column("source_ref").to_pylist()), f"record {into} should be kept"


def assert_account(built: Built, *, rows_in: int, kept: int, merged: int, quarantined: MappingOf[str, int]) -> None:
    """Every record leaves by one door; `quarantined` counts rejects by code, `merged` all rows merged away."""
    assert built.notes.rows_in == rows_in
    assert built.rows.num_rows == kept
    assert built.merges.num_rows == merged
    assert Counter(built.quarantine.column("code").to_pylist()) == Counter(quarantined)
    doors = [
        number
        for table in (built.rows, built.merges, built.quarantine)
        for number in _numbers(table.column("source_ref").to_pylist())
    ]
    assert len(set(doors)) == len(doors) == rows_in, "each record leaves by exactly one door"
    if all(isinstance(number, int) for number in doors):
        assert {*doors} == {*range(1, rows_in + 1)}, "no record is missing"


def assert_equal_built(first: Built, second: Built) -> None:
    """Two runs over the same file give the same rows, rejects, merges and notes."""
    assert first.rows.equals(second.rows)
    assert first.quarantine.equals(second.quarantine)
    assert first.merges.equals(second.merges)
    assert first.notes == second.notes


def _number(source_ref: str) -> Number:
    name = source_ref.rsplit("#", 1)[1]
    return int(name) if name.isdigit() else name


def _numbers(source_refs: list[str]) -> list[Number]:
    return [_number(source_ref) for source_ref in source_refs]
