"""Declared reject rules over columns: which rows a rule refuses, and the value it shows for each."""

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sources.tables import parsers
from sources.tables.cells import StagedColumn
from sources.tables.grammar import Above, Matches, NullIn, Outside, RawMatches, RejectRule, Track, Unlike
from sources.tables.outliers import above, unlike
from sources.tables.track import Stations, off_track


class Refused(NamedTuple):
    """Rows (indices, rising) that a rule refuses, the column at fault, and for each row the text at fault."""

    rows: npt.NDArray[np.int64]
    column: str | None
    values: pa.Array


def refused(
    rule: RejectRule,
    staged: Mapping[str, StagedColumn],
    raw: Mapping[str, pa.Array],
    alive: npt.NDArray[np.bool_],
) -> Refused:
    """Return the rows among `alive` for which the test of a rule holds."""
    match rule.test:
        case Matches(column, pattern):
            held = staged[column]
            rows = _rows(held.of_rows(_hits(held.values, pattern)), alive)
            return Refused(rows, column, held.rows.take(pa.array(rows)))
        case RawMatches(name, pattern):
            texts = pc.fill_null(parsers.cleaned(raw[name]), "").dictionary_encode()
            rows = _rows(_hits(texts.dictionary, pattern).take(texts.indices), alive)
            return Refused(rows, None, raw[name].take(pa.array(rows)))
        case NullIn(columns):
            is_null = np.array([staged[name].rows.is_null().to_numpy(zero_copy_only=False) for name in columns])
            rows = np.flatnonzero(is_null.any(axis=0) & alive)
            first = columns[0] if len(columns) == 1 else None
            return Refused(rows, first, pa.nulls(len(rows), pa.string()))
        case Outside(south, west, north, east):
            latitude, longitude = staged["latitude"].rows, staged["longitude"].rows
            is_outside = pc.or_(
                pc.fill_null(pc.or_(pc.less(latitude, south), pc.greater(latitude, north)), False),
                pc.fill_null(pc.or_(pc.less(longitude, west), pc.greater(longitude, east)), False),
            )
            rows = _rows(is_outside, alive)
            return Refused(rows, "latitude", _points(latitude, longitude, rows))
        case Track(line, km, slack_km):
            latitude, longitude = staged["latitude"].rows, staged["longitude"].rows
            distance = parsers.number(parsers.cleaned(raw[km])).values
            lines = pc.fill_null(parsers.cleaned(raw[line]).dictionary_encode().indices, -1)
            numbers = np.where(alive, lines.to_numpy(zero_copy_only=False), -1)
            stations = Stations(numbers, _floats(latitude), _floats(longitude), _floats(distance))
            rows = off_track(stations, slack_km)
            return Refused(rows, "latitude", _points(latitude, longitude, rows))
        case Above(name, limit):
            return _numbers(name, above(staged[name].rows, limit, alive), staged)
        case Unlike(name, by, times, least_rows):
            like = [staged[other].rows for other in by]
            return _numbers(name, unlike(staged[name].rows, like, times, least_rows, alive), staged)


def _numbers(name: str, rows: npt.NDArray[np.int64], staged: Mapping[str, StagedColumn]) -> Refused:
    return Refused(rows, name, staged[name].of_rows(staged[name].raw).take(pa.array(rows)))


def _floats(values: pa.Array) -> npt.NDArray[np.float64]:
    return np.asarray(pc.fill_null(values, np.nan).to_numpy(zero_copy_only=False), np.float64)


def _hits(texts: pa.Array, pattern: re.Pattern[str]) -> pa.Array:
    found = [text is not None and pattern.search(text) is not None for text in texts.to_pylist()]
    return pa.array(found, pa.bool_())


def _rows(mask: pa.Array, alive: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    return np.flatnonzero(pc.fill_null(mask, False).to_numpy(zero_copy_only=False) & alive)


def _points(latitude: pa.Array, longitude: pa.Array, rows: npt.NDArray[np.int64]) -> pa.Array:
    texts = [pc.fill_null(values.take(pa.array(rows)).cast(pa.string()), "unknown") for values in (latitude, longitude)]
    return pc.binary_join_element_wise(*texts, ", ")
