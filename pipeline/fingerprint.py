"""What code a result depends on, found by reading the code, so that nobody has to bump a version by hand.

The fingerprint of a function covers the source of its module, of every first-party module that this one imports
(anywhere in the file, to any depth), and the installed versions of the third-party packages imported on the way.
"""

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

FIRST_PARTY = ("schemas", "sources", "warehouse", "pipeline")


@cache
def _source(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


@cache
def _imports(module: str) -> frozenset[str]:
    """Return every module name that the source of `module` imports; `from a import b` gives `a` and `a.b`."""
    path = _source(module)
    if path is None:
        return frozenset()
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            named = "." * node.level + (node.module or "")
            start = importlib.util.resolve_name(named, module.rpartition(".")[0]) if node.level else named
            names.add(start)
            names.update(f"{start}.{alias.name}" for alias in node.names)
    return frozenset(names)


@cache
def _reached(module: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first-party modules and the third-party top-level packages reached from `module`.

    A provider that lies elsewhere is a package of its own, and as much ours as those shipped.
    """
    own = (*FIRST_PARTY, module.partition(".")[0])
    first: set[str] = set()
    third: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in first or _source(name) is None:
            continue
        first.add(name)
        for found in _imports(name):
            top = found.partition(".")[0]
            if top in own:
                waiting.append(found)
            elif top not in sys.stdlib_module_names:
                third.add(top)
    return tuple(sorted(first)), tuple(sorted(third))


@cache
def _version(package: str) -> str:
    for distribution in _distributions().get(package, ()):
        return f"{package} {metadata.version(distribution)}"
    return package


@cache
def _distributions() -> dict[str, list[str]]:
    return {package: sorted(set(names)) for package, names in metadata.packages_distributions().items()}


def code_fingerprint(*functions: Callable[..., Any]) -> str:
    """Return the SHA-256 over all code that the functions can reach."""
    digest = hashlib.sha256(f"{sys.version_info.major}.{sys.version_info.minor}".encode())
    modules: set[str] = set()
    packages: set[str] = set()
    for function in functions:
        first, third = _reached(function.__module__)
        modules.update(first)
        packages.update(third)
    for name in sorted(modules):
        path = _source(name)
        if path is not None:
            digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    for package in sorted(packages):
        digest.update(_version(package).encode() + b"\0")
    return digest.hexdigest()
