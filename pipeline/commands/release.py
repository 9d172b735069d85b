"""`utp release list | show | verify | rollback`."""

import argparse
import json
from pathlib import Path
from typing import Any

from pipeline.commands.output import print_json, print_table
from pipeline.home import existing_home
from schemas.errors import DataError
from warehouse.release import store
from warehouse.release.manifest import TableEntry


def run_list(arguments: argparse.Namespace) -> int:
    """Print all releases, newest first."""
    lines = store.list_releases(_releases(arguments))
    if arguments.json:
        print_json([vars(line) for line in lines])
        return 0
    rows = [
        (
            "*" if line.is_current else "",
            line.id,
            line.created_at,
            line.origin,
            line.audience,
            line.tables,
            line.rows,
            line.fault,
        )
        for line in lines
    ]
    print_table(("", "release", "created", "origin", "audience", "tables", "rows", "fault"), rows)
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Print what a release holds."""
    release = store.show(_releases(arguments), arguments.id)
    document = json.loads(release.manifest.to_json())
    if arguments.json:
        print_json(document)
        return 0
    print_table(("release", release.id), _facts(document))
    tables = release.manifest.tables.items()
    rows = [
        (
            name,
            one.rows_total,
            one.rows_evaluator_visible,
            one.rows_quarantined,
            one.rows_uncertainty_enriched,
            _span(one),
            ", ".join(one.sources),
        )
        for name, one in tables
    ]
    print_table(("table", "rows", "visible", "quarantined", "enriched", "observed", "sources"), rows)
    print_table(("absent", "reason"), sorted(release.manifest.tables_absent.items()))
    return 0


def run_verify(arguments: argparse.Namespace) -> int:
    """Read every file back; DataError with the first difference when there is one."""
    releases = _releases(arguments)
    name = store.release_folder(releases, arguments.id).name
    problems = store.verify(releases, arguments.id)
    if arguments.json:
        print_json({"release": name, "problems": [vars(problem) for problem in problems]})
        return DataError.exit_status if problems else 0
    if problems:
        lines = "\n  ".join(f"{problem.file}: {problem.cause}" for problem in problems)
        raise DataError(
            f"release {name} is not what was published; `utp release rollback ID`, or build again:\n  {lines}"
        )
    print(f"release {name} is what was published")
    return 0


def run_rollback(arguments: argparse.Namespace) -> int:
    """Make an older, sound release current."""
    release = store.rollback(_releases(arguments), arguments.id)
    if arguments.json:
        print_json({"release": release.id})
    else:
        print(f"CURRENT is now {release.id}")
    return 0


def _releases(arguments: argparse.Namespace) -> Path:
    return existing_home(arguments.home, arguments.region) / "releases"


def _facts(document: dict[str, Any]) -> list[tuple[str, Any]]:
    names = ("region", "origin", "audience", "created_at", "content_hash", "code_version", "previous")
    return [(name, document[name]) for name in names if name in document]


def _span(table: TableEntry) -> str:
    """The days of the rows that have one, and how many have none."""
    oldest, newest = table.observed_oldest, table.observed_newest
    if oldest is None:
        return "unknown"
    span = str(oldest) if oldest == newest else f"{oldest} to {newest}"
    return f"{span}; unknown of {table.observed_unknown:,} rows" if table.observed_unknown else span
