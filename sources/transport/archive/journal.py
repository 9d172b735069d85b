"""Journals: where an answer is safe before its caller sees it.

A journal belongs to one writer, which holds its lock as long as it lives; after that nobody ever appends to it again.
It begins with a magic, a random key and a check of the two, then come records:

    mark (8 bytes of the key), length (4), keyed BLAKE2b over length and payload (16), payload
    payload: length of the head (4), head (all of the answer but its body, as JSON), body

A record without a payload closes the journal. As mark and check depend on the key, nothing that a provider sends can
look like a record. A last record that is not whole is an answer that was in flight when its writer died: readers stop
before it and sealing drops it. One that has a whole one behind it is damage, and never passed over.
"""

import contextlib
import fcntl
import hashlib
import mmap
import os
import secrets
import struct
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import pyarrow as pa

from sources.protocol.types import Answer
from sources.transport.archive.errors import ArchiveFailed, UnfitAnswer, damaged, reading, storing
from sources.transport.archive.folder import ProviderFolder, sync_folder
from sources.transport.archive.origins import claim
from sources.transport.archive.records import BODILESS, Record, checked, decode, encode, to_record

MAGIC = b"UTPJOURNAL1\n"
_KEY, _MARK, _CHECK = 16, 8, 16
HEADER = len(MAGIC) + _KEY + _CHECK
_LENGTH = struct.Struct(">I")
_PREFIX = _MARK + _LENGTH.size + _CHECK


class AnswerWriter:
    """Appends answers of one provider to a journal of its own. Threads may share one; processes may not."""

    def __init__(self, folder: ProviderFolder) -> None:
        self._folder = folder
        self._name = f"{time.time_ns():020}-{os.getpid()}-{secrets.token_hex(4)}.journal"
        self._path = folder.path / self._name
        self._key = secrets.token_bytes(_KEY)
        self._owner = os.getpid()
        self._turn = threading.Lock()
        self._last_ns = 0
        self._is_whole = True
        with storing(self._path, "creating a journal"):
            folder.create()
            # Under the folder's lock nobody sees the journal before it is locked, and so takes it for a dead one's.
            with folder.locked():
                self._file = self._path.open("xb", buffering=0)
                fcntl.flock(self._file, fcntl.LOCK_EX)
                self._write(MAGIC + self._key + _check(self._key, MAGIC))
                os.fsync(self._file.fileno())
                sync_folder(folder.path)

    def append(self, answer: Answer) -> None:
        """Archive an answer; when this returns, it is on disk and every reader sees it.

        Raises UnfitAnswer and OriginError before anything is written, ArchiveFailed when the storage fails: then the
        answer is not archived, all earlier ones are, and this writer takes no more.
        """
        if answer.provider != self._folder.provider:
            raise UnfitAnswer(f"answer of {answer.provider!r} for the archive of {self._folder.provider!r}")
        with self._turn:
            if self._file.closed or not self._is_whole or os.getpid() != self._owner:
                raise ArchiveFailed(f"{self._path}: this writer is closed, failed or another process's; open a new one")
            appended_ns = max(time.time_ns(), self._last_ns + 1)
            record = to_record(answer, self._name, appended_ns)
            head = encode(record)
            claim(self._folder.archive, answer.origin)
            self._last_ns = appended_ns
            # Whatever interrupts from here on leaves a torn record, behind which nothing may be written.
            self._is_whole = False
            with storing(self._path, "appending an answer"):
                self._write(_framed(self._key, b"".join((_LENGTH.pack(len(head)), head, record["body"]))))
                os.fsync(self._file.fileno())
            self._is_whole = True

    def close(self) -> None:
        """End the journal, so that it can be sealed. Closing twice does nothing."""
        with self._turn:
            if self._file.closed:
                return
            if self._is_whole and os.getpid() == self._owner:
                # The end makes damage in the last record visible. All answers are safe without it.
                with contextlib.suppress(OSError):
                    self._write(_framed(self._key, b""))
            self._file.close()

    def __enter__(self) -> "AnswerWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]


