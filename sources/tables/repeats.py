"""Rows of one file that are the same record: later ones are merged into the first."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa


def first_of_each(
    columns: Sequence[pa.Array], rows: npt.NDArray[np.int64], *, null_equals: bool
) -> npt.NDArray[np.int64]:
    """For each of `rows` (indices, in order of preference) return the first of them that is equal in all columns.

    Null is equal to null where `null_equals`; otherwise a row with a null is equal to itself alone.
    """
    if not len(rows) or not columns:
        return rows
    codes = np.array([_codes(column)[rows] for column in columns])
    groups = pd.DataFrame(codes.T).assign(row=rows).groupby(list(range(len(codes))), sort=False)["row"]
    first = groups.transform("first").to_numpy()
    return first if null_equals else np.where((codes < 0).any(axis=0), rows, first)


def latest_first(rows: npt.NDArray[np.int64], times: pa.Array) -> npt.NDArray[np.int64]:
    """Sort rows by the time that a text column tells of each, latest first; equal and unknown times stay in order."""
    told = pd.Series(times.take(pa.array(rows)).to_pylist(), index=rows, dtype="string")
    moments = pd.to_datetime(told, format="ISO8601", utc=True, errors="coerce")
    return moments.sort_values(ascending=False, kind="stable", na_position="last").index.to_numpy(np.int64)


def _codes(column: pa.Array) -> npt.NDArray[np.int64]:
    indices = column.dictionary_encode().indices
    return np.asarray(indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
