"""`utp source`, `plan`, `fetch`, `parse`: providers, what they would be asked, asking them, and reading one answer."""

import argparse
from datetime import UTC, datetime
from typing import Any

from pipeline.allowances import read_allowances
from pipeline.asking import Plan, plan
from pipeline.commands.output import print_json, print_table
from pipeline.commands.progress import answer_bars
from pipeline.fetching import blocked
from pipeline.flow import Flow
from pipeline.home import Home, default_home
from pipeline.regions import read_region
from pipeline.settings import known_sources, settings_for
from schemas.errors import DataError, StorageError, UtpError
from schemas.text import clean
from schemas.textyaml import read_file
from sources.protocol.declaration import Price
from sources.protocol.discovery import Source
from sources.protocol.types import Answer, Refusal, Request, Row, Skipped, Unknown
from sources.transport.archive import Archive
from warehouse import read
from warehouse.release.store import current_id


def chosen_source(name: str) -> Source:
    """Return the provider of that name; UtpError lists the choices."""
    sources = known_sources()
    if name not in sources:
        raise UtpError(f"no source {name!r}; choose one of {', '.join(sources)}")
    return sources[name]


def run_list(arguments: argparse.Namespace) -> int:
    """Print all providers."""
    rows = [_facts(source) for source in known_sources().values()]
    if arguments.json:
        print_json(rows)
    else:
        print_table(list(rows[0]) if rows else ("source",), [[_cell(value) for value in row.values()] for row in rows])
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Print one provider with its endpoints and limits."""
    source = chosen_source(arguments.source)
    endpoints = [
        {
            "endpoint": one.name,
            "rate": f"{one.rate.calls} in {one.rate.seconds:g} s",
            "daily_calls": one.daily_calls,
            "price": f"{_price(one.price)} a {one.unit}",
            "days_valid": one.days_valid,
            "timeout_s": one.timeout_s,
        }
        for one in source.declaration.endpoints.values()
    ]
    if arguments.json:
        print_json({**_facts(source), "endpoints": endpoints, "floors": source.declaration.floors})
        return 0
    print_table(("fact", "value"), [(name, _cell(value)) for name, value in _facts(source).items()])
    print_table(list(endpoints[0]), [list(one.values()) for one in endpoints])
    return 0


def run_plan(arguments: argparse.Namespace) -> int:
    """Print what a fetch would still ask."""
    region, sources, home = read_region(arguments.region), _sources(arguments.source), _home(arguments)
    archive, now = Archive(home.raw), datetime.now(UTC)
    is_stand_in = arguments.profile == "sandbox" or archive.kind == "sandbox"
    # accounts.yaml may name any provider, also one that is not asked now.
    known = [one.declaration for one in known_sources().values()]
    accounts = read_allowances(home.folder, known, of_stand_ins=is_stand_in).accounts
    reasons = blocked({source.declaration.id: source for source in sources}, arguments.profile)
    plans = []
    for source in sources:
        name, needed = source.declaration.id, _released(home, source)
        lacking = [table for table in source.declaration.needs if table not in needed]
        waits = (
            f"what it will ask follows from {', '.join(lacking)}, of which no release holds a row" if lacking else ""
        )
        reason = "; ".join(filter(None, (reasons.get(name), waits))) or None
        plans.append(plan(source, region, archive, accounts[name], now, reason, needed))
    if arguments.json:
        providers = {one.provider: _plan(one) for one in plans}
        print_json({"region": region.id, "profile": arguments.profile, "providers": providers})
        return 0
    rows = [
        (one.provider, name, part.jobs, part.requests_min, _most(part.requests_max), part.units, one.hours)
        for one in plans
        for name, part in one.endpoints.items()
        if part.requests_max != 0
    ]
    print_table(("source", "endpoint", "jobs", "at least", "at most", "units", "hours"), rows)
    for one in plans:
        if one.blocked:
            print(f"blocked  {one.provider}: {one.blocked}")
    return 0


def run_fetch(arguments: argparse.Namespace) -> int:
    """Ask, as far as the archive; 3 when something could not be had."""
    chosen = [source.declaration.id for source in _sources(arguments.source)]
    with answer_bars() as on_answer:
        settings = settings_for(arguments.region, _home(arguments).folder, profile=arguments.profile)
        settings.home.prepare()
        with settings.home.lock():
            flow = Flow(settings.request, settings.home, on_answer=on_answer)
            asked = flow.ask(chosen)
    region = settings.request.region
    if arguments.json:
        providers = {name: vars(one) for name, one in asked.items()}
        print_json({"region": region.id, "profile": arguments.profile, "providers": providers})
    else:
        rows = [
            (name, one.done, len(one.failed), sum(one.refused.values()), one.stopped) for name, one in asked.items()
        ]
        print_table(("source", "answers", "failed", "refused", "stopped"), rows)
    return 0 if all(one.is_whole for one in asked.values()) else StorageError.exit_status


def run_parse(arguments: argparse.Namespace) -> int:
    """Print what one saved answer means, as JSON lines; the last line holds the fields that nobody knows."""
    source = chosen_source(arguments.source)
    if arguments.endpoint not in source.declaration.endpoints:
        choices = ", ".join(source.declaration.endpoints)
        raise UtpError(f"{arguments.source} has no endpoint {arguments.endpoint!r}; choose one of {choices}")
    unknown: dict[str, int] = {}
    refused = False
    for item in source.read(_saved(arguments)):
        match item:
            case Row(table, values):
                print_json({"table": table, "row": dict(values)})
            case Refusal():
                refused = True
                reject = {"code": item.code, "message": item.message, "where": item.where}
                print_json({"reject": reject, "retry": item.is_retryable})
            case Unknown(path):
                unknown[path] = unknown.get(path, 0) + 1
            case Skipped(reason, count):
                print_json({"skipped": reason, "count": count})
    print_json({"unknown_fields": sorted(unknown)})
    return DataError.exit_status if refused else 0


def _saved(arguments: argparse.Namespace) -> Answer:
    request = Request(arguments.source, arguments.endpoint, "file", params_of(arguments.param))
    try:
        body = read_file(arguments.file)
    except OSError as error:
        raise UtpError(f"{arguments.file}: {error.strerror}; name a saved answer") from None
    return Answer(
        request_id=request.id,
        provider=request.provider,
        endpoint=request.endpoint,
        scope=request.scope,
        params=request.params,
        url="",
        status=arguments.status,
        headers={},
        media_type=clean(arguments.media_type),
        fetched_at=datetime.now(UTC),
        body=body,
        body_sha256="",
        origin="capture",
        # Whoever saved it by hand tells in one way what was asked and what it is about.
        subject=request.params,
    )


def params_of(pairs: list[str]) -> dict[str, str]:
    """Read `--param K=V` as often as it is given; UtpError for a name that is given twice."""
    params: dict[str, str] = {}
    for name, _, value in (pair.partition("=") for pair in pairs):
        if name in params:
            raise UtpError(f"--param {name} is given twice; a question has one value for it")
        params[name] = value
    return params


def _sources(name: str | None) -> list[Source]:
    return [chosen_source(name)] if name else list(known_sources().values())


def _released(home: Home, source: Source) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the current release that a provider's requests follow from, by table; none without a release.

    Reading them is all that a plan does, so it may be made beside a running build.
    """
    if not source.declaration.needs or current_id(home.releases) is None:
        return {}
    release = read.open(home.folder)
    held = [name for name in source.declaration.needs if name in release.manifest.tables]
    return {name: rows for name in held if (rows := release.table(name, visible_only=False).to_pylist())}


