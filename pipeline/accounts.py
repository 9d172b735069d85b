"""The books of a build: for each source and table how many records came in and by which door each of them left.

A record leaves as a row of the table, merged into another one, or quarantined; in the staging of its file or in the
derivation of its table. The files of the region are sources like any other.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.derivations import DERIVATIONS
from pipeline.origins import SourceCard
from pipeline.store import StepResult
from schemas.region import Region
from schemas.rows import Notes
from schemas.tables import PLACE_TABLES
from warehouse.derive.buses import lost_places
from warehouse.derive.cities import CityIndex, unresolved
from warehouse.derive.flights import lost_airports
from warehouse.derive.lodging import unreviewed
from warehouse.derive.places import cities_of_places
from warehouse.quality.candidate import Account
from warehouse.release.draft import Contribution


def contributions(
    sources: Mapping[str, Mapping[str, StepResult]],
    tables: Mapping[str, StepResult],
    region: Region,
    card: Callable[[str], SourceCard],
) -> tuple[Contribution, ...]:
    """Return what each source brought to each table that is there. `sources`: table -> source -> its staged rows."""
    found = []
    for table, result in tables.items():
        derivation = DERIVATIONS[table]
        if result.absent is not None:
            continue
        brought = sources[table] if derivation.rows_from in ("sources", "region") else {}
        for name, staged in sorted(brought.items()):
            lost = _lost_terms(staged.part("rows"), table, region)
            notes = replace(staged.notes, unmapped=staged.notes.unmapped | lost)
            found.append(_contribution(card(name), table, [staged, result], notes, notes.rows_in))
        if derivation.rows_from == "sources":
            continue
        if derivation.rows_from == "region":
            given = _facts_of_region(result, brought)
        elif derivation.rows_from == "combinations":
            given = _made(result)
        else:
            used = [tables[name] for name in derivation.uses if tables[name].absent is None]
            given = sum((_visible_by_source(one) for one in used), Counter[str]())
        for name, rows_in in sorted(given.items()):
            found.append(_contribution(card(name), table, [result], result.notes, rows_in))
    return tuple(found)


def accounts_of(brought: tuple[Contribution, ...]) -> tuple[Account, ...]:
    """Return the numbers of contributions, as the checks read them."""
    return tuple(
        Account(one.table, one.source, one.rows_in, one.kept, one.merged, sum(one.quarantined.values()))
        for one in brought
    )


def _contribution(card: SourceCard, table: str, steps: list[StepResult], notes: Notes, rows_in: int) -> Contribution:
    quarantined: Counter[str] = Counter()
    for step in steps:
        quarantine = step.part("quarantine")
        quarantined.update(count_by(quarantine.filter(pc.equal(quarantine["source"], card.id)), "code"))
    return Contribution(
        source=card.id,
        table=table,
        title=card.title,
        file=card.file,
        sha256=card.sha256,
        terms=card.terms,
        observed_at=card.observed_at,
        rows_in=rows_in,
        kept=count_by(steps[-1].part("rows"), "source")[card.id],
        merged=sum(count_by(step.part("merges"), "source")[card.id] for step in steps),
        quarantined=dict(sorted(quarantined.items())),
        unmapped=notes.unmapped,
        unused_columns=notes.unused_columns,
        remarks=notes.remarks,
    )


def _facts_of_region(result: StepResult, brought: Mapping[str, StepResult]) -> Counter[str]:
    """Count by source the facts of the region that a table was made of: what it took in beyond the staged rows.

    The sources are told by whatever door the facts left: as rows, or merged into the staged rows that answer them.
    """
    rows_in = result.notes.rows_in - sum(staged.part("rows").num_rows for staged in brought.values())
    sources = set().union(*(count_by(result.part(part), "source") for part in ("rows", "merges", "quarantine")))
    return Counter(dict.fromkeys(sources - set(brought), rows_in))


def _made(result: StepResult) -> Counter[str]:
    """Count by source what a table of combinations was made of it: no record becomes one row, so none is counted in."""
    return sum((count_by(result.part(part), "source") for part in ("rows", "merges", "quarantine")), Counter[str]())


def _lost_terms(staged: pa.Table, table: str, region: Region) -> dict[str, dict[str, int]]:
    """Count the terms of a source that the derivation can make nothing of: foreign cities, unknown amenities."""
    lost = {}
    if table in PLACE_TABLES:
        cities = cities_of_places(staged, CityIndex(region))
        lost["cities"] = unresolved(staged["city_name"], staged["state_name"], cities)
    elif "city_name" in staged.column_names:
        cities = CityIndex(region).resolve(staged["city_name"], staged["state_name"])
        lost["cities"] = unresolved(staged["city_name"], staged["state_name"], cities)
    if table == "buses":
        lost["cities"] = lost_places(staged, region)
    if table == "flights":
        lost["airports"] = lost_airports(staged, region)
    if table == "accommodations":
        lost["amenities"] = unreviewed(staged)
    return {name: terms for name, terms in lost.items() if terms}


def _visible_by_source(result: StepResult) -> Counter[str]:
    rows = result.part("rows")
    return count_by(rows.filter(rows["evaluator_visible"]), "source")


def count_by(rows: pa.Table, column: str) -> Counter[str]:
    """Return how often each value of a text column occurs."""
    return Counter({row["values"]: row["counts"] for row in pc.value_counts(rows[column]).to_pylist()})


def _of(rows: pa.Table, source: str) -> pa.Table:
    return rows.filter(pc.equal(rows["source"], source))
