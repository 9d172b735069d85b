"""The manifest: what a release holds, in one JSON document that a program and a person can read.

Only the standard library is used, so that a reader opens a release at once. The content hash covers everything that the
release says about the data and neither the clock nor the code: the same data have the same hash on any day.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar

from warehouse.release.durable import file_sha256, write_text
from warehouse.release.errors import DamagedRelease

MANIFEST = "manifest.json"
MANIFEST_SHA256 = "manifest.sha256"
MANIFEST_VERSION = 2
_ID_DIGITS = 8
T = TypeVar("T")


@dataclass(frozen=True)
class FileEntry:
    """One file of the release other than the manifest; its size in bytes."""

    sha256: str
    bytes: int


@dataclass(frozen=True)
class TableEntry:
    """One table: its file below the release, its rows by what became of them, and when its values held.

    `rows_total` are the rows of the file. `rows_quarantined` stand in `quarantine/rejects.parquet` and not in the file.
    """

    file: str
    sha256: str
    bytes: int
    rows_total: int
    rows_evaluator_visible: int
    rows_quarantined: int
    rows_uncertainty_enriched: int
    observed_oldest: date | None
    observed_newest: date | None
    observed_unknown: int
    sources: tuple[str, ...]


@dataclass(frozen=True)
class OriginEntry:
    """One source of one table: its file, its terms in short, and the doors by which its records left.

    `may_be_public` is what the terms said of raw values on the day of the build; `public_code` is the permission or
    the reason.
    """

    source: str
    table: str
    title: str
    file: str
    sha256: str
    license: str
    family: str
    confidence: str
    terms_address: str
    attribution: str
    attribution_url: str
    may_be_public: bool
    public_code: str
    observed_at: date | None
    rows_in: int
    rows_kept: int
    rows_merged: int
    rows_quarantined: Mapping[str, int]
    unused_columns: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class WithheldEntry:
    """A column of which a public release holds no value of a source; `reason` is a code of `schemas.publicity`."""

    table: str
    field: str
    source: str
    reason: str


@dataclass(frozen=True)
class Manifest:
    """What a release holds. `files` lists every file but the manifest and its checksum, tables included."""

    id: str
    region: str
    origin: str
    audience: str
    created_at: datetime
    content_hash: str
    code_version: str
    schema_version: str
    previous: str | None
    tables: Mapping[str, TableEntry]
    tables_absent: Mapping[str, str]
    origins: tuple[OriginEntry, ...]
    withheld: tuple[WithheldEntry, ...]
    units: Mapping[str, str]
    checks: Mapping[str, str]
    files: Mapping[str, FileEntry]

    def to_json(self) -> str:
        """Return the document: keys sorted, two blanks of indent, a line break at the end."""
        document = asdict(self) | {"manifest_version": MANIFEST_VERSION}
        for table in document["tables"].values():
            observed = {word: table.pop(f"observed_{word}") for word in ("oldest", "newest")}
            table["observed"] = observed | {"unknown_rows": table.pop("observed_unknown")}
        return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False, default=_iso) + "\n"


def content_hash(manifest: Manifest) -> str:
    """Return the SHA-256 over all that the manifest says of the data; clock, code, checks and presentation stay out."""
    content = {
        "region": manifest.region,
        "origin": manifest.origin,
        "audience": manifest.audience,
        "schema_version": manifest.schema_version,
        "tables_absent": dict(manifest.tables_absent),
        "origins": [_undated(origin) for origin in manifest.origins],
        "withheld": [(one.table, one.field, one.source) for one in manifest.withheld],
        "files": {
            path: entry.sha256 for path, entry in manifest.files.items() if path.startswith(("tables/", "quarantine/"))
        },
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, default=_iso)
    return hashlib.sha256(text.encode()).hexdigest()


def release_id(region: str, origin: str, built_at: datetime, content: str) -> str:
    """Return `<region>[-sandbox]-<YYYYMMDD>-<8 digits of the content hash>`."""
    sandbox = "-sandbox" if origin == "sandbox" else ""
    return f"{region}{sandbox}-{built_at:%Y%m%d}-{content[:_ID_DIGITS]}"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest and its checksum file."""
    write_text(folder / MANIFEST, manifest.to_json())
    write_text(folder / MANIFEST_SHA256, _checksum_line(file_sha256(folder / MANIFEST)))


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a release folder.

    Raises DamagedRelease when it is missing, torn, not what its checksum file says, or of another form.
    """
    try:
        raw = (folder / MANIFEST).read_bytes()
        checksum = (folder / MANIFEST_SHA256).read_bytes()
    except OSError as error:
        raise _damaged(folder, f"{error.strerror or error} ({Path(error.filename or folder).name})") from None
    if checksum != _checksum_line(hashlib.sha256(raw).hexdigest()).encode():
        raise _damaged(folder, f"{MANIFEST} is not the file whose checksum {MANIFEST_SHA256} holds")
    try:
        return _parse(json.loads(raw))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(folder, f"{MANIFEST} is not of form {MANIFEST_VERSION} ({error!r})") from None


def _damaged(folder: Path, cause: str) -> DamagedRelease:
    return DamagedRelease(
        f"release {folder.name}: {cause}; roll back to another release (`utp release rollback ID`), or build again"
    )


def _checksum_line(sha256: str) -> str:
    # The form that `sha256sum --check` reads.
    return f"{sha256}  {MANIFEST}\n"


def _undated(origin: OriginEntry) -> dict[str, Any]:
    # Terms may fall due for review; what they then allow, and why not, depends on the day.
    return {name: value for name, value in asdict(origin).items() if name not in ("may_be_public", "public_code")}


def _iso(value: object) -> str:
    if isinstance(value, date):  # a datetime is a date
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a manifest")


def _parse(document: dict[str, Any]) -> Manifest:
    if document.pop("manifest_version") != MANIFEST_VERSION:
        raise ValueError("manifest_version")
    document["created_at"] = datetime.fromisoformat(document["created_at"])
    document["tables"] = {name: _table_entry(table) for name, table in document["tables"].items()}
    document["origins"] = tuple(_origin_entry(origin) for origin in document["origins"])
    document["withheld"] = tuple(WithheldEntry(**one) for one in document["withheld"])
    document["files"] = {path: FileEntry(**entry) for path, entry in document["files"].items()}
    return Manifest(**document)


def _table_entry(table: dict[str, Any]) -> TableEntry:
    observed = table.pop("observed")
    return TableEntry(
        **table | {"sources": tuple(table["sources"])},
        observed_oldest=_day(observed["oldest"]),
        observed_newest=_day(observed["newest"]),
        observed_unknown=observed["unknown_rows"],
    )


def _origin_entry(origin: dict[str, Any]) -> OriginEntry:
    lists = {name: tuple(origin[name]) for name in ("unused_columns", "remarks")}
    return OriginEntry(**origin | lists | {"observed_at": _day(origin["observed_at"])})


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
