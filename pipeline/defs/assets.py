"""The assets: `staged/<mapping>`, `derived/<table>`, `tables/<table>` (the candidate) and `release`.

Group = layer. Every body is one call of the flow and the metadata of what came back.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import dagster as dg
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.defs.columns import column_schema
from pipeline.defs.failures import reported
from pipeline.derivations import COMPLETIONS, DERIVATIONS
from pipeline.flow import Flow
from pipeline.publishing import publish_release
from pipeline.store import StepResult, digest
from schemas.tables import TABLES, table
from sources.protocol.discovery import Source
from sources.tables.grammar import Mapping

OWNERS = ["team:maintainers"]
FLOW = {"flow"}


def raw_asset(source: Source) -> dg.AssetsDefinition:
    """Return the asset of one provider's archived answers; nobody is asked in profile `replay`."""
    declared = source.declaration

    @dg.asset(
        key=["raw", declared.id],
        # What it is asked follows from these.
        deps=[dg.AssetKey(["derived", table]) for table in declared.needs],
        group_name="raw",
        kinds={"http", "parquet"},
        owners=OWNERS,
        description=f"{declared.title}. Answers as they came, in `raw/{declared.id}`.",
        metadata={"base": declared.base, "licence": declared.terms.license},
        required_resource_keys=FLOW,
    )
    def raw(context: dg.AssetExecutionContext) -> dg.MaterializeResult[Any]:
        flow: Flow = context.resources.flow
        with reported(flow, context.run.run_id):
            asked = flow.asked.get(declared.id)
            numbers = flow.archive.stats().get(declared.id)
            facts: dict[str, Any] = {"answers": numbers.requests if numbers else 0}
            if numbers and numbers.oldest and numbers.newest:
                facts["fetched"] = f"{numbers.oldest:%Y-%m-%d} to {numbers.newest:%Y-%m-%d}"
            if asked is not None:
                facts |= {"asked now": asked.done, "failed": len(asked.failed), "stopped": asked.stopped or "no"}
            return dg.MaterializeResult(
                metadata=facts, data_version=dg.DataVersion(flow.archive.content_hash(declared.id))
            )

    return raw


def staged_answers_asset(source: Source) -> dg.AssetsDefinition:
    """Return the asset of the rows of one provider's answers, for all tables that it brings."""
    name, tables = source.declaration.id, source.declaration.tables

    @dg.asset(
        key=["staged", name],
        deps=[dg.AssetKey(["raw", name])],
        group_name="staged",
        kinds={"python", "parquet"},
        owners=OWNERS,
        description=f"{source.declaration.title}. Rows for {', '.join(tables)}.",
        required_resource_keys=FLOW,
    )
    def staged(context: dg.AssetExecutionContext) -> dg.MaterializeResult[Any]:
        flow: Flow = context.resources.flow
        with reported(flow, context.run.run_id):
            results = flow.answers(name)
            if len(results) == 1:
                return _materialized(results[tables[0]])
            facts = {table: dg.MetadataValue.md(_facts_table(result)) for table, result in results.items()}
            rows = sum(result.row_count for result in results.values())
            version = digest(*(result.content_hash for result in results.values()))
            return dg.MaterializeResult(
                metadata={"dagster/row_count": rows, **facts}, data_version=dg.DataVersion(version)
            )

    return staged


def staged_asset(mapping: Mapping) -> dg.AssetsDefinition:
    """Return the asset of one mapping's rows."""

    @dg.asset(
        key=["staged", mapping.id],
        group_name="staged",
        kinds={"file", mapping.format},
        owners=OWNERS,
        description=f"{mapping.title}. Rows of `{mapping.file}` for the table `{mapping.table}`.",
        metadata={"file": mapping.file, "licence": mapping.terms.license},
        required_resource_keys=FLOW,
    )
    def staged(context: dg.AssetExecutionContext) -> dg.MaterializeResult[Any]:
        flow: Flow = context.resources.flow
        with reported(flow, context.run.run_id):
            return _materialized(flow.staged(mapping.id))

    return staged


def derived_asset(name: str, bringers: Sequence[str]) -> dg.AssetsDefinition:
    """Return the asset of one derived table; `bringers` are the mappings and providers that may bring its rows."""
    derivation = DERIVATIONS[name]

    @dg.asset(
        key=["derived", name],
        deps=[
            *(dg.AssetKey(["staged", bringer]) for bringer in bringers),
            *(dg.AssetKey(["derived", other]) for other in (*derivation.needs, *derivation.uses)),
        ],
        group_name="derived",
        kinds={"python", "parquet"},
        owners=OWNERS,
        description=f"{table(name).description} Before the checks; wrong values are in quarantine.",
        required_resource_keys=FLOW,
    )
    def derived(context: dg.AssetExecutionContext) -> dg.MaterializeResult[Any]:
        flow: Flow = context.resources.flow
        with reported(flow, context.run.run_id):
            return _materialized(flow.derived(name))

    return derived


