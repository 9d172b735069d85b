"""Column tools that several derivations share: combining staged tables, folding text, reading points."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from schemas.arrow import staged_schema
from schemas.model import PROVENANCE_MARKS
from schemas.text import fold
from warehouse.derive.geodesy import Floats, to_space

Mask = NDArray[np.bool_]
Indices = NDArray[np.int64]


def combine(staged: Sequence[pa.Table], table: str) -> pa.Table:
    """Lay staged tables one below the other, in the order given, in the table's staged schema."""
    schema = staged_schema(table)
    parts = [part.select(schema.names).cast(schema) for part in staged]
    return pa.concat_tables([schema.empty_table(), *parts]).combine_chunks()


def combine_by_trust(staged: Sequence[pa.Table], table: str) -> pa.Table:
    """Lay staged tables together as `combine` does, the most trusted first; `_trust` numbers them."""
    places = np.repeat(np.arange(len(staged)), [len(part) for part in staged])
    return combine(staged, table).append_column("_trust", pa.array(places, pa.int64()))


def brought(rows: pa.Table, table: str) -> pa.Table:
    """Return what the sources say in the rows of a table, without where they say it."""
    return rows.select([name for name in staged_schema(table).names if name not in PROVENANCE_MARKS])


def flat(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return a column as one array."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def map_text(column: pa.Array | pa.ChunkedArray, function: Callable[[str], str | None]) -> pa.Array:
    """Apply a function to each distinct text of a column; null stays null."""
    encoded = flat(column).dictionary_encode()
    answers = pa.array([function(text) for text in encoded.dictionary.to_pylist()], pa.string())
    return answers.take(encoded.indices)


def folded(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return a text column in the form under which spellings are compared."""
    return map_text(column, fold)


def is_set(column: pa.Array | pa.ChunkedArray) -> Mask:
    """Return which values are not null."""
    return np.asarray(pc.is_valid(flat(column)).to_numpy(zero_copy_only=False), dtype=np.bool_)


def numbers(rows: pa.Table, name: str) -> NDArray[Any]:
    """Return a column of numbers for arithmetic; nulls turn it into floats with NaN."""
    return np.asarray(flat(rows[name]).to_numpy(zero_copy_only=False))


def floats(rows: pa.Table, name: str) -> Floats:
    """Return a column of numbers as doubles, NaN for null."""
    return np.asarray(numbers(rows, name), dtype=np.float64)


def day_numbers(rows: pa.Table) -> Indices:
    """Return `observed_at` as a number of days; an unknown day lies before all others."""
    days = flat(rows["observed_at"]).cast(pa.int32()).cast(pa.int64()).fill_null(np.iinfo(np.int32).min)
    return np.asarray(days.to_numpy(zero_copy_only=False), dtype=np.int64)


def equals(column: pa.Array | pa.ChunkedArray, text: str) -> Mask:
    """Return which values are that text; null is not."""
    return np.asarray(pc.fill_null(pc.equal(flat(column), text), False).to_numpy(zero_copy_only=False), dtype=np.bool_)


def group_codes(*columns: pa.Array | pa.ChunkedArray) -> Indices:
    """Number the distinct combinations of several columns; rows with a null in any of them get -1."""
    length = len(columns[0])
    codes = np.zeros(length, dtype=np.int64)
    for column in columns:
        encoded = flat(column).dictionary_encode()
        # Renumbering after each column keeps the product of two code ranges far below the limits of int64.
        codes = codes * (len(encoded.dictionary) + 1) + encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)
        codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    whole = np.logical_and.reduce([is_set(column) for column in columns])
    return np.where(whole, codes, -1)


def coordinates(rows: pa.Table) -> tuple[Floats, Floats]:
    """Return latitudes and longitudes with NaN for null."""
    latitudes, longitudes = (
        np.asarray(flat(rows[name]).to_numpy(zero_copy_only=False), dtype=np.float64)
        for name in ("latitude", "longitude")
    )
    return latitudes, longitudes


def space_points(rows: pa.Table) -> Floats:
    """Return the points of rows in space (`geodesy.to_space`), NaN where a row has no point."""
    return to_space(*coordinates(rows))


def short_hash(parts: Iterable[pa.Array | pa.ChunkedArray]) -> pa.Array:
    """Return 12 hex digits per row that stand for the row's texts in these columns; null is as good as empty."""
    texts = [flat(part) for part in parts]
    joined = pc.binary_join_element_wise(*texts, "\x1f", null_handling="replace", null_replacement="")
    return map_text(joined, lambda text: hashlib.sha256(text.encode()).hexdigest()[:12])


def rank_by(*keys: NDArray[Any]) -> Indices:
    """Return the place of each row when rows are sorted by several keys, the first key counting most."""
    rank = np.empty(len(keys[0]), dtype=np.int64)
    rank[np.lexsort(keys[::-1])] = np.arange(len(rank))
    return rank


def replaced(rows: pa.Table, name: str, column: pa.Array) -> pa.Table:
    """Return rows with another column in the place of one."""
    return rows.set_column(rows.column_names.index(name), name, column)
