"""Trains between stations as etrain.info shows them: a line with JSON in `data-train` for each, and links for classes.

`s` and `d` are where one gets on and off, which may be near the stations that were asked for.
"""

import json
from collections.abc import Iterator

from sources.tripozo.days import SUNDAY_FIRST
from sources.tripozo.layouts.layout import Layout
from sources.tripozo.markup import Element
from sources.tripozo.page import Page
from sources.tripozo.raw import RawTrain
from sources.tripozo.records import Found, Record, each, text

_FIELDS = ("typ", "num", "name", "s", "st", "d", "dt", "tt", "dy", "book", "arp")


def _knows(page: Page) -> bool:
    return page.root is not None and any("trainlist" in one.classes for one in page.root.walk())


def _read(page: Page) -> Iterator[Found]:
    assert page.root is not None
    lines = [one for one in page.root.tags("tr") if "data-train" in one.attributes]
    members: list[object] = []
    for line in lines:
        try:
            members.append(json.loads(line.attributes["data-train"]))
        except (ValueError, RecursionError):
            members.append(None)
    classes = {f"train[{number}]": _classes(line) for number, line in enumerate(lines)}
    yield from each(members, "train", _FIELDS, "train_stops", lambda record, where: _train(record, where, classes))


def _classes(line: Element) -> tuple[str, ...]:
    return tuple(one.text() for one in line.all("cavlink"))


def _train(record: Record, where: str, classes: dict[str, tuple[str, ...]]) -> RawTrain:
    return RawTrain(
        where=where,
        number=text(record, "num"),
        name=text(record, "name"),
        type=text(record, "typ"),
        origin_code=text(record, "s"),
        origin_name=None,
        destination_code=text(record, "d"),
        destination_name=None,
        departs=text(record, "st"),
        arrives=text(record, "dt"),
        arrival_day=None,
        duration=text(record, "tt"),
        distance=None,
        days=text(record, "dy"),
        # Of the station where one gets on, as one train has shown that stands in other timetables too.
        first_day=SUNDAY_FIRST,
        classes=classes[where],
    )


LAYOUT = Layout("trains", _knows, _read)
