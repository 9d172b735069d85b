"""The door to the archive: `<home>/raw`.

What reads takes one moment of the archive, so answers that are appended meanwhile are in the next reading. All methods
raise ArchiveFailed where the storage fails and, where they read, DamagedArchive: they never pass over what is damaged.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from sources.protocol.types import Answer, Known
from sources.transport.archive import maintenance
from sources.transport.archive.errors import storing
from sources.transport.archive.folder import PROVIDER, ProviderFolder
from sources.transport.archive.journal import AnswerWriter
from sources.transport.archive.known import KnownAnswers
from sources.transport.archive.maintenance import Expiry
from sources.transport.archive.origins import kind_of
from sources.transport.archive.records import WITHOUT_BODY, to_answer
from sources.transport.archive.snapshot import latest, of_endpoint, take_snapshot
from sources.transport.archive.stats import Stats, stats
from sources.transport.archive.verify import Problem, verify


class Archive:
    """All answers of a home, by provider. Safe to use from any number of processes and threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def kind(self) -> str | None:
        """`live` (captures among them) or `sandbox`; None before the first answer."""
        return kind_of(self.folder)

    def providers(self) -> list[str]:
        """Return the ids of all providers that have a folder, sorted."""
        with storing(self.folder, "reading"):
            if not self.folder.is_dir():
                return []
            names = [path.name for path in self.folder.iterdir() if path.is_dir()]
            return sorted(name for name in names if PROVIDER.fullmatch(name))

    def writer(self, provider: str) -> AnswerWriter:
        """Open a journal to append answers to; a context manager. One for each process; threads may share it."""
        return AnswerWriter(self._of(provider))

    def answers(self, provider: str, endpoint: str | None = None) -> Iterator[Answer]:
        """Yield the latest answer to each request, with its body, in order of request id.

        The latest is the one fetched last and, among those fetched at the same moment, appended last, whatever its
        status: a failure hides an earlier success, as the world is now. The body is None where it has expired. Bodies
        are read in passing: memory holds a few MB for each file, not the archive.
        """
        with take_snapshot(self._of(provider)) as snapshot:
            rows = latest(snapshot.index(["endpoint"]))
            yield from map(to_answer, snapshot.records(rows if endpoint is None else of_endpoint(rows, endpoint)))

    def latest(self, provider: str) -> Mapping[str, Answer]:
        """Return the latest answer to each request by request id, none of them with its body, expired or not."""
        with take_snapshot(self._of(provider)) as snapshot:
            rows = latest(snapshot.index(WITHOUT_BODY))
        return {record["request_id"]: to_answer(record) for record in rows.to_pylist()}

    def known(self, provider: str) -> Known:
        """Return what is archived at this moment, as `requests(region, known)` takes it."""
        return KnownAnswers(take_snapshot(self._of(provider)))

    def content_hash(self, provider: str) -> str:
        """Return a SHA-256 over what the latest answers say: request, scope, status, media type, body, expired or not.

        When they were fetched, with which headers, and in which files they stand does not count.
        """
        columns = ["scope", "status", "media_type", "body_sha256", "is_expired"]
        with take_snapshot(self._of(provider)) as snapshot:
            rows = latest(snapshot.index(columns)).select(["request_id", *columns])
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

    def expire(self, provider: str, days: int, now: datetime) -> Expiry:
        """Drop the bodies of all answers that were fetched `days` days before `now` or longer, and keep all else."""
        return maintenance.expire(self._of(provider), days, now)

    def verify(self) -> list[Problem]:
        """Read everything back and return all that is wrong; changes nothing."""
        return verify(self.folder)

    def stats(self) -> dict[str, Stats]:
        """Return the numbers of each provider."""
        return {provider: stats(self._of(provider)) for provider in self.providers()}

    def _of(self, provider: str) -> ProviderFolder:
        return ProviderFolder(self.folder, provider)