def _parts_of(name: str) -> list[str]:
    """Return the derived tables that a published table is made of."""
    sides = COMPLETIONS[name].uses if name in COMPLETIONS else ()
    return [name, *sides]


@dg.multi_asset(
    name="candidate",
    specs=[
        dg.AssetSpec(
            ["tables", name],
            deps=[dg.AssetKey(["derived", other]) for other in _parts_of(name)],
            group_name="tables",
            kinds={"parquet"},
            owners=OWNERS,
            description=declared.description,
            metadata={"dagster/column_schema": column_schema(name), "title": declared.title},
        )
        for name, declared in TABLES.items()
    ],
    required_resource_keys=FLOW,
)
def candidate(context: dg.AssetExecutionContext) -> Iterator[dg.MaterializeResult[Any]]:
    """Lay all derived tables side by side, as the checks and the release read them."""
    flow: Flow = context.resources.flow
    with reported(flow, context.run.run_id):
        folder = flow.candidate.folder
        for name, result in flow.tables.items():
            metadata = _facts(result)
            if result.absent is None:
                metadata |= _visible_facts(pq.read_table(folder / f"{name}.parquet"))
            yield dg.MaterializeResult(
                asset_key=["tables", name], metadata=metadata, data_version=dg.DataVersion(result.rows_hash)
            )


@dg.asset(
    key=["release"],
    deps=[dg.AssetKey(["tables", name]) for name in TABLES],
    group_name="release",
    kinds={"parquet"},
    owners=OWNERS,
    description="The published release; `CURRENT` names it. Made only of a candidate that passed every blocking check.",
    required_resource_keys=FLOW,
)
def release(context: dg.AssetExecutionContext) -> dg.MaterializeResult[Any]:
    flow: Flow = context.resources.flow
    with reported(flow, context.run.run_id):
        published = publish_release(flow)
        return dg.MaterializeResult(
            metadata={
                "release": published.id,
                "is_new": published.is_new,
                "report": dg.MetadataValue.path(str(published.folder / "report" / "index.html")),
            },
            data_version=dg.DataVersion(published.content_hash),
        )


def all_assets(mappings: Sequence[Mapping], sources: Sequence[Source]) -> list[dg.AssetsDefinition]:
    """Return every asset, in the order of the flow."""
    bringers: dict[str, list[str]] = {name: [] for name in TABLES}
    for mapping in mappings:
        bringers[mapping.table].append(mapping.id)
    for source in sources:
        for name in source.declaration.tables:
            bringers[name].append(source.declaration.id)
    return [
        *(raw_asset(source) for source in sources),
        *(staged_answers_asset(source) for source in sources),
        *(staged_asset(mapping) for mapping in mappings),
        *(derived_asset(name, sorted(bringers[name])) for name in DERIVATIONS),
        candidate,
        release,
    ]


def _materialized(result: StepResult) -> dg.MaterializeResult[Any]:
    return dg.MaterializeResult(metadata=_facts(result), data_version=dg.DataVersion(result.content_hash))


def _facts(result: StepResult) -> dict[str, Any]:
    if result.absent is not None:
        return {"dagster/row_count": 0, "absent": result.absent}
    quarantine = result.part("quarantine")
    facts: dict[str, Any] = {
        "dagster/row_count": result.row_count,
        "reused": result.reused,
        "rows_in": result.notes.rows_in,
        "merged": result.part("merges").num_rows,
        "quarantined": quarantine.num_rows,
    }
    if quarantine.num_rows:
        facts["quarantine by code"] = dg.MetadataValue.md(_table(("code", "rows"), _counts(quarantine["code"])))
    unmapped = [(name, term, count) for name, terms in result.notes.unmapped.items() for term, count in terms.items()]
    if unmapped:
        unmapped.sort(key=lambda row: (-row[2], row[:2]))
        facts["unmapped terms"] = dg.MetadataValue.md(_table(("map", "term", "rows"), unmapped[:20]))
    if result.notes.unused_columns:
        facts["unused columns"] = ", ".join(result.notes.unused_columns)
    return facts


def _facts_table(result: StepResult) -> str:
    """Return the facts of one table of several as a list in Markdown; tables within stand below it."""
    facts = {name: getattr(value, "md_str", value) for name, value in _facts(result).items()}
    return "\n\n".join(f"**{name.removeprefix('dagster/')}**: {value}" for name, value in facts.items())


def _visible_facts(rows: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"visible to the evaluator": int(pc.sum(rows["evaluator_visible"]).as_py() or 0)}
    observed = pc.min_max(rows["observed_at"]).as_py()
    if observed["max"] is not None:
        facts["observed"] = f"{observed['min']} to {observed['max']}"
    return facts


def _counts(column: Any) -> list[tuple[Any, ...]]:
    counts = [(row["values"], row["counts"]) for row in pc.value_counts(column).to_pylist()]
    return sorted(counts, key=lambda row: (-row[1], row[0]))


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [columns, ["---"] * len(columns), *rows]
    # A pipe or a line break in a name would break the table.
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in cells
    )
