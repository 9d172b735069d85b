"""What life costs in the cities of the region: one row per provider and City."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.region import Region
from schemas.rows import Built, Notes
from schemas.tables import table
from warehouse.derive.cities import CityIndex, unresolved
from warehouse.derive.columns import Indices, combine, flat, folded, group_codes, is_set, rank_by, replaced
from warehouse.derive.doors import Sieve, merged
from warehouse.derive.identity import merge_equal
from warehouse.derive.visibility import publish_form

_TABLE = "cost_of_living"
_VALUES = tuple(name for name in table(_TABLE).optional if name.endswith("_inr"))


def build_cost_of_living(staged: Sequence[pa.Table], region: Region) -> Built:
    """Build `cost_of_living` from staged tables; rows of no city of the region stay, hidden.

    Of two rows of a provider for one City the newest stays, then the one under the City's own name, then the one with
    more values, then the earlier.
    """
    rows = combine(staged, _TABLE)
    cities = CityIndex(region).resolve(rows["city_name"], rows["state_name"])
    lost = unresolved(rows["city_name"], rows["state_name"], cities)
    rows = rows.append_column("City", cities)
    rows_in = len(rows)

    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking(*table(_TABLE).never_null)
    rows = sieve.rows
    into = merge_equal(_price_codes(rows), _rank(rows))
    gone = into != np.arange(len(rows))
    merges = merged(rows, _TABLE, gone, into, "same_city")
    rows = _with_distinct_names(rows.filter(~gone))
    return Built(
        publish_form(rows, _TABLE),
        Notes(rows_in, {"cities": lost} if lost else {}),
        sieve.quarantine,
        merges,
    )


def _price_codes(rows: pa.Table) -> Indices:
    """Number what is priced: provider and City, or provider and the source's own term where that leads to no City."""
    terms = pc.binary_join_element_wise(folded(rows["city_name"]), folded(rows["state_name"]).fill_null(""), "\x1f")
    # The separator stands in no City, so that a term never equals one.
    return group_codes(rows["provider"], pc.coalesce(flat(rows["City"]), terms))


def _rank(rows: pa.Table) -> Indices:
    is_own_name = np.asarray(
        pc.equal(folded(rows["city_name"]), folded(rows["City"])).fill_null(False).to_numpy(zero_copy_only=False)
    )
    day = flat(rows["as_of"]).cast(pa.int32()).cast(pa.int64()).fill_null(np.iinfo(np.int64).min + 1)
    values_set = np.sum([is_set(rows[name]) for name in _VALUES], axis=0)
    return rank_by(-day.to_numpy(zero_copy_only=False), ~is_own_name, -values_set, np.arange(len(rows)))


def _with_distinct_names(rows: pa.Table) -> pa.Table:
    """Write `city, state` for the city where a provider uses one city name for several cities."""
    names = flat(rows["city_name"])
    codes = group_codes(rows["provider"], names)
    _, inverse, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    longer = pc.binary_join_element_wise(names, flat(rows["state_name"]), ", ")
    told_apart = pc.if_else(pa.array(sizes[inverse] > 1), pc.coalesce(longer, names), names)
    return replaced(rows, "city_name", told_apart)
