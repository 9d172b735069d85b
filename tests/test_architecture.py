"""The house: which package may import which, and what nobody imports at module level."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("schemas", "sources", "warehouse", "pipeline")
MAY_IMPORT = {
    "schemas": {"schemas"},
    "sources": {"sources", "schemas"},
    "warehouse": {"warehouse", "schemas"},
    "pipeline": set(PACKAGES),
}
SLOW = {"great_expectations", "osmnx"}
FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def _imported(nodes: Iterator[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def _at_module_level(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        yield node
        waiting.extend(ast.iter_child_nodes(node))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_package_may(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    first_party = set(_imported(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))) & set(PACKAGES)
    assert first_party <= MAY_IMPORT[package]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_pipeline_knows_the_orchestrator(path: Path) -> None:
    imported = set(_imported(ast.walk(ast.parse(path.read_text(encoding="utf-8")))))
    assert "dagster" not in imported or path.relative_to(ROOT).parts[0] == "pipeline"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_slow_libraries_are_imported_where_they_are_used(path: Path) -> None:
    assert not SLOW & set(_imported(_at_module_level(ast.parse(path.read_text(encoding="utf-8")))))


def test_the_top_level_is_the_one_that_was_agreed() -> None:
    assert all((ROOT / package).is_dir() for package in (*PACKAGES, "tests"))
    assert (ROOT / "pyproject.toml").is_file()
    assert (ROOT / "dagster.yaml").is_file()
