"""One moment of a provider's answers, over segments and journals: what there is, in which order, and how it is read.

Answers that are appended later are not in it, and sealing, compacting or expiring beside it does not disturb it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sources.transport.archive.errors import storing
from sources.transport.archive.folder import JOURNAL, SEGMENT, ProviderFolder
from sources.transport.archive.journal import Journal
from sources.transport.archive.records import ORDER, ROBOTS, SCHEMA, Record
from sources.transport.archive.segments import Segment


class Part(Protocol):
    """A file of answers opened for reading."""

    path: Path
    name: str

    @property
    def count(self) -> int:
        """Number of records."""

    @property
    def file_bytes(self) -> int:
        """Size of the file."""

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return columns of all records but the body."""

    def record(self, row: int) -> Record:
        """Return one record with its body."""

    def close(self) -> None: ...


class Snapshot:
    """Some opened files of answers; a context manager that closes them."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts

    def index(self, columns: Sequence[str] = ()) -> pa.Table:
        """Return one row an answer, in the order of `records.ORDER`: those columns, the wanted ones, `part` and `row`.

        The body cannot be wanted. Raises DamagedArchive.
        """
        names = list(dict.fromkeys((*ORDER, *columns)))
        tables = [pa.schema([SCHEMA.field(name) for name in names]).empty_table()]
        tables += [part.read(names) for part in self.parts]
        sizes = [table.num_rows for table in tables[1:]]
        table = (
            pa.concat_tables(tables)
            .append_column("part", pa.array(np.repeat(np.arange(len(sizes)), sizes), pa.int64()))
            .append_column("row", pa.array(np.concatenate([np.arange(0), *map(np.arange, sizes)]), pa.int64()))
        )
        return table.sort_by([(name, "ascending") for name in ORDER])

    def records(self, index: pa.Table) -> Iterator[Record]:
        """Return the records of an index with their bodies, one by one, in the order of the index."""
        for part, row in zip(index["part"].to_pylist(), index["row"].to_pylist(), strict=True):
            yield self.parts[part].record(row)

    def close(self) -> None:
        for part in self.parts:
            part.close()

    def __enter__(self) -> "Snapshot":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def latest(index: pa.Table) -> pa.Table:
    """Return the rows of an index that are the latest answer to their request."""
    ids = index["request_id"].combine_chunks()
    if len(ids) == 0:
        return index
    is_last = pa.concat_arrays([pc.not_equal(ids[:-1], ids[1:]), pa.array([True])])
    return index.filter(is_last)


def of_endpoint(index: pa.Table, endpoint: str) -> pa.Table:
    """Return the rows of an index that has the column `endpoint` and belong to one."""
    return index.filter(pc.equal(index["endpoint"], endpoint))


def answering(index: pa.Table) -> pa.Table:
    """Return the rows of an index that has the column `endpoint` and answer a question: all but robots.txt."""
    return index.filter(pc.not_equal(index["endpoint"], ROBOTS))


def open_files(folder: ProviderFolder) -> tuple[list[Segment], list[Journal]]:
    """Open all segments and journals of one moment, the replaced ones among them."""
    with storing(folder.path, "reading"):
        if not folder.path.is_dir():
            return [], []
        with folder.locked():
            segments = [Segment(folder.path / name) for name in folder.names(SEGMENT)]
            return segments, [Journal(folder.path / name) for name in folder.names(JOURNAL)]


def replaced(segments: Sequence[Segment]) -> frozenset[str]:
    """Return the names of all files whose answers stand in one of these segments too."""
    return frozenset().union(*(segment.replaces for segment in segments))


def take_snapshot(folder: ProviderFolder) -> Snapshot:
    """Return this moment of a provider's answers; nothing for a provider that has none."""
    segments, journals = open_files(folder)
    old = replaced(segments)
    parts: list[Part] = [*segments, *journals]
    for part in parts:
        if part.name in old:
            part.close()
    return Snapshot([part for part in parts if part.name not in old])
