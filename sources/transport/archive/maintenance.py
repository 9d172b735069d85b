"""Sealing, compacting and expiring: files are replaced by better ones, and readers beside it notice nothing.

All three write a new segment, read it back, and only then remove what it replaces; a kill at any moment loses nothing
and the next maintenance ends what was begun.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

import pyarrow.compute as pc

from sources.transport.archive.errors import ArchiveError, storing
from sources.transport.archive.folder import DRAFT, ProviderFolder
from sources.transport.archive.journal import Journal
from sources.transport.archive.records import Record, without_body
from sources.transport.archive.segments import Segment, write_segment
from sources.transport.archive.snapshot import Part, Snapshot, open_files, replaced, take_snapshot

Ends = Callable[[datetime], datetime | None]
"""When the body of an answer that was fetched at a time must be gone; None for never."""


class Expiry(NamedTuple):
    """How many bodies were dropped, and how many are due but stand in the journal of a writer that still lives."""

    dropped: int
    waiting: int


def seal(folder: ProviderFolder) -> int:
    """Turn the journals of writers that are closed or dead into one segment; return the number of answers sealed.

    Raises DamagedArchive where a journal is damaged (nothing is sealed then), ArchiveFailed.
    """
    with maintained(folder):
        return _seal(folder)


def compact(folder: ProviderFolder) -> int:
    """Seal, then merge all segments into one, every answer kept; return how many segments became that one.

    Needs room for a second copy of the answers. Raises as `seal`.
    """
    with maintained(folder):
        _seal(folder)
        with _opened(folder) as (segments, _), Snapshot(segments) as snapshot:
            if len(segments) < 2:
                return 0
            write_segment(folder, snapshot.records(snapshot.index()), [segment.name for segment in segments])
            return len(segments)


def expire(folder: ProviderFolder, ends: Ends, now: datetime, *, is_dry: bool = False) -> Expiry:
    """Seal, then drop the body of each answer, earlier ones too, whose end has come by `now`.

    Id, time, status, hash and all else is kept. Where `is_dry`, nothing is changed. Raises as `seal`.
    """
    if now.tzinfo is None:
        raise ArchiveError(f"expire: {now} has no time zone; give the time in UTC")
    if not folder.path.is_dir():
        return Expiry(0, 0)
    if is_dry:
        with take_snapshot(folder) as snapshot:
            living = [part for part in snapshot.parts if isinstance(part, Journal) and not part.take()]
            waiting = sum(_count_due(part, ends, now) for part in living)
            return Expiry(sum(_count_due(part, ends, now) for part in snapshot.parts) - waiting, waiting)
    dropped = 0
    with maintained(folder):
        _seal(folder)
        with _opened(folder) as (segments, journals):
            for segment in segments:
                due = _count_due(segment, ends, now)
                if due:
                    write_segment(folder, _expired(segment.records(), ends, now), [segment.name])
                dropped += due
            waiting = sum(_count_due(journal, ends, now) for journal in journals)
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
def maintained(folder: ProviderFolder) -> Iterator[None]:
    """Hold the maintenance lock and first remove what a killed maintenance left. The folder exists."""
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


def _count_due(part: Part, ends: Ends, now: datetime) -> int:
    table = part.read(["fetched_at", "is_expired"])
    times = table.filter(pc.invert(table["is_expired"]))["fetched_at"].to_pylist()
    return sum(_is_over(fetched_at, ends, now) for fetched_at in times)


def _expired(records: Iterator[Record], ends: Ends, now: datetime) -> Iterator[Record]:
    return (without_body(record) if _is_over(record["fetched_at"], ends, now) else record for record in records)


def _is_over(fetched_at: datetime, ends: Ends, now: datetime) -> bool:
    end = ends(fetched_at)
    return end is not None and end <= now
