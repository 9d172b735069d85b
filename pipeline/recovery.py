"""Runs of processes that are gone: whoever holds the home's lock marks them as failed and frees what they held."""

from dagster import DagsterInstance, DagsterRunStatus, RunsFilter

BUILD_TAG = {"trigger": "utp build"}
_OPEN = [DagsterRunStatus.STARTING, DagsterRunStatus.STARTED, DagsterRunStatus.CANCELING]


def fail_dead_runs(instance: DagsterInstance, but: str | None = None) -> list[str]:
    """Mark every open run other than `but` as failed and return their ids.

    The caller holds the lock that every running build holds; an open run that does not hold it has no process any more.
    A run that was created and never started is dead when it is one of `utp build`, which starts what it creates; the
    page creates runs for its queue.
    """
    open_runs = instance.get_runs(RunsFilter(statuses=_OPEN))
    created = instance.get_runs(RunsFilter(statuses=[DagsterRunStatus.NOT_STARTED], tags=BUILD_TAG))
    dead = [run for run in (*open_runs, *created) if run.run_id != but]
    for run in dead:
        instance.report_run_failed(run, message="its process ended before the run did; found by the next build")
        if instance.event_log_storage.supports_global_concurrency_limits:
            instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
    return [run.run_id for run in dead]
