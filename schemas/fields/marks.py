"""Column meanings of where a row came from and who may see it."""

from schemas.model import Field

FIELDS = (
    Field("source", "string", "Source of the row: a provider or a table mapping.", provenance="declared", klass="own"),
    Field(
        "source_ref", "string", "Record within the source: file and row, or answer.", provenance="declared", klass="own"
    ),
    Field(
        "snapshot_id",
        "string",
        "First 16 digits of the SHA-256 of the file or answer.",
        pattern=r"[0-9a-f]{16}",
        provenance="declared",
        klass="own",
    ),
    Field(
        "observed_at",
        "date",
        "Day on which the source's values held; null where the source does not tell.",
        provenance="declared",
        klass="own",
    ),
    Field(
        "value_class",
        "string",
        "Whether the row's values are observed, derived or taken from a proxy.",
        vocabulary="value_classes",
        provenance="declared",
        klass="own",
    ),
    Field(
        "evaluator_visible",
        "bool",
        "Whether all required columns are set, so that the evaluator sees the row.",
        provenance="derived",
        klass="own",
    ),
    Field("missing", "list<string>", "Required columns that are null.", provenance="derived", klass="own"),
)
