"""What the clocks of a ride tell: how long it takes and how often it passes midnight, by `DepTime` and `ArrTime` alone.

A ride is over within a day: nothing but clocks could tell a longer one. What sources say of days and durations is not
read, as it contradicts itself.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.fields import FIELDS
from sources.tables import parsers
from sources.tables.cells import StagedColumn, checked
from sources.tables.parsers import DAY_MIN, Parsed

ENDS = ("DepTime", "ArrTime")
# What can be told -> the columns that it can fill.
MEASURES = {"minutes": ("duration_min",), "midnights": ("arr_day_offset",)}


def ride_column(name: str, measure: str, departs: StagedColumn, arrives: StagedColumn) -> StagedColumn:
    """Return the column `name` of a measure of MEASURES; null where a clock is, and 0 minutes are no duration."""
    texts = pc.binary_join_element_wise(departs.rows, arrives.rows, " to ").dictionary_encode()
    begin, end = (
        parsers.clock_minutes(pc.utf8_slice_codeunits(texts.dictionary, start, start + 5)).values for start in (0, 9)
    )
    took = pa.array(np.mod(pc.subtract(end, begin).to_numpy(zero_copy_only=False), DAY_MIN), pa.int64())
    values = took if measure == "minutes" else pc.divide(pc.add(begin, took), DAY_MIN)
    values, codes = checked(FIELDS[name], Parsed(values, pa.nulls(len(values), pa.string())))
    places = pc.fill_null(texts.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return StagedColumn(name, places, texts.dictionary, values, codes)
