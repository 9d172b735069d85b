"""Administrative boundaries from a file of OpenStreetMap in XML, for whoever wants to see where a point lies.

What the file lacks is not there: a boundary of which a way or a node is missing has no closed line and is left out by
the reader.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from schemas.text import clean
from sources.osm.extract import UNREADABLE, ExtractError

# India's states and union territories.
STATE_LEVEL = 4


class Boundary(NamedTuple):
    """An area with its name; `level` is OpenStreetMap's admin_level, `shape` a shapely polygon in degrees."""

    name: str
    level: int
    shape: Any

    def holds(self, latitude: float, longitude: float) -> bool:
        """Whether a point lies in the area."""
        from shapely import Point

        return bool(self.shape.covers(Point(longitude, latitude)))


def boundaries_of_extract(path: Path) -> list[Boundary]:
    """Return the named administrative areas of an extract, by level and name. Raises ExtractError, naming the cause."""
    import osmnx
    from osmnx._errors import InsufficientResponseError

    try:
        path.open("rb").close()
        found = osmnx.features_from_xml(path, tags={"boundary": "administrative"})
    except InsufficientResponseError:
        return []
    except UNREADABLE as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
        raise ExtractError(f"{path}: no whole OSM XML file ({cause}); name an extract with boundaries") from None
    return sorted(_named(found), key=lambda one: (one.level, one.name))


def _named(found: Any) -> Iterator[Boundary]:
    for row in found[~found.index.duplicated()].to_dict("records"):
        tags = {key: value for key, value in row.items() if isinstance(value, str)}
        name, level = clean(tags.get("name:en", "")) or clean(tags.get("name", "")), tags.get("admin_level", "")
        if name and level.isdecimal() and row["geometry"].geom_type in ("Polygon", "MultiPolygon"):
            yield Boundary(name, int(level), row["geometry"])