class Journal:
    """A journal opened for reading, as it was at that moment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        self._file = path.open("rb", buffering=0)
        self._size = os.fstat(self._file.fileno()).st_size
        self._scanned: tuple[pa.Table, list[tuple[int, int]], int] | None = None

    def take(self) -> bool:
        """Lock the journal unless its writer lives; the lock is held until `close`."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        # The writer may have appended between the opening and its end.
        self._size = os.fstat(self._file.fileno()).st_size
        self._scanned = None
        return True

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return columns (not the body) of all whole records, in the order of appending. Raises DamagedArchive."""
        return self._scan()[0].select(columns)

    def record(self, row: int) -> Record:
        """Return one record with its body."""
        table, bodies, _ = self._scan()
        start, end = bodies[row]
        record: Record = table.slice(row, 1).to_pylist()[0]
        record["body"] = os.pread(self._file.fileno(), end - start, start)
        return checked(record, self.path)

    @property
    def torn_bytes(self) -> int:
        """Length of what stands behind the last whole record."""
        return self._scan()[2]

    @property
    def count(self) -> int:
        """Number of whole records."""
        return len(self._scan()[1])

    @property
    def file_bytes(self) -> int:
        return self._size

    def close(self) -> None:
        self._file.close()

    def _scan(self) -> tuple[pa.Table, list[tuple[int, int]], int]:
        if self._scanned is None:
            data: bytes | mmap.mmap = b""
            if self._size:
                with storing(self.path, "reading"):
                    data = mmap.mmap(self._file.fileno(), self._size, access=mmap.ACCESS_READ)
            scan = scan_journal(data, self.path)
            with reading(self.path):
                heads, bodies = [], []
                for start, end in scan.payloads:
                    (length,) = _LENGTH.unpack(data[start : start + _LENGTH.size])
                    body = start + _LENGTH.size + length
                    heads.append(decode(data[start + _LENGTH.size : body]))
                    bodies.append((body, end))
                self._scanned = pa.Table.from_pylist(heads, schema=BODILESS), bodies, len(data) - scan.whole
        return self._scanned


@dataclass(frozen=True)
class Scan:
    """Where the payloads of a journal stand, and how many of its bytes are whole records."""

    payloads: list[tuple[int, int]]
    whole: int


def scan_journal(data: bytes | mmap.mmap, path: Path) -> Scan:
    """Find the whole records of a journal. Raises DamagedArchive where something whole stands behind something torn."""
    size = len(data)
    key = data[len(MAGIC) : len(MAGIC) + _KEY]
    if data[:HEADER] != MAGIC + key + _check(key, MAGIC):
        # A header is on disk before the first record: without records, its writer died while creating it.
        if size <= HEADER:
            return Scan([], 0)
        raise damaged(path, "does not begin as a journal does")
    payloads = []
    at = HEADER
    while (end := _end_of_record(data, at, key)) is not None:
        if end > at + _PREFIX:
            payloads.append((at + _PREFIX, end))
        at = end
    behind = data.find(key[:_MARK], at + 1)
    while behind >= 0:
        if _end_of_record(data, behind, key) is not None:
            raise damaged(path, f"the record at byte {at} is damaged")
        behind = data.find(key[:_MARK], behind + 1)
    return Scan(payloads, at)


def _end_of_record(data: bytes | mmap.mmap, at: int, key: bytes) -> int | None:
    """Return where the record at a byte ends, None where no whole record stands there."""
    prefix = data[at : at + _PREFIX]
    if len(prefix) < _PREFIX or prefix[:_MARK] != key[:_MARK]:
        return None
    length = prefix[_MARK : _MARK + _LENGTH.size]
    end = at + _PREFIX + int(_LENGTH.unpack(length)[0])
    if end > len(data) or _check(key, length, data[at + _PREFIX : end]) != prefix[-_CHECK:]:
        return None
    return end


def _framed(key: bytes, payload: bytes) -> bytes:
    length = _LENGTH.pack(len(payload))
    return b"".join((key[:_MARK], length, _check(key, length, payload), payload))


def _check(key: bytes, *parts: bytes) -> bytes:
    check = hashlib.blake2b(key=key, digest_size=_CHECK)
    for part in parts:
        check.update(part)
    return check.digest()
