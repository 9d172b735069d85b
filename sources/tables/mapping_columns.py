"""The part of a mapping that says how staged columns are filled: `rates`, `columns`, `constants` and `ignore`."""

import datetime as dt
import re
from dataclasses import replace
from typing import NamedTuple

from schemas.fields import FIELDS
from schemas.fields.patterns import CLOCK
from schemas.model import PROVENANCE_MARKS, Field
from schemas.strict import Node, choose
from schemas.tables import table
from schemas.vocab import VocabularyError, term_map
from sources.tables.cells import constant_fault
from sources.tables.grammar import DAY_KINDS, PARSE_KINDS, Column, Rate
from sources.tables.repair import REPAIRS
from sources.tables.rides import ENDS, MEASURES

_COLUMN_KEYS = {
    "text": ("repair", "map", "zero_pad"),
    "number": ("times", "currency"),
    "integer": (),
    "date": ("format",),
    "list": ("separator", "repair", "map"),
    "boolean": ("yes", "no"),
    "clock": (),
    "weekdays": ("first", "yes", "no"),
    "day_of_arrival": (),
    "day_of_departure": (),
    "day_after": ("since",),
}
_PARSES_INTO = {
    "string": "text",
    "double": "number",
    "int8": "integer",
    "int32": "integer",
    "int64": "integer",
    "bool": "boolean",
    "date": "date",
    "list<string>": "list",
    "list<int8>": "list of whole numbers",
}


def read_rates(node: Node) -> dict[str, Rate]:
    """Read the exchange rates by currency."""
    if not node.has("rates"):
        return {}
    rates = node.child("rates")
    result = {}
    for currency in rates.value:
        rate = rates.child(currency)
        rate.allow(("inr", "as_of", "source"), ("inr", "as_of", "source"))
        as_of = rate.date("as_of")
        if as_of is None or rate.number("inr") <= 0:
            raise rate.error("as_of" if as_of is None else "inr", "a rate has a day and is above 0")
        result[currency] = Rate(rate.number("inr"), as_of, rate.needed("source"))
    return result


def _stageable(table_name: str) -> list[str]:
    return [name for name in table(table_name).staged_columns if name not in PROVENANCE_MARKS]


def _check_staged(node: Node, name: str, table_name: str) -> None:
    choices = _stageable(table_name)
    if name not in choices:
        raise node.error(name, f"{name!r} is no staged column of {table_name!r}; {choose(name, choices)}")


class Filling(NamedTuple):
    """How staged columns are filled, besides constants: as in `grammar.Mapping`."""

    columns: tuple[Column, ...]
    rate_columns: dict[str, str]
    ride_columns: dict[str, str]


def read_columns(node: Node, table_name: str, rates: dict[str, Rate]) -> Filling:
    """Read how staged columns are filled: from a raw column, by the rate of a currency, or by the clocks of a ride."""
    listed = node.child("columns")
    columns, rate_columns, ride_columns = [], {}, {}
    for name in listed.value:
        _check_staged(listed, name, table_name)
        rule = listed.child(name)
        if rule.has("rate"):
            rule.allow(("rate",))
            rate_columns[name] = rule.choice("rate", rates)
            if FIELDS[name].type not in ("double", "date"):
                raise rule.error("rate", f"'rate' fills a number or a date, {name!r} is {FIELDS[name].type}")
        elif rule.has("clocks"):
            ride_columns[name] = _ride_measure(rule, name, listed)
        else:
            columns.append(_column(rule, name, rates))
    counts_days = any(column.parse in DAY_KINDS for column in columns)
    read = tuple(replace(column, may_end_day=counts_days) for column in columns)
    return Filling(read, rate_columns, ride_columns)


def _ride_measure(node: Node, name: str, listed: Node) -> str:
    node.allow(("clocks",))
    measure = node.choice("clocks", MEASURES)
    if name not in MEASURES[measure]:
        raise node.error("clocks", f"{measure!r} fills {' or '.join(map(repr, MEASURES[measure]))}, not {name!r}")
    missing = [end for end in ENDS if end not in listed.value or not listed.child(end).has("from")]
    if missing:
        raise node.error("clocks", f"the clocks of a ride need {missing[0]!r}, read from a raw column")
    return measure


def _kinds(field: Field) -> tuple[str, ...]:
    """The ways of parsing that give values of a field. A plain number does not tell which day of a stop it counts."""
    if field.name == "day":
        return DAY_KINDS
    if field.name == "days_of_operation":
        return ("weekdays",)
    return ("clock",) if field.pattern == CLOCK else (_PARSES_INTO[field.type],)


