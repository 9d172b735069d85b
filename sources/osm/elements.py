"""From one element of OpenStreetMap to the row of its stop. The same for Overpass answers and for extracts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from sources.osm.envelope import shown, unknown_fields
from sources.osm.kinds import Kind, code_of, kind_of, lines_of, name_of
from sources.protocol.types import Parsed, Refusal, Row, Skipped

TABLE = "transit_stops"

_TYPES = ("node", "way", "relation")
# User, uid and changeset lead to a person: they are known, and never read.
_FIELDS = frozenset(
    {"type", "id", "lat", "lon", "tags", "center", "bounds", "geometry", "nodes", "members"}
    | {"timestamp", "version", "changeset", "user", "uid", "visible"}
)
_LARGEST_ID = 2**63 - 1
# Neither files nor programs agree on these; a lone half of a surrogate pair cannot even be written.
_UNUSABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

Point = tuple[float, float]


def stops_of(elements: Iterable[Any], day: date | None) -> Iterator[Parsed]:
    """Yield the stops among elements, the best witness of a place first; then what was left out.

    `day` is that of the map data, None where it is not known. Of two rows of one stop the first stays. Never raises.
    """
    rows: list[tuple[tuple[int, bool], Row]] = []
    skipped: Counter[str] = Counter()
    for number, element in enumerate(elements):
        where = f"elements[{number}]"
        if not isinstance(element, dict):
            yield Refusal("bad_type", "an element must be an object", where, table=TABLE)
            continue
        yield from unknown_fields(element, _FIELDS, "elements[].")
        kind = _kind(element, day, where)
        if isinstance(kind, str):
            skipped[kind] += 1
            continue
        row = kind if isinstance(kind, Refusal) else _row(element, kind, day, where)
        if isinstance(row, Refusal):
            yield row
        elif isinstance(kind, Kind):
            rows.append(((kind.strength, element["type"] != "node"), row))
    # Sorting is stable: elements of equal strength stay in their order.
    yield from (row for _, row in sorted(rows, key=lambda ranked: ranked[0]))
    yield from (Skipped(reason, count) for reason, count in sorted(skipped.items()))


def _kind(element: Mapping[str, Any], day: date | None, where: str) -> Kind | str | Refusal:
    key = (element.get("type"), element.get("id"))
    if key[0] not in _TYPES or type(key[1]) is not int or not 0 < key[1] <= _LARGEST_ID:
        return Refusal("bad_id", "an element needs a type and a positive id", where, table=TABLE, value=_of(*key))
    tags = element.get("tags", {})
    if not isinstance(tags, dict) or any(not isinstance(value, str) for value in tags.values()):
        return Refusal("bad_tags", "tags must lead from text to text", f"{where}.tags", table=TABLE, value=_of(*key))
    return kind_of(tags, day)


def _row(element: Mapping[str, Any], kind: Kind, day: date | None, where: str) -> Row | Refusal:
    key = _of(element["type"], element["id"])
    point = _point(element)
    if point is None:
        return Refusal("bad_point", "no latitude and longitude on Earth", where, table=TABLE, value=key)
    tags = element["tags"]
    name, lines = name_of(tags, kind), lines_of(tags)
    if any(_UNUSABLE.search(text) for text in (name or "", *(lines or ()))):
        return Refusal("bad_text", "a control sign or half a letter in a name", f"{where}.tags", table=TABLE, value=key)
    values = {
        "stop_name": name,
        "stop_mode": kind.mode,
        "latitude": point[0],
        "longitude": point[1],
        # By its code a station without a name could hide one that another source has a name for.
        "stop_code": code_of(tags, kind) if name else None,
        "stop_lines": lines,
        "state_name": None,
        "source_id": key,
        "observed_at": day,
    }
    return Row(TABLE, values)


def _of(kind: object, number: object) -> str:
    return f"{shown(kind)}/{shown(number)}"


def _point(element: Mapping[str, Any]) -> Point | None:
    """Return latitude and longitude: those of a node, else the centre that is given, else the middle of its bounds."""
    if element["type"] == "node":
        return _at(element.get("lat"), element.get("lon"))
    if "center" in element:
        center = element["center"]
        return _at(center.get("lat"), center.get("lon")) if isinstance(center, dict) else None
    if "bounds" in element:
        bounds = element["bounds"]
        names = (("minlat", "minlon"), ("maxlat", "maxlon"))
        return _middle(
            [_at(bounds.get(lat), bounds.get(lon)) for lat, lon in names] if isinstance(bounds, dict) else []
        )
    shape = element.get("geometry")
    corners = shape if isinstance(shape, list) else []
    return _middle([_at(one.get("lat"), one.get("lon")) for one in corners if isinstance(one, dict)])


def _middle(points: list[Point | None]) -> Point | None:
    found = [point for point in points if point is not None]
    if not found or len(found) != len(points):
        return None
    latitudes, longitudes = zip(*found, strict=True)
    # Seven decimals, some centimetres, as the map itself has them.
    return round((min(latitudes) + max(latitudes)) / 2, 7), round((min(longitudes) + max(longitudes)) / 2, 7)


def _at(latitude: Any, longitude: Any) -> Point | None:
    is_number = {type(latitude), type(longitude)} <= {int, float}
    return (float(latitude), float(longitude)) if is_number and abs(latitude) <= 90 and abs(longitude) <= 180 else None
