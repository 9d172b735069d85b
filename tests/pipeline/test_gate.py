"""The gate before the release, in the real job: one corrupt cell, and nothing is published.

`tests/warehouse/quality` shows for every blocking check of every table that it sees its fault. Here one fault per check
goes through Dagster, which must stop the release because of that check and no other.
"""

from functools import cached_property
from pathlib import Path

import dagster as dg
import pytest

from pipeline.definitions import build_defs
from pipeline.defs import resources
from pipeline.flow import Flow
from pipeline.settings import settings_for
from pipeline.store import StepResult, digest
from schemas.rows import Built, Notes
from schemas.tables import TABLES
from tests.warehouse.quality.corruptions import CORRUPTIONS, Corruption
from tests.warehouse.quality.good_candidate import good_tables, write_candidate
from warehouse.quality.candidate import Candidate
from warehouse.release import store
from warehouse.release.draft import Contribution

ONE_FOR_EACH_CHECK = list({corruption.check: corruption for corruption in CORRUPTIONS}.values())


class PreparedFlow(Flow):
    """A flow whose derivations are done: its candidate is laid, good or corrupt."""

    prepared: Candidate

    @cached_property
    def tables(self) -> dict[str, StepResult]:
        rows = good_tables()
        return {
            name: self.store.put("derived", name, digest(name), Built(rows[name], Notes(rows[name].num_rows)))
            for name in TABLES
        }

    def derived(self, table: str) -> StepResult:
        return self.tables[table]

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        return ()

    @cached_property
    def candidate(self) -> Candidate:
        return self.prepared


def _run(candidate: Candidate, home: Path, monkeypatch: pytest.MonkeyPatch) -> dg.ExecuteInProcessResult:
    monkeypatch.setattr(PreparedFlow, "prepared", candidate, raising=False)
    monkeypatch.setattr(resources, "Flow", PreparedFlow)
    job = build_defs(settings_for("sample", home)).resolve_job_def("build_release")
    with dg.DagsterInstance.ephemeral() as instance:
        return job.execute_in_process(instance=instance, raise_on_error=False)


def _failed_checks(result: dg.ExecuteInProcessResult) -> list[str]:
    evaluations = result.get_asset_check_evaluations()
    return [
        f"{one.asset_key.path[-1]}.{one.check_name}"
        for one in evaluations
        if not one.passed and one.severity is dg.AssetCheckSeverity.ERROR
    ]


def test_a_good_candidate_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _run(write_candidate(tmp_path / "candidate"), tmp_path / "home", monkeypatch)
    assert result.success
    assert set(store.show(tmp_path / "home" / "releases").manifest.tables) == set(TABLES)


@pytest.mark.parametrize("corruption", ONE_FOR_EACH_CHECK, ids=lambda corruption: corruption.id)
def test_one_fault_stops_publishing_by_exactly_its_check(
    corruption: Corruption, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = corruption.write(write_candidate(tmp_path / "good"), tmp_path / "candidate")
    home = tmp_path / "home"
    result = _run(candidate, home, monkeypatch)
    assert not result.success
    assert _failed_checks(result) == [f"{corruption.table}.{corruption.check}"]
    assert store.current_id(home / "releases") is None
    assert "release" not in {event.step_key for event in result.all_events if event.is_step_success}
    report = (home / "failed" / result.run_id / "index.html").read_text(encoding="utf-8")
    assert corruption.check in report


def test_a_candidate_without_verdicts_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PreparedFlow, "verdicts", (), raising=False)
    result = _run(write_candidate(tmp_path / "candidate"), tmp_path / "home", monkeypatch)
    assert not result.success
    failures = [event.step_failure_data for event in result.all_events if event.is_step_failure]
    assert [one.user_failure_data.description for one in failures if one and one.user_failure_data] != []
    assert store.current_id(tmp_path / "home" / "releases") is None
