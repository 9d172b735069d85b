"""The rules that every table has of its own: its file, columns, values, text, visibility, floors and accounts.

A rule takes the candidate's files and a table name and yields what it found; it raises CannotRun when it cannot judge.
What ties rows to other rows stands in `keys`, the rules of single tables in `invariants`.
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from schemas.arrow import table_schema
from schemas.expectations import expectations
from schemas.fields import FIELDS
from schemas.model import PROVENANCE_MARKS, VISIBILITY_MARKS
from schemas.tables import table
from schemas.text import INVISIBLE, PLACEHOLDER
from warehouse.quality import gx
from warehouse.quality.candidate import FLOORS, city_columns
from warehouse.quality.database import Database
from warehouse.quality.keys import repeated_columns
from warehouse.quality.results import EXAMPLES, Finding, NotRun, Outcome, Remark, attempt, plain

# What `schemas.text.clean` would change: outer blanks, white space that is no single blank. RE2 knows no Unicode space.
_UNCLEAN = r"^ | $|  |[\t-\r\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]"
_INVISIBLE = "[" + "".join(rf"\x{{{codes[0]:x}}}-\x{{{codes[-1]:x}}}" for codes in INVISIBLE) + "]"


def present(database: Database, name: str) -> Iterator[Outcome]:
    candidate = database.candidate
    reason = candidate.absent.get(name)
    if reason is None:
        database.schema(name)
    elif candidate.has(name):
        yield Finding(f"declared absent ({reason}), but {name}.parquet is there", 1)
    elif candidate.is_complete:
        yield Finding(f"absent ({reason}), but the region demands the whole contract", 1)
    elif name == "city_set":
        yield Finding(f"absent ({reason}), but no release is without its cities", 1)
    else:
        yield Remark(f"It is absent: {reason}. No other check of it ran.")


def columns(database: Database, name: str) -> Iterator[Outcome]:
    found, wanted = database.schema(name), table_schema(name)
    missing = [column for column in wanted.names if column not in found.names]
    unknown = [column for column in found.names if column not in wanted.names]
    if missing:
        yield Finding(f"columns missing: {', '.join(missing)}", len(missing))
    if unknown:
        yield Finding(f"columns not declared: {', '.join(unknown)}", len(unknown))
    if not missing and not unknown and found.names != wanted.names:
        yield Finding(f"columns in another order than declared: {', '.join(found.names)}", len(found.names))
    for field in wanted:
        if field.name in missing:
            continue
        held = found.field(field.name)
        if held.type != field.type:
            yield Finding(f"column {field.name} has the type {held.type} instead of {field.type}", 1)
        elif held.nullable != field.nullable:
            yield Finding(f"column {field.name} is {_nullable(held)} instead of {_nullable(field)}", 1)


def values(database: Database, name: str) -> Iterator[Outcome]:
    rules = expectations(name)
    rows = database.arrow(name, [*dict.fromkeys(("source_ref", *(rule.column for rule in rules)))])
    for outcome in gx.validate(rows, rules):
        column = outcome.expectation.column
        if outcome.could_not_run is not None:
            yield NotRun(outcome.could_not_run)
        elif not outcome.passed:
            first = rows.take(pa.array(outcome.unexpected_rows[:EXAMPLES], pa.int64()))
            shown = first.select([one for one in ("source_ref", column) if one in first.column_names]).to_pylist()
            examples = tuple({key: plain(value) for key, value in row.items()} for row in shown)
            yield Finding(f"{column} {gx.in_words(outcome.expectation)}", len(outcome.unexpected_rows), examples)


def text_columns(name: str) -> list[str]:
    """The columns of free text: not those of a closed list, nor those whose text stands in another table.

    A text with a unit is a clock or a day, and a code is of the signs that its pattern lists: neither is free.
    """
    repeated = repeated_columns(name)
    return [
        column
        for column in table(name).columns
        if FIELDS[column].type in ("string", "list<string>")
        and FIELDS[column].vocabulary is None
        and FIELDS[column].unit is None
        and not _is_code(FIELDS[column].pattern)
        and column not in (*repeated, *PROVENANCE_MARKS, *VISIBILITY_MARKS)
    ]


def _is_code(pattern: str | None) -> bool:
    return pattern is not None and not any(free in pattern for free in (".", "[^"))


def text_clean(database: Database, name: str) -> Iterator[Outcome]:
    wanted = text_columns(name)
    rows = database.arrow(name, wanted)
    for column in wanted:
        if column not in rows.column_names:
            yield NotRun(f"{name}.parquet has no column {column!r}")
            continue
        words = rows[column]
        if pa.types.is_list(words.type):
            words = pc.fill_null(pc.list_flatten(words), "")
        if not pa.types.is_string(words.type):
            yield NotRun(f"column {column} of {name}.parquet is no text")
            continue
        unclean = words.filter(is_unclean(words))
        shown = tuple({column: word} for word in unclean.slice(0, EXAMPLES).to_pylist())
        if len(unclean):
            yield Finding(f"{column} is not clean text, or a placeholder where null belongs", len(unclean), shown)


def is_unclean(words: pa.ChunkedArray) -> pa.ChunkedArray:
    """Whether a text differs from its clean form (contract 1.5) or stands for null (1.6); null where null."""
    composed = pc.utf8_normalize(words, form="NFC")
    odd_sign = pc.match_substring_regex(words, f"{_UNCLEAN}|{_INVISIBLE}")
    placeholder = pc.match_substring_regex(words, PLACEHOLDER, ignore_case=True)
    return pc.or_(pc.or_(pc.not_equal(words, composed), odd_sign), placeholder)


def visibility(database: Database, name: str) -> Iterator[Outcome]:
    required = {column: database.column(name, column) for column in table(name).required}
    nulls = ", ".join(f"CASE WHEN {held} IS NULL THEN '{column}' END" for column, held in required.items())
    sql = f"""SELECT source_ref, evaluator_visible, missing, list_filter([{nulls}], lambda c: c IS NOT NULL) AS is_null
              FROM {database.view(name)}"""
    broken = "evaluator_visible <> (len(is_null) = 0) OR list_sort(missing) <> list_sort(is_null)"
    cause = "evaluator_visible or missing does not agree with the nulls in required columns"
    yield from database.findings(cause, f"SELECT * FROM ({sql}) WHERE coalesce({broken}, true)")


def floors(database: Database, name: str) -> Iterator[Outcome]:
    limits = database.candidate.floors.get(name, {})
    if not limits:
        yield Remark("No floor is declared for it.")
    for floor, limit in limits.items():
        yield from attempt(_floor(database, name, floor, limit))


def _floor(database: Database, name: str, floor: str, limit: float) -> Iterator[Outcome]:
    measured = (
        _quarantined_share(database, name) if floor == "max_quarantined_share" else _measure(database, name, floor)
    )
    is_broken = measured > limit if floor.startswith("max_") else measured < limit
    if is_broken:
        bound = "at most" if floor.startswith("max_") else "at least"
        example = {"floor": floor, "measured": measured, "limit": limit}
        yield Finding(f"{FLOORS[floor]}: {measured:g}, where the region demands {bound} {limit:g}", 1, (example,))


def _measure(database: Database, name: str, floor: str) -> float:
    view = database.view(name)
    named = [database.column(name, column) for column in city_columns(name)]
    cities = " UNION ".join(f"SELECT {column} AS City FROM {view} WHERE evaluator_visible" for column in named)
    if floor == "min_rows":
        return database.number(f"SELECT count(*) FROM {view}")
    if floor == "min_visible":
        return database.number(f"SELECT count(*) FROM {view} WHERE evaluator_visible")
    if floor == "min_cities":
        return database.number(f"SELECT count(DISTINCT City) FROM ({cities})")
    if floor == "min_states":
        states = f"SELECT DISTINCT c.State FROM {database.view('city_set')} c SEMI JOIN ({cities}) n ON n.City = c.City"
        return database.number(f"SELECT count(*) FROM ({states})")
    pairs = f"SELECT DISTINCT {', '.join(named)} FROM {view} WHERE evaluator_visible"
    return database.number(f"SELECT count(*) FROM ({pairs})")


def _quarantined_share(database: Database, name: str) -> float:
    accounts = [account for account in database.candidate.accounts if account.table == name]
    rows_in = sum(account.rows_in for account in accounts)
    return sum(account.quarantined for account in accounts) / rows_in if rows_in else 0.0


def rows_accounted(database: Database, name: str) -> Iterator[Outcome]:
    sql = f"SELECT {database.column(name, 'source')} AS source, count(*) AS n FROM {name} GROUP BY 1 ORDER BY 1"
    in_file = {row["source"]: row["n"] for row in database.rows(sql)}
    seen: set[str] = set()
    for account in database.candidate.accounts:
        if account.table != name:
            continue
        if account.source in seen:
            yield Finding(f"source {account.source} has two accounts", 1)
        seen.add(account.source)
        gone = account.kept + account.merged + account.quarantined
        if account.rows_in != gone:
            sum_of = f"{account.kept} kept + {account.merged} merged + {account.quarantined} quarantined = {gone}"
            yield Finding(f"source {account.source}: {account.rows_in} rows in, but {sum_of}", 1)
        if account.kept != in_file.get(account.source, 0):
            held = in_file.get(account.source, 0)
            yield Finding(f"source {account.source}: {account.kept} rows kept, but {held} are in the file", 1)
    for source in in_file:
        if source not in seen:
            yield Finding(f"source {source}: {in_file[source]} rows in the file, but no account of it", 1)


def _nullable(field: pa.Field) -> str:
    return "nullable" if field.nullable else "not nullable"
