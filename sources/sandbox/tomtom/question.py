"""What a matrix is asked with: the points and options of its body, read as strictly as the real service reads them."""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sources.sandbox.roads import Flags, Floats
from sources.sandbox.tomtom.rejection import rejected_matrix, unknown_parameter

_BOX_KM = 400.0
_KM_PER_DEGREE = 111.2
_VALUES = {
    "departAt": re.compile(r"any|now|\d{4}-\d\d-\d\dT\S+"),
    "arriveAt": re.compile(r"any|\d{4}-\d\d-\d\dT\S+"),
    "traffic": re.compile(r"historical|live"),
    "routeType": re.compile(r"fastest"),
    "travelMode": re.compile(r"car|truck|pedestrian"),
}
_OPTIONS = {*_VALUES, "avoid"}


class Size(NamedTuple):
    """How large a matrix may be: its cells, and its origins or destinations."""

    cells: int
    side: int


@dataclass(frozen=True, eq=False)
class MatrixQuestion:
    """Points are rows of latitude and longitude. `digest` is the same for the same body."""

    origins: Floats
    destinations: Floats
    options: Mapping[str, Any]
    digest: str

    @property
    def is_live(self) -> bool:
        return self.options.get("traffic") == "live"

    @property
    def is_unboxed(self) -> bool:
        """Return whether exactly those options are set with which points may lie any distance apart."""
        start = self.options.keys() & {"departAt", "arriveAt"}
        return (
            len(start) == 1
            and self.options.keys() == {*start, "traffic", "routeType", "travelMode"}
            and self.options[min(start)] == "any"
            and self.options["traffic"] == "historical"
            and self.options["travelMode"] in ("car", "truck")
        )

    @property
    def is_in_a_box(self) -> bool:
        """Return whether all points lie in one box of 400 by 400 kilometres."""
        points = np.vstack([self.origins, self.destinations])
        low, high = points.min(axis=0), points.max(axis=0)
        return not _is_beyond(high - low, np.asarray((high[0] + low[0]) / 2)).item()

    @cached_property
    def is_too_far(self) -> Flags:
        """Return the cells (origins down, destinations across) whose two points do not lie in one such box."""
        if self.is_unboxed:
            return np.zeros((len(self.origins), len(self.destinations)), np.bool_)
        one, two = self.origins[:, None, :], self.destinations[None, :, :]
        return _is_beyond(np.abs(one - two), (one[..., 0] + two[..., 0]) / 2)

    def check(self, most: Size) -> None:
        """Raises Rejected where the matrix is larger than allowed."""
        rows, columns = len(self.origins), len(self.destinations)
        if rows * columns > most.cells or max(rows, columns) > most.side:
            raise _unfit(
                f"The matrix of {rows} origins and {columns} destinations with this combination of parameters exceeds"
                f" the limits of {most.cells} cells and {most.side} origins or destinations"
            )


def read_matrix(query: str, body: bytes) -> MatrixQuestion:
    """Read a question. Raises Rejected."""
    if complaint := unknown_parameter(query, {"key"}):
        raise rejected_matrix("BAD_INPUT", complaint)
    try:
        document = json.loads(body)
    except ValueError:
        raise rejected_matrix("BAD_INPUT", "The body is not valid JSON") from None
    if not isinstance(document, dict) or document.keys() - {"origins", "destinations", "options"}:
        raise rejected_matrix("BAD_INPUT", "The body is an object of origins, destinations and options")
    options = document.get("options", {})
    _check_options(options)
    return MatrixQuestion(
        _points(document, "origins"), _points(document, "destinations"), options, hashlib.sha256(body).hexdigest()
    )


def _points(document: Mapping[str, Any], field: str) -> Floats:
    members = document.get(field)
    if not isinstance(members, list) or not members:
        raise rejected_matrix("BAD_INPUT", f"{field} must be a list of at least one member")
    try:
        points = np.array(
            [(member["point"]["latitude"], member["point"]["longitude"]) for member in members], np.float64
        )
    except (KeyError, TypeError, ValueError):
        raise rejected_matrix("BAD_INPUT", f"Each of {field} must hold a point of latitude and longitude") from None
    if not (np.abs(points) <= (90.0, 180.0)).all():
        raise rejected_matrix("BAD_INPUT", f"A point of {field} lies outside of the earth")
    return points


def _check_options(options: Any) -> None:
    if not isinstance(options, dict) or options.keys() - _OPTIONS:
        raise rejected_matrix("BAD_INPUT", f"options is an object of {', '.join(sorted(_OPTIONS))}")
    for name in options.keys() & _VALUES.keys():
        if not _VALUES[name].fullmatch(str(options[name])):
            raise rejected_matrix("BAD_INPUT", f"Invalid value for {name}: {options[name]}")
    if options.keys() >= {"departAt", "arriveAt"}:
        raise _unfit("departAt and arriveAt exclude each other")
    if options.get("traffic") == "live" and "any" in (options.get("departAt"), options.get("arriveAt")):
        raise _unfit("Live traffic has no meaning at any time")


def _unfit(message: str) -> Exception:
    return rejected_matrix("BAD_ARGUMENT", message)


def _is_beyond(spans: Floats, latitudes: Floats) -> Flags:
    """Return where spans (..., 2) of latitude and longitude, at some latitude, are larger than the box."""
    north = spans[..., 0] * _KM_PER_DEGREE
    east = spans[..., 1] * _KM_PER_DEGREE * np.cos(latitudes * math.pi / 180)
    is_beyond: Flags = np.maximum(north, east) > _BOX_KM
    return is_beyond
