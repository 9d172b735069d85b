"""The door to the archive: `<home>/raw`.

What reads takes one moment of the archive, so answers that are appended meanwhile are in the next reading. All methods
raise ArchiveFailed where the storage fails and, where they read, DamagedArchive: they never pass over what is damaged.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pyarrow.compute as pc

from sources.protocol.types import Answer
from sources.transport.archive import maintenance
from sources.transport.archive.errors import storing
from sources.transport.archive.exporting import Imported, export, import_
from sources.transport.archive.folder import PROVIDER, ProviderFolder
from sources.transport.archive.journal import AnswerWriter
from sources.transport.archive.known import KnownAnswers
from sources.transport.archive.maintenance import Ends, Expiry
from sources.transport.archive.origins import kind_of
from sources.transport.archive.records import WITHOUT_BODY, to_answer
from sources.transport.archive.snapshot import answering, latest, of_endpoint, take_snapshot
from sources.transport.archive.stats import Stats, stats
from sources.transport.archive.verify import Problem, verify

Moment = tuple[str, datetime, str]


class Archive:
    """All answers of a home, by provider. Safe to use from any number of processes and threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def kind(self) -> str | None:
        """`live` (captures among them) or `sandbox`; None before the first answer."""
        return kind_of(self.folder)

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in the folder, or there is none. Raises ArchiveFailed for a folder that is none."""
        with storing(self.folder, "reading"):
            return not self.folder.exists() or next(self.folder.iterdir(), None) is None

    def providers(self) -> list[str]:
        """Return the ids of all providers that have a folder, sorted."""
        if self.is_empty:
            return []
        with storing(self.folder, "reading"):
            names = [path.name for path in self.folder.iterdir() if path.is_dir()]
            return sorted(name for name in names if PROVIDER.fullmatch(name))

    def writer(self, provider: str) -> AnswerWriter:
        """Open a journal to append answers to; a context manager. One for each process; threads may share it."""
        return AnswerWriter(self._of(provider))

    def answers(self, provider: str, endpoint: str | None = None) -> Iterator[Answer]:
        """Yield the latest answer to each request, with its body, in order of request id; robots.txt only when named.

        The latest is the one fetched last and, among those fetched at the same moment, appended last, whatever its
        status: a failure hides an earlier success, as the world is now. The body is None where it has expired. Bodies
        are read in passing: memory holds a few MB for each file, not the archive.
        """
        with take_snapshot(self._of(provider)) as snapshot:
            rows = latest(snapshot.index(["endpoint"]))
            wanted = answering(rows) if endpoint is None else of_endpoint(rows, endpoint)
            yield from map(to_answer, snapshot.records(wanted))

    def latest(self, provider: str) -> Mapping[str, Answer]:
        """Return the latest answer to each request by request id, none with its body, expired or not; no robots.txt."""
        with take_snapshot(self._of(provider)) as snapshot:
            rows = answering(latest(snapshot.index(WITHOUT_BODY)))
        return {record["request_id"]: to_answer(record) for record in rows.to_pylist()}

    def expired(self, provider: str) -> int:
        """Return how many requests have a latest answer whose body had to be dropped."""
        with take_snapshot(self._of(provider)) as snapshot:
            return int(pc.sum(answering(latest(snapshot.index(["endpoint", "is_expired"])))["is_expired"]).as_py() or 0)

    def known(self, provider: str) -> KnownAnswers:
        """Return what is archived at this moment, as `requests(region, known)` takes it."""
        return KnownAnswers(take_snapshot(self._of(provider)))

    def content_hash(self, provider: str) -> str:
        """Return a SHA-256 over what the latest answers say and what they are about.

        That is request, scope, subject, status, media type, body, expired or not. When they were fetched, with which
        headers, and in which files they stand does not count, nor does robots.txt.
        """
        columns = ["scope", "subject", "status", "media_type", "body_sha256", "is_expired"]
        with take_snapshot(self._of(provider)) as snapshot:
            rows = answering(latest(snapshot.index(["endpoint", *columns]))).select(["request_id", *columns])
        digest = hashlib.sha256()
        for batch in rows.to_batches(max_chunksize=10_000):
            for row in zip(*batch.to_pydict().values(), strict=True):
                digest.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        return digest.hexdigest()

    def seal(self) -> int:
        """Turn the journals of closed or dead writers into segments; return the number of answers sealed."""
        return sum(maintenance.seal(self._of(provider)) for provider in self.providers())

    def compact(self) -> int:
        """Seal, and merge the segments of each provider into one; return how many segments were merged.

        Every answer is kept, earlier ones to the same request too.
        """
        return sum(maintenance.compact(self._of(provider)) for provider in self.providers())

    def expire(self, provider: str, ends: Ends, now: datetime, *, is_dry: bool = False) -> Expiry:
        """Drop the body of each answer whose end has come, and keep all else; where `is_dry`, only count them.

        `ends` says of a time of fetching when the body must be gone, None for never.
        """
        return maintenance.expire(self._of(provider), ends, now, is_dry=is_dry)

    def moments(self, provider: str) -> frozenset[Moment]:
        """Return by what each archived answer, earlier ones too, can be recognised: request, time, hash of the body."""
        columns = ["request_id", "fetched_at", "body_sha256"]
        with take_snapshot(self._of(provider)) as snapshot:
            index = snapshot.index(columns)
        return frozenset(zip(*(index[name].to_pylist() for name in columns), strict=True))

    def export_to(self, file: Path, providers: Sequence[str] | None = None) -> dict[str, int]:
        """Write all answers of providers (of all, where none is named) into one new file; return their numbers."""
        return export(self.folder, file, self.providers() if providers is None else providers)

    def import_from(self, file: Path) -> dict[str, Imported]:
        """Add the answers of an exported file that are not here yet; return what came of it by provider."""
        return import_(self.folder, file)

    def verify(self) -> list[Problem]:
        """Read everything back and return all that is wrong; changes nothing."""
        return [] if self.is_empty else verify(self.folder)

    def stats(self) -> dict[str, Stats]:
        """Return the numbers of each provider."""
        return {provider: stats(self._of(provider)) for provider in self.providers()}

    def _of(self, provider: str) -> ProviderFolder:
        return ProviderFolder(self.folder, provider)
