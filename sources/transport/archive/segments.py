"""Segments: sealed answers in a Parquet file, in the order of `records.ORDER`, read one row group at a time.

The body stands in the file as it came, compressed by Parquet's own zstd, so that any Parquet reader can look at it. The
file names in its metadata the files that it replaces. Its name bears a number, the digest of all of its bytes (for
`verify`) and that of its footer: pages have checksums in Parquet and the footer, which says which pages and records
there are, has none.
"""

import hashlib
import json
import os
import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sources.transport.archive.errors import ArchiveFailed, damaged, reading, storing
from sources.transport.archive.folder import DRAFT, SEGMENT, ProviderFolder
from sources.transport.archive.records import (
    NO_SUBJECT,
    SCHEMA,
    WITHOUT_BODY,
    WITHOUT_SUBJECT,
    Record,
    checked,
    encode,
)

_FACTS, _RECORDS = b"utp.archive", b"utp.archive.records"
_SCHEMAS = {1: WITHOUT_SUBJECT, 2: SCHEMA}
_VERSION = 2
_DIGITS = 16
# A Parquet file ends with the length of its footer and a magic.
_TAIL = struct.Struct("<I4s")
# A reader holds one row group of each segment in memory, so these bound what reading takes.
ROWS_PER_GROUP = 1000
BYTES_PER_GROUP = 2**20
# Bodies and hashes never repeat, and statistics over bodies would copy them.
_REPEATING = [name for name in WITHOUT_BODY if name not in ("request_id", "body_sha256")]


class Segment:
    """A segment opened for reading; it stays readable when it is replaced meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        self._handle = pa.OSFile(str(path))
        self._group: tuple[int, list[Record]] = -1, []

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return columns of all records, in the order of the file. Raises DamagedArchive."""
        with reading(self.path):
            table = _with_subject(self._file.read(columns=list(columns)))
            return table.select(list(columns)).cast(pa.schema([SCHEMA.field(name) for name in columns]))

    def record(self, row: int) -> Record:
        """Return one record with its body; cheap when asked in the order of the file."""
        group = bisect_right(self._starts, row) - 1
        if self._group[0] != group:
            self._group = -1, []
            with reading(self.path):
                self._group = group, _with_subject(self._file.read_row_group(group)).to_pylist()
        return checked(self._group[1][row - self._starts[group]], self.path)

    def records(self) -> Iterator[Record]:
        """Return all records with their bodies, in the order of the file."""
        return map(self.record, range(self.count))

    @cached_property
    def replaces(self) -> frozenset[str]:
        """Names of the files whose answers all stand in this one."""
        with reading(self.path):
            return frozenset(_facts(self._file)["replaces"])

    @property
    def digest_of_records(self) -> str | None:
        """What `digest_of` gave for the records when they were written; None in a file of before it was noted."""
        noted: bytes | None = self._file.metadata.metadata.get(_RECORDS)
        return noted.decode() if noted else None

    @property
    def count(self) -> int:
        """Number of records."""
        return int(self._file.metadata.num_rows)

    @property
    def file_bytes(self) -> int:
        return int(self._handle.size())

    def digest(self) -> str:
        """Return the digest of the file's bytes, read anew."""
        digest = hashlib.sha256()
        with storing(self.path, "reading"):
            self._handle.seek(0)
            while block := self._handle.read(2**20):
                digest.update(block)
        return digest.hexdigest()[:_DIGITS]

    def footer_digest(self) -> str:
        """Return the digest of the file's footer, read anew."""
        with reading(self.path):
            self._handle.seek(max(self.file_bytes - _TAIL.size, 0))
            length, _ = _TAIL.unpack(self._handle.read(_TAIL.size))
            self._handle.seek(max(self.file_bytes - _TAIL.size - length, 0))
            return hashlib.sha256(self._handle.read(length + _TAIL.size)).hexdigest()[:_DIGITS]

    def close(self) -> None:
        self._handle.close()

    @cached_property
    def _file(self) -> pq.ParquetFile:
        name = SEGMENT.fullmatch(self.name)
        if name and self.footer_digest() != name["footer"]:
            raise damaged(self.path, "its footer is not the one that its name tells")
        with reading(self.path):
            file = pq.ParquetFile(self._handle, page_checksum_verification=True)
            version = _facts(file)["version"]
            if version not in _SCHEMAS:
                raise ValueError(f"version {version} of segments is not known here")
            if not file.schema_arrow.equals(_SCHEMAS[version]):
                raise ValueError("its columns are not those of a segment")
            return file

    @cached_property
    def _starts(self) -> list[int]:
        """First row of each row group."""
        metadata = self._file.metadata
        sizes = (metadata.row_group(number).num_rows for number in range(metadata.num_row_groups))
        return list(accumulate(sizes, initial=0))[:-1]


