"""The line of flow of one build, without an orchestrator: staged rows, derived tables, candidate, checks, release.

A `Flow` runs a step when it is asked for, after the steps that it needs, and at most once; a step whose inputs are
known from an earlier build is taken from the store. Dagster's assets (`pipeline.defs`) are thin calls of these methods.
"""

import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, cached_property, partial
from pathlib import Path

import pyarrow as pa

from pipeline import derivations
from pipeline.accounts import accounts_of, contributions, count_by
from pipeline.allowances import Allowances, read_allowances
from pipeline.asking import Asked, Needed, open_requests
from pipeline.audience import (
    Bringer,
    answers_bringer,
    column_rights,
    emptied,
    file_bringer,
    joint_rights,
    region_rights,
    source_rights,
)
from pipeline.derivations import COMPLETIONS, DERIVATIONS, Material
from pipeline.fetching import fetch
from pipeline.fingerprint import code_fingerprint
from pipeline.home import Home
from pipeline.origins import SourceCard
from pipeline.provider_rows import stage_answers
from pipeline.settings import OnAnswer, OnEnd, OnStep, Request, Step, nobody_counts, nobody_listens, nobody_minds
from pipeline.store import StepResult, Store, digest
from schemas import vocab
from schemas.arrow import staged_schema, table_schema
from schemas.errors import DataError
from schemas.fields import FIELDS
from schemas.publicity import TableDecision
from schemas.rows import Built, Notes
from schemas.tables import TABLES
from sources.protocol.discovery import Source
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

    `on_step` hears of each finished step, `on_answer` of each answer of a provider, `on_end` how asking it ended.
    """

    request: Request
    home: Home
    on_step: OnStep = nobody_listens
    on_answer: OnAnswer = nobody_counts
    on_end: OnEnd = nobody_minds
    results: dict[tuple[str, str], StepResult] = field(default_factory=dict)
    file_hashes: dict[str, str] = field(default_factory=dict)

    @cached_property
    def store(self) -> Store:
        return Store(self.home.folder)

    @cached_property
    def asked(self) -> dict[str, Asked]:
        """Ask the providers for all that is open, once in a build; nobody in profile `replay`."""
        return {} if self.request.profile == "replay" else self.ask(self.request.sources)

    def ask(self, names: Collection[str]) -> dict[str, Asked]:
        """Ask some providers for all that is open, as far as the archive."""
        sources, request = [self.request.sources[name] for name in names], self.request
        # What a provider needs of others is derived while it is its turn; that must not begin to ask once more.
        deriving = replace(self, request=replace(request, profile="replay"), results={}, on_step=nobody_listens)
        return fetch(
            sources,
            request.region,
            self.home,
            request.profile,
            self.allowances,
            deriving.needed,
            self.on_answer,
            self.on_end,
        )

    def needed(self, source: Source) -> Needed:
        """Return the derived rows of the tables that a provider needs."""
        results = {table: self.derived(table) for table in source.declaration.needs}
        return {table: one.part("rows").to_pylist() for table, one in results.items() if one.absent is None}

    @cached_property
    def archive(self) -> Archive:
        return Archive(self.home.raw)

    @cached_property
    def allowances(self) -> Allowances:
        declarations = [source.declaration for source in self.request.sources.values()]
        is_stand_in = self.request.profile == "sandbox" or self.archive.kind == "sandbox"
        return read_allowances(self.home.folder, declarations, of_stand_ins=is_stand_in)

    def answers(self, name: str) -> dict[str, StepResult]:
        """Return the staged rows of a provider's answers, by table; absent with a reason where there are none."""
        source = self.request.sources[name]
        tables = source.declaration.tables
        if ("staged", f"{name}.{tables[0]}") not in self.results:
            self._stage_answers(source)
        return {table: self.results["staged", f"{name}.{table}"] for table in tables}

    def _stage_answers(self, source: Source) -> None:
        name, tables = source.declaration.id, source.declaration.tables
        asked = self.asked.get(name)
        latest = self.archive.latest(name)
        if not latest:
            why = f": {asked.stopped}" if asked and asked.stopped else ""
            self._absent_tables(source, f"nothing of it is archived{why}")
            return
        expired = self.archive.expired(name)
        if expired:
            self._absent_tables(source, f"{expired} of its {len(latest)} answers have expired; fetch them anew")
            return
        account = self.allowances.accounts[name]
        still_open = len(
            open_requests(source, self.request.region, self.archive, account, datetime.now(UTC), self.needed(source))
        )
        inputs = digest(
            "staged",
            code_fingerprint(source.parse, stage_answers),
            source.declaration.sha256,
            # A parser may read any map or vocabulary.
            *_vocabulary_hashes(vocab.map_names(), vocab.vocabulary_names()),
            self.archive.content_hash(name),
            # The content hash leaves the clock out, but rows may carry the day of their answer.
            *(f"{request_id} {answer.fetched_at.date()}" for request_id, answer in sorted(latest.items())),
            str(still_open),
        )
        # One reading of the answers brings the rows of all tables, so it is done when any of them is asked for.
        built = cache(lambda: stage_answers(source, self.archive.answers(name), still_open))
        for table in tables:
            rights = self._rights_of(name, table)
            if rights is not None and not rights.decision.is_public:
                self._absent_source(f"{name}.{table}", table, _withheld(rights.decision.code))
                continue
            withheld = sorted(column for column, _, _ in rights.withheld) if rights else []
            staged = self._step(
                "staged",
                f"{name}.{table}",
                digest(inputs, table, *([code_fingerprint(emptied), *withheld] if withheld else [])),
                partial(_staged_of, built, table, withheld),
            )
            floor = int(source.declaration.floors[table].get("min_rows", 1))
            if staged.row_count < floor:
                self._absent_source(f"{name}.{table}", table, _too_few(staged, floor, len(latest), still_open))

    def _absent_tables(self, source: Source, reason: str) -> None:
        for table in source.declaration.tables:
            self._absent_source(f"{source.declaration.id}.{table}", table, reason)

    def staged(self, mapping_id: str) -> StepResult:
        """Return the staged rows of a mapping; absent with a reason when there is nothing to be used."""
        if ("staged", mapping_id) in self.results:
            return self.results["staged", mapping_id]
        return self._staged_file(mapping_id)

    def _absent_source(self, name: str, table: str, reason: str) -> StepResult:
        empty = Built(staged_schema(table).empty_table(), Notes(rows_in=0))
        return self._step("staged", name, digest("absent", name, table, reason), lambda: empty, reason)

    def _staged_file(self, mapping_id: str) -> StepResult:
        mapping = self.request.mappings[mapping_id]
        reason = self._why_absent(mapping)
        if reason:
            return self._absent_source(mapping_id, mapping.table, reason)
        path = self._file(mapping)
        rights = self._rights_of(mapping_id, mapping.table)
        withheld = sorted(column for column, _, _ in rights.withheld) if rights else []
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
        derivation = DERIVATIONS[table]
        sources = self._sources_of(table)
        present = {name: result for name, result in sources.items() if result.absent is None}
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
        records = {
            name: {one: staged for one, staged in self._sources_of(name).items() if staged.absent is None}
            for name in derivation.records_of
            if name in used
        }
        inputs = digest(
            "derived",
            table,
            code_fingerprint(derivation.code, gx.split),
            file_sha256(Path(derivations.__file__)),
            repr(replace(self.request.region, floors={})),
            *_vocabulary_hashes(maps=derivation.maps, vocabularies=derivation.all_vocabularies),
            *(f"{result.layer}/{result.name} {result.rows_hash}" for result in (*present.values(), *used.values())),
            *(f"records of {name} {used[name].content_hash}" for name in records),
            *(f"{name} {result.rows_hash}" for name, parts in records.items() for result in parts.values()),
        )

        def build() -> Built:
            material = Material(
                self.request.region,
                {name: result.part("rows") for name, result in present.items()},
                {name: result.part("rows") for name, result in used.items()},
                {name: [one.part("rows") for one in parts.values()] for name, parts in records.items()},
                {name: used[name].part("merges") for name in records},
            )
            built = derivation.build(material)
            rows, wrong = gx.split(built.rows, table)
            return replace(built, rows=rows, quarantine=pa.concat_tables([built.quarantine, wrong]))

        return self._step("derived", table, inputs, build)

    def rights(self, table: str) -> TableDecision:
        """Decide on a table as a public release would hold it: without what is withheld of its sources."""
        derivation, today = DERIVATIONS[table], self.request.today
        if derivation.rows_from in ("tables", "combinations"):
            used = dict.fromkeys((*derivation.needs, *derivation.uses))
            present = [name for name in used if self.derived(name).absent is None]
            return joint_rights({"any": self.rights(name).decision} for name in present)
        brought = [
            column_rights(self._bringer(name, table), today)
            for name, result in self._sources_of(table).items()
            if result.absent is None
        ]
        if derivation.rows_from == "region":
            brought.append({"any": region_rights(self.request.origins, today).decision})
        sides = COMPLETIONS[table].uses if table in COMPLETIONS else ()
        brought += [{"any": self.rights(name).decision} for name in sides if self.derived(name).absent is None]
        return joint_rights(brought)

    @cached_property
    def withheld(self) -> tuple[WithheldEntry, ...]:
        """Every column of a source that is there and may not stand in a public release; none for other audiences."""
        entries = []
        for name, table in (*((name, one.table) for name, one in self.request.mappings.items()), *self._answered):
            rights = self._rights_of(name, table)
            if rights is not None and self._is_there(name):
                entries += [WithheldEntry(table, column, whose, code) for column, whose, code in rights.withheld]
        return tuple(sorted(entries, key=lambda entry: (entry.source, entry.table, entry.field)))

    @property
    def _answered(self) -> list[tuple[str, str]]:
        """Each provider with each table that it brings."""
        return [(name, table) for name, one in self.request.sources.items() for table in one.declaration.tables]

    def _is_there(self, name: str) -> bool:
        if name in self.request.sources:
            return bool(self.archive.latest(name))
        return self._why_no_file(self.request.mappings[name]) is None

    def _rights_of(self, name: str, table: str) -> TableDecision | None:
        """Decide on what a source brings to a table; None where the release is not public."""
        if self.request.audience != "public" or not self._is_there(name):
            return None
        return source_rights(self._bringer(name, table), self.request.today)

    def _bringer(self, name: str, table: str) -> Bringer:
        if name not in self.request.sources:
            return file_bringer(self.request.mappings[name])
        oldest = min(answer.fetched_at for answer in self.archive.latest(name).values())
        declaration = self.request.sources[name].declaration
        return answers_bringer(declaration, table, self.archive.kind == "sandbox", oldest)

    def completed(self, table: str) -> StepResult:
        """Return a derived table with the columns that other tables lay in, which is what is published."""
        base, completion = self.derived(table), COMPLETIONS.get(table)
        if base.absent is not None or completion is None:
            return base
        sides = {name: one for name in completion.uses if (one := self.derived(name)).absent is None}
        if not sides:
            return base
        if ("completed", table) in self.results:
            return self.results["completed", table]
        inputs = digest(
            "completed",
            table,
            code_fingerprint(completion.code, gx.split),
            file_sha256(Path(derivations.__file__)),
            *_vocabulary_hashes(maps=(), vocabularies=completion.vocabularies),
            base.content_hash,
            *(f"{name} {side.rows_hash}" for name, side in sides.items()),
        )

        def build() -> Built:
            material = {name: side.part("rows") for name, side in sides.items()}
            rows, wrong = gx.split(completion.complete(base.part("rows"), material), table)
            quarantine = pa.concat_tables([base.part("quarantine"), wrong])
            return Built(rows, base.notes, quarantine, base.part("merges"))

        return self._step("completed", table, inputs, build)

    @cached_property
    def tables(self) -> dict[str, StepResult]:
        """All tables by name as they are published, absent ones included."""
        return {table: self.completed(table) for table in TABLES}

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """For each source that contributed to a table: rows in, and by which door each of them left."""
        brought = {
            table: {name: one for name, one in sorted(self._sources_of(table).items()) if one.absent is None}
            for table in TABLES
        }
        return tuple(
            replace(one, remarks=(*one.remarks, *_endings(self.asked.get(one.source))))
            for one in contributions(brought, self.tables, self.request.region, self._card)
        )

    @cached_property
    def code_version(self) -> str:
        """The first 16 digits of the fingerprint of all code that makes values."""
        derived = [derivation.code for derivation in DERIVATIONS.values()]
        derive = [*derived, *(completion.code for completion in COMPLETIONS.values())]
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

    def _sources_of(self, table: str) -> dict[str, StepResult]:
        """The staged rows for a table by source, the most trusted first: those of mappings, or of one provider alone.

        A provider's list is never filled up from another list: both together would fall under the stricter terms. Only
        where no provider brings whole rows are those of all that answered taken together.
        """
        order = self.request.region.trust.get(table, ())

        def trusted_first(names: Iterable[str]) -> list[str]:
            return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))

        bringers = trusted_first(name for name, brought in self._answered if brought == table)
        answered = {name: self.answers(name)[table] for name in bringers}
        present = {name: result for name, result in answered.items() if result.absent is None}
        if present:
            return present if DERIVATIONS[table].is_joint else dict(list(present.items())[:1])
        files = trusted_first(name for name, mapping in self.request.mappings.items() if mapping.table == table)
        return answered | {name: self.staged(name) for name in files}

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
        rights = self._rights_of(mapping.id, mapping.table)
        if rights is not None and not rights.decision.is_public:
            return _withheld(rights.decision.code)
        return self._why_no_file(mapping)

    def _why_no_file(self, mapping: TableMapping) -> str | None:
        if self.request.tables_dir is None:
            return "no tables folder given (--tables-dir)"
        if not self._file(mapping).is_file():
            return f"no file {mapping.file} in the tables folder"
        return None

    def _absent_table(self, table: str, reason: str) -> StepResult:
        empty = Built(table_schema(table).empty_table(), Notes(rows_in=0))
        return self._step("derived", table, digest("absent", table, reason), lambda: empty, reason)

    def _step(
        self, layer: str, name: str, inputs: str, build: Callable[[], Built], absent: str | None = None
    ) -> StepResult:
        result = self.store.find(layer, name, inputs) or self.store.put(layer, name, inputs, build(), absent)
        self.results[layer, name] = result
        sizes = {
            "staged": len(self.request.mappings) + len(self._answered),
            "derived": len(TABLES),
            "completed": len(COMPLETIONS),
        }
        self.on_step(Step(layer, name, result.reused, sizes[layer]))
        return result


