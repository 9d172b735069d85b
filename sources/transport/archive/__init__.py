"""Answers exactly as they came, kept so that no kill, full disk or second process loses or tears one.

`Archive` is the door; everything else here is behind it. What an answer means is not known here, only that it came.
Layout of the folder (`raw/` of a home):

    ORIGIN                              `live` or `sandbox`: the one kind of answers that this home holds
    <provider>/<writer>.journal         answers of one writer in the order of appending, each forced to disk
    <provider>/<n>-<digests>.parquet    a segment: sealed answers by request id, with digests of its bytes
    <provider>/.draft-*                 a segment in the making, or what a kill left; the next maintenance removes it
    <provider>/.lock, .maintenance      locks of the kernel: for listing and renaming, and for one maintenance at a time

A segment names the files that it replaces. It appears by one rename and they are removed after it, so a kill between
leaves both; whoever reads leaves out the replaced ones. Every answer is kept: a later one to the same request does not
remove an earlier one, compaction neither, only `expire` takes bodies away.
"""

from sources.transport.archive.archive import Archive
from sources.transport.archive.errors import ArchiveError, ArchiveFailed, DamagedArchive, OriginError, UnfitAnswer
from sources.transport.archive.exporting import Imported
from sources.transport.archive.journal import AnswerWriter
from sources.transport.archive.maintenance import Ends, Expiry
from sources.transport.archive.records import ROBOTS
from sources.transport.archive.stats import Stats
from sources.transport.archive.verify import Problem

__all__ = [
    "ROBOTS",
    "AnswerWriter",
    "Archive",
    "ArchiveError",
    "ArchiveFailed",
    "DamagedArchive",
    "Ends",
    "Expiry",
    "Imported",
    "OriginError",
    "Problem",
    "Stats",
    "UnfitAnswer",
]