def write_segment(folder: ProviderFolder, records: Iterable[Record], replaces: Sequence[str]) -> None:
    """Write records (in the order of `records.ORDER`) as a new segment, then remove the files that it replaces.

    It becomes visible only after it was read back. For the holder of the maintenance lock. Raises ArchiveFailed, and
    then the folder is as it was.
    """
    draft = folder.path / f"{DRAFT}{os.getpid()}.parquet"
    try:
        with storing(draft, "writing a segment"):
            written = write_records(draft, records, replaces)
            digests = _read_back(draft, written)
            folder.commit(draft, f"{_next_number(folder):06}-{digests}.parquet", replaces)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write_records(path: Path, records: Iterable[Record], replaces: Sequence[str] = ()) -> str:
    """Write records in the form of a segment, force them to disk, and return their digest, which stands in the file."""
    facts = {"version": _VERSION, "replaces": sorted(replaces)}
    schema = SCHEMA.with_metadata({_FACTS: json.dumps(facts).encode()})
    digest = hashlib.sha256()
    with (
        path.open("wb") as stream,
        pq.ParquetWriter(
            stream,
            schema,
            compression="zstd",
            use_dictionary=_REPEATING,
            write_statistics=list(WITHOUT_BODY),
            write_page_checksum=True,
        ) as writer,
    ):
        for group in _groups(iter(records)):
            for record in group:
                digest.update(encode(record))
            writer.write_table(pa.Table.from_pylist(group, schema=schema), row_group_size=ROWS_PER_GROUP)
        writer.add_key_value_metadata({_RECORDS.decode(): digest.hexdigest()})
        writer.close()
        stream.flush()
        os.fsync(stream.fileno())
    return digest.hexdigest()


def _read_back(path: Path, written: str) -> str:
    """Return the two digests of a new file, after comparing its records with what was to be written."""
    segment = Segment(path)
    try:
        if not segment.digest_of_records == written == digest_of(segment.records()):
            raise ArchiveFailed(f"{path}: the storage gave back other records than were written; mend it")
        return f"{segment.digest()}-{segment.footer_digest()}"
    finally:
        segment.close()


def digest_of(records: Iterable[Record]) -> str:
    """Return the digest of records with the hashes of their bodies."""
    digest = hashlib.sha256()
    for record in records:
        digest.update(encode(record))
    return digest.hexdigest()


def _facts(file: pq.ParquetFile) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(file.schema_arrow.metadata[_FACTS])
    return facts


def _with_subject(table: pa.Table) -> pa.Table:
    if "subject" in table.column_names:
        return table
    return table.append_column(SCHEMA.field("subject"), pa.array([NO_SUBJECT] * table.num_rows, pa.string()))


def _next_number(folder: ProviderFolder) -> int:
    matches = map(SEGMENT.fullmatch, folder.names(SEGMENT))
    return max((int(match["number"]) for match in matches if match), default=0) + 1


def _groups(records: Iterator[Record]) -> Iterator[list[Record]]:
    """Cut records into row groups of at most ROWS_PER_GROUP records and, but for the last of them, BYTES_PER_GROUP."""
    for first in records:
        group, size = [], 0
        for record in chain([first], records):
            group.append(record)
            size += len(record["body"] or b"")
            if len(group) == ROWS_PER_GROUP or size >= BYTES_PER_GROUP:
                break
        yield group
