"""How commands print: tables for a person, one line of JSON for a machine."""

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any


def print_json(document: Any) -> None:
    """Print one JSON document on one line."""
    print(json.dumps(document, ensure_ascii=False, default=_plain, allow_nan=False))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str | None = None) -> None:
    """Print a table; colours and fitting to the width only on a terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console() if sys.stdout.isatty() else Console(width=200, color_system=None)
    table = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # Text, not markup: a place may be called "[bold]".
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    console.print(table)


def _plain(value: Any) -> str:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"cannot write {type(value).__name__} as JSON")