def _home(arguments: argparse.Namespace) -> Home:
    return Home((arguments.home or default_home(arguments.region, arguments.profile)).absolute())


def _facts(source: Source) -> dict[str, Any]:
    declared = source.declaration
    return {
        "source": declared.id,
        "title": declared.title,
        "base": declared.base,
        "endpoints": sorted(declared.endpoints),
        "secrets": sorted(declared.secrets.values()),
        "licence": declared.terms.license,
        "accepted_by": declared.terms.accepted_by or None,
    }


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "requests_min": plan.requests_min,
        "requests_max": plan.requests_max,
        "units": float(plan.units),
        "cost": None if plan.cost is None else float(plan.cost),
        "currency": plan.currency,
        "hours": plan.hours,
        "blocked": plan.blocked,
        "endpoints": {
            name: {
                "jobs": one.jobs,
                "requests_min": one.requests_min,
                "requests_max": one.requests_max,
                "units": float(one.units),
            }
            for name, one in plan.endpoints.items()
        },
    }


def _most(requests: int | None) -> int | str:
    return "no bound" if requests is None else requests


def _price(price: Price) -> str:
    return "unknown price" if price.amount is None else f"{price.amount:g} {price.currency}"


def _cell(value: Any) -> Any:
    return ", ".join(value) if isinstance(value, list) else value
