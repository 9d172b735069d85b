"""The sandbox knows nothing of how its answers are read."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "sources" / "sandbox"
FILES = sorted(FOLDER.rglob("*.py"))
FIRST_PARTY = ("sources", "schemas", "warehouse", "pipeline", "tests")


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_module_of_the_sandbox_imports_only_the_sandbox_and_what_a_region_is(path: Path) -> None:
    ours = {name for name in _imported(path) if name.partition(".")[0] in FIRST_PARTY}
    assert all(f"{name}.".startswith(("sources.sandbox.", "schemas.region.", "schemas.errors.")) for name in ours)
    assert not any("parse" in name.split(".") for name in ours)