def _column(node: Node, name: str, rates: dict[str, Rate]) -> Column:
    kind = node.choice("parse", PARSE_KINDS)
    field = FIELDS[name]
    kinds = _kinds(field)
    if kind not in kinds:
        raise node.error("parse", f"{kind!r} gives no {field.type}; {name!r} needs {' or '.join(map(repr, kinds))}")
    node.allow(
        ("from", "parse", "null", "null_where", "null_at_least", "extract", *_COLUMN_KEYS[kind]), ("from", "parse")
    )
    if node.has("currency") and field.unit != "INR":
        raise node.error("currency", f"{name!r} is no amount of money")
    times = node.number("times") if node.has("times") else 1.0
    if times <= 0:
        raise node.error("times", "'times' must be above 0")
    yes, no = frozenset(node.texts("yes")), frozenset(node.texts("no"))
    if kind == "boolean" and (not yes or not no or yes & no):
        raise node.error("parse", "a boolean needs the words for 'yes' and for 'no', none in both")
    if kind == "weekdays" and (not yes or not no or yes & no or any(len(mark) != 1 for mark in yes | no)):
        raise node.error("parse", "running days need the marks for 'yes' and for 'no', single signs, none in both")
    if kind == "day_after" and not node.text("since"):
        raise node.error("parse", "'day_after' needs 'since', the raw column with the clock from which time is counted")
    return Column(
        name=name,
        line=node.line("from"),
        raw=node.text("from"),
        parse=kind,
        nulls=frozenset(node.texts("null")),
        null_where=_null_where(node),
        null_at_least=_null_at_least(node),
        extract=read_pattern(node, "extract", groups=1) if node.has("extract") else None,
        repair=_repairs(node),
        separator=_separator(node),
        date_format=_date_format(node),
        yes=yes,
        no=no,
        term_map=_term_map(node, name) if node.has("map") else None,
        times=times,
        currency=node.choice("currency", rates) if node.has("currency") else None,
        zero_pad=_zero_pad(node),
        first_day=node.choice("first", ("monday", "sunday")) if kind == "weekdays" else "monday",
        since=node.text("since") or None,
    )


def read_observed(node: Node) -> Column | None:
    """Read the raw column that tells the day of each row, None where there is none."""
    if not node.has("from"):
        return None
    return Column(
        name="observed_at",
        line=node.line("from"),
        raw=node.text("from"),
        parse="date",
        extract=read_pattern(node, "extract", groups=1) if node.has("extract") else None,
        date_format=_date_format(node),
    )


def _null_where(node: Node) -> dict[str, frozenset[str]]:
    if not node.has("null_where"):
        return {}
    others = node.child("null_where")
    for raw in others.value:
        if not others.texts(raw):
            raise others.error(raw, f"{raw!r} names no text beside which the column is null")
    return {raw: frozenset(others.texts(raw)) for raw in others.value}


def _null_at_least(node: Node) -> dict[str, float]:
    if not node.has("null_at_least"):
        return {}
    limits = node.child("null_at_least")
    return {raw: limits.number(raw) for raw in limits.value}


def _zero_pad(node: Node) -> int:
    if not node.has("zero_pad"):
        return 0
    digits = node.needed("zero_pad")
    if not re.fullmatch("[1-9][0-9]?", digits):
        raise node.error("zero_pad", f"'zero_pad' is a number of digits, found {digits!r}")
    return int(digits)


def _repairs(node: Node) -> tuple[str, ...]:
    repairs = node.texts("repair")
    for repair in repairs:
        if repair not in REPAIRS:
            raise node.error("repair", f"unknown repair {repair!r}; {choose(repair, REPAIRS)}")
    return repairs


def _separator(node: Node) -> str | None:
    if node.has("separator") and not node.text("separator"):
        raise node.error("separator", "'separator' is empty; leave it out where the file holds JSON lists")
    return node.text("separator") or None


def _date_format(node: Node) -> str | None:
    if not node.has("format"):
        return None
    format_, example = node.needed("format"), dt.datetime(2019, 11, 23)
    try:
        is_whole = dt.datetime.strptime(example.strftime(format_), format_) == example
    except (ValueError, re.error):
        is_whole = False
    if not is_whole:
        raise node.error("format", f"'format' must give day, month and year, such as %d/%m/%Y; found {format_!r}")
    return format_


def _term_map(node: Node, column: str) -> str:
    name, wanted = node.needed("map"), FIELDS[column].vocabulary
    try:
        leads_to = term_map(name).vocabulary
    except VocabularyError as error:
        raise node.error("map", str(error)) from None
    if wanted is not None and leads_to != wanted:
        raise node.error("map", f"map {name!r} leads to {leads_to!r}, but {column!r} takes {wanted!r}")
    return name


def read_constants(node: Node, table_name: str) -> dict[str, str | tuple[str, ...]]:
    """Read the staged columns that hold one value in each row; the value must be a possible one."""
    if not node.has("constants"):
        return {}
    constants = node.child("constants")
    result: dict[str, str | tuple[str, ...]] = {}
    for name in constants.value:
        _check_staged(constants, name, table_name)
        is_list = FIELDS[name].type == "list<string>"
        result[name] = constants.texts(name) if is_list else constants.needed(name)
        fault = constant_fault(name, result[name])
        if fault:
            raise constants.error(name, f"{result[name]!r} cannot stand in {name!r}: {fault}")
    return result


def read_ignored(node: Node) -> dict[str, str]:
    """Read the raw columns that are left aside, with the reason."""
    if not node.has("ignore"):
        return {}
    ignore = node.child("ignore")
    return {raw: ignore.needed(raw) for raw in ignore.value}


def read_pattern(node: Node, key: str, groups: int | None = None) -> re.Pattern[str]:
    """Read a regular expression, with exactly so many groups where that is said."""
    try:
        pattern = re.compile(node.needed(key))
    except (re.error, OverflowError, RecursionError) as error:
        raise node.error(key, f"{key!r} is no regular expression: {error}") from None
    if groups is not None and pattern.groups != groups:
        raise node.error(key, f"{key!r} must have {groups} group in round brackets, found {pattern.groups}")
    return pattern
