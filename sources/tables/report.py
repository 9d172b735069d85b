"""The numbers of the README of this package: what becomes of the real files under the shipped mappings.

`python -m sources.tables.report FOLDER` reads all of their files in FOLDER and writes the table between the marks.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from sources.tables.mapping import SHIPPED, find_mappings
from sources.tables.preview import Preview, check

README = Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- numbers -->\n", "<!-- end of numbers -->\n"

_HEAD = ("mapping", "file", "table", "rows in", "staged", "merged", "quarantined")


def numbers(tables_folder: Path) -> str:
    """Return the table of all shipped mappings, by id; raises StageError where one of their files is not there."""
    lines = [_line(_HEAD), _line(["---"] * 3 + ["---:"] * 3 + ["---"])]
    for mapping in find_mappings(SHIPPED).values():
        lines.append(
            _line((f"`{mapping.id}`", f"`{mapping.file}`", *_cells(check(mapping, tables_folder / mapping.file))))
        )
    return "".join(lines)


def rewritten(page: str, table: str) -> str:
    """Return a page with another table between its marks; raises ValueError where it does not have both, once."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in after:
        raise ValueError(f"the page must hold {BEGIN.strip()!r} and then {END.strip()!r}, once")
    return f"{before}{BEGIN}{table}{END}{after}"


def _cells(found: Preview) -> Iterator[str]:
    yield f"`{found.table}`"
    yield from (f"{number:,}" for number in (found.rows_in, found.kept, found.merged))
    reasons = ", ".join(f"{group.count:,} `{group.code}`" for group in found.rejects)
    yield f"{found.quarantined:,}: {reasons}" if reasons else "0"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def main(arguments: Sequence[str]) -> int:
    """Write the numbers of a folder into the README."""
    if len(arguments) != 1:
        print("usage: python -m sources.tables.report FOLDER", file=sys.stderr)
        return 2
    page = rewritten(README.read_text(encoding="utf-8"), numbers(Path(arguments[0])))
    README.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
