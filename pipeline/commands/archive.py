"""`utp archive verify | compact | stats | expire | export | import` and `utp capture`: the raw answers of a home."""

import argparse
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial

from pipeline.commands.asking import chosen_source, params_of
from pipeline.commands.output import print_json, print_table
from pipeline.home import Home, default_home
from pipeline.settings import known_sources
from schemas.errors import DataError, UtpError
from schemas.permits import expires_at
from sources.protocol.discovery import Source
from sources.protocol.types import Answer, Request
from sources.transport.archive import Archive, Ends
from sources.transport.capture import Capture, captured, saved, saved_lines


def run_verify(arguments: argparse.Namespace) -> int:
    """Read everything back; 1 when something is wrong."""
    problems = _kept(arguments).verify()
    if arguments.json:
        print_json({"problems": [problem._asdict() for problem in problems]})
    else:
        print_table(("file", "problem"), [tuple(problem) for problem in problems])
        print(f"{len(problems)} problem(s)")
    return DataError.exit_status if problems else 0


def run_compact(arguments: argparse.Namespace) -> int:
    """Seal all journals and merge the segments of each provider."""
    merged = _kept(arguments).compact()
    if arguments.json:
        print_json({"segments_merged": merged})
    else:
        print(f"{merged} segments merged")
    return 0


def run_stats(arguments: argparse.Namespace) -> int:
    """Print the numbers of each provider."""
    numbers = {name: asdict(one) for name, one in _kept(arguments).stats().items()}
    if arguments.json:
        print_json(numbers)
        return 0
    columns = list(next(iter(numbers.values()), {}))
    print_table(("source", *columns), [(name, *one.values()) for name, one in numbers.items()])
    return 0


def run_expire(arguments: argparse.Namespace) -> int:
    """Drop the bodies whose time is over, by each provider's terms or after the days given."""
    archive, sources, now = _kept(arguments), known_sources(), datetime.now(UTC)
    names = archive.providers()
    if arguments.source:
        if arguments.source not in names:
            raise UtpError(f"nothing of {arguments.source!r} is archived in {archive.folder}; see `utp archive stats`")
        names = [arguments.source]
    ends = {name: _ends(sources.get(name), arguments.days) for name in names}
    outcome = {
        name: archive.expire(name, end, now, is_dry=arguments.dry_run) for name, end in ends.items() if end is not None
    }
    if arguments.json:
        print_json({name: one._asdict() for name, one in outcome.items()})
    else:
        columns = ("source", "bodies to drop" if arguments.dry_run else "bodies dropped", "still waiting")
        print_table(columns, [(name, *one) for name, one in outcome.items()])
    unknown = [name for name, end in ends.items() if end is None]
    if unknown:
        raise UtpError(
            f"the terms of {', '.join(unknown)} are not known here, so nothing of it was dropped; "
            "bring its source back (UTP_SOURCES names the folders of your own), or say --source and --days"
        )
    return 0


def run_export(arguments: argparse.Namespace) -> int:
    """Write the answers of a home, or of one provider, into one file."""
    numbers = _kept(arguments).export_to(arguments.file, [arguments.source] if arguments.source else None)
    if arguments.json:
        print_json({"file": arguments.file, "answers": numbers})
    else:
        print_table(("source", "answers exported"), numbers.items())
    return 0


def run_import(arguments: argparse.Namespace) -> int:
    """Add the answers of an exported file to a home."""
    outcome = _archive(arguments).import_from(arguments.file)
    if arguments.json:
        print_json({name: one._asdict() for name, one in outcome.items()})
    else:
        print_table(("source", "answers added", "here already"), [(name, *one) for name, one in outcome.items()])
    return 0


