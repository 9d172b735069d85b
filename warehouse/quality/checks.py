"""The checks of every table, in the order in which they run, and the one way to run them.

A blocking check stops publishing; a warning tells. What a check does stands in `rules` and `invariants`.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from schemas.model import Table
from schemas.tables import PLACE_TABLES, table
from warehouse.quality import invariants, keys, payloads, rules, warnings
from warehouse.quality.candidate import Candidate
from warehouse.quality.database import Database
from warehouse.quality.results import CheckResult, CheckSpec, Outcome, attempt, conclude

Rule = Callable[[Database, str], Iterator[Outcome]]


def _every(_table: Table) -> bool:
    return True


def _only(*names: str) -> Callable[[Table], bool]:
    return lambda declared: declared.name in names


@dataclass(frozen=True)
class Check:
    """A check: its specification, the tables that have it, its rule, and what to do when it fails."""

    spec: CheckSpec
    is_of: Callable[[Table], bool]
    rule: Rule
    next_step: str


def _blocking(name: str, description: str, is_of: Callable[[Table], bool], rule: Rule, next_step: str) -> Check:
    return Check(CheckSpec(name, True, description), is_of, rule, next_step)


def _warning(name: str, description: str, is_of: Callable[[Table], bool], rule: Rule, next_step: str) -> Check:
    return Check(CheckSpec(name, False, description), is_of, rule, next_step)


CHECKS = (
    _blocking(
        "present",
        "The table's file is there, or the candidate says why not and the region allows it.",
        _every,
        rules.present,
        "write the file, or declare the table absent with the reason.",
    ),
    _blocking(
        "columns",
        "The file has the declared columns, in order, with their types and nullability.",
        _every,
        rules.columns,
        "write the file with schemas.arrow.table_schema.",
    ),
    _blocking(
        "values",
        "Every value, and every member of a list, is within its range, pattern or vocabulary.",
        _every,
        rules.values,
        "sort such rows into quarantine with warehouse.quality.gx.split before writing the file.",
    ),
    _blocking(
        "text_clean",
        "Text is NFC with single blanks, and null is never written as a word.",
        lambda declared: bool(rules.text_columns(declared.name)),
        rules.text_clean,
        "read the column through schemas.text.clean, and list its words for null in the mapping.",
    ),
    _blocking(
        "keys_unique",
        "No key stands twice, and the evaluator finds each visible row by its own key whatever the case.",
        _every,
        keys.keys_unique,
        "merge the repeats, or tell the namesakes apart by their locality.",
    ),
    _blocking(
        "references",
        "What a row refers to exists, and is visible where the row is visible.",
        lambda declared: keys.has_references(declared.name),
        keys.references,
        "resolve the value against the other table, or leave it null.",
    ),
    _blocking(
        "visibility",
        "A row is visible exactly when all its required columns are set, and lists those that are not.",
        _every,
        rules.visibility,
        "mark the rows anew with warehouse.derive.visibility.mark.",
    ),
    _blocking(
        "floors",
        "The table holds what the region demands of it.",
        _every,
        rules.floors,
        "see which source or mapping brought less; lower the floor in region.yaml only for a known reason.",
    ),
    _blocking(
        "invariants",
        "The identities and orders that bind the table's values hold in every row.",
        lambda declared: bool(invariants.invariants_of(declared.name)),
        invariants.invariants,
        "correct the derivation, or quarantine the rows named.",
    ),
    _blocking(
        "payloads",
        "The JSON texts say what the contract has them say: counts add up, windows are in order, hours agree.",
        _only(*payloads.PAYLOADS),
        payloads.payloads,
        "correct the derivation that writes them.",
    ),
    _blocking(
        "rows_accounted",
        "For each source, rows in = kept + merged + quarantined, and the kept ones are in the file.",
        _every,
        rules.rows_accounted,
        "find the step that lost or doubled rows; each must end by exactly one door.",
    ),
    _warning(
        "name_substring",
        "No name is part of another name of its table and city.",
        _only(*PLACE_TABLES),
        warnings.name_substring,
        "nothing for our evaluator, which matches exactly; a public one may take one place for the other.",
    ),
    _warning(
        "cost_by_tier",
        "Within a city, observed costs do not fall as the price tier rises.",
        _only("restaurants"),
        warnings.cost_by_tier,
        "look at the source: a cost or a tier may be misread.",
    ),
    _warning(
        "ratings_add_up",
        "The flights of a rating are each counted once: on time, late, cancelled or diverted.",
        _only("flight_ratings"),
        warnings.ratings_add_up,
        "look at the source; such a rating is attached to no flight.",
    ),
    _warning(
        "asymmetric_roads",
        f"Roads there and back differ by no more than a factor of {warnings.ASYMMETRY}.",
        _only(*warnings.ASYMMETRIC_ROADS),
        warnings.asymmetric_roads,
        "look at the pairs: a point may have been matched to the wrong road.",
    ),
    _warning(
        "stop_coverage",
        f"At least {warnings.STOP_COVERAGE:.0%} of the visible places have a nearest stop.",
        _only("poi_nearest_stops"),
        warnings.stop_coverage,
        "add a table of stops that covers the places without one.",
    ),
)


def check_specs(table_name: str) -> tuple[CheckSpec, ...]:
    """The checks of a table in the order in which they run; UnknownTable names the choices."""
    declared = table(table_name)
    return tuple(check.spec for check in CHECKS if check.is_of(declared))


def run_checks(candidate: Candidate, table_name: str, names: Collection[str] | None = None) -> list[CheckResult]:
    """Run the checks of a table, all or those of `names`, and return their results in the order of `check_specs`.

    An absent table has no rows to judge: only `present` runs, and says so. A check that cannot run is a failure
    with the reason. Raises ValueError for a name that is no check of the table.
    """
    specs = check_specs(table_name)
    choices = [spec.name for spec in specs]
    strangers = sorted(set(names or ()) - set(choices))
    if strangers:
        raise ValueError(f"{table_name} has no check {', '.join(strangers)}; choose from {', '.join(choices)}")
    wanted = set(choices) if candidate.has(table_name) else {"present"}
    with Database(candidate) as database:
        return [
            conclude(table_name, check.spec, list(attempt(check.rule(database, table_name))), check.next_step)
            for check in CHECKS
            if check.spec in specs and check.spec.name in (wanted if names is None else wanted & set(names))
        ]
