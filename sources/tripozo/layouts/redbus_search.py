"""Buses of a search as redBus answered it to clients: `inv` with full moments, whose days are not to be relied on."""

from collections.abc import Iterator

from sources.tripozo.layouts.layout import Layout
from sources.tripozo.page import Page
from sources.tripozo.raw import RawBus
from sources.tripozo.records import Found, Record, each, inner, text, texts

_FIELDS = ("Tvs", "bt", "dt", "at", "Duration", "dur", "minfr", "frLst", "nsa", "WnSt", "StdBp", "StdDp", "rt")


def _knows(page: Page) -> bool:
    return isinstance(page.document, dict) and "inv" in page.document


def _read(page: Page) -> Iterator[Found]:
    yield from each(page.document["inv"], "inv", _FIELDS, "buses", _bus)


def _bus(record: Record, where: str) -> RawBus:
    return RawBus(
        where=where,
        operator=text(record, "Tvs"),
        type=text(record, "bt"),
        origin=None,
        destination=None,
        departs=text(record, "dt"),
        arrives=text(record, "at"),
        arrival_day=None,
        fares=(*texts(record, "minfr"), *texts(record, "frLst")),
        rating=text(inner(record, "rt"), "totRt"),
    )


LAYOUT = Layout("buses", _knows, _read)
