"""How long a visit takes, from the categories of an attraction (contract 3.4)."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schemas.vocab import vocabulary
from warehouse.derive.columns import flat


class VisitDurations(NamedTuple):
    """Hours (double, not rounded) and minutes (int32, rounded half up); both null where no category is known."""

    hours: pa.Array
    minutes: pa.Array


def visit_durations(subcategories: pa.Array | pa.ChunkedArray) -> VisitDurations:
    """Return the mean of the vocabulary's hours over the distinct known categories of each row."""
    categories = vocabulary("attraction_categories")
    lists = flat(subcategories)
    members = pd.DataFrame(
        {
            "row": pc.list_parent_indices(lists).to_numpy(zero_copy_only=False),
            "category": pc.list_flatten(lists).to_pandas(),
        }
    ).drop_duplicates()
    hours = {token: categories.number(token, "hours") for token in categories.tokens}
    members["hours"] = members["category"].map(hours).astype("float64")
    members = members.dropna(subset=["hours"])
    total = np.bincount(members["row"], weights=members["hours"], minlength=len(lists))
    count = np.bincount(members["row"], minlength=len(lists))
    is_known = count > 0
    # From the exact sum, not from the mean: a mean that is not a binary fraction would tip a half the wrong way.
    minutes = np.floor(60 * total / np.maximum(count, 1) + 0.5).astype(np.int32)
    return VisitDurations(
        pa.array(total / np.maximum(count, 1), pa.float64(), mask=~is_known),
        pa.array(minutes, pa.int32(), mask=~is_known),
    )
