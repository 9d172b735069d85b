"""Trains between stations as erail.in sends them: one text, with signs between its parts; or a sentence instead.

Where its flags of days begin is inferred: with Monday. Clients disagree.
"""

from collections.abc import Iterator

from sources.protocol.types import Refusal
from sources.tripozo.days import MONDAY_FIRST
from sources.tripozo.layouts.layout import Layout
from sources.tripozo.page import Page
from sources.tripozo.raw import RawTrain
from sources.tripozo.records import Found, as_text
from sources.tripozo.unfit import UnfitError

_RECORD, _FIELD, _SECTION = "~^", "~", "~" * 8
_NO_TRAINS = "No direct trains found"
_NOT_NOW = "Please try again after some time"
_NO_STATION = "station not found"
_FIELDS = 14


def _knows(page: Page) -> bool:
    return page.root is None and page.document is None and (page.text.lstrip().startswith(_FIELD) or _is_sentence(page))


def _is_sentence(page: Page) -> bool:
    return any(words in page.text[:500] for words in (_NO_TRAINS, _NOT_NOW, _NO_STATION))


def _read(page: Page) -> Iterator[Found]:
    if _NOT_NOW in page.text[:500]:
        yield Refusal("try_again", "the site asks to come back after some time", is_retryable=True, table="train_stops")
    elif _NO_STATION in page.text[:500]:
        yield Refusal("unknown_station", "the site does not know a station by this code", table="train_stops")
    elif _NO_TRAINS not in page.text[:500]:
        for number, record in enumerate(page.text.split(_RECORD)[1:]):
            where = f"train[{number}]"
            try:
                yield _train(record.split(_SECTION)[0].split(_FIELD), where)
            except UnfitError as error:
                yield error.refusal("train_stops", where)


def _train(fields: list[str], where: str) -> RawTrain:
    if len(fields) < _FIELDS:
        raise UnfitError("too_few_fields", f"the record has {len(fields)} of {_FIELDS} fields")
    written = [as_text(field, "") for field in fields]
    return RawTrain(
        where=where,
        number=written[0],
        name=written[1],
        type=None,
        # Before these stand the ends of the whole run.
        origin_name=written[6],
        origin_code=written[7],
        destination_name=written[8],
        destination_code=written[9],
        departs=written[10],
        arrives=written[11],
        arrival_day=None,
        duration=written[12],
        distance=None,
        days=written[13],
        first_day=MONDAY_FIRST,
        classes=(),
    )


LAYOUT = Layout("trains", _knows, _read)
