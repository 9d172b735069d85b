"""What assets are given: the flow of this run, in a home that this run holds alone."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import dagster as dg

from pipeline.flow import Flow, OnStep, Request, nobody_listens
from pipeline.home import Home
from pipeline.recovery import fail_dead_runs


@dataclass(frozen=True)
class Settings:
    """What is to be built and where, as it stands when the definitions are loaded."""

    request: Request
    home: Home
    on_step: OnStep = nobody_listens


def flow_resource(settings: Settings) -> dg.ResourceDefinition:
    """Return the resource `flow`: one Flow for a run, under the lock of the home, after dead runs are recovered."""

    @contextmanager
    def open_flow(context: dg.InitResourceContext) -> Generator[Flow, None, None]:
        settings.home.prepare()
        with settings.home.lock():
            if context.instance is not None:
                fail_dead_runs(context.instance, but=context.run_id)
            yield Flow(settings.request, settings.home, settings.on_step)

    return dg.ResourceDefinition(resource_fn=open_flow, description="The flow of this run, holding the home's lock.")
