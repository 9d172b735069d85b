"""`utp build`: run the job of the page in this process, on the home's own Dagster instance."""

import argparse
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.asking import Asked
from pipeline.commands.output import print_json, print_table
from pipeline.commands.progress import build_bars
from pipeline.home import Home, default_home
from pipeline.settings import Settings, settings_for
from schemas.errors import DataError, StorageError

if TYPE_CHECKING:
    from dagster import ExecuteInProcessResult


def run(arguments: argparse.Namespace) -> int:
    """Build and publish; 0 when a release stands, 1 when the data said no, 3 when storage failed."""
    started = time.monotonic()
    home = (arguments.home or default_home(arguments.region, arguments.profile)).absolute()
    tables_dir = arguments.tables_dir.absolute() if arguments.tables_dir else None
    counts: Counter[str] = Counter()
    ends: dict[str, Asked] = {}
    with build_bars(counts) as (on_step, on_answer):
        settings = settings_for(
            arguments.region,
            home,
            tables_dir,
            arguments.audience,
            on_step,
            on_answer,
            on_end=ends.__setitem__,
            profile=arguments.profile,
        )
        settings.home.prepare()
        with settings.home.lock():
            result = _execute(settings)
    if not result.success:
        _raise_failure(result, settings.home)
    summary = _summary(settings.home, counts, ends, round(time.monotonic() - started, 1))
    if arguments.json:
        print_json(summary)
    else:
        _print_summary(summary)
    # A release stands, and tells its reader the same; whoever started the build is to know at once.
    for name, one in ends.items():
        if not one.is_whole:
            print(f"utp: {name}: {_ending(one)}; the release was made of what is archived", file=sys.stderr)
    return 0


def _ending(asked: Asked) -> str:
    refused = f"none of {asked.done} answers can be used ({', '.join(asked.refused)})"
    failed = f"{len(asked.failed)} requests failed" if asked.failed else refused
    return f"asking stopped: {asked.stopped}" if asked.stopped else failed


def _execute(settings: Settings) -> "ExecuteInProcessResult":
    os.environ["DAGSTER_DISABLE_TELEMETRY"] = "yes"
    from dagster import DagsterInstance
    from dagster._core.errors import DagsterExecutionInterruptedError
    from sqlalchemy.exc import SQLAlchemyError

    from pipeline.definitions import build_defs
    from pipeline.recovery import BUILD_TAG

    # What a run has to say is in its events, for the page, and in our own lines; not in a log on the terminal.
    logging.getLogger("dagster").setLevel(logging.CRITICAL)
    # Checks of absent tables give no verdict, and this logger warns of each; `publish_release` sees to the others.
    logging.getLogger("dagster._core.execution.plan.active").setLevel(logging.ERROR)
    # A Ctrl-C that meets the closing of a connection is told by our own last line, not by a traceback before it.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    request = settings.request
    job = build_defs(settings).resolve_job_def("build_release")
    try:
        with DagsterInstance.from_config(str(settings.home.dagster)) as instance:
            return job.execute_in_process(
                instance=instance,
                raise_on_error=False,
                tags={"region": request.region.id, "audience": request.audience, **BUILD_TAG},
                run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            )
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StorageError(
            f"{settings.home.dagster}: {cause}; free space or mend the permission, then run the same command again; "
            "nothing was published"
        ) from None
    except DagsterExecutionInterruptedError:
        raise KeyboardInterrupt from None


def _raise_failure(result: "ExecuteInProcessResult", home: Home) -> None:
    """Say in one line why nothing was published, and where the report is."""
    report = home.failed / result.run_id / "index.html"
    where = f"; report: {report}" if report.is_file() else ""
    for event in result.all_events:
        failure = event.step_failure_data if event.is_step_failure else None
        if failure is None or failure.user_failure_data is None:
            continue
        status = failure.user_failure_data.metadata.get("exit_status")
        kind = StorageError if status is not None and status.value == StorageError.exit_status else DataError
        raise kind(f"{failure.user_failure_data.description}; nothing was published{where}")
    failed = [check for check in result.get_asset_check_evaluations() if not check.passed]
    blocking = [f"{check.check_name}: {check.description}" for check in failed if check.severity.value == "ERROR"]
    if blocking:
        lines = "\n  ".join(blocking)
        raise DataError(f"{len(blocking)} blocking check(s) failed; nothing was published{where}\n  {lines}")
    failures = [event.step_failure_data for event in result.all_events if event.is_step_failure]
    if any(failure.error and failure.error.cls_name == "DagsterExecutionInterruptedError" for failure in failures):
        raise KeyboardInterrupt
    problems = [failure.error.to_string() for failure in failures if failure.error is not None]
    raise RuntimeError(f"run {result.run_id} failed in a way nobody foresaw:\n" + "\n".join(problems))


def _summary(home: Home, counts: Counter[str], ends: Mapping[str, Asked], seconds: float) -> dict[str, Any]:
    """Return what `--json` prints, read from the manifest that was written."""
    from warehouse.release import store

    release = store.show(home.releases)
    folder, manifest = release.folder, release.manifest
    tables = manifest.tables
    return {
        "release": release.id,
        "folder": str(folder),
        "origin": manifest.origin,
        "rows": {name: facts.rows_total for name, facts in tables.items()},
        "visible": {name: facts.rows_evaluator_visible for name, facts in tables.items()},
        "quarantined": {name: facts.rows_quarantined for name, facts in tables.items()},
        "absent": dict(manifest.tables_absent),
        "partitions": {"built": counts["built"], "reused": counts["reused"]},
        "requests": {name.removeprefix("asked "): n for name, n in counts.items() if name.startswith("asked ")},
        "failed": {name: len(one.failed) for name, one in ends.items() if one.failed},
        "stopped": {name: one.stopped for name, one in ends.items() if one.stopped},
        "seconds": seconds,
        "report": str(folder / "report" / "index.html"),
    }


def _print_summary(summary: dict[str, Any]) -> None:
    rows = [
        (name, f"{total:,}", f"{summary['visible'][name]:,}", f"{summary['quarantined'][name]:,}")
        for name, total in summary["rows"].items()
    ]
    print_table(("table", "rows", "visible", "quarantined"), rows)
    absent: dict[str, list[str]] = {}
    for name, reason in summary["absent"].items():
        absent.setdefault(reason, []).append(name)
    for reason, names in absent.items():
        print(f"absent  {', '.join(names)}: {reason}")
    built, reused = summary["partitions"]["built"], summary["partitions"]["reused"]
    print(f"release {summary['release']} in {_short(summary['folder'])}")
    print(f"report  {_short(summary['report'])}")
    print(f"{built} steps built, {reused} reused, {summary['seconds']} s")


def _short(path: str) -> str:
    """Return the path as seen from here, where it lies below here."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path
