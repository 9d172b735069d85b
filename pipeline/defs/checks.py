"""The checks of the candidate, as Dagster asset checks on `tables/<table>`. Blocking ones stand before the release."""

from collections.abc import Iterator

import dagster as dg

from pipeline.defs.failures import reported, write_failed
from pipeline.flow import Flow
from schemas.tables import TABLES
from warehouse.quality.checks import check_specs


@dg.multi_asset_check(
    name="candidate_checks",
    # An absent table has nothing to check; without this every check must report.
    can_subset=True,
    specs=[
        dg.AssetCheckSpec(
            spec.name, asset=dg.AssetKey(["tables", table]), blocking=spec.is_blocking, description=spec.description
        )
        for table in TABLES
        for spec in check_specs(table)
    ],
    required_resource_keys={"flow"},
)
def candidate_checks(context: dg.AssetCheckExecutionContext) -> Iterator[dg.AssetCheckResult]:
    """Judge the whole candidate in one step, so that the engine of the value rules is loaded once."""
    flow: Flow = context.resources.flow
    with reported(flow, context.run.run_id):
        verdicts = flow.verdicts
        if any(verdict.is_blocking and not verdict.passed for verdict in verdicts):
            write_failed(flow, context.run.run_id)
    for verdict in verdicts:
        yield dg.AssetCheckResult(
            asset_key=dg.AssetKey(["tables", verdict.table]),
            check_name=verdict.name,
            passed=verdict.passed,
            severity=dg.AssetCheckSeverity.ERROR if verdict.is_blocking else dg.AssetCheckSeverity.WARN,
            description=verdict.summary,
            metadata={
                "failing_rows": verdict.failing_rows,
                "could_not_run": verdict.could_not_run,
                "examples": dg.MetadataValue.json(verdict.examples),
            },
        )
