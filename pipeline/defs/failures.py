"""How a failed build ends: a report in `<home>/failed/<run>/`, no data, and one line that says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from pipeline.flow import Flow
from pipeline.publishing import failed_report
from schemas.errors import UtpError


@contextmanager
def reported(flow: Flow, run_id: str) -> Iterator[None]:
    """Turn an error that a person can mend into a Dagster Failure with its one line, and leave a report."""
    try:
        yield
    except UtpError as error:
        message, status = str(error), error.exit_status
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        message, status = f"{where}{error.strerror or error}; free space or mend the permission, then build again", 3
    else:
        return
    write_failed(flow, run_id, message)
    raise dg.Failure(message, metadata={"exit_status": status}, allow_retries=False)


def write_failed(flow: Flow, run_id: str, error: str | None = None) -> None:
    """Write the report of a failed build; a home that cannot even hold a report is not a second error."""
    folder: Path = flow.home.failed / run_id
    try:
        failed_report(flow, folder, error)
    except OSError as problem:
        dg.get_dagster_logger().warning(f"no report of the failed build in {folder}: {problem}")
