"""The one job. The page, a schedule and `utp build` all run it."""

import dagster as dg

# One process for all steps: the home's lock and the flow's memory are a process's, and a process per step would pay
# the start of Python and its libraries each time.
build_release = dg.define_asset_job(
    "build_release",
    selection=dg.AssetSelection.all(),
    executor_def=dg.in_process_executor,
    description="Stage, derive, check and publish. What has not changed is reused.",
)