def _withheld(code: str) -> str:
    return f"withheld from a public release ({code})"


def _staged_of(built: Callable[[], dict[str, Built]], table: str, withheld: list[str]) -> Built:
    return emptied(built()[table], withheld)


def _endings(asked: Asked | None) -> list[str]:
    """Return what is to be said of how asking a provider ended, nothing where all was answered."""
    if asked is None:
        return []
    failed = f"{len(asked.failed)} requests failed and are asked again, e.g. {asked.failed[0]}" if asked.failed else ""
    return [remark for remark in (f"asking stopped: {asked.stopped}" if asked.stopped else "", failed) if remark]


def _too_few(staged: StepResult, floor: int, answers: int, still_open: int) -> str:
    """Say why so few rows are none: a table with a part of what it is to hold would pass for the whole."""
    refused = ", ".join(f"{count} {code}" for code, count in count_by(staged.part("quarantine"), "code").most_common(3))
    parts = (f"{refused} refused" if refused else "", f"{still_open} requests are still open" if still_open else "")
    why = "".join(f"; {part}" for part in parts if part)
    return f"{staged.row_count} rows from {answers} answers, where {floor} are the fewest that count{why}"


def _why_no_source(sources: Mapping[str, StepResult]) -> str:
    reasons = {result.absent or "" for result in sources.values()}
    if len(reasons) == 1:
        return f"no source contributed: {reasons.pop()}"
    each = "; ".join(f"{name}: {result.absent}" for name, result in sources.items())
    return f"no source contributed: {each or 'no mapping brings it'}"


def _staged_vocabularies(table: str) -> tuple[str, ...]:
    names = (FIELDS[column].vocabulary for column in TABLES[table].staged_columns)
    return tuple(sorted({name for name in names if name}))


def _vocabulary_hashes(maps: tuple[str, ...], vocabularies: tuple[str, ...]) -> list[str]:
    return [
        *(f"map {name} {vocab.content_hash('map', name)}" for name in sorted(maps)),
        *(f"vocabulary {name} {vocab.content_hash('vocabulary', name)}" for name in vocabularies),
    ]
