"""The timetable of one train as etrain.info shows it: `/train/{number}/schedule`."""

import re
from collections.abc import Iterator

from sources.protocol.types import Refusal
from sources.tripozo.layouts.layout import Layout
from sources.tripozo.markup import Element
from sources.tripozo.page import Page
from sources.tripozo.raw import RawStop, RawTimetable
from sources.tripozo.records import Found

_TITLE = re.compile(r"(.*)\(([0-9]{1,6})\) Train Schedule")


def _table(page: Page) -> Element | None:
    """Return the table of stops: the part of the page with its id, which lists of trains do not have."""
    if page.root is None:
        return None
    return next((one for one in page.root.walk() if one.attributes.get("id") == "sublowerdata"), None)


def _read(page: Page) -> Iterator[Found]:
    table = _table(page)
    assert table is not None
    assert page.root is not None
    titles = page.root.tags("title")
    title = _TITLE.fullmatch(titles[0].text()) if titles else None
    if title is None:
        yield Refusal("no_title", "the title of the page does not name the train", "title", table="train_stops")
        return
    lines = [line for line in table.tags("tr") if line.all("fixwelps")]
    stops = tuple(_stop(line, f"stop[{number}]") for number, line in enumerate(lines))
    yield RawTimetable("", title[2], title[1], stops)


def _stop(line: Element, where: str) -> RawStop:
    labels = [one.text() for one in line.all("pdl5")]
    times = [one.text() for one in line.all("pd5")]
    distances = [one.text() for one in line.all("fixw70")]
    names = [one.text() for one in line.all("fixwelps")]
    return RawStop(
        where=where,
        number=_nth(labels, 0),
        code=_nth(labels, 1),
        name=_nth(names, 0),
        arrives=_nth(times, 0),
        departs=_nth(times, 1),
        distance=_nth(distances, 0),
    )


def _nth(texts: list[str], place: int) -> str | None:
    return texts[place] if place < len(texts) else None


LAYOUT = Layout("train", lambda page: _table(page) is not None, _read)
