"""Trains between stations as the app of ConfirmTkt gets them: an object for each, with a field for each weekday."""

from collections.abc import Iterator

from sources.tripozo.days import MONDAY_FIRST
from sources.tripozo.layouts.layout import Layout
from sources.tripozo.page import Page
from sources.tripozo.raw import RawTrain
from sources.tripozo.records import Found, Record, each, text, texts

_LIST = "trainBtwnStnsList"
_WEEKDAYS = tuple(f"running{day}" for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
_FIELDS = (
    "trainNumber", "trainName", "fromStnCode", "toStnCode", "departureTime", "arrivalTime", "duration", "distance",
    "avlClasses", *_WEEKDAYS,
)  # fmt: skip


def _knows(page: Page) -> bool:
    return isinstance(page.document, dict) and _LIST in page.document


def _read(page: Page) -> Iterator[Found]:
    yield from each(page.document[_LIST], _LIST, _FIELDS, "train_stops", _train)


def _train(record: Record, where: str) -> RawTrain:
    flags = [text(record, day) for day in _WEEKDAYS]
    classes = record.get("avlClasses")
    # A list, or an object around it.
    listed = classes if isinstance(classes, dict) else {"Array": classes}
    return RawTrain(
        where=where,
        number=text(record, "trainNumber"),
        name=text(record, "trainName"),
        type=None,
        origin_code=text(record, "fromStnCode"),
        origin_name=None,
        destination_code=text(record, "toStnCode"),
        destination_name=None,
        departs=text(record, "departureTime"),
        arrives=text(record, "arrivalTime"),
        arrival_day=None,
        duration=text(record, "duration"),
        distance=text(record, "distance"),
        days=None if None in flags else "".join(flag or "-" for flag in flags),
        first_day=MONDAY_FIRST,
        classes=texts(listed, "Array"),
    )


LAYOUT = Layout("trains", _knows, _read)
