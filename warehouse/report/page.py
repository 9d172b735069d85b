"""The page: one self-contained HTML file without scripts, drawn from a report.

Only layout and wording are here; what is said is decided in `facts`.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from schemas.publicity import Input, decide
from schemas.tables import TABLES
from schemas.terms import Terms
from warehouse.quality.results import CheckResult
from warehouse.release.draft import verdict
from warehouse.release.measure import RejectGroup
from warehouse.report import figures
from warehouse.report.facts import MapReport, Report, SourceReport, TableReport
from warehouse.report.html import Child, Html, counted, el, grid, join, outside_link

# Nothing is loaded and nothing runs, whatever a place may be called.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = Path(__file__).with_name("style.css")
_SECTIONS = ("Tables", "Sources", "Checks", "Cities", "Terms")


def render(report: Report) -> str:
    """Return the page of a report as HTML."""
    title = f"Release {report.release}" if report.release else f"FAILED: nothing published for {report.region}"
    sections = {
        "Tables": _tables(report),
        "Sources": _sources(report.sources),
        "Checks": _checks(report.checks),
        "Cities": _cities(report),
        "Terms": _terms(report),
    }
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        el("title", title),
        el("style", Html(_STYLE.read_text(encoding="utf-8"))),
    )
    links = [el("li", el("a", name, href=f"#{name.lower()}")) for name in _SECTIONS]
    body = el(
        "body",
        el("a", "Skip to the content", href="#content", class_="skip"),
        _header(report, title),
        el(
            "main",
            el("nav", el("ul", *links), aria_label="Sections"),
            *(el("section", el("h2", name), content, id=name.lower()) for name, content in sections.items()),
            id="content",
        ),
        el("footer", "Numbers in other hands: report.json beside this page. Hashes: manifest.json of the release."),
    )
    return f"<!doctype html>\n{el('html', head, body, lang='en')}\n"


def _header(report: Report, title: str) -> Html:
    state = "published" if report.release else "failed"
    quarantined = sum(sum(source.contribution.quarantined.values()) for source in report.sources)
    facts = {
        "region": report.region,
        "origin": report.origin,
        "audience": report.audience,
        "built": report.built_at.isoformat(sep=" ", timespec="minutes"),
        "code": report.code_version,
    }
    numbers = {
        "tables": len(report.tables),
        "rows": sum(table.rows for table in report.tables),
        "seen by the evaluator": sum(table.visible for table in report.tables),
        "records quarantined": quarantined,
        "cities with data": sum(bool(city.tables) for city in report.cities),
    }
    return el(
        "header",
        el("p", "Database of UTP-Bench", class_="kind"),
        el("h1", title),
        el("span", state, class_=f"badge {state}"),
        el("dl", *(el("div", el("dt", name), el("dd", value)) for name, value in facts.items()), class_="facts"),
        el("p", report.failure, class_="failure") if report.failure else None,
        el("dl", *(el("div", el("dt", name), el("dd", value)) for name, value in numbers.items()), class_="numbers"),
    )


def _tables(report: Report) -> Html:
    columns = ("table", "rows", "visible", "hidden, by missing column", "quarantined", "enriched", "cities", "observed")
    shown = grid("Rows of each table and what became of them.", columns, [_table_row(table) for table in report.tables])
    absent = [(el("code", name), reason) for name, reason in report.absent.items()]
    return join(
        shown if report.tables else el("p", "No table was built.", class_="soft"),
        el("details", el("summary", f"{len(absent)} tables are absent"), grid("", ("table", "why"), absent), open="")
        if absent
        else None,
    )


def _table_row(table: TableReport) -> tuple[Child, ...]:
    return (
        join(el("code", table.name), el("br"), el("span", table.title, class_="soft small")),
        table.rows,
        table.visible,
        _hidden(table),
        counted(table.quarantined),
        table.enriched,
        table.cities or None,
        _days(table),
    )


def _hidden(table: TableReport) -> Child:
    hidden = table.rows - table.visible
    return join(el("b", hidden), " ", counted(table.hidden_by)) if hidden else 0


def _sources(sources: Sequence[SourceReport]) -> Html:
    if not sources:
        return el("p", "No source contributed.", class_="soft")
    return join(*(_source(source) for source in sources))


def _source(source: SourceReport) -> Html:
    brought = source.contribution
    quarantined = sum(brought.quarantined.values())
    adds_up = brought.rows_in == brought.rows_out
    return el(
        "article",
        el(
            "header",
            el("h3", brought.title),
            el("span", join(el("code", brought.source), " into ", el("code", brought.table)), class_="soft small"),
        ),
        el(
            "p",
            join(el("b", brought.rows_in), " rows in ", "= " if adds_up else "\N{NOT EQUAL TO} "),
            join(el("b", brought.kept, class_="kept"), " kept + "),
            join(el("b", brought.merged, class_="merged"), " merged + "),
            join(el("b", quarantined, class_="quarantined"), " quarantined"),
            None if adds_up else el("span", f"{brought.rows_out:,} accounted for", class_="badge failed"),
            class_="sum",
        ),
        figures.doors(brought.kept, brought.merged, quarantined),
        el(
            "p",
            join(el("code", brought.file), f", observed {brought.observed_at or 'on an unknown day'}, "),
            join("SHA-256 ", el("code", brought.sha256[:16]), "\N{HORIZONTAL ELLIPSIS}"),
            class_="soft small",
        ),
        _rejects(brought.quarantined, source.rejects),
        *(_unmapped(found) for found in source.unmapped),
        _unused(brought.unused_columns),
        el("ul", *(el("li", remark) for remark in brought.remarks), class_="small") if brought.remarks else None,
        class_="source",
    )


def _rejects(counts: Mapping[str, int], groups: Sequence[RejectGroup]) -> Html | None:
    if not counts:
        return None
    examples = {group.code: group.examples for group in groups}
    rows = [
        (el("code", code), count, _examples(examples.get(code, ())))
        for code, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    return el(
        "details",
        el("summary", f"Quarantined by reason ({len(rows)})"),
        grid("", ("reason", "rows", "first examples"), rows),
    )


def _examples(examples: Sequence[Mapping[str, object]]) -> Html:
    items = [
        el(
            "li",
            join(el("code", _words(row["source_ref"])), ": ", _words(row["message"])),
            join(" (", _words(row["column"]), " = ", el("code", _words(row["value"])), ")") if row["column"] else None,
        )
        for row in examples
    ]
    return el("ul", *items, class_="plain small wide")


def _unmapped(found: MapReport) -> Html:
    rest = found.terms - len(found.commonest)
    return el(
        "details",
        el("summary", f"Without a place in {found.map}: terms {found.terms:,}, rows {found.rows:,}"),
        el("p", counted(found.commonest), f" and {rest:,} more" if rest else None, class_="small"),
    )


def _unused(columns: Sequence[str]) -> Html | None:
    if not columns:
        return None
    listed = [join(el("code", column), " ") for column in columns]
    return el("p", f"Columns nobody reads ({len(columns)}): ", *listed, class_="small")


def _checks(checks: Sequence[CheckResult]) -> Html:
    order = {"failed": 0, "warning": 1, "not run": 2, "passed": 3}
    ranked = sorted(checks, key=lambda check: order[verdict(check)])
    tally = ", ".join(f"{sum(verdict(check) == word for check in checks)} {word}" for word in order)
    columns = ("result", "table", "check", "stops publishing", "what was found", "rows")
    loud = [_check_row(check) for check in ranked if verdict(check) != "passed"]
    quiet = [_check_row(check) for check in ranked if verdict(check) == "passed"]
    return join(
        el("p", f"{tally}."),
        grid("", columns, loud) if loud else None,
        el("details", el("summary", f"{len(quiet)} checks passed"), grid("", columns, quiet)) if quiet else None,
    )


def _check_row(check: CheckResult) -> tuple[Child, ...]:
    examples = [el("li", el("code", _words(dict(example)))) for example in check.examples]
    return (
        el("span", verdict(check), class_=f"badge {verdict(check).replace(' ', '-')}"),
        el("code", check.table),
        el("code", check.name),
        "yes" if check.is_blocking else "no",
        el("div", check.summary, el("ul", *examples, class_="plain small") if examples else None, class_="wide"),
        check.failing_rows,
    )


def _cities(report: Report) -> Html:
    if not report.cities:
        return el("p", "No city was built.", class_="soft")
    per_city = [name for name in TABLES if any(name in city.tables for city in report.cities)]
    steps = [
        el(
            "li",
            el("svg", el("circle", cx=5, cy=5, r=4, class_=f"step{step}"), viewBox="0 0 10 10", aria_hidden="true"),
            text,
        )
        for step, text in enumerate(("no data yet", "few tables", "some", "most", "all tables"))
    ]
    rows = [(el("code", name), sum(name in city.tables for city in report.cities)) for name in per_city]
    return el(
        "div",
        el("div", figures.city_map(report.cities, len(per_city)), el("ul", *steps, class_="legend")),
        grid(f"Cities with data, of {len(report.cities):,}.", ("table", "cities"), rows),
        class_="figure",
    )


def _terms(report: Report) -> Html:
    day = report.built_at.date()
    rows = [_terms_row(source.contribution.title, source.contribution.terms, day) for source in report.sources]
    columns = ("source", "licence", "family", "known by", "may be public", "attribution")
    return grid("", columns, list(dict.fromkeys(rows))) if rows else el("p", "No source contributed.", class_="soft")


def _terms_row(title: str, terms: Terms, day: date) -> tuple[Child, ...]:
    public = decide("raw", [Input(title, "", terms)], day)
    credit = terms.attribution_text or terms.attribution_url
    return (
        outside_link(terms.address, title),
        terms.license,
        terms.family,
        terms.confidence,
        f"{'yes' if public.is_public else 'no'} ({public.code})",
        outside_link(terms.attribution_url, credit) if credit else "-",
    )


def _days(table: TableReport) -> str:
    """The days of the rows that have one, and how many have none."""
    oldest, newest = table.observed_oldest, table.observed_newest
    if oldest is None:
        return "unknown"
    span = str(oldest) if oldest == newest else f"{oldest} to {newest}"
    return f"{span}; unknown of {table.observed_unknown:,} rows" if table.observed_unknown else span


def _words(value: object) -> str:
    return "" if value is None else str(value)
