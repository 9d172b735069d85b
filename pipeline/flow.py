"""The line of flow of one build, without an orchestrator: staged rows, derived tables, candidate, checks, release.

A `Flow` runs a step when it is asked for, after the steps that it needs, and at most once; a step whose inputs are
known from an earlier build is taken from the store. Dagster's assets (`pipeline.defs`) are thin calls of these methods.
"""

import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from pipeline import derivations
from pipeline.accounts import accounts_of, contributions
from pipeline.asking import Asked, open_requests
from pipeline.audience import column_rights, emptied, joint_rights, region_rights, source_rights
from pipeline.derivations import DERIVATIONS, NOT_DERIVED, Material
from pipeline.fetching import fetch
from pipeline.fingerprint import code_fingerprint
from pipeline.home import Home
from pipeline.origins import SourceCard
from pipeline.provider_rows import stage_answers, tables_of
from pipeline.settings import OnAnswer, OnStep, Request, Step, nobody_counts, nobody_listens
from pipeline.store import StepResult, Store, digest
from schemas import vocab
from schemas.arrow import staged_schema, table_schema
from schemas.errors import DataError
from schemas.fields import FIELDS
from schemas.publicity import TableDecision
from schemas.rows import Built, Notes
from schemas.tables import TABLES
from sources.tables.grammar import Mapping as TableMapping
from sources.tables.stage import stage
from sources.transport.archive import Archive
from warehouse.quality import gx
from warehouse.quality.candidate import Candidate
from warehouse.quality.checks import run_checks
from warehouse.quality.results import CheckResult
from warehouse.release.draft import Contribution
from warehouse.release.durable import file_sha256
from warehouse.release.manifest import WithheldEntry


