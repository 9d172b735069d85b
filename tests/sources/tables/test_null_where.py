"""`null_where`: a cell tells nothing where another column of its row holds one of the named texts."""

from pathlib import Path

import pytest

from sources.tables.mapping import MappingError, load_mapping
from sources.tables.stage import StageError, stage

MAPPING = """\
id: stalls
table: restaurants
title: Stalls
file: stalls.csv
format: csv
observed: {at: 2020-01-01}
columns:
  name: {from: name, parse: text}
  avg_cost: {from: cost, parse: number, null: ["0"]}
  price_tier: {from: level, parse: integer, null_where: {cost: ["0", ""]}}
"""


def written(folder: Path, mapping: str = MAPPING) -> Path:
    path = folder / "stalls.yaml"
    path.write_text(mapping, encoding="utf-8")
    return path


def test_it_silences_the_cell_and_its_faults_beside_the_named_texts_only(tmp_path: Path) -> None:
    data = tmp_path / "stalls.csv"
    data.write_text("name,cost,level\nA,0,1\nB,80,1\nC, 0 ,many\nD,,2\n", encoding="utf-8")
    built = stage(load_mapping(written(tmp_path)), data)
    assert built.rows.column("name").to_pylist() == ["A", "B", "C", "D"]
    assert built.rows.column("price_tier").to_pylist() == [None, 1, None, None]


def test_a_column_it_names_must_be_in_the_file(tmp_path: Path) -> None:
    data = tmp_path / "stalls.csv"
    data.write_text("name,price,level\nA,0,1\n", encoding="utf-8")
    mapping = MAPPING.replace('  avg_cost: {from: cost, parse: number, null: ["0"]}\n', "")
    with pytest.raises(StageError, match=r"price_tier.*no column 'cost'"):
        stage(load_mapping(written(tmp_path, mapping)), data)


def test_without_a_text_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match=r"stalls\.yaml, line 10: .*'cost' names no text"):
        load_mapping(written(tmp_path, MAPPING.replace('{cost: ["0", ""]}', "{cost: []}")))
