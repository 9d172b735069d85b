"""Rows of one file that are the same record: later ones are merged into the first."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa


def first_of_each(
    columns: Sequence[pa.Array], rows: npt.NDArray[np.int64], *, null_equals: bool
) -> npt.NDArray[np.int64]:
    """For each of `rows` (indices, rising) return the first of them that is equal to it in all columns.

    Null is equal to null where `null_equals`; otherwise a row with a null is equal to itself alone.
    """
    if not len(rows) or not columns:
        return rows
    codes = np.array([_codes(column)[rows] for column in columns])
    groups = pd.DataFrame(codes.T).assign(row=rows).groupby(list(range(len(codes))), sort=False)["row"]
    first = groups.transform("first").to_numpy()
    return first if null_equals else np.where((codes < 0).any(axis=0), rows, first)


def _codes(column: pa.Array) -> npt.NDArray[np.int64]:
    indices = column.dictionary_encode().indices
    return np.asarray(indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
