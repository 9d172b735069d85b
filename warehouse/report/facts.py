"""What a report says, gathered once; `report.json` is this and the page is drawn from it.

Nothing here knows how it looks.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from schemas.tables import TABLES
from warehouse.quality.results import CheckResult
from warehouse.release.draft import Contribution, Draft
from warehouse.release.measure import RejectGroup, TableMeasure

COMMONEST_TERMS = 20


@dataclass(frozen=True)
class MapReport:
    """Outside terms that one map has no place for: how many there are, and the commonest with their rows."""

    map: str
    terms: int
    rows: int
    commonest: Mapping[str, int]


@dataclass(frozen=True)
class SourceReport:
    """One source of one table: records by door, and what could not be used."""

    contribution: Contribution
    rejects: tuple[RejectGroup, ...]
    unmapped: tuple[MapReport, ...]


@dataclass(frozen=True)
class TableReport:
    """One table of the candidate. `cities` counts the cities that it holds rows of."""

    name: str
    title: str
    rows: int
    visible: int
    hidden_by: Mapping[str, int]
    quarantined: Mapping[str, int]
    enriched: int
    observed_oldest: date | None
    observed_newest: date | None
    observed_unknown: int
    sources: tuple[str, ...]
    cities: int


@dataclass(frozen=True)
class CityReport:
    """One city with the tables that hold rows of it, other than `city_set` and the distances that all cities have."""

    name: str
    state: str
    latitude: float
    longitude: float
    tables: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """All that the page says. `release` is None where nothing was published, and `failure` then says why."""

    release: str | None
    failure: str | None
    region: str
    origin: str
    audience: str
    built_at: datetime
    code_version: str
    sources: tuple[SourceReport, ...]
    tables: tuple[TableReport, ...]
    absent: Mapping[str, str]
    checks: tuple[CheckResult, ...]
    cities: tuple[CityReport, ...]


def collect(
    draft: Draft,
    measures: Mapping[str, TableMeasure],
    rejects: tuple[RejectGroup, ...],
    city_set: Path | None,
    release: str | None = None,
    failure: str | None = None,
) -> Report:
    """Gather the report of a draft from its measures; `city_set` is the file from which city points are read."""
    return Report(
        release=release,
        failure=failure,
        region=draft.region,
        origin=draft.origin,
        audience=draft.audience,
        built_at=draft.built_at,
        code_version=draft.code_version,
        sources=tuple(
            _source(brought, rejects)
            for brought in sorted(draft.contributions, key=lambda one: (one.table, one.source))
        ),
        tables=tuple(_table(name, measures[name], rejects) for name in TABLES if name in measures),
        absent=dict(draft.absent),
        checks=draft.checks,
        cities=_cities(city_set, measures),
    )


def to_json(document: Any) -> str:
    """Return a report (or any plain document) as indented JSON with a line break at the end."""
    return json.dumps(_plain(document), indent=2, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value


def _source(brought: Contribution, rejects: tuple[RejectGroup, ...]) -> SourceReport:
    return SourceReport(
        contribution=brought,
        rejects=tuple(group for group in rejects if (group.source, group.table) == (brought.source, brought.table)),
        unmapped=tuple(
            MapReport(
                name, len(terms), sum(terms.values()), dict(sorted(terms.items(), key=_by_count)[:COMMONEST_TERMS])
            )
            for name, terms in sorted(brought.unmapped.items())
            if terms
        ),
    )


def _table(name: str, measure: TableMeasure, rejects: tuple[RejectGroup, ...]) -> TableReport:
    quarantined: dict[str, int] = {}
    for group in rejects:
        if group.table == name:
            quarantined[group.code] = quarantined.get(group.code, 0) + group.rows
    return TableReport(
        name=name,
        title=TABLES[name].title,
        rows=measure.rows,
        visible=measure.visible,
        hidden_by=measure.hidden_by,
        quarantined=dict(sorted(quarantined.items(), key=_by_count)),
        enriched=measure.enriched,
        observed_oldest=measure.observed_oldest,
        observed_newest=measure.observed_newest,
        observed_unknown=measure.observed_unknown,
        sources=measure.sources,
        cities=len(measure.cities),
    )


def _cities(city_set: Path | None, measures: Mapping[str, TableMeasure]) -> tuple[CityReport, ...]:
    if city_set is None:
        return ()
    held = {name: measure.cities for name, measure in measures.items() if name not in ("city_set", "distance_matrix")}
    rows = pq.read_table(city_set, columns=["City", "State", "latitude", "longitude"]).to_pylist()
    return tuple(
        CityReport(
            name=row["City"],
            state=row["State"],
            latitude=row["latitude"],
            longitude=row["longitude"],
            tables=tuple(name for name in TABLES if row["City"] in held.get(name, ())),
        )
        for row in rows
    )


def _by_count(pair: tuple[str, int]) -> tuple[int, str]:
    return (-pair[1], pair[0])
