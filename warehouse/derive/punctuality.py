"""How punctual flights are: `flight_ratings`, and what flights say of it (contract 4.1)."""

import json
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from schemas.rows import Built, Notes
from warehouse.derive.columns import (
    Mask,
    combine_by_trust,
    day_numbers,
    floats,
    group_codes,
    map_text,
    numbers,
    rank_by,
    replaced,
)
from warehouse.derive.doors import Sieve, keep_one
from warehouse.derive.identity import merge_equal
from warehouse.derive.visibility import publish_form

# Fewer flights are no record.
FEWEST_OBSERVATIONS = 5

OUTCOMES = ("on_time", "late", "very_late", "excessive", "cancelled", "diverted")

_TABLE = "flight_ratings"
_ROUTE = ("Flight Number", "OriginAirport", "DestAirport")
_LATE = ("late", "very_late", "excessive")


def build_flight_ratings(staged: Sequence[pa.Table]) -> Built:
    """Build `flight_ratings` from staged tables in the order of their trust: one for each number and route.

    A rating of which every flight was sold under another airline's number repeats that airline's own one. Of several
    the one of the most trusted source stays, then the newest, then the last.
    """
    rows = combine_by_trust(staged, _TABLE)
    rows_in = len(rows)
    rows = replaced(rows, "Flight Number", map_text(rows["Flight Number"], plain_number))
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking(*_ROUTE, "observations")
    counts, sold = floats(sieve.rows, "observations"), floats(sieve.rows, "codeshares")
    message = "all flights of the rating are another airline's"
    sieve.reject((sold >= counts) & (sold > 0), "codeshare", message, "codeshares")
    rows = sieve.rows
    rank = rank_by(numbers(rows, "_trust"), -day_numbers(rows), -np.arange(len(rows)))
    into = merge_equal(group_codes(*(rows[name] for name in _ROUTE)), rank)
    rows, merges = keep_one(rows, _TABLE, into, "same_route")
    return Built(publish_form(rows, _TABLE), Notes(rows_in), sieve.quarantine, merges)


def with_punctuality(flights: pa.Table, ratings: pa.Table) -> pa.Table:
    """Return `flights` with `OnTimePerformance` and `DelayStats` (contract 4.1) of their number and route.

    A rating of fewer than FEWEST_OBSERVATIONS flights, or that contradicts itself, is none.
    """
    usable = ratings.filter(is_sound(ratings)).combine_chunks()
    payloads = pa.table(
        {
            **{name: usable[name] for name in _ROUTE},
            "OnTimePerformance": pa.array([_on_time(row) for row in usable.to_pylist()], pa.string()),
            "DelayStats": pa.array([_delays(row) for row in usable.to_pylist()], pa.string()),
        }
    ).to_pandas()
    found = flights.select(_ROUTE).to_pandas().merge(payloads, how="left", on=list(_ROUTE), validate="many_to_one")
    for name in ("OnTimePerformance", "DelayStats"):
        texts = pa.array(found[name], pa.string(), from_pandas=True)
        flights = flights.set_column(flights.column_names.index(name), flights.schema.field(name), texts)
    return flights


def is_sound(ratings: pa.Table) -> Mask:
    """Return which ratings can be published: enough flights, counts that add up, delays wherever a flight was late."""
    observations = floats(ratings, "observations")
    adds_up = sum(floats(ratings, name) for name in OUTCOMES) == observations
    was_late = sum(floats(ratings, name) for name in _LATE) > 0
    mean, longest = floats(ratings, "delay_mean_min"), floats(ratings, "delay_max_min")
    is_told = ~np.isnan(mean) & ~np.isnan(longest) & (mean <= longest) & (longest > 0)
    is_silent = np.isnan(mean) & np.isnan(longest) | (mean == 0) & (longest == 0)
    has_delays = np.where(was_late, is_told, is_told | is_silent)
    return np.asarray((observations >= FEWEST_OBSERVATIONS) & adds_up & has_delays, dtype=np.bool_)


def plain_number(number: str) -> str:
    """Return a flight number without leading zeros: `AI-0062` is `AI-62`."""
    airline, hyphen, digits = number.partition("-")
    return f"{airline}{hyphen}{digits.lstrip('0') or digits}"


def _on_time(rating: dict[str, int]) -> str:
    counts = {name: rating[name] for name in OUTCOMES}
    percent = round(100 * rating["on_time"] / rating["observations"], 1)
    return json.dumps({"total_flights": rating["observations"], **counts, "on_time_percent": percent})


def _delays(rating: dict[str, float | None]) -> str:
    deviation = rating["delay_std_min"]
    if deviation is None and rating["delay_observations"] == 1:
        # One delay deviates from none.
        deviation = 0.0
    return json.dumps(
        {
            "avg_delay_min": rating["delay_mean_min"],
            "std_delay_min": deviation,
            "max_delay_min": rating["delay_max_min"],
        }
    )
