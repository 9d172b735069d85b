"""Events as schema.org writes them (JSON-LD) as columns of text: a record is an event, its rows are its local days.

Which objects are events, which days they take, where they are and of which kind is read as it is on the pages of a
provider of events. People are never looked at.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from sources.district.jsonld import (
    ANY_DAY,
    Event,
    UnfitError,
    days_of,
    events_in,
    name_of,
    place_of,
    reason_to_drop,
    segment_of,
    text_of,
)
from sources.tables.readers.documents import read_document
from sources.tables.readers.records import Fault, Records, read_records

COLUMNS = ("name", "url", "day", "venue", "street", "city", "state", "segment")


class _Row(NamedTuple):
    number: int
    slot: int
    cells: tuple[str | None, ...]


def read_events(data: bytes) -> Records:
    """Read the events of a JSON document, a list or one object; raises ReadError where it is none.

    `url` is the address of the event or, without one, that of the page that it is the same as; `city` and `state` are
    as the postal address has them, `segment` is a token of `event_segments`; any of them is null where it is not told.
    An event that is cancelled, postponed, online, abroad or open on any day is a fault, as is an object without events.
    """
    document = read_document(data)
    items = document if isinstance(document, list) else [document]
    rows: list[_Row] = []
    faults: list[Fault] = []
    for number, event in enumerate(_events(items), 1):
        found = _read(number, event)
        if isinstance(found, Fault):
            faults.append(found)
        else:
            rows += found
    columns = {name: pa.array([row.cells[place] for row in rows], pa.string()) for place, name in enumerate(COLUMNS)}
    numbers = np.array([row.number for row in rows], np.int64)
    slots = np.array([row.slot for row in rows], np.int64)
    return read_records(columns, numbers, faults)._replace(slots=slots)


def _events(items: list[Any]) -> Iterator[Event | None]:
    """Yield the events, and None for an item that holds none."""
    for item in items:
        found = list(events_in(item))
        yield from found if found else (None,)


def _read(number: int, event: Event | None) -> list[_Row] | Fault:
    if event is None:
        return Fault(number, "no_event", "the record is no event of schema.org")
    try:
        reason = reason_to_drop(event)
        name, days = name_of(event), days_of(event)
    except UnfitError as error:
        return Fault(number, error.code, error.message, text_of(event.get(error.field)))
    if reason or not days:
        return Fault(number, "left_out", reason or ANY_DAY, name)
    place = place_of(event)
    url = text_of(event.get("url")) or text_of(event.get("sameAs"))
    told = place.venue, place.street, place.city, place.state, segment_of(event)
    return [_Row(number, slot, (name, url, day.isoformat(), *told)) for slot, day in enumerate(days, 1)]
