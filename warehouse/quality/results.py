"""What checks say: the specification known beforehand, what a rule found, and the result handed on.

No rule stands here and nothing is read here.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

EXAMPLES = 5
_SHOWN = 3


@dataclass(frozen=True)
class CheckSpec:
    """A check of a table as it is known before anything is read. Blocking: a failure stops publishing."""

    name: str
    is_blocking: bool
    description: str


@dataclass(frozen=True)
class CheckResult:
    """What one check says about one table.

    `failing_rows` counts the rows at fault (columns for `columns`, sources for `rows_accounted`, floors for `floors`);
    `examples` are the first of them, as JSON-safe dictionaries. `could_not_run` is a failure to judge: never passed.
    """

    table: str
    name: str
    passed: bool
    is_blocking: bool
    summary: str
    failing_rows: int
    examples: list[dict[str, Any]]
    could_not_run: bool


@dataclass(frozen=True)
class Finding:
    """One thing that a rule found wrong: the cause in words, how many are at fault, and the first of them."""

    cause: str
    count: int
    examples: tuple[dict[str, Any], ...] = ()

    def sentence(self) -> str:
        shown = "; ".join(_shown(example) for example in self.examples[:_SHOWN])
        return f"{self.cause} ({self.count}{f', first: {shown}' if shown else ''})"


@dataclass(frozen=True)
class NotRun:
    """A rule that could not judge, with the reason; it fails its check."""

    reason: str


@dataclass(frozen=True)
class Remark:
    """Something a reader of the result should know although it is no fault."""

    text: str


class CannotRun(Exception):
    """A rule cannot judge: a file is unreadable, a column is missing or has another type."""


Outcome = Finding | NotRun | Remark


def attempt(rule: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield what a rule yields; that it could not run is an outcome, not an end."""
    try:
        yield from rule
    except CannotRun as error:
        yield NotRun(str(error))


def conclude(table: str, spec: CheckSpec, outcome: list[Outcome], next_step: str) -> CheckResult:
    """Sum up what the rules of one check said."""
    findings = [one for one in outcome if isinstance(one, Finding)]
    not_run = [one for one in outcome if isinstance(one, NotRun)]
    remarks = " ".join(one.text for one in outcome if isinstance(one, Remark))
    faults = [finding.sentence() for finding in findings] + [f"could not run: {one.reason}" for one in not_run]
    if faults:
        summary = f"{table}: {'; '.join(faults)}. Next: {next_step}"
    else:
        summary = f"{table}: {spec.description[0].lower()}{spec.description[1:]}"
    return CheckResult(
        table=table,
        name=spec.name,
        passed=not faults,
        is_blocking=spec.is_blocking,
        summary=f"{summary} {remarks}".rstrip(),
        failing_rows=sum(finding.count for finding in findings),
        examples=[example for finding in findings for example in finding.examples][:EXAMPLES],
        could_not_run=bool(not_run),
    )


def plain(value: object) -> object:
    """Return a value as JSON can hold it."""
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _shown(example: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in example.items())
