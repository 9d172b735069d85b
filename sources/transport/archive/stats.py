"""What an archive holds, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sources.transport.archive.folder import ProviderFolder
from sources.transport.archive.segments import Segment
from sources.transport.archive.snapshot import latest, take_snapshot


@dataclass(frozen=True)
class Stats:
    """One provider: `answers` counts every answer, `requests` each request once, `expired` answers without a body.

    `body_bytes` are the bytes of the bodies still kept, as they came, `file_bytes` those on disk. `oldest` and `newest`
    are times of fetching, None without answers. `by_*` count answers.
    """

    answers: int
    requests: int
    expired: int
    body_bytes: int
    file_bytes: int
    segments: int
    journals: int
    oldest: datetime | None
    newest: datetime | None
    by_endpoint: Mapping[str, int]
    by_status: Mapping[int, int]
    by_origin: Mapping[str, int]


def stats(folder: ProviderFolder) -> Stats:
    """Count what a provider's folder holds. Raises DamagedArchive, ArchiveFailed."""
    with take_snapshot(folder) as snapshot:
        index = snapshot.index(["endpoint", "status", "origin", "body_bytes", "is_expired"])
        segments = sum(isinstance(part, Segment) for part in snapshot.parts)
        journals = len(snapshot.parts) - segments
        file_bytes = sum(part.file_bytes for part in snapshot.parts)
    times = pc.min_max(index["fetched_at"]).as_py()
    kept = index.filter(pc.invert(index["is_expired"]))
    return Stats(
        answers=index.num_rows,
        requests=latest(index).num_rows,
        expired=index.num_rows - kept.num_rows,
        body_bytes=pc.sum(kept["body_bytes"]).as_py() or 0,
        file_bytes=file_bytes,
        segments=segments,
        journals=journals,
        oldest=times["min"],
        newest=times["max"],
        by_endpoint=_counts(index["endpoint"]),
        by_status=_counts(index["status"]),
        by_origin=_counts(index["origin"]),
    )


def _counts(column: pa.ChunkedArray) -> dict[Any, int]:
    pairs = pc.value_counts(column).to_pylist()
    return {pair["values"]: pair["counts"] for pair in sorted(pairs, key=lambda pair: str(pair["values"]))}
