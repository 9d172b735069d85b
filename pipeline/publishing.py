"""From a flow to what is published, or to the report of what was not."""

from datetime import datetime
from pathlib import Path

from pipeline.flow import Flow
from pipeline.store import StepResult
from schemas.tables import TABLES
from warehouse.quality.checks import check_specs
from warehouse.quality.results import CheckResult
from warehouse.release.draft import Draft
from warehouse.release.errors import RefusedDraft
from warehouse.release.publish import publish
from warehouse.release.store import Release
from warehouse.report.failed import write_failed_report


def publish_release(flow: Flow) -> Release:
    """Publish the flow's candidate. Raises RefusedDraft when a blocking check failed or gave no verdict.

    Dagster lets a step go on whose blocking check emitted nothing; so the verdicts are looked at once more here.
    """
    present = [name for name, result in flow.tables.items() if result.absent is None]
    wanted = {(name, spec.name) for name in present for spec in check_specs(name) if spec.is_blocking}
    unjudged = sorted(wanted - {(verdict.table, verdict.name) for verdict in flow.verdicts})
    if unjudged:
        names = ", ".join(".".join(pair) for pair in unjudged)
        raise RefusedDraft(f"no verdict of {names}; nothing was published, CURRENT is what it was; build again")
    return publish(flow.home.releases, _draft(flow, flow.tables, flow.verdicts))


def failed_report(flow: Flow, folder: Path, failure: str | None) -> None:
    """Write the report of a failed build with whatever the flow had finished."""
    tables = {name: flow.results["derived", name] for name in TABLES if ("derived", name) in flow.results}
    verdicts = flow.__dict__.get("verdicts", ())
    write_failed_report(folder, _draft(flow, tables, verdicts), failure)


def _draft(flow: Flow, tables: dict[str, StepResult], verdicts: tuple[CheckResult, ...]) -> Draft:
    present = {name: result for name, result in tables.items() if result.absent is None}
    staged = {name: result for (layer, name), result in flow.results.items() if layer == "staged"}
    steps = {f"{one.layer}.{one.name}": one for one in (*staged.values(), *present.values()) if one.absent is None}
    is_whole = len(tables) == len(TABLES)
    return Draft(
        region=flow.request.region.id,
        origin="sandbox" if "sandbox" in (flow.archive.kind, flow.request.profile) else "files",
        audience=flow.request.audience,
        # Once it is laid, the candidate's files are what was judged, so they and no others are published.
        tables={name: flow.candidate.path(name) if is_whole else one.rows_path for name, one in present.items()},
        absent={name: _why_absent(tables, name) for name in TABLES if name not in present},
        contributions=flow.contributions if is_whole else (),
        withheld=flow.withheld,
        checks=verdicts,
        code_version=flow.code_version,
        built_at=datetime.now().astimezone().replace(microsecond=0),
        quarantine={name: step.folder / "quarantine.parquet" for name, step in steps.items()},
        merges={name: step.folder / "merges.parquet" for name, step in steps.items()},
    )


def _why_absent(tables: dict[str, StepResult], name: str) -> str:
    return tables[name].absent or "" if name in tables else "the build ended before it"
