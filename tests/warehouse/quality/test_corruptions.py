"""Each blocking check sees the smallest fault that it is there for, and no other check is disturbed by it."""

from pathlib import Path

import pytest

from schemas.expectations import expectations
from schemas.tables import TABLES
from tests.warehouse.quality.corruptions import CORRUPTIONS, INVARIANTS, Corruption
from tests.warehouse.quality.good_candidate import good_tables
from warehouse.quality import gx, invariants
from warehouse.quality.candidate import Candidate
from warehouse.quality.checks import check_specs, run_checks
from warehouse.quality.results import CheckResult

# The checks that read files of other tables than their own.
ACROSS = {"references", "invariants", "floors"}


def _reads(table: str, other: str) -> bool:
    """Whether a check of `table` reads the file of `other`."""
    named = {key.table for key in TABLES[table].foreign_keys}
    named |= {need for one in invariants.invariants_of(table) for need in one.needs}
    named |= {"airports"} if table == "flights" else set()
    named |= {"attractions", "restaurants", "accommodations"} if table == "poi_nearest_stops" else set()
    return table != other and (other in named or table == "city_set")


def _blocking_failures(candidate: Candidate, corruption: Corruption) -> list[CheckResult]:
    """Run what may notice. `values` judges single cells; that no other fault disturbs it has its own test below."""
    specs = check_specs(corruption.table)
    own = [spec.name for spec in specs if spec.name != "values" or corruption.check == "values"]
    results = run_checks(candidate, corruption.table, own)
    for table in TABLES:
        if _reads(table, corruption.table):
            across = [spec.name for spec in check_specs(table) if spec.name in ACROSS]
            results += run_checks(candidate, table, across)
    return [result for result in results if result.is_blocking and not result.passed]


def test_the_good_candidate_passes_every_check(good: Candidate) -> None:
    for table in TABLES:
        results = run_checks(good, table)
        assert [result.name for result in results] == [spec.name for spec in check_specs(table)]
        assert [result.summary for result in results if not result.passed] == []


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda corruption: corruption.id)
def test_one_fault_fails_exactly_one_blocking_check(good: Candidate, tmp_path: Path, corruption: Corruption) -> None:
    failures = _blocking_failures(corruption.write(good, tmp_path / "corrupt"), corruption)

    assert [(failed.table, failed.name) for failed in failures] == [(corruption.table, corruption.check)]
    failed = failures[0]
    assert not failed.could_not_run
    assert failed.failing_rows >= 1
    assert failed.summary.startswith(f"{corruption.table}: ")
    assert corruption.says in failed.summary
    assert "Next: " in failed.summary


@pytest.mark.parametrize("table", TABLES)
def test_faults_of_other_checks_hold_no_wrong_value(table: str) -> None:
    for corruption in CORRUPTIONS:
        if corruption.table == table and corruption.rows is not None and corruption.check not in ("values", "columns"):
            changed = corruption.rows(good_tables()[table])
            judged = [
                rule
                for rule in expectations(table)
                if not changed[rule.column].equals(good_tables()[table][rule.column])
            ]
            assert [one for one in gx.validate(changed, judged) if not one.passed] == []


def test_every_blocking_check_of_every_table_has_its_fault() -> None:
    wanted = {(table, spec.name) for table in TABLES for spec in check_specs(table) if spec.is_blocking}

    assert {(corruption.table, corruption.check) for corruption in CORRUPTIONS} == wanted


def test_every_invariant_has_its_fault() -> None:
    without = [
        (rule.table, rule.cause)
        for rule in invariants.INVARIANTS
        if not any(one.table == rule.table and one.says.split(" (")[0] in rule.cause for one in INVARIANTS)
    ]

    assert without == []
