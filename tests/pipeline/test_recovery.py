"""Runs whose process is gone are found and marked by the next build."""

import dagster as dg
from dagster import DagsterInstance, DagsterRunStatus

from pipeline.recovery import fail_dead_runs


@dg.op
def nothing() -> None: ...


@dg.job
def some_job() -> None:
    nothing()


def _run(instance: DagsterInstance, status: DagsterRunStatus) -> str:
    return instance.create_run_for_job(some_job, status=status).run_id


def test_open_runs_of_dead_processes_are_failed_and_all_others_left() -> None:
    with DagsterInstance.ephemeral() as instance:
        dead = [_run(instance, status) for status in (DagsterRunStatus.STARTING, DagsterRunStatus.STARTED)]
        mine = _run(instance, DagsterRunStatus.STARTED)
        done = _run(instance, DagsterRunStatus.SUCCESS)

        assert sorted(fail_dead_runs(instance, but=mine)) == sorted(dead)

        statuses = {run.run_id: run.status.value for run in instance.get_runs()}
        assert [statuses[run_id] for run_id in (*dead, mine, done)] == ["FAILURE", "FAILURE", "STARTED", "SUCCESS"]


def test_without_dead_runs_nothing_is_done() -> None:
    with DagsterInstance.ephemeral() as instance:
        assert fail_dead_runs(instance) == []
