"""What a table mapping says, as data. How it is read from YAML stands in `mapping`, what it does in `stage`."""

import datetime as dt
import re
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field

from schemas.terms import Terms

FORMATS = ("csv", "json", "geojson", "events")
DAY_KINDS = ("day_of_arrival", "day_of_departure", "day_after")
PARSE_KINDS = ("text", "number", "integer", "date", "list", "boolean", "clock", "weekdays", *DAY_KINDS)


@dataclass(frozen=True)
class Column:
    """How one staged column is read from one raw column.

    `nulls`: raw texts that mean unknown, besides the empty one. `null_where`: another raw column -> its texts beside
    which this one tells nothing (a price level beside a price of 0); `null_at_least`: another raw column -> the number
    from which on it tells nothing. `extract` has one group, `separator` is None where a list is written as a JSON list,
    `date_format` is None for ISO dates. `times` and `currency` scale a number.
    `zero_pad` is the number of digits to which zeros in front fill up a number that is a text. `first_day` is the day
    with which running days begin. `since` is the raw column with the clock from which on a span of time is counted.
    `may_end_day`: the clock 24:00 can be read, as the mapping counts days.
    """

    name: str
    raw: str
    parse: str
    nulls: frozenset[str] = frozenset()
    null_where: MappingOf[str, frozenset[str]] = field(default_factory=dict)
    null_at_least: MappingOf[str, float] = field(default_factory=dict)
    extract: re.Pattern[str] | None = None
    repair: tuple[str, ...] = ()
    separator: str | None = None
    date_format: str | None = None
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    term_map: str | None = None
    times: float = 1.0
    currency: str | None = None
    zero_pad: int = 0
    first_day: str = "monday"
    may_end_day: bool = False
    since: str | None = None
    line: int = 0

    @property
    def where(self) -> str:
        """Where the mapping declares it, for messages."""
        return f"column {self.name!r} (line {self.line})"

    @property
    def beside(self) -> tuple[str, ...]:
        """Raw columns that it looks at besides its own."""
        return (*self.null_where, *self.null_at_least, *([self.since] if self.since else []))


@dataclass(frozen=True)
class Repeated:
    """The columns of a slot stand again and again, to the last column of the file; `columns` are those of the first.

    Later slots are told by their place alone: their columns may be called anything, or nothing.
    """

    columns: tuple[str, ...]


@dataclass(frozen=True)
class Slot:
    """A row within a record: name in the row -> raw column of the record, and -> text that is in each such row."""

    columns: MappingOf[str, str]
    constants: MappingOf[str, str]


Unfolding = Repeated | tuple[Slot, ...]


@dataclass(frozen=True)
class Rate:
    """Rupees for one unit of a currency on a day, and who says so."""

    inr: float
    as_of: dt.date
    source: str


@dataclass(frozen=True)
class Matches:
    """The staged text of `column` matches a pattern anywhere."""

    column: str
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class RawMatches:
    """The text of a raw column, cleaned and empty where there is none, matches a pattern anywhere."""

    raw: str
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Outside:
    """Latitude or longitude is set and lies outside the box (degrees; the border is inside)."""

    south: float
    west: float
    north: float
    east: float


@dataclass(frozen=True)
class NullIn:
    """One of the staged columns is null."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class Track:
    """The point does not fit the distances along its line; `line` and `km` are raw columns (see `track`)."""

    line: str
    km: str
    slack_km: float


@dataclass(frozen=True)
class Above:
    """The staged number of `column` is above a limit."""

    column: str
    limit: float


@dataclass(frozen=True)
class Unlike:
    """The staged number of `column` is over `times` as much, or as little, as the median of rows equal in `by`.

    Where fewer than `least_rows` are equal in those staged columns, nothing is said.
    """

    column: str
    by: tuple[str, ...]
    times: float
    least_rows: int


Test = Matches | RawMatches | Outside | NullIn | Track | Above | Unlike


@dataclass(frozen=True)
class RejectRule:
    """A row for which `test` holds goes to quarantine under `code`."""

    code: str
    message: str
    test: Test


@dataclass(frozen=True)
class RepeatRule:
    """Rows equal in the staged columns `by`, or where it is None in all raw columns but `without`, are one record.

    The first stays or, where `latest` names a raw column, the one with the latest time there.
    """

    rule: str
    by: tuple[str, ...] | None
    without: tuple[str, ...] = ()
    latest: str | None = None


@dataclass(frozen=True)
class Mapping:
    """One table mapping. `origin` is the name of its file and `sha256` the hash of that file's bytes.

    `constants` and `rate_columns` fill staged columns without reading a raw one: with a text (a list for list columns),
    and with the rate or its day of a currency; `ride_columns` those that the clocks of a ride tell, with what they tell
    (see `rides`). `is_trimmed`: the file leaves out empty cells at the end of a record.
    `unfolding`: how a record becomes several rows, None where it is one. `observed`: the day of each row, where a raw
    column tells it; `observed_at` is that of the file.
    """

    id: str
    table: str
    title: str
    file: str
    format: str
    columns: tuple[Column, ...]
    origin: str
    sha256: str
    encoding: str = "utf-8"
    delimiter: str = ","
    is_trimmed: bool = False
    records: tuple[str, ...] = ()
    unfolding: Unfolding | None = None
    observed: Column | None = None
    observed_at: dt.date | None = None
    observed_note: str = ""
    terms: Terms = field(default_factory=Terms)
    constants: MappingOf[str, str | tuple[str, ...]] = field(default_factory=dict)
    rates: MappingOf[str, Rate] = field(default_factory=dict)
    rate_columns: MappingOf[str, str] = field(default_factory=dict)
    ride_columns: MappingOf[str, str] = field(default_factory=dict)
    ignore: MappingOf[str, str] = field(default_factory=dict)
    rejects: tuple[RejectRule, ...] = ()
    repeats: tuple[RepeatRule, ...] = ()

    @property
    def maps(self) -> tuple[str, ...]:
        """Names of the vocabulary maps it reads, sorted."""
        return tuple(sorted({column.term_map for column in self.columns if column.term_map}))

    @property
    def filled(self) -> frozenset[str]:
        """Staged columns that it fills."""
        names = (column.name for column in self.columns)
        return frozenset((*names, *self.constants, *self.rate_columns, *self.ride_columns))

    @property
    def raw_columns(self) -> dict[str, str]:
        """Raw columns that it reads -> where it names them, for messages."""
        columns = (*self.columns, *([self.observed] if self.observed else []))
        named = {raw: column.where for column in columns for raw in column.beside}
        named |= {column.raw: column.where for column in columns}
        for rule in self.rejects:
            named |= dict.fromkeys(_read_by(rule.test), f"reject rule {rule.code!r}")
        named |= {rule.latest: f"repeat rule {rule.rule!r}" for rule in self.repeats if rule.latest}
        return named

    @property
    def unread_columns(self) -> dict[str, str]:
        """Raw columns that it names without reading them -> where."""
        named = dict.fromkeys(self.ignore, "ignore")
        if isinstance(self.unfolding, tuple):
            named |= {raw: "rows" for slot in self.unfolding for raw in slot.columns.values()}
        for rule in self.repeats:
            named |= dict.fromkeys(rule.without, f"repeat rule {rule.rule!r}")
        return named


def _read_by(test: Test) -> tuple[str, ...]:
    match test:
        case RawMatches(raw):
            return (raw,)
        case Track(line, km):
            return (line, km)
        case _:
            return ()
