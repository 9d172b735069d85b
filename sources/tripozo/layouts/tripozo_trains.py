"""Trains of a search as JSON. Constructed: no such page of Tripozo is public, and this proves nothing of it.

Which weekday its flags begin with is unknown, so that only named days count.
"""

from collections.abc import Iterator

from sources.tripozo.layouts.layout import Layout
from sources.tripozo.page import Page
from sources.tripozo.raw import RawTrain
from sources.tripozo.records import Found, Record, each, text, texts

_FIELDS = (
    "trainNo", "trainName", "trainType", "srcCode", "src", "dstCode", "dst", "dep", "arr", "arrDay", "duration",
    "runsOn", "classes", "fares",
)  # fmt: skip


def _knows(page: Page) -> bool:
    return isinstance(page.document, dict) and "trains" in page.document


def _read(page: Page) -> Iterator[Found]:
    yield from each(page.document["trains"], "trains", _FIELDS, "train_stops", _train)


def _train(record: Record, where: str) -> RawTrain:
    return RawTrain(
        where=where,
        number=text(record, "trainNo"),
        name=text(record, "trainName"),
        type=text(record, "trainType"),
        origin_code=text(record, "srcCode"),
        origin_name=text(record, "src"),
        destination_code=text(record, "dstCode"),
        destination_name=text(record, "dst"),
        departs=text(record, "dep"),
        arrives=text(record, "arr"),
        arrival_day=text(record, "arrDay"),
        duration=text(record, "duration"),
        distance=None,
        days=", ".join(texts(record, "runsOn")),
        first_day=None,
        classes=texts(record, "classes"),
    )


LAYOUT = Layout("trains", _knows, _read)
