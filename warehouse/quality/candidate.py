"""What is to be judged: a folder of Parquet files, what is absent from it, its floors and its accounts.

The files are the candidate; nothing that a builder still holds in memory is looked at.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from schemas.tables import TABLES, table

FLOORS = {
    "min_rows": "rows",
    "min_visible": "rows that the evaluator sees",
    "min_cities": "cities in visible rows",
    "min_states": "states of the cities in visible rows",
    "min_pairs": "ordered pairs of cities in visible rows",
    "max_quarantined_share": "quarantined share of the rows read",
}
CITY_COLUMNS = (("City",), ("OriginCityName", "DestCityName"), ("origin", "destination"))


class CandidateError(ValueError):
    """A candidate that cannot be judged as it is described; the message names the cause and the choices."""


@dataclass(frozen=True)
class Account:
    """Where the rows went that one source brought for one table: rows_in = kept + merged + quarantined."""

    table: str
    source: str
    rows_in: int
    kept: int
    merged: int
    quarantined: int


@dataclass(frozen=True)
class Candidate:
    """A release before it is one.

    `folder` holds `<table>.parquet`. `absent`: table -> why no source contributed to it. `floors`: table -> name of
    FLOORS -> limit. `is_complete`: the region demands the whole contract, so that no table may be absent. `accounts`:
    one for each table and source. Raises CandidateError for an unknown table, or a floor that a table cannot have.
    """

    folder: Path
    absent: Mapping[str, str] = field(default_factory=dict)
    floors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    is_complete: bool = False
    accounts: Sequence[Account] = ()

    def __post_init__(self) -> None:
        named = {"absent": self.absent, "floors": self.floors, "accounts": [one.table for one in self.accounts]}
        for what, names in named.items():
            for name in names:
                if name not in TABLES:
                    raise CandidateError(f"{what} names no table: {name!r}; choose one of {', '.join(sorted(TABLES))}")
        for name, limits in self.floors.items():
            choices = floors_of(name)
            for floor in limits:
                if floor not in choices:
                    raise CandidateError(f"floors of {name}: no floor {floor!r}; choose one of {', '.join(choices)}")

    def path(self, table_name: str) -> Path:
        return self.folder / f"{table_name}.parquet"

    def has(self, table_name: str) -> bool:
        """Whether there is anything of the table to judge; a file counts although it is declared absent."""
        return table_name not in self.absent or self.path(table_name).exists()


def city_columns(table_name: str) -> tuple[str, ...]:
    """The columns of a table that name cities of `city_set`: none, one, or origin and destination."""
    columns = table(table_name).columns
    return next((names for names in CITY_COLUMNS if set(names) <= set(columns)), ())


def floors_of(table_name: str) -> tuple[str, ...]:
    """The floors that a table can have: cities and states only where it names cities, pairs only between two."""
    cities = len(city_columns(table_name))
    without = {0: ("min_cities", "min_states", "min_pairs"), 1: ("min_pairs",), 2: ()}[cities]
    return tuple(name for name in FLOORS if name not in without)
