"""Rows whose number cannot be right beside a limit, or beside the same number of rows like them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

_Mask = npt.NDArray[np.bool_]
_Rows = npt.NDArray[np.int64]


def above(values: pa.Array, limit: float, alive: _Mask) -> _Rows:
    """Return the rows among `alive` with a number above a limit."""
    return np.flatnonzero((_floats(values) > limit) & alive)


def unlike(values: pa.Array, by: Sequence[pa.Array], times: float, least_rows: int, alive: _Mask) -> _Rows:
    """Return the rows among `alive` that are over `times` as much, or as little, as the median of rows like them.

    Rows are alike where the columns `by` are equal; where fewer than `least_rows` are, or a column is null, nothing is
    said. Their median is that of all before any is taken out.
    """
    rows = np.flatnonzero(alive)
    held = pd.DataFrame({str(place): _texts(column, rows) for place, column in enumerate(by)})
    held["value"] = _floats(values)[rows]
    groups = held.groupby([str(place) for place in range(len(by))], dropna=True)["value"]
    median, count = groups.transform("median"), groups.transform("count")
    is_unlike = (held["value"] > times * median) | (held["value"] * times < median)
    return rows[(is_unlike & (count >= least_rows)).to_numpy()]


def _texts(column: pa.Array, rows: _Rows) -> pd.Series:
    return pd.Series(column.take(pa.array(rows)).to_pylist(), dtype="object")


def _floats(values: pa.Array) -> npt.NDArray[np.float64]:
    return np.asarray(values.cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
