"""`utp tables list` and `utp tables check`."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.commands.output import print_json, print_table
from pipeline.settings import refuse_idle
from sources.tables.grammar import Mapping
from sources.tables.mapping import SHIPPED, MappingError, find_mappings, load_mapping
from sources.tables.preview import check


def run_list(arguments: argparse.Namespace) -> int:
    """Print the mappings that come with the project."""
    mappings = find_mappings(SHIPPED).values()
    if arguments.json:
        print_json([{"id": one.id, "table": one.table, "file": one.file, "title": one.title} for one in mappings])
    else:
        print_table(
            ("mapping", "table", "file", "title"), [(one.id, one.table, one.file, one.title) for one in mappings]
        )
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Stage one file under one mapping and show what came of it; nothing is written."""
    mapping = _mapping(arguments.mapping)
    refuse_idle(mapping)
    preview = check(mapping, arguments.file)
    if arguments.json:
        print_json(asdict(preview))
        return 0
    print_table(
        ("table", "rows in", "kept", "merged", "quarantined"),
        [(preview.table, preview.rows_in, preview.kept, preview.merged, preview.quarantined)],
        title=f"{arguments.file} under {preview.mapping_id}",
    )
    rejects = [
        (one.code, one.count, one.message, "; ".join(_example(*example) for example in one.examples))
        for one in preview.rejects
    ]
    _print_if(("rejected", "rows", "why", "first"), rejects)
    _print_if(("merged by", "rows"), list(preview.merges.items()))
    _print_if(("unused column",), [(name,) for name in preview.unused_columns])
    terms = [(name, term, count) for name, found in preview.unmapped.items() for term, count in found.items()]
    _print_if(("unmapped in", "term", "rows"), terms)
    _print_if(("column", "null in rows kept"), [(name, count) for name, count in preview.nulls.items() if count])
    _print_first_rows(preview.first_rows)
    return 0


def _mapping(name: str) -> Mapping:
    """Return a mapping by the path of its file, or by its id when it comes with the project."""
    if Path(name).suffix == ".yaml":
        return load_mapping(Path(name))
    shipped = find_mappings(SHIPPED)
    if name not in shipped:
        raise MappingError(f"no mapping {name!r}; name a .yaml file, or choose one of {', '.join(shipped)}")
    return shipped[name]


def _print_if(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        print_table(columns, rows)


def _print_first_rows(rows: Sequence[dict[str, Any]]) -> None:
    """Print records side by side: a column each, so that wide rows can be read."""
    if rows:
        names = list(rows[0])
        print_table(
            ("column", *(row["source_ref"] for row in rows)),
            [(name, *(_cell(row[name]) for row in rows)) for name in names],
        )


def _example(source_ref: str, value: str | None) -> str:
    return source_ref if value is None else f"{source_ref} {value!r}"


def _cell(value: Any) -> Any:
    return ", ".join(value) if isinstance(value, list) else value
