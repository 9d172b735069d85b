"""Buses of a search as JSON. Constructed: no such page of Tripozo is public, and this proves nothing of it."""

from collections.abc import Iterator

from sources.tripozo.layouts.layout import Layout
from sources.tripozo.page import Page
from sources.tripozo.raw import RawBus
from sources.tripozo.records import Found, Record, each, inner, text, texts
from sources.tripozo.unfit import UnfitError

_FIELDS = (
    "operator", "busType", "dep", "arr", "arrDay", "duration", "fare", "seatFares", "boarding", "dropping", "rating",
    "seats",
)  # fmt: skip


def _knows(page: Page) -> bool:
    return isinstance(page.document, dict) and "buses" in page.document


def _read(page: Page) -> Iterator[Found]:
    try:
        query = inner(page.document, "query")
        origin, destination = text(query, "from"), text(query, "to")
    except UnfitError as error:
        yield error.refusal("buses", "query")
        return
    yield from each(
        page.document["buses"],
        "buses",
        _FIELDS,
        "buses",
        lambda record, where: _bus(record, where, origin, destination),
    )


def _bus(record: Record, where: str, origin: str | None, destination: str | None) -> RawBus:
    return RawBus(
        where=where,
        operator=text(record, "operator"),
        type=text(record, "busType"),
        origin=origin,
        destination=destination,
        departs=text(record, "dep"),
        arrives=text(record, "arr"),
        arrival_day=text(record, "arrDay"),
        fares=(*texts(record, "fare"), *texts(record, "seatFares")),
        rating=text(record, "rating"),
    )


LAYOUT = Layout("buses", _knows, _read)