def run_capture(arguments: argparse.Namespace) -> int:
    """Add saved answers to the archive, but for those whose very content is there already; 1 when a file holds none."""
    declared = chosen_source(arguments.source).declaration
    if arguments.endpoint and arguments.endpoint not in declared.endpoints:
        choices = ", ".join(declared.endpoints)
        raise UtpError(f"{declared.id} has no endpoint {arguments.endpoint!r}; choose one of {choices}")
    how = Capture(declared, os.environ, datetime.now(UTC), arguments.scope, arguments.endpoint)
    if arguments.param_from and not arguments.lines:
        raise UtpError("--param-from says where a line holds what was asked; it goes with --lines")
    found = None if arguments.lines else captured(arguments.file, how)
    if found is None:
        found = _saved(arguments, how)
    elif arguments.param or arguments.fetched_at:
        raise UtpError(f"{arguments.file} says itself what was asked and when; leave --param and --fetched-at out")
    answers, known, skipped = _append(_archive(arguments), declared.id, found)
    if not answers and not skipped:
        raise DataError(f"{arguments.file} holds no answer at all; save it anew, with what was answered")
    if arguments.json:
        print_json({"answers": answers, "skipped": skipped})
    else:
        for line in skipped:
            print(line)
        print(f"{answers} answer(s) of {declared.id} archived")
    return 0 if answers or known else DataError.exit_status


def _append(archive: Archive, provider: str, found: Iterator[Answer | str]) -> tuple[int, int, list[str]]:
    """Archive what is new; return how many answers that were, how many were known, and all that was skipped."""
    moments = set(archive.moments(provider))
    answers, known, skipped = 0, 0, []
    with ExitStack() as stack:
        writer = None
        for one in found:
            if isinstance(one, str):
                skipped.append(one)
                continue
            moment = one.request_id, one.fetched_at, one.body_sha256
            if moment in moments:
                known += 1
                skipped.append(f"answer of {one.endpoint}, fetched at {one.fetched_at.isoformat()}: archived already")
                continue
            writer = writer or stack.enter_context(archive.writer(provider))
            writer.append(one)
            moments.add(moment)
            answers += 1
    archive.seal()
    return answers, known, skipped


def _saved(arguments: argparse.Namespace, how: Capture) -> Iterator[Answer | str]:
    if not arguments.endpoint or not arguments.fetched_at:
        raise UtpError(
            f"{arguments.file} does not say what was asked and when; say with --endpoint and --param what, and with "
            "--fetched-at when (a HAR or a WARC says both itself)"
        )
    request = Request(arguments.source, arguments.endpoint, arguments.scope, params_of(arguments.param))
    media_type, status, fetched_at = arguments.media_type, arguments.status, _moment(arguments.fetched_at)
    if not arguments.lines:
        yield saved(arguments.file, how, request, media_type=media_type, fetched_at=fetched_at, status=status)
        return
    paths = params_of(arguments.param_from)
    both = sorted(request.params.keys() & paths.keys())
    if both:
        raise UtpError(f"{both[0]!r} is given with --param and with --param-from; leave one of them out")
    yield from saved_lines(
        arguments.file, how, request, paths, media_type=media_type, fetched_at=fetched_at, status=status
    )


def _ends(source: Source | None, days: int | None) -> Ends | None:
    """Return when bodies of a provider must be gone: after some days, or by its terms; None for unknown terms."""
    if days is not None:
        return lambda fetched_at: fetched_at + timedelta(days=days)
    return None if source is None else partial(expires_at, terms=source.declaration.terms)


def _archive(arguments: argparse.Namespace) -> Archive:
    return Archive(Home(arguments.home or default_home(arguments.region, arguments.profile)).raw)


def _kept(arguments: argparse.Namespace) -> Archive:
    """Return the archive that is looked after; one without anything is a wrong --home sooner than a sound archive."""
    archive = _archive(arguments)
    if archive.is_empty:
        raise UtpError(f"nothing is archived in {archive.folder}; name the --home, or the --profile, of the answers")
    return archive


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise UtpError(f"--fetched-at {text!r}: write a time like 2026-03-01T12:00:00Z") from None
