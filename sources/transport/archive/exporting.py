"""Answers out of one archive into one file, and from there into another: origin, time and all earlier answers included.

The file has the form of a segment, with the answers of one provider after the other, and is whole or refused: it
holds a digest of all its records. An answer is recognised by journal and time of appending wherever it goes, so that an
import adds nothing twice, and brings no body back that expired here.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from sources.transport.archive.errors import ArchiveError, DamagedArchive, reading, storing
from sources.transport.archive.folder import DRAFT, PROVIDER, ProviderFolder, sync_folder
from sources.transport.archive.maintenance import maintained
from sources.transport.archive.origins import KINDS, claim
from sources.transport.archive.records import Record
from sources.transport.archive.segments import Segment, digest_of, write_records, write_segment
from sources.transport.archive.snapshot import take_snapshot
from sources.transport.archive.verify import of_record

Identity = tuple[str, int]


class _Contradiction(Exception):
    """What is wrong with a file."""


class Imported(NamedTuple):
    """How many answers were added, and how many were here already."""

    added: int
    known: int


def export(archive: Path, file: Path, providers: Sequence[str]) -> dict[str, int]:
    """Write all answers of some providers into a new file, expired ones too; return their numbers.

    Raises ArchiveError where the file exists already, its folder does not, or there is nothing to write,
    DamagedArchive, ArchiveFailed.
    """
    if file.exists():
        raise ArchiveError(f"{file} exists already; name a new file")
    if not file.parent.is_dir():
        raise ArchiveError(f"{file}: there is no folder {file.parent}; name a file in one that exists")
    numbers: dict[str, int] = {}

    def records() -> Iterator[Record]:
        for provider in providers:
            with take_snapshot(ProviderFolder(archive, provider)) as snapshot:
                index = snapshot.index()
                if not index.num_rows:
                    raise ArchiveError(f"nothing of {provider!r} is archived in {archive}; see `utp archive stats`")
                numbers[provider] = index.num_rows
                yield from snapshot.records(index)

    if not providers:
        raise ArchiveError(f"nothing is archived in {archive}; name the --home of the answers")
    draft = file.with_name(f"{DRAFT}{file.name}-{os.getpid()}")
    try:
        with storing(file, "exporting"):
            written = write_records(draft, records())
            with _opened(draft) as segment:
                _check(segment, written)
            draft.rename(file)
            sync_folder(file.parent)
    finally:
        draft.unlink(missing_ok=True)
    return numbers


def import_(archive: Path, file: Path) -> dict[str, Imported]:
    """Add the answers of an exported file that are not in an archive yet, provider by provider.

    Everything is read and compared before anything is written. A kill leaves a provider's answers added or not;
    importing again adds the rest. Raises DamagedArchive for a file that is not whole, OriginError for constructed
    answers where real ones are kept and the other way round, ArchiveFailed.
    """
    if not file.is_file():
        cause = "no regular file" if file.exists() else "no such file"
        raise ArchiveError(f"{file}: {cause}; name one that `utp archive export` wrote")
    with _opened(file) as segment:
        _check(segment)
        facts = segment.read(["provider", "journal", "appended_ns", "origin"]).to_pylist()
        with storing(archive, "importing"):
            archive.mkdir(parents=True, exist_ok=True)
            claim(archive, facts[0]["origin"])
            rows = groupby(range(len(facts)), key=lambda row: str(facts[row]["provider"]))
            return {
                provider: _add(
                    ProviderFolder(archive, provider), segment, {_identity(facts[row]): row for row in group}
                )
                for provider, group in rows
            }


def _add(folder: ProviderFolder, segment: Segment, offered: dict[Identity, int]) -> Imported:
    folder.create()
    with maintained(folder):
        with take_snapshot(folder) as snapshot:
            here = set(map(_identity, snapshot.index().select(["journal", "appended_ns"]).to_pylist()))
        new = [row for identity, row in offered.items() if identity not in here]
        if new:
            write_segment(folder, map(segment.record, new), [])
        return Imported(len(new), len(offered) - len(new))


def _check(segment: Segment, written: str | None = None) -> None:
    """Read a whole file and raise DamagedArchive unless each record is what was written and agrees with itself."""
    try:
        with reading(segment.path):
            _compare(segment, written or segment.digest_of_records)
    except _Contradiction as error:
        raise _refused(segment.path, str(error)) from None
    except DamagedArchive as error:
        raise _refused(segment.path, "it is torn, or was not written by `utp archive export`") from error


def _compare(segment: Segment, digest: str | None) -> None:
    origins = segment.read(["origin"])["origin"].unique().to_pylist()
    kinds = {KINDS.get(origin) for origin in origins}
    if digest is None or len(kinds) != 1 or None in kinds:
        raise _Contradiction("it is no export, or holds answers of two kinds")
    if digest_of(_agreeing(segment, kinds.pop())) != digest:
        raise _Contradiction("its answers are not those that were written")


def _agreeing(segment: Segment, kind: str | None) -> Iterator[Record]:
    seen: set[Identity] = set()
    providers: list[str] = []
    for record in segment.records():
        provider, identity = record["provider"], _identity(record)
        if not providers or providers[-1] != provider:
            providers.append(provider)
        is_placed = PROVIDER.fullmatch(provider) and providers.count(provider) == 1 and identity not in seen
        if not is_placed or any(of_record(provider, record, kind)):
            raise _Contradiction(f"its answer to request {record['request_id']} contradicts itself")
        seen.add(identity)
        yield record


def _identity(record: Record) -> Identity:
    return record["journal"], record["appended_ns"]


@contextmanager
def _opened(file: Path) -> Iterator[Segment]:
    segment = Segment(file)
    try:
        yield segment
    finally:
        segment.close()


def _refused(file: Path, cause: str) -> DamagedArchive:
    return DamagedArchive(
        f"{file}: {cause}; nothing was taken over: export anew (`utp archive verify` looks at where it comes from)"
    )
