"""The report of a build that published nothing: the same page marked FAILED, and the rows at fault as Parquet."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from schemas.rows import QUARANTINE_SCHEMA, Reject, quarantine_table
from warehouse.release.draft import Draft, blocks
from warehouse.release.durable import sync_tree, write_text
from warehouse.release.errors import PublishFailed
from warehouse.release.measure import measure_rejects, measure_table, read_parts
from warehouse.release.parquet import write_table
from warehouse.report.facts import collect, to_json
from warehouse.report.page import render


def write_failed_report(folder: Path, draft: Draft, failure: str | None = None) -> Path:
    """Write `index.html`, `report.json`, `rejects.parquet` and `failing.parquet` into `folder`; return the page's path.

    `failing.parquet` holds the rows that the failed checks named, in QUARANTINE_SCHEMA under the code `check:<name>`.
    `failure` is the sentence that says why; by default the blocking checks are named. The folder appears whole or not
    at all, in place of one of its name. A table of the draft whose file cannot be measured is reported as absent.
    Raises PublishFailed.
    """
    partial = folder.with_name(f".{folder.name}.{os.getpid()}")
    rejects = read_parts(draft.quarantine, QUARANTINE_SCHEMA)
    measures, unreadable = {}, {}
    for name in sorted(draft.tables):
        try:
            measures[name] = measure_table(name, draft.tables[name])
        except (pa.ArrowException, OSError) as error:
            unreadable[name] = f"built, but its file cannot be measured: {error}"
    report = collect(
        replace(draft, absent={**draft.absent, **unreadable}),
        measures,
        measure_rejects(rejects),
        city_set=draft.tables["city_set"] if "city_set" in measures else None,
        failure=failure or _blocking(draft),
    )
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        write_text(partial / "index.html", render(report))
        write_text(partial / "report.json", to_json(report))
        write_table(rejects, partial / "rejects.parquet")
        write_table(_failing(draft), partial / "failing.parquet")
        sync_tree(partial)
        if folder.exists():
            shutil.rmtree(folder)
        partial.rename(folder)
    except OSError as error:
        shutil.rmtree(partial, ignore_errors=True)
        raise PublishFailed(
            f"report {folder}: {error.strerror or error}; nothing was published, CURRENT is what it was; "
            "free space or mend the folder's permissions, then run the same command again"
        ) from None
    return folder / "index.html"


def _blocking(draft: Draft) -> str:
    names = [f"{check.table}.{check.name} ({check.summary})" for check in draft.checks if blocks(check)]
    return f"Nothing was published. These checks stopped it: {'; '.join(names)}." if names else "Nothing was published."


def _failing(draft: Draft) -> pa.Table:
    return quarantine_table(
        Reject(
            table=check.table,
            source=str(example.get("source", "candidate")),
            source_ref=str(example.get("source_ref", f"{check.table}.parquet")),
            code=f"check:{check.name}",
            message=check.summary,
            value=json.dumps(example, ensure_ascii=False, default=str),
        )
        for check in draft.checks
        if not check.passed
        for example in check.examples
    )
