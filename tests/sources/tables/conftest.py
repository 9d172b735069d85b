"""Mappings and files written for one test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from schemas.rows import Built
from sources.tables.grammar import Mapping
from sources.tables.mapping import load_mapping
from sources.tables.stage import stage

Load = Callable[[str], Mapping]
Stage = Callable[[str, str | bytes], Built]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Write a mapping under the name of its id and load it."""

    def loaded(yaml: str) -> Mapping:
        path = tmp_path / f"{yaml.splitlines()[0].removeprefix('id: ')}.yaml"
        path.write_text(yaml, encoding="utf-8")
        return load_mapping(path)

    return loaded


@pytest.fixture
def stage_text(tmp_path: Path, load: Load) -> Stage:
    """Stage a file of the given content under a mapping."""

    def staged(yaml: str, content: str | bytes) -> Built:
        mapping = load(yaml)
        path = tmp_path / Path(mapping.file).name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return stage(mapping, path)

    return staged
