"""Stops from a file of OpenStreetMap in XML (`.osm`, also `.gz` or `.bz2`), for whoever has an extract at hand.

The rows are those that Overpass would give for the same data. What the file lacks is not there: a way without its nodes
has no place on Earth and is left out by the reader, and a relation is read only where it is an area.
"""

import bz2
import gzip
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax import SAXException

from schemas.errors import UtpError
from sources.osm.elements import stops_of
from sources.osm.envelope import shown
from sources.osm.kinds import STOPS
from sources.protocol.types import Parsed, Refusal

_OPEN: Mapping[str, Any] = {".gz": gzip.open, ".bz2": bz2.open}
# What unpacking, the two XML readers and osmnx raise at a file that is not what they expect.
UNREADABLE = (
    AttributeError, EOFError, KeyError, OSError, TypeError, ValueError, ElementTree.ParseError, SAXException,
    zlib.error,
)  # fmt: skip
_ORDER = {"node": 0, "way": 1, "relation": 2}


class ExtractError(UtpError, ValueError):
    """A file that cannot be opened; the message names it and the cause."""


def stops_of_extract(path: Path) -> Iterator[Parsed]:
    """Yield the stops of an extract as rows of `transit_stops`; a file that is no whole extract is one refusal.

    The rows were observed on the day that the file names for its data, on no known day where it names none. Raises
    ExtractError where there is no file to read.
    """
    try:
        path.open("rb").close()
    except OSError as error:
        raise ExtractError(f"{path}: {error.strerror}; name an OSM XML file") from None
    try:
        day, elements = _day_of(path), _elements_of(path)
    except UNREADABLE as error:
        message = f"{path.name} is no whole OSM XML file: {type(error).__name__}, {shown(str(error))}"
        yield Refusal("not_osm_xml", message)
    else:
        yield from stops_of(elements, day)


def _day_of(path: Path) -> date | None:
    """Read the head of a file; its data is dated by `<meta osm_base>` or by the root, or not at all."""
    with _OPEN.get(path.suffix, open)(path, "rb") as stream:
        day = None
        for place, (_, node) in enumerate(ElementTree.iterparse(stream, events=("start",))):
            if place == 0 and node.tag != "osm":
                raise ValueError(f"the root is <{node.tag}>, not <osm>")
            if node.tag not in ("osm", "meta", "note", "bounds"):
                break
            moment = node.get("osm_base") or node.get("timestamp")
            if moment:
                day = datetime.fromisoformat(moment).date()
    return day


def _elements_of(path: Path) -> list[dict[str, Any]]:
    import osmnx
    from osmnx._errors import InsufficientResponseError

    try:
        found = osmnx.features_from_xml(path, tags={key: list(words) for key, words in STOPS.items()})
    except InsufficientResponseError:
        return []
    found = found[~found.index.duplicated()]
    tags: dict[tuple[str, int], dict[str, Any]] = {key: {} for key in found.index}
    for name in found.columns.drop("geometry"):
        for key, value in found[name].dropna().items():
            tags[key][name] = value
    shapes = zip(found.index, found.geometry, strict=True)
    return [
        {"type": kind, "id": int(number), "tags": tags[kind, number], **_place(kind, shape)}
        for (kind, number), shape in sorted(shapes, key=lambda item: (_ORDER[item[0][0]], item[0][1]))
    ]


def _place(kind: str, shape: Any) -> dict[str, Any]:
    if kind == "node":
        return {"lat": shape.y, "lon": shape.x}
    west, south, east, north = shape.bounds
    return {"bounds": {"minlat": south, "minlon": west, "maxlat": north, "maxlon": east}}
