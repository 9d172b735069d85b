"""Reading a table mapping from YAML. Everything that can be known without the data file is checked here.

The grammar is that of `grammar.Mapping`; an error names file, line, cause and choices.
"""

import codecs
import datetime as dt
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from schemas.errors import UtpError
from schemas.strict import Node, StrictError
from schemas.tables import TABLES
from schemas.terms import Terms, parse_terms
from schemas.textyaml import TextYamlError, parse_text, read_file
from sources.tables.grammar import FORMATS, Column, Mapping
from sources.tables.mapping_columns import read_columns, read_constants, read_ignored, read_observed, read_rates
from sources.tables.mapping_rows import read_unfolding
from sources.tables.mapping_rules import read_reject, read_repeat

_REQUIRED = ("id", "table", "title", "file", "format", "observed", "columns")
_KEYS = (
    *_REQUIRED,
    "encoding",
    "delimiter",
    "short_records",
    "records",
    "rows",
    "terms",
    "constants",
    "rates",
    "ignore",
    "reject",
    "repeats",
)
SHIPPED = Path(__file__).resolve().parent / "mappings"
_SUFFIXES = (".mapping.yaml", ".yaml")


class MappingError(UtpError, ValueError):
    """A mapping that cannot be used; the message names file, line, cause and choices."""


def load_mapping(path: Path) -> Mapping:
    """Read one mapping file; raises MappingError."""
    try:
        data = read_file(path)
        document = parse_text(data, path)
    except OSError as error:
        raise MappingError(f"{path}: {error.strerror}; name a mapping file") from None
    except TextYamlError as error:
        raise MappingError(str(error)) from None
    try:
        return _mapping(Node(document, "mapping"), path, hashlib.sha256(data).hexdigest())
    except StrictError as error:
        raise MappingError(f"{path.name}, {error}") from None


def find_mappings(*folders: Path) -> dict[str, Mapping]:
    """Read the mappings of several folders, by id in alphabetical order.

    In SHIPPED these are all `*.yaml`, elsewhere the `*.mapping.yaml` at any depth, beside the data that people bring.
    Raises MappingError for a mapping that cannot be used and for an id that stands twice.
    """
    found: dict[str, Mapping] = {}
    paths: dict[str, Path] = {}
    for path in sorted({path.resolve() for folder in folders for path in _mapping_files(folder)}):
        mapping = load_mapping(path)
        if mapping.id in found:
            raise MappingError(f"{path}: id {mapping.id!r} stands already in {paths[mapping.id]}; rename one of them")
        found[mapping.id], paths[mapping.id] = mapping, path
    return dict(sorted(found.items()))


def _mapping_files(folder: Path) -> Iterator[Path]:
    return folder.glob("*.yaml") if folder.resolve() == SHIPPED else folder.rglob("*.mapping.yaml")


def _mapping(node: Node, path: Path, sha256: str) -> Mapping:
    node.allow(_KEYS, _REQUIRED)
    table = node.choice("table", sorted(TABLES))
    rates = read_rates(node)
    filling = read_columns(node, table, rates)
    constants = read_constants(node, table)
    filled = {*(column.name for column in filling.columns), *filling.rate_columns, *filling.ride_columns, *constants}
    observed, observed_at, observed_note = _observed(node)
    mapping = Mapping(
        id=_id(node, path),
        table=table,
        title=node.needed("title"),
        file=_file(node),
        format=_format(node),
        columns=filling.columns,
        origin=path.name,
        sha256=sha256,
        encoding=_encoding(node),
        delimiter=_delimiter(node),
        is_trimmed=node.choice("short_records", ("torn", "filled_up"), "torn") == "filled_up",
        records=tuple(node.needed("records").split(".")) if node.has("records") else (),
        unfolding=read_unfolding(node),
        observed=observed,
        observed_at=observed_at,
        observed_note=observed_note,
        terms=parse_terms(node.value["terms"], node.line("terms")) if node.has("terms") else Terms(),
        constants=constants,
        rates=rates,
        rate_columns=filling.rate_columns,
        ride_columns=filling.ride_columns,
        ignore=read_ignored(node),
        rejects=tuple(read_reject(rule, filled) for rule in node.children("reject")),
        repeats=tuple(read_repeat(rule, filled) for rule in node.children("repeats")),
    )
    _refuse_double_use(node, mapping)
    return mapping


def _refuse_double_use(node: Node, mapping: Mapping) -> None:
    """One staged column is filled in one way, and a raw column that is read is not ignored."""
    listed = node.child("columns").value
    for name in mapping.constants:
        if name in listed:
            raise node.child("constants").error(name, f"{name!r} stands under 'columns', too; keep one of them")
    for raw in mapping.ignore:
        if raw in mapping.raw_columns:
            raise node.child("ignore").error(raw, f"{raw!r} is read by {mapping.raw_columns[raw]}; do not ignore it")


def _id(node: Node, path: Path) -> str:
    name = node.needed("id")
    stem = next((path.name.removesuffix(suffix) for suffix in _SUFFIXES if path.name.endswith(suffix)), path.stem)
    if not re.fullmatch("[a-z0-9_]+", name):
        raise node.error("id", f"'id' may hold a-z, 0-9 and _, found {name!r}")
    if name != stem:
        raise node.error("id", f"'id' is {name!r} but the file is called {stem!r}; make them the same")
    return name


def _file(node: Node) -> str:
    path = PurePosixPath(node.needed("file"))
    if path.is_absolute() or ".." in path.parts:
        raise node.error("file", f"'file' is a path below the tables folder, found {str(path)!r}")
    return str(path)


def _format(node: Node) -> str:
    format_ = node.choice("format", FORMATS)
    wrong = [key for key in ("encoding", "delimiter", "short_records") if node.has(key) and format_ != "csv"]
    wrong += [key for key in ("records",) if node.has(key) and format_ != "json"]
    if wrong:
        raise node.error(wrong[0], f"{wrong[0]!r} means nothing for the format {format_!r}")
    return format_


def _encoding(node: Node) -> str:
    encoding = node.text("encoding", "utf-8")
    try:
        "".encode(encoding)
        return codecs.lookup(encoding).name
    except LookupError:
        raise node.error("encoding", f"unknown encoding {encoding!r}; for example utf-8, cp1252, utf-16") from None


def _delimiter(node: Node) -> str:
    delimiter = node.text("delimiter", ",")
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
        raise node.error("delimiter", f"'delimiter' must be one ASCII character, found {delimiter!r}")
    return delimiter


def _observed(node: Node) -> tuple[Column | None, dt.date | None, str]:
    observed = node.child("observed")
    observed.allow(("at", "note", "from", "extract", "format"), ("at",))
    at, note, column = observed.date("at"), observed.text("note"), read_observed(observed)
    if at is None and not note:
        raise observed.error("at", "without a date a 'note' must say why it is not known")
    for key in ("extract", "format"):
        if column is None and observed.has(key):
            raise observed.error(key, f"{key!r} goes with 'from', the raw column with the day of each row")
    return column, at, note
