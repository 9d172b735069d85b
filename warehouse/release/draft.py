"""What a build hands over to be published or, when a check said no, to be reported as failed.

Tables, quarantine and merges come as paths to Parquet files, so that a draft stays small whatever its size. The clock
is a value here (`built_at`): nothing in this package asks what time it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Literal

from schemas.terms import Terms
from warehouse.quality.results import CheckResult
from warehouse.release.manifest import WithheldEntry

Origin = Literal["files", "sandbox"]
Audience = Literal["internal", "public"]


@dataclass(frozen=True)
class Contribution:
    """What one source brought to one table, and by which door each of its records left.

    `file` is relative to the folder that the source was read from. `unmapped`: map -> outside term -> rows.
    """

    source: str
    table: str
    title: str
    file: str
    sha256: str
    terms: Terms
    observed_at: date | None
    rows_in: int
    kept: int
    merged: int
    quarantined: Mapping[str, int] = field(default_factory=dict)
    unmapped: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def rows_out(self) -> int:
        return self.kept + self.merged + sum(self.quarantined.values())


@dataclass(frozen=True)
class Draft:
    """A candidate with all that is to be said about it.

    `tables`, `quarantine` and `merges` give Parquet files: tables by table name in the published schema, the other two
    by the name of the step that put them there. Every declared table is in `tables` or, with its reason, in `absent`.
    `withheld` is what a public release leaves out of the sources, whether or not the rest of the source is used.
    """

    region: str
    origin: Origin
    audience: Audience
    tables: Mapping[str, Path]
    absent: Mapping[str, str]
    contributions: tuple[Contribution, ...]
    checks: tuple[CheckResult, ...]
    code_version: str
    built_at: datetime
    quarantine: Mapping[str, Path] = field(default_factory=dict)
    merges: Mapping[str, Path] = field(default_factory=dict)
    withheld: tuple[WithheldEntry, ...] = ()


def blocks(check: CheckResult) -> bool:
    """Whether nothing may be published because of a check; a blocking check that could not run stops as well."""
    return check.is_blocking and not check.passed


def verdict(check: CheckResult) -> str:
    """Return `passed`, `not run`, `failed` (blocking) or `warning`."""
    if check.passed:
        return "passed"
    if check.could_not_run:
        return "not run"
    return "failed" if check.is_blocking else "warning"
