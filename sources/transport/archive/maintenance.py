"""Sealing, compacting and expiring: files are replaced by better ones, and readers beside it notice nothing.

All three write a new segment, read it back, and only then remove what it replaces; a kill at any moment loses nothing
and the next maintenance ends what was begun.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from sources.transport.archive.errors import ArchiveError, storing
from sources.transport.archive.folder import DRAFT, ProviderFolder
from sources.transport.archive.journal import Journal
from sources.transport.archive.records import SCHEMA, Record, without_body
from sources.transport.archive.segments import Segment, write_segment
from sources.transport.archive.snapshot import Snapshot, open_files, replaced


class Expiry(NamedTuple):
    """How many bodies were dropped, and how many are due but stand in the journal of a writer that still lives."""

    dropped: int
    waiting: int


def seal(folder: ProviderFolder) -> int:
    """Turn the journals of writers that are closed or dead into one segment; return the number of answers sealed.

    Raises DamagedArchive where a journal is damaged (nothing is sealed then), ArchiveFailed.
    """
    with _maintained(folder):
        return _seal(folder)


def compact(folder: ProviderFolder) -> int:
    """Seal, then merge all segments into one, every answer kept; return how many segments became that one.

    Needs room for a second copy of the answers. Raises as `seal`.
    """
    with _maintained(folder):
        _seal(folder)
        with _opened(folder) as (segments, _), Snapshot(segments) as snapshot:
            if len(segments) < 2:
                return 0
            write_segment(folder, snapshot.records(snapshot.index()), [segment.name for segment in segments])
            return len(segments)


def expire(folder: ProviderFolder, days: int, now: datetime) -> Expiry:
    """Seal, then drop the body of each answer, earlier ones too, that was fetched `days` days before `now` or longer.

    Id, time, status, hash and all else is kept. Raises as `seal`.
    """
    if now.tzinfo is None:
        raise ArchiveError(f"expire: {now} has no time zone; give the time in UTC")
    limit = now - timedelta(days=days)
    if not folder.path.is_dir():
        return Expiry(0, 0)
    dropped = 0
    with _maintained(folder):
        _seal(folder)
        with _opened(folder) as (segments, journals):
            for segment in segments:
                due = _count_due(segment.read(["fetched_at", "is_expired"]), limit)
                if due:
                    write_segment(folder, _expired(segment.records(), limit), [segment.name])
                dropped += due
            waiting = sum(_count_due(journal.read(["fetched_at", "is_expired"]), limit) for journal in journals)
    return Expiry(dropped, waiting)


def _seal(folder: ProviderFolder) -> int:
    with _opened(folder) as (_, journals):
        dead = [journal for journal in journals if journal.take()]
        snapshot = Snapshot(dead)
        index = snapshot.index()
        names = [journal.name for journal in dead]
        if index.num_rows:
            write_segment(folder, snapshot.records(index), names)
        else:
            with storing(folder.path, "removing empty journals"):
                folder.commit(None, "", names)
        return int(index.num_rows)


@contextmanager
def _maintained(folder: ProviderFolder) -> Iterator[None]:
    """Hold the maintenance lock and first remove what a killed maintenance left."""
    with folder.maintained():
        with _opened(folder) as (segments, _), storing(folder.path, "tidying up"):
            for draft in folder.path.glob(f"{DRAFT}*"):
                draft.unlink()
            folder.commit(None, "", replaced(segments))
        yield


@contextmanager
def _opened(folder: ProviderFolder) -> Iterator[tuple[list[Segment], list[Journal]]]:
    segments, journals = open_files(folder)
    try:
        yield segments, journals
    finally:
        Snapshot([*segments, *journals]).close()


def _count_due(table: pa.Table, limit: datetime) -> int:
    is_old = pc.less_equal(table["fetched_at"], pa.scalar(limit, SCHEMA.field("fetched_at").type))
    return int(pc.sum(pc.and_(is_old, pc.invert(table["is_expired"]))).as_py() or 0)


def _expired(records: Iterator[Record], limit: datetime) -> Iterator[Record]:
    return (without_body(record) if record["fetched_at"] <= limit else record for record in records)
