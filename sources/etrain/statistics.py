"""The two tables that a page carries as script: counts and average of each station, and the delays of each run."""

import re
from collections import Counter
from datetime import date
from typing import NamedTuple

from schemas.fields import FIELDS
from schemas.fields.trains import LONGEST_DELAY_MIN
from sources.etrain.literals import Literal, LiteralError, read_literal
from sources.etrain.page import Page, shown
from sources.protocol.types import Refusal, Unknown

TABLE = "train_delays"
COUNTS, RUNS = "primaryData", "tooltipData"

_HEADER = ["Stations", "Right Time", "Slight Delay", "Significant Delay", "Cancelled/Unknown"]
_WIDTH = len(_HEADER) + 1
_MOST_RUNS = 10_000
_CODE = re.compile(FIELDS["station_code"].pattern or "")
_ASSIGNED = re.compile(r"et\.rsStat\.(\w{1,60})[ \t]{0,20}=(?!=)", re.ASCII)


class Counts(NamedTuple):
    """What a page says of one station: how many runs were how late, and the average in minutes, None where blank."""

    code: str
    right_time: int
    slight: int
    significant: int
    unknown: int
    average: float | None

    @property
    def total(self) -> int:
        return self.right_time + self.slight + self.significant + self.unknown


class Runs(NamedTuple):
    """The days on which runs began, in the order of the page, and per station their minutes late; None is unknown.

    A station that stands twice has no column, as nobody could tell the two apart.
    """

    days: tuple[date, ...]
    columns: dict[str, tuple[float | None, ...]]


class Script(NamedTuple):
    """The places at which the tables of a page begin, by name."""

    text: str
    places: dict[str, list[int]]

    def table(self, name: str) -> list[Literal] | Refusal:
        """Return a table with its header; a Refusal where it is not there or is no list of literals."""
        where = f"et.rsStat.{name}"
        places = self.places.get(name, [])
        if not places:
            return Refusal("no_data", "the page has no such table and does not say that there were no runs", where)
        if len(places) > 1:
            return Refusal("repeated_table", "the table stands twice, and nothing says which one is meant", where)
        try:
            table, end = read_literal(self.text, places[0])
        except LiteralError as error:
            return Refusal("bad_literal", shown(error), where)
        if not self.text[end : end + 100].lstrip().startswith(";"):
            return Refusal("bad_literal", "more than a literal stands there", where, value=shown(self.text[end:][:20]))
        if not isinstance(table, list) or not table or not all(isinstance(row, list) for row in table):
            return Refusal("bad_table", "a table must be a list of lists, and have a header", where)
        return table


def script_of(page: Page) -> tuple[Script, list[Unknown]]:
    """Return where the tables of a page are, and the tables that are not known."""
    places: dict[str, list[int]] = {}
    unknown: list[Unknown] = []
    for found in _ASSIGNED.finditer(page.text):
        name = found[1]
        if name not in (COUNTS, RUNS):
            unknown.append(Unknown(f"et.rsStat.{name}"))
        else:
            places.setdefault(name, []).append(found.end())
    return Script(page.text, places), unknown


def read_counts(script: Script) -> list[Counts | Refusal] | Refusal:
    """Return for each station its counts, or why they cannot be used; a Refusal of all where the table is not known."""
    table = script.table(COUNTS)
    if isinstance(table, Refusal):
        return table
    header, *rows = table
    if not isinstance(header, list) or header[: len(_HEADER)] != _HEADER or len(header) != _WIDTH:
        return Refusal("bad_header", "the columns are not those that are known", COUNTS, value=shown(header))
    return [_counts(row, f"{COUNTS}[{number}]") for number, row in enumerate(rows, 1)]


def read_runs(script: Script, latest: date) -> Runs | Refusal:
    """Return the runs of a page, none of which can have begun after `latest`; a Refusal of all if one is in doubt."""
    table = script.table(RUNS)
    if isinstance(table, Refusal):
        return table
    header, *rows = table
    labels = _labels(header)
    if labels is None:
        return Refusal("bad_header", "the header must hold 'Date', and then a label for each station", RUNS)
    days: list[date] = []
    for number, row in enumerate(rows, 1):
        where = f"{RUNS}[{number}]"
        if not isinstance(row, list) or len(row) != len(labels) + 1:
            return Refusal("bad_run", f"a run needs a day and {len(labels)} delays", where)
        day, *delays = row
        if not isinstance(day, date):
            return Refusal("bad_run", "a run must begin with a day", where, value=shown(day))
        if day > latest:
            return Refusal("future_run", "a run begins after the page was fetched", where, value=shown(day))
        if not all(delay is None or type(delay) in (int, float) for delay in delays):
            return Refusal("bad_run", "a delay must be a number of minutes or null", where, value=shown(delays))
        days.append(day)
    if len(set(days)) != len(days):
        return Refusal("bad_run", "two runs begin on one day", RUNS)
    return Runs(tuple(days), _columns(labels, rows))


def _columns(labels: list[str], rows: list[Literal]) -> dict[str, tuple[float | None, ...]]:
    """Return the delays by station; rows are known to be a day and a number or null for each label."""
    times = Counter(labels)
    columns = {}
    for place, label in enumerate(labels, 1):
        if times[label] == 1:
            cells = (row[place] if isinstance(row, list) else None for row in rows)
            columns[label] = tuple(cell if isinstance(cell, int | float) else None for cell in cells)
    return columns


def _counts(row: Literal, where: str) -> Counts | Refusal:
    if not isinstance(row, list) or len(row) != _WIDTH:
        return Refusal("bad_counts", f"a station needs a code, four counts and an average, {_WIDTH} in all", where)
    code, average = row[0], row[-1]
    counts = [count for count in row[1:-1] if type(count) is int and 0 <= count <= _MOST_RUNS]
    if not isinstance(code, str) or not _CODE.fullmatch(code):
        return Refusal("bad_code", "no code of a station", where, value=shown(code))
    if len(counts) != len(_HEADER) - 1:
        return Refusal("bad_counts", f"{code}: a count must be a whole number", where, value=shown(row[1:-1]))
    if average is not None and (isinstance(average, bool) or not isinstance(average, int | float)):
        return Refusal("bad_average", f"{code}: an average must be a number or null", where, value=shown(average))
    if average is not None and abs(average) > LONGEST_DELAY_MIN:
        message = f"{code}: no train is {LONGEST_DELAY_MIN} minutes late or early on average"
        return Refusal("bad_average", message, where, value=shown(average))
    right_time, slight, significant, unknown = counts
    return Counts(code, right_time, slight, significant, unknown, None if average is None else float(average))


def _labels(header: Literal) -> list[str] | None:
    if not isinstance(header, list) or header[:1] != ["Date"]:
        return None
    labels = [column.get("label") if isinstance(column, dict) else None for column in header[1:]]
    known = [label for label in labels if isinstance(label, str)]
    return known if len(known) == len(labels) else None
