"""Reading everything back: is each byte the one that was written, and does each answer agree with itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sources.protocol.types import Request
from sources.transport.archive.errors import DamagedArchive
from sources.transport.archive.folder import DRAFT, JOURNAL, LOCK, MAINTENANCE, PROVIDER, SEGMENT, ProviderFolder
from sources.transport.archive.journal import Journal
from sources.transport.archive.origins import FILE, KINDS, kind_of
from sources.transport.archive.records import Record, to_answer
from sources.transport.archive.segments import Segment
from sources.transport.archive.snapshot import Part, Snapshot, open_files, replaced


class Problem(NamedTuple):
    """Something wrong: the file below the archive, a code, and what it is in words.

    Codes: `damaged`, `changed_bytes` (a segment is not what its name says), `torn_tail` (an answer that was in flight
    at a kill; the next seal removes it), `wrong_request_id`, `wrong_provider`, `wrong_origin`, `twice` (one appended
    answer in two places), `foreign_file`.
    """

    file: str
    code: str
    message: str


def verify(archive: Path) -> list[Problem]:
    """Read a whole archive back and return all that is wrong, in the order of the files; nothing is changed."""
    problems = []
    try:
        kind = kind_of(archive)
    except DamagedArchive as error:
        kind = None
        problems.append(Problem(FILE, "damaged", str(error)))
    for path in sorted(archive.iterdir()):
        if path.is_dir() and PROVIDER.fullmatch(path.name):
            problems += _of_provider(ProviderFolder(archive, path.name), kind)
        elif path.name != FILE and not path.name.startswith(DRAFT):
            problems.append(_foreign(path.name))
    return problems


def _of_provider(folder: ProviderFolder, kind: str | None) -> Iterator[Problem]:
    for path in sorted(folder.path.iterdir()):
        is_ours = path.name in (LOCK, MAINTENANCE) or JOURNAL.fullmatch(path.name) or SEGMENT.fullmatch(path.name)
        if not is_ours and not path.name.startswith(DRAFT):
            yield _foreign(f"{folder.provider}/{path.name}")
    segments, journals = open_files(folder)
    with Snapshot([*segments, *journals]):
        sound = []
        for segment in segments:
            problem = _of_bytes(folder, segment)
            if problem:
                yield problem
            else:
                sound.append(segment)
        old = replaced(sound)
        seen: set[tuple[str, int]] = set()
        parts: list[Part] = [*sound, *journals]
        for part in parts:
            if part.name not in old:
                yield from _of_part(folder, part, kind, seen)


def _of_bytes(folder: ProviderFolder, segment: Segment) -> Problem | None:
    file = f"{folder.provider}/{segment.name}"
    try:
        if f"-{segment.digest()}-{segment.footer_digest()}." not in segment.name:
            return Problem(file, "changed_bytes", "its bytes have other digests than its name tells")
        replaced([segment])
    except DamagedArchive as error:
        return Problem(file, "damaged", str(error))
    return None


def _of_part(folder: ProviderFolder, part: Part, kind: str | None, seen: set[tuple[str, int]]) -> Iterator[Problem]:
    file = f"{folder.provider}/{part.name}"
    try:
        for row in range(part.count):
            record = part.record(row)
            where = f"answer to request {record['request_id']}, fetched at {record['fetched_at']}"
            yield from (
                Problem(file, code, f"{where}: {message}") for code, message in of_record(folder.provider, record, kind)
            )
            identity = record["journal"], record["appended_ns"]
            if identity in seen:
                yield Problem(file, "twice", f"{where}: stands in another file, or twice in this one")
            seen.add(identity)
        # A living writer's last record may be on its way.
        if isinstance(part, Journal) and part.torn_bytes and part.take() and part.torn_bytes:
            yield Problem(file, "torn_tail", f"{part.torn_bytes} bytes of an answer that never came to be archived")
    except DamagedArchive as error:
        yield Problem(file, "damaged", str(error))


def of_record(provider: str, record: Record, kind: str | None) -> Iterator[tuple[str, str]]:
    """Yield code and message of all in which a record contradicts itself or its place."""
    answer = to_answer(record)
    request = Request(answer.provider, answer.endpoint, answer.scope, answer.params)
    if request.id != answer.request_id:
        yield "wrong_request_id", f"its provider, endpoint and params give {request.id}"
    if answer.provider != provider:
        yield "wrong_provider", f"is of {answer.provider!r}"
    if KINDS.get(answer.origin) != kind:
        yield "wrong_origin", f"is of origin {answer.origin!r} in an archive of {kind or 'no stated'} kind"


def _foreign(file: str) -> Problem:
    return Problem(file, "foreign_file", "is no file of the archive, and no reader looks at it; move it away")
