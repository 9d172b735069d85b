"""`utp archive verify | compact | stats | expire` and `utp capture`: the raw answers of a home."""

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from pipeline.commands.asking import chosen_source
from pipeline.commands.output import print_json, print_table
from pipeline.home import default_home
from schemas.errors import DataError, UtpError
from sources.protocol.types import Request
from sources.transport.archive import Archive, capture
from sources.transport.calls import canonical_address


def run_verify(arguments: argparse.Namespace) -> int:
    """Read everything back; 1 when something is wrong."""
    problems = _archive(arguments).verify()
    if arguments.json:
        print_json({"problems": [problem._asdict() for problem in problems]})
    else:
        print_table(("file", "problem"), [tuple(problem) for problem in problems])
        print(f"{len(problems)} problem(s)")
    return DataError.exit_status if problems else 0


def run_compact(arguments: argparse.Namespace) -> int:
    """Seal all journals and merge the segments of each provider."""
    merged = _archive(arguments).compact()
    if arguments.json:
        print_json({"segments_merged": merged})
    else:
        print(f"{merged} segments merged")
    return 0


def run_stats(arguments: argparse.Namespace) -> int:
    """Print the numbers of each provider."""
    numbers = {name: asdict(one) for name, one in _archive(arguments).stats().items()}
    if arguments.json:
        print_json(numbers)
        return 0
    columns = list(next(iter(numbers.values()), {}))
    print_table(("source", *columns), [(name, *one.values()) for name, one in numbers.items()])
    return 0


def run_expire(arguments: argparse.Namespace) -> int:
    """Drop the bodies whose time is over, by each provider's terms or after the days given."""
    archive, now = _archive(arguments), datetime.now(UTC)
    outcome: dict[str, Any] = {}
    for name in [arguments.source] if arguments.source else archive.providers():
        days = arguments.days if arguments.days is not None else chosen_source(name).declaration.terms.store_days
        if isinstance(days, int):
            outcome[name] = archive.expire(name, days, now)._asdict()
    if arguments.json:
        print_json(outcome)
    else:
        print_table(
            ("source", "bodies dropped", "still waiting"), [(name, *one.values()) for name, one in outcome.items()]
        )
    return 0


def run_capture(arguments: argparse.Namespace) -> int:
    """Add one saved answer to the archive, unless its very content is there already."""
    source = chosen_source(arguments.source)
    endpoint = source.declaration.endpoints.get(arguments.endpoint)
    if endpoint is None:
        choices = ", ".join(source.declaration.endpoints)
        raise UtpError(f"{arguments.source} has no endpoint {arguments.endpoint!r}; choose one of {choices}")
    params = dict(pair.split("=", 1) for pair in arguments.param)
    request = Request(arguments.source, arguments.endpoint, arguments.scope, params)
    archive = _archive(arguments)
    answer = capture(
        arguments.file,
        request,
        url=canonical_address(source.declaration, endpoint, request),
        media_type=arguments.media_type,
        fetched_at=_moment(arguments.fetched_at),
        status=arguments.status,
    )
    found = archive.known(arguments.source).answer(request)
    is_new = found is None or (found.body_sha256, found.fetched_at) != (answer.body_sha256, answer.fetched_at)
    if is_new:
        with archive.writer(arguments.source) as writer:
            writer.append(answer)
        archive.seal()
    skipped = [] if is_new else [f"{arguments.file}: this very answer is archived already"]
    if arguments.json:
        print_json({"answers": int(is_new), "skipped": skipped})
    else:
        print(skipped[0] if skipped else f"1 answer of {arguments.source} archived")
    return 0


def _archive(arguments: argparse.Namespace) -> Archive:
    return Archive((arguments.home or default_home(arguments.region)) / "raw")


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UtpError(f"--fetched-at {text!r}: write a time like 2026-03-01T12:00:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
