"""JSON and GeoJSON as columns of text, one per path (`properties.state`).

Numbers stay as they are written, `true` and `false` become texts, lists become their JSON text, `null` and an absent
path are null. A key that stands twice in one object gets a `#2`, as a column that stands twice in a CSV header.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from sources.tables.readers.records import (
    UNDECODABLE,
    Fault,
    ReadError,
    Records,
    as_text,
    read_records,
    unique_names,
    without_halves,
)

_TOO_DEEP = "the JSON is nested too deeply; bring a flat list of records"


def read_json(data: bytes, path: Sequence[str] = ()) -> Records:
    """Read the list of records that stands under a path of a JSON document; raises ReadError where there is none."""
    document = read_document(data)
    for depth, key in enumerate(path):
        if not isinstance(document, dict) or key not in document:
            where = ".".join(path[:depth]) or "the document"
            keys = ", ".join(map(repr, document)) if isinstance(document, dict) else "it is no object"
            raise ReadError(f"{where} has no {key!r} (it has: {keys}); name the path to the records as 'records'")
        document = document[key]
    if not isinstance(document, list):
        has = f"; it has {', '.join(map(repr, document))}" if isinstance(document, dict) else ""
        raise ReadError(f"no list of records at {'.'.join(path) or 'the top'}{has}; name its path as 'records'")
    return _records(document)


def read_geojson(data: bytes) -> Records:
    """Read the features of a GeoJSON collection; a point becomes `geometry.longitude` and `geometry.latitude`.

    A geometry that is no point has its type (or what stands for its coordinates) in both places: no number, so that it
    is counted where a number is read.
    """
    document = read_document(data)
    features = document.get("features") if isinstance(document, dict) else None
    if not isinstance(features, list):
        raise ReadError("no GeoJSON FeatureCollection with 'features'; declare the format json or mend the file")
    return _records([_feature(item) if isinstance(item, dict) else item for item in features])


def read_document(data: bytes) -> Any:
    """Decode JSON, numbers and constants as the texts that are written; raises ReadError."""
    try:
        return json.loads(
            as_text(data, "utf-8"), parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise ReadError(f"no JSON, line {error.lineno}, column {error.colno}: {error.msg}; mend the file") from None
    except RecursionError:
        raise ReadError(_TOO_DEEP) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    return dict(zip(unique_names([key for key, _ in pairs]), (value for _, value in pairs), strict=True))


def _feature(feature: dict[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in feature.items() if key not in ("type", "geometry")}
    longitude, latitude = _point(feature.get("geometry"))
    return {"geometry": {"longitude": longitude, "latitude": latitude}} | rest


def _point(geometry: Any) -> tuple[str | None, str | None]:
    if geometry is None:
        return None, None
    kind = geometry.get("type") if isinstance(geometry, dict) else geometry
    if kind != "Point":
        return _text(kind), _text(kind)
    coordinates = geometry.get("coordinates")
    if isinstance(coordinates, list) and len(coordinates) in (2, 3):
        return _text(coordinates[0]), _text(coordinates[1])
    return _text(coordinates), _text(coordinates)


def _records(items: list[Any]) -> Records:
    is_object = np.fromiter((isinstance(item, dict) for item in items), bool, len(items))
    faults = [
        Fault(int(place) + 1, "torn_row", "the record is no object", _text(items[place]))
        for place in np.flatnonzero(~is_object)
    ]
    objects = [item for item in items if isinstance(item, dict)]
    try:
        cells = [(path, _cells(values)) for path, values in _leaves(objects)]
    except RecursionError:
        raise ReadError(_TOO_DEEP) from None
    names = unique_names([without_halves(path).replace(UNDECODABLE, "") for path, _ in cells])
    columns = {name: values for name, (_, values) in zip(names, cells, strict=True)}
    records = read_records(columns, np.flatnonzero(is_object) + 1, faults)
    return records._replace(knows_columns=bool(objects))


def _leaves(objects: Sequence[dict[str, Any] | None], prefix: str = "") -> list[tuple[str, list[Any]]]:
    """Return path and cells of every leaf below the objects, in order of appearance."""
    keys = dict.fromkeys(key for item in objects if item for key in item)
    result: list[tuple[str, list[Any]]] = []
    for key in keys:
        values = [item.get(key) if item else None for item in objects]
        inner = [value if isinstance(value, dict) else None for value in values]
        leaves = [None if isinstance(value, dict) and value else value for value in values]
        nested = _leaves(inner, f"{prefix}{key}.") if any(inner) else []
        if not nested or any(leaf is not None for leaf in leaves):
            result.append((prefix + key, leaves))
        result += nested
    return result


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _cells(values: list[Any]) -> pa.Array:
    try:
        return pa.array(values, pa.string())
    except (pa.ArrowException, UnicodeEncodeError):
        texts = map(_text, values)
        return pa.array([None if text is None else without_halves(text) for text in texts], pa.string())