@dataclass
class Flow:
    """One build of a request in a home. Only for the holder of the home's lock.

    `on_step` hears of each finished step, `on_answer` of each answer of a provider.
    """

    request: Request
    home: Home
    on_step: OnStep = nobody_listens
    on_answer: OnAnswer = nobody_counts
    results: dict[tuple[str, str], StepResult] = field(default_factory=dict)
    file_hashes: dict[str, str] = field(default_factory=dict)

    @cached_property
    def store(self) -> Store:
        return Store(self.home.folder)

    @cached_property
    def asked(self) -> dict[str, Asked]:
        """Ask the providers for all that is open, once in a build; nobody in profile `replay`."""
        if self.request.profile == "replay":
            return {}
        sources, region = self.request.sources.values(), self.request.region
        return fetch(sources, region, self.home, self.request.profile, self.on_answer)

    @cached_property
    def archive(self) -> Archive:
        return Archive(self.home.raw)

    def staged(self, name: str) -> StepResult:
        """Return the staged rows of a mapping or a provider; absent with a reason when there is nothing to be used."""
        if ("staged", name) in self.results:
            return self.results["staged", name]
        return self._staged_answers(name) if name in self.request.sources else self._staged_file(name)

    def _staged_answers(self, name: str) -> StepResult:
        asked = self.asked.get(name)
        source, (table,) = self.request.sources[name], tables_of(self.request.sources[name])
        latest = self.archive.latest(name)
        if not latest:
            why = f": {asked.stopped}" if asked and asked.stopped else ""
            return self._absent_source(name, table, f"nothing of it is archived{why}")
        if self.request.audience == "public":
            return self._absent_source(name, table, "withheld from a public release (not decided by column yet)")
        still_open = len(open_requests(source, self.request.region, self.archive, datetime.now(UTC), frozenset()))
        inputs = digest(
            "staged",
            code_fingerprint(source.parse, stage_answers),
            source.declaration.sha256,
            *_vocabulary_hashes(maps=(), vocabularies=_staged_vocabularies(table)),
            self.archive.content_hash(name),
            # The content hash leaves the clock out, but rows may carry the day of their answer.
            *(f"{request_id} {answer.fetched_at.date()}" for request_id, answer in sorted(latest.items())),
            str(still_open),
        )
        return self._step(
            "staged", name, inputs, lambda: stage_answers(source, self.archive.answers(name), table, still_open)
        )

    def _absent_source(self, name: str, table: str, reason: str) -> StepResult:
        empty = Built(staged_schema(table).empty_table(), Notes(rows_in=0))
        return self._step("staged", name, digest("absent", name, table, reason), lambda: empty, reason)

    def _staged_file(self, mapping_id: str) -> StepResult:
        mapping = self.request.mappings[mapping_id]
        reason = self._why_absent(mapping)
        if reason:
            return self._absent_source(mapping_id, mapping.table, reason)
        path = self._file(mapping)
        withheld = self._withheld_columns(mapping)
        inputs = digest(
            "staged",
            code_fingerprint(stage),
            mapping.sha256,
            *_vocabulary_hashes(maps=mapping.maps, vocabularies=_staged_vocabularies(mapping.table)),
            self._file_hash(mapping),
            *([code_fingerprint(emptied), *withheld] if withheld else []),
        )

        def build() -> Built:
            built = stage(mapping, path)
            seen = self._file_hash(mapping)
            read = set(built.rows["snapshot_id"].unique().to_pylist()) or {seen[:16]}
            if read != {seen[:16]} or file_sha256(path) != seen:
                raise DataError(f"{path} changed while it was read; build again when nobody writes to it")
            return emptied(built, withheld)

        return self._step("staged", mapping_id, inputs, build)

    def derived(self, table: str) -> StepResult:
        """Return one derived table; wrong values are in its quarantine, never in its rows."""
        if ("derived", table) in self.results:
            return self.results["derived", table]
        derivation = DERIVATIONS.get(table)
        if derivation is None:
            return self._absent_table(table, NOT_DERIVED)
        sources = [self.staged(name) for name in self._sources_of(table)] if derivation.rows_from == "sources" else []
        present = [result for result in sources if result.absent is None]
        if derivation.rows_from == "sources" and not present:
            return self._absent_table(table, _why_no_source(sources))
        tables = {name: self.derived(name) for name in (*derivation.needs, *derivation.uses)}
        lacking = [name for name in derivation.needs if tables[name].absent is not None]
        if lacking:
            return self._absent_table(table, f"needs {', '.join(lacking)}, which is absent")
        if self.request.audience == "public":
            rights = self.rights(table).decision
            if not rights.is_public:
                return self._absent_table(table, _withheld(rights.code))
        used = {name: result for name, result in tables.items() if result.absent is None}
        inputs = digest(
            "derived",
            table,
            code_fingerprint(derivation.code, gx.split),
            file_sha256(Path(derivations.__file__)),
            repr(replace(self.request.region, floors={})),
            *_vocabulary_hashes(maps=derivation.maps, vocabularies=derivation.all_vocabularies),
            *(f"{result.layer}/{result.name} {result.rows_hash}" for result in (*present, *used.values())),
        )

        def build() -> Built:
            material = Material(
                self.request.region,
                {result.name: result.part("rows") for result in present},
                {name: result.part("rows") for name, result in used.items()},
            )
            built = derivation.build(material)
            rows, wrong = gx.split(built.rows, table)
            return replace(built, rows=rows, quarantine=pa.concat_tables([built.quarantine, wrong]))

        return self._step("derived", table, inputs, build)

    def rights(self, table: str) -> TableDecision:
        """Decide on a table as a public release would hold it: without what is withheld of its sources."""
        derivation, today = DERIVATIONS[table], self.request.today
        if derivation.rows_from == "region":
            return region_rights(self.request.origins, today)
        if derivation.rows_from == "sources":
            present = [name for name in self._sources_of(table) if self.staged(name).absent is None]
            return joint_rights(column_rights(self.request.mappings[name], today) for name in present)
        used = dict.fromkeys((*derivation.needs, *derivation.uses))
        return joint_rights({"any": self.rights(name).decision} for name in used if self.derived(name).absent is None)

    @cached_property
    def withheld(self) -> tuple[WithheldEntry, ...]:
        """Every column of a file that is there and may not stand in a public release; none for other audiences."""
        return tuple(
            WithheldEntry(mapping.table, column, provider, code)
            for name, mapping in sorted(self.request.mappings.items())
            if self.request.audience == "public" and self._why_no_file(mapping) is None
            for column, provider, code in source_rights(mapping, self.request.today).withheld
        )

    @cached_property
    def tables(self) -> dict[str, StepResult]:
        """All derived tables by name, absent ones included."""
        return {table: self.derived(table) for table in TABLES}

    @cached_property
    def sources(self) -> dict[str, StepResult]:
        """All staged mappings and providers by id, absent ones included."""
        return {name: self.staged(name) for name in sorted((*self.request.mappings, *self.request.sources))}

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """For each source that contributed to a table: rows in, and by which door each of them left."""
        by_table: dict[str, dict[str, StepResult]] = {table: {} for table in TABLES}
        for name, result in self.sources.items():
            if result.absent is None:
                by_table[self._table_of(name)][name] = result
        return contributions(by_table, self.tables, self.request.region, self._card)

    @cached_property
    def code_version(self) -> str:
        """The first 16 digits of the fingerprint of all code that makes values."""
        derive = (derivation.code for derivation in DERIVATIONS.values())
        return code_fingerprint(stage, gx.split, run_checks, *derive)[:16]

    @cached_property
    def candidate(self) -> Candidate:
        """Lay the derived tables side by side in the home's `candidate` folder, for the checks and the release."""
        folder = self.home.candidate
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, result in self.tables.items():
            if result.absent is None:
                shutil.copyfile(result.rows_path, folder / f"{name}.parquet")
        return Candidate(
            folder=folder,
            absent={name: result.absent for name, result in self.tables.items() if result.absent is not None},
            floors=self.request.region.floors,
            is_complete=self.request.region.is_complete,
            accounts=accounts_of(self.contributions),
        )

    @cached_property
    def verdicts(self) -> tuple[CheckResult, ...]:
        """Return the results of all checks on the candidate, taken from the store when it was judged before."""
        candidate = self.candidate
        inputs = digest(
            code_fingerprint(run_checks),
            *_vocabulary_hashes(maps=vocab.map_names(), vocabularies=vocab.vocabulary_names()),
            *(f"{path.stem} {file_sha256(path)}" for path in sorted(candidate.folder.iterdir())),
            repr((candidate.absent, candidate.floors, candidate.is_complete, candidate.accounts)),
        )
        found = self.store.find_note("checked", inputs)
        self.on_step(Step("checks", "candidate", reused=found is not None, steps_in_layer=1))
        if found is not None:
            return tuple(CheckResult(**result) for result in found)
        results = tuple(result for table in TABLES for result in run_checks(candidate, table))
        self.store.put_note("checked", inputs, [asdict(result) for result in results])
        return results

    def _card(self, source: str) -> SourceCard:
        if source in self.request.origins:
            return self.request.origins[source]
        if source in self.request.sources:
            declared = self.request.sources[source].declaration
            sha256 = self.archive.content_hash(source)
            return SourceCard(source, declared.title, f"raw/{source}", sha256, declared.terms)
        mapping = self.request.mappings[source]
        return SourceCard(
            mapping.id,
            mapping.title,
            mapping.file,
            self._file_hash(mapping),
            mapping.terms,
            mapping.observed_at,
        )

    def _sources_of(self, table: str) -> list[str]:
        """The mappings of a table, the most trusted first; or the one provider that brings it.

        A provider's list is never filled up from another list: both together would fall under the stricter terms.
        """
        providers = [name for name, source in self.request.sources.items() if table in tables_of(source)]
        present = [name for name in providers if self.staged(name).absent is None]
        if present:
            return present[:1]
        order = self.request.region.trust.get(table, ())
        names = sorted(name for name, mapping in self.request.mappings.items() if mapping.table == table)
        return [*providers, *sorted(names, key=lambda name: order.index(name) if name in order else len(order))]

    def _table_of(self, name: str) -> str:
        if name in self.request.sources:
            return tables_of(self.request.sources[name])[0]
        return self.request.mappings[name].table

    def _file(self, mapping: TableMapping) -> Path:
        if self.request.tables_dir is None:
            raise ValueError("there is no tables folder")
        return self.request.tables_dir / mapping.file

    def _file_hash(self, mapping: TableMapping) -> str:
        """The hash of a mapping's file as this build first saw it."""
        if mapping.id not in self.file_hashes:
            self.file_hashes[mapping.id] = file_sha256(self._file(mapping))
        return self.file_hashes[mapping.id]

    def _why_absent(self, mapping: TableMapping) -> str | None:
        reason = self._why_no_file(mapping)
        if reason or self.request.audience != "public":
            return reason
        rights = source_rights(mapping, self.request.today).decision
        return None if rights.is_public else _withheld(rights.code)

    def _why_no_file(self, mapping: TableMapping) -> str | None:
        if self.request.tables_dir is None:
            return "no tables folder given (--tables-dir)"
        if not self._file(mapping).is_file():
            return f"no file {mapping.file} in the tables folder"
        return None

    def _withheld_columns(self, mapping: TableMapping) -> list[str]:
        if self.request.audience != "public":
            return []
        return sorted(column for column, _, _ in source_rights(mapping, self.request.today).withheld)

    def _absent_table(self, table: str, reason: str) -> StepResult:
        empty = Built(table_schema(table).empty_table(), Notes(rows_in=0))
        return self._step("derived", table, digest("absent", table, reason), lambda: empty, reason)

    def _step(
        self, layer: str, name: str, inputs: str, build: Callable[[], Built], absent: str | None = None
    ) -> StepResult:
        result = self.store.find(layer, name, inputs) or self.store.put(layer, name, inputs, build(), absent)
        self.results[layer, name] = result
        sizes = {"staged": len(self.request.mappings) + len(self.request.sources), "derived": len(TABLES)}
        self.on_step(Step(layer, name, result.reused, sizes[layer]))
        return result


def _withheld(code: str) -> str:
    return f"withheld from a public release ({code})"


def _why_no_source(sources: list[StepResult]) -> str:
    reasons = {result.absent or "" for result in sources}
    if len(reasons) == 1:
        return f"no source contributed: {reasons.pop()}"
    each = "; ".join(f"{result.name}: {result.absent}" for result in sources)
    return f"no source contributed: {each or 'no mapping brings it'}"


def _staged_vocabularies(table: str) -> tuple[str, ...]:
    names = (FIELDS[column].vocabulary for column in TABLES[table].staged_columns)
    return tuple(sorted({name for name in names if name}))


def _vocabulary_hashes(maps: tuple[str, ...], vocabularies: tuple[str, ...]) -> list[str]:
    return [
        *(f"map {name} {vocab.content_hash('map', name)}" for name in sorted(maps)),
        *(f"vocabulary {name} {vocab.content_hash('vocabulary', name)}" for name in vocabularies),
    ]
