"""What a readable question is answered with: a JSON document, whole or aborted, or nothing where it is too much."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Any
from zlib import crc32

import numpy as np

from sources.sandbox.osm.elements import Element
from sources.sandbox.osm.pages import NOTICE
from sources.sandbox.osm.query import Query, Selection

# The largest cities as a whole have more than the second. A box of a sixteenth of a degree in their middle has fewer
# than the first (up to 183 in the worlds of India of the first three seeds), so that splitting comes to an end.
MOST_ELEMENTS = 250
BUSY_FROM_ELEMENTS = 400
_GENERATOR = "Overpass API 0.7.62.1 sandbox"


class Answers:
    """The elements of a world, ready to be asked. Answers depend on the question alone, never on the time."""

    def __init__(self, elements: Sequence[Element], seed: int, as_of: date) -> None:
        self._elements = elements
        self._seed = seed
        self._timestamp = f"{as_of.isoformat()}T00:00:00Z"
        columns = [(element.latitude, element.longitude, element.reach) for element in elements]
        self._latitude, self._longitude, self._reach = np.array(columns).reshape(-1, 3).T

    def answer(self, query: Query) -> str | None:
        """Return the document for a query; None when the server is too busy for so much."""
        places = sorted({place for selection in query.selections for place in self._found(selection)})
        found = [_written(self._elements[place]) for place in places]
        if len(found) >= BUSY_FROM_ELEMENTS:
            return None
        if len(found) > MOST_ELEMENTS:
            return self._aborted(query, found)
        return self._document(found)

    def _found(self, selection: Selection) -> list[int]:
        box, reach = selection.box, self._reach
        # A way or relation belongs to every box that it touches, so neighbouring boxes may both hold it.
        is_inside = (self._latitude + reach >= box.south) & (self._latitude - reach <= box.north)
        is_inside &= (self._longitude + reach >= box.west) & (self._longitude - reach <= box.east)
        return [
            place
            for place in np.flatnonzero(is_inside).tolist()
            if self._elements[place].kind in selection.kinds
            and all(demand.holds(self._elements[place].tags) for demand in selection.filters)
        ]

    def _aborted(self, query: Query, found: list[dict[str, Any]]) -> str:
        """Return one of the three shapes of an aborted answer, always the same for a query."""
        late = f'runtime error: Query timed out in "query" at line {query.line} after {query.timeout_s} seconds.'
        full = "runtime error: Query run out of memory using about 2048 MB of RAM."
        boxes = ";".join(str(selection.box) for selection in query.selections)
        shapes: tuple[tuple[str, list[dict[str, Any]]], ...] = (
            (late, []),
            (late, found[: len(found) // 2]),
            (full, []),
        )
        remark, elements = shapes[crc32(f"{self._seed}:{boxes}".encode()) % len(shapes)]
        return self._document(elements, remark=remark)

    def _document(self, elements: list[dict[str, Any]], **last: str) -> str:
        document = {
            "version": 0.6,
            "generator": _GENERATOR,
            "osm3s": {"timestamp_osm_base": self._timestamp, "copyright": NOTICE},
            "elements": elements,
            **last,
        }
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _written(element: Element) -> dict[str, Any]:
    point = {"lat": element.latitude, "lon": element.longitude}
    where: dict[str, Any] = point if element.kind == "node" else {"center": point}
    return {"type": element.kind, "id": element.id, **where, "tags": element.tags}
