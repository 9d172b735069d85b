"""Events by local day."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.region import Region
from schemas.rows import Built, Notes
from warehouse.derive.cities import CityIndex, unresolved
from warehouse.derive.columns import Indices, combine_by_trust, day_numbers, flat, group_codes, numbers, rank_by
from warehouse.derive.doors import Sieve, keep_one
from warehouse.derive.identity import merge_equal
from warehouse.derive.visibility import missing_count, publish_form

_TABLE = "events"


def build_events(staged: Sequence[pa.Table], region: Region) -> Built:
    """Build `events` from staged tables, a row for each local day; those in no city of the region stay, hidden.

    Rows of one address, day and City are one event: the one with the fewest missing required values stays, then that
    of the most trusted source, then the newest.
    """
    rows = combine_by_trust(staged, _TABLE)
    rows_in = len(rows)
    cities = CityIndex(region).resolve(rows["city_name"], rows["state_name"])
    lost = unresolved(rows["city_name"], rows["state_name"], cities)
    rows = rows.append_column("City", cities).append_column("city", cities)
    rows = rows.append_column("dateTitle", pc.strftime(flat(rows["event_date"]), format="%d-%m-%Y"))
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking("name", "url", "event_date")
    sieve.reject_unreadable("name")
    rows = sieve.rows
    days = flat(rows["event_date"]).cast(pa.string())
    # No City is called so; without one, an event is that of its address and day.
    into = merge_equal(group_codes(rows["url"], days, flat(rows["City"]).fill_null("\x00")), _rank(rows))
    rows, merges = keep_one(rows, _TABLE, into, "same_event")
    notes = Notes(rows_in, {"cities": lost} if lost else {})
    return Built(publish_form(rows, _TABLE), notes, sieve.quarantine, merges)


def _rank(rows: pa.Table) -> Indices:
    missing, trust = missing_count(rows, _TABLE), numbers(rows, "_trust")
    return rank_by(missing, trust, -day_numbers(rows), -np.arange(len(rows)))
