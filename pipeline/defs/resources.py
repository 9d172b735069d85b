"""What assets are given: the flow of this run, in a home that this run holds alone."""

from collections.abc import Generator
from contextlib import contextmanager

import dagster as dg

from pipeline.flow import Flow
from pipeline.recovery import fail_dead_runs
from pipeline.settings import Settings


def flow_resource(settings: Settings) -> dg.ResourceDefinition:
    """Return the resource `flow`: one Flow for a run, under the lock of the home, after dead runs are recovered."""

    @contextmanager
    def open_flow(context: dg.InitResourceContext) -> Generator[Flow, None, None]:
        settings.home.prepare()
        with settings.home.lock():
            if context.instance is not None:
                fail_dead_runs(context.instance, but=context.run.run_id if context.run else None)
            flow = Flow(settings.request, settings.home, settings.on_step, settings.on_answer, settings.on_end)
            flow.store.prune()
            yield flow

    return dg.ResourceDefinition(resource_fn=open_flow, description="The flow of this run, holding the home's lock.")
