"""What stands in a release folder and who writes it: data first, then report, package and manifest.

Everything is written below a staging folder; when and under which name it becomes a release is decided in `publish`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.arrow import table_schema
from schemas.datapackage import PackageFile, PackageSource, descriptor, schema_version
from schemas.fields import FIELDS
from schemas.publicity import Input, decide
from schemas.rows import MERGES_SCHEMA, QUARANTINE_SCHEMA
from warehouse.release.draft import Contribution, Draft, verdict
from warehouse.release.durable import file_sha256, write_text
from warehouse.release.errors import RefusedDraft
from warehouse.release.manifest import (
    FileEntry,
    Manifest,
    OriginEntry,
    TableEntry,
    content_hash,
    release_id,
    write_manifest,
)
from warehouse.release.measure import (
    RejectGroup,
    TableMeasure,
    measure_rejects,
    measure_table,
    read_parts,
    rejects_of_table,
)
from warehouse.release.parquet import write_table
from warehouse.report.facts import collect, to_json
from warehouse.report.page import render

UNMAPPED_SCHEMA = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False, metadata={"description": "Source of the term."}),
        pa.field(
            "map", pa.string(), nullable=False, metadata={"description": "Map or check that had no place for it."}
        ),
        pa.field("term", pa.string(), nullable=False, metadata={"description": "The term as the source writes it."}),
        pa.field("rows", pa.int64(), nullable=False, metadata={"description": "Rows that carry the term."}),
    ]
)


@dataclass(frozen=True)
class Staged:
    """The data files of a release in the making, measured."""

    folder: Path
    measures: Mapping[str, TableMeasure]
    rejects: tuple[RejectGroup, ...]


def stage_data(staging: Path, draft: Draft) -> Staged:
    """Write what the content hash is taken over: tables, rejects, merges, unmapped terms."""
    for folder in ("tables", "quarantine", "report"):
        (staging / folder).mkdir(parents=True)
    measures = {}
    for name in sorted(draft.tables):
        target = staging / "tables" / f"{name}.parquet"
        write_table(_read_table(name, draft.tables[name]), target)
        measures[name] = measure_table(name, target)
    rejects = read_parts(draft.quarantine, QUARANTINE_SCHEMA)
    write_table(rejects, staging / "quarantine" / "rejects.parquet")
    write_table(read_parts(draft.merges, MERGES_SCHEMA), staging / "quarantine" / "merges.parquet")
    write_table(_unmapped_table(draft.contributions), staging / "quarantine" / "unmapped.parquet")
    return Staged(staging, measures, measure_rejects(rejects))


def _read_table(name: str, path: Path) -> pa.Table:
    expected = table_schema(name)
    try:
        rows = pq.read_table(path)
        if not rows.schema.equals(expected):
            raise pa.ArrowInvalid(f"its columns differ from the declared ones: {_difference(rows.schema, expected)}")
        rows.validate(full=True)
        nulls = [column.name for column in expected if not column.nullable and rows[column.name].null_count]
        if nulls:
            raise pa.ArrowInvalid(f"null in {', '.join(nulls)}, which may not be null")
    except pa.ArrowInvalid as error:
        raise RefusedDraft(
            f"table {name} not published: {path.name}: {error}; CURRENT is what it was; build the table again"
        ) from None
    # The declared schema brings the descriptions and units into the file.
    return rows.cast(expected)


def _difference(found: pa.Schema, expected: pa.Schema) -> str:
    """Say in words in what two schemas differ."""
    absent = [f"{name} is absent" for name in expected.names if name not in found.names]
    strange = [f"{name} is not declared" for name in found.names if name not in expected.names]
    common = [name for name in expected.names if name in found.names]
    pairs = [(found.field(name), expected.field(name)) for name in common]
    other = [f"{has.name} is {has.type}, not {wants.type}" for has, wants in pairs if has.type != wants.type]
    nulls = [
        f"{has.name} may be null" for has, wants in pairs if has.type == wants.type and has.nullable > wants.nullable
    ]
    return ", ".join(absent + strange + other + nulls) or "their order, or what may be null"


def _unmapped_table(contributions: tuple[Contribution, ...]) -> pa.Table:
    rows = [
        {"source": brought.source, "map": name, "term": term, "rows": count}
        for brought in sorted(contributions, key=_by_source)
        for name, terms in sorted(brought.unmapped.items())
        for term, count in sorted(terms.items())
    ]
    return pa.Table.from_pylist(rows, schema=UNMAPPED_SCHEMA)


def describe(draft: Draft, staged: Staged, previous: str | None) -> Manifest:
    """Describe the staged data; report and package are added to `files` when they are written."""
    files = _file_entries(staged.folder)
    draft_manifest = Manifest(
        id="",
        region=draft.region,
        origin=draft.origin,
        audience=draft.audience,
        created_at=draft.built_at,
        content_hash="",
        code_version=draft.code_version,
        schema_version=schema_version(),
        previous=previous,
        tables={name: _table_entry(name, staged, files) for name in staged.measures},
        tables_absent=dict(draft.absent),
        origins=tuple(_origin_entry(brought, draft) for brought in sorted(draft.contributions, key=_by_source)),
        withheld=draft.withheld,
        units={name: field.unit for name, field in FIELDS.items() if field.unit},
        checks={f"{check.table}.{check.name}": verdict(check) for check in draft.checks},
        files=files,
    )
    content = content_hash(draft_manifest)
    name = release_id(draft.region, draft.origin, draft.built_at, content)
    return replace(draft_manifest, id=name, content_hash=content)


def stage_rest(draft: Draft, staged: Staged, manifest: Manifest) -> Manifest:
    """Write report, package and manifest beside the staged data."""
    city_set = staged.folder / "tables" / "city_set.parquet" if "city_set" in staged.measures else None
    report = collect(draft, staged.measures, staged.rejects, city_set, release=manifest.id)
    write_text(staged.folder / "report" / "report.json", to_json(report))
    write_text(staged.folder / "report" / "index.html", render(report))
    package = descriptor(
        name=manifest.id,
        title=f"Travel-planning database of the region {draft.region}",
        version=manifest.content_hash,
        created=draft.built_at.isoformat(),
        files={name: _package_file(entry, manifest) for name, entry in manifest.tables.items()},
    )
    write_text(staged.folder / "datapackage.json", to_json(package))
    manifest = replace(manifest, files=_file_entries(staged.folder))
    write_manifest(staged.folder, manifest)
    return manifest


def _table_entry(name: str, staged: Staged, files: Mapping[str, FileEntry]) -> TableEntry:
    measure = staged.measures[name]
    file = f"tables/{name}.parquet"
    return TableEntry(
        file=file,
        sha256=files[file].sha256,
        bytes=files[file].bytes,
        rows_total=measure.rows,
        rows_evaluator_visible=measure.visible,
        rows_quarantined=rejects_of_table(staged.rejects, name),
        rows_uncertainty_enriched=measure.enriched,
        observed_oldest=measure.observed_oldest,
        observed_newest=measure.observed_newest,
        observed_unknown=measure.observed_unknown,
        sources=measure.sources,
    )


def _origin_entry(brought: Contribution, draft: Draft) -> OriginEntry:
    public = decide("raw", [Input(brought.source, "", brought.terms)], draft.built_at.date())
    return OriginEntry(
        source=brought.source,
        table=brought.table,
        title=brought.title,
        file=brought.file,
        sha256=brought.sha256,
        license=brought.terms.license,
        family=brought.terms.family,
        confidence=brought.terms.confidence,
        terms_address=brought.terms.address,
        attribution=brought.terms.attribution_text,
        attribution_url=brought.terms.attribution_url,
        may_be_public=public.is_public,
        public_code=public.code,
        observed_at=brought.observed_at,
        rows_in=brought.rows_in,
        rows_kept=brought.kept,
        rows_merged=brought.merged,
        rows_quarantined=dict(brought.quarantined),
        unused_columns=brought.unused_columns,
        remarks=brought.remarks,
    )


def _package_file(entry: TableEntry, manifest: Manifest) -> PackageFile:
    sources = tuple(
        PackageSource(origin.title, origin.attribution_url or origin.terms_address, origin.license)
        for origin in manifest.origins
        if origin.source in entry.sources
    )
    return PackageFile(entry.file, entry.sha256, entry.bytes, entry.rows_total, tuple(dict.fromkeys(sources)))


def _file_entries(folder: Path) -> dict[str, FileEntry]:
    return {
        path.relative_to(folder).as_posix(): FileEntry(file_sha256(path), path.stat().st_size)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _by_source(brought: Contribution) -> tuple[str, str]:
    return (brought.source, brought.table)
