"""Flights between cities, from schedules and fares. How punctual they are stands in `punctuality`."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.region import Region
from schemas.rows import Built, Notes
from warehouse.derive.clocks import sift_times
from warehouse.derive.columns import (
    Indices,
    Mask,
    combine_by_trust,
    day_numbers,
    flat,
    floats,
    group_codes,
    is_set,
    map_text,
    numbers,
    rank_by,
    replaced,
)
from warehouse.derive.doors import Sieve, keep_one
from warehouse.derive.geodesy import great_circle_km
from warehouse.derive.identity import merge_equal
from warehouse.derive.punctuality import plain_number
from warehouse.derive.visibility import missing_count, publish_form

# Contract 3.2.
SHORTEST_MIN, LONGEST_MIN, MOST_DAYS = 30, 600, 1

_TABLE = "flights"
_ROUTE = ("Flight Number", "OriginAirport", "DestAirport")
_FARE = ("Price", "fare_class")


def build_flights(staged: Sequence[pa.Table], region: Region) -> Built:
    """Build `flights` from staged tables in the order of their trust; those to airports of no city stay, hidden.

    Rows of one number, route and day (`FlightDate`; else running days and departure) are one flight. The row with the
    fewest missing required values stays, then that of the most trusted source, then the newest; where it has no fare
    it takes the lowest one of the rows merged into it, with its class. Everything else of a row is its own.
    """
    rows = combine_by_trust(staged, _TABLE)
    rows_in = len(rows)
    rows = replaced(rows, "Flight Number", map_text(rows["Flight Number"], plain_number))
    rows = _with_cities(rows, region)
    lost = lost_airports(rows, region)
    sieve = Sieve(_TABLE, rows)
    sieve.reject_lacking(*_ROUTE)
    is_loop = flat(pc.equal(sieve.rows["OriginCityName"], sieve.rows["DestCityName"])).fill_null(False)
    sieve.reject(_mask(is_loop), "same_city", "the flight ends in the city where it begins", "DestAirport")
    has_no_day = ~is_set(sieve.rows["FlightDate"]) & ~is_set(sieve.rows["days_of_operation"])
    message = "neither a date nor running days are told"
    sieve.reject(has_no_day, "no_day", message, "FlightDate")
    sift_times(sieve, SHORTEST_MIN, LONGEST_MIN, MOST_DAYS)
    rows = sieve.rows.append_column("ActualElapsedTime", _in_words(sieve.rows["duration_min"]))

    into = merge_equal(_flights(rows), _rank(rows))
    rows, merges = keep_one(_with_fares(rows, into), _TABLE, into, "same_flight")
    notes = Notes(rows_in, {"airports": lost} if lost else {})
    return Built(publish_form(rows, _TABLE), notes, sieve.quarantine, merges)


def lost_airports(rows: pa.Table, region: Region) -> dict[str, int]:
    """Count the airports of staged flights that serve no city of the region, most frequent first."""
    cities = _cities_by_airport(region)
    codes = pa.concat_arrays([flat(rows[f"{end}Airport"]) for end in ("Origin", "Dest")]).drop_null()
    counts = {row["values"]: row["counts"] for row in pc.value_counts(codes).to_pylist()}
    lost = {code: count for code, count in counts.items() if cities.get(code) is None}
    return dict(sorted(lost.items(), key=lambda item: (-item[1], item[0])))


def _cities_by_airport(region: Region) -> dict[str, str | None]:
    names = {city.city_id: city.name for city in region.cities}
    return {airport.iata: names.get(airport.city_id) for airport in region.airports}


def _with_cities(rows: pa.Table, region: Region) -> pa.Table:
    """Add the cities of both airports, and the distance between the airports."""
    cities = _cities_by_airport(region)
    points = {airport.iata: (airport.latitude, airport.longitude) for airport in region.airports}
    ends = []
    for end in ("Origin", "Dest"):
        rows = rows.append_column(f"{end}CityName", map_text(rows[f"{end}Airport"], cities.get))
        codes = flat(rows[f"{end}Airport"]).to_pylist()
        ends.append(np.array([points.get(code, (np.nan, np.nan)) for code in codes], dtype=np.float64).reshape(-1, 2))
    origin, destination = ends
    kilometres = great_circle_km(origin[:, 0], origin[:, 1], destination[:, 0], destination[:, 1])
    return rows.append_column("Distance", pa.array(kilometres, pa.float64(), mask=np.isnan(kilometres)))


def _in_words(durations: pa.ChunkedArray) -> pa.Array:
    """Return `1 hours 40 minutes`, the way in which public evaluators expect it."""
    texts = flat(durations).cast(pa.string())
    return map_text(texts, lambda minutes: f"{int(minutes) // 60} hours {int(minutes) % 60} minutes")


def _flights(rows: pa.Table) -> Indices:
    """Number the flights: their day is a date, or running days together with the time of departure."""
    dates = flat(rows["FlightDate"]).cast(pa.string())
    weekly = pc.binary_join_element_wise(flat(rows["days_of_operation"]), flat(rows["DepTime"]).fill_null(""), " ")
    ends = [pc.coalesce(flat(rows[f"{end}CityName"]), flat(rows[f"{end}Airport"])) for end in ("Origin", "Dest")]
    return group_codes(rows["Flight Number"], *ends, pc.coalesce(dates, weekly))


def _rank(rows: pa.Table) -> Indices:
    missing, trust = missing_count(rows, _TABLE), numbers(rows, "_trust")
    return rank_by(missing, trust, -day_numbers(rows), -np.arange(len(rows)))


def _with_fares(rows: pa.Table, into: Indices) -> pa.Table:
    """Give each row that stays and has no fare the lowest fare of the rows merged into it."""
    prices = np.nan_to_num(floats(rows, "Price"), nan=np.inf)
    has_own = np.isfinite(prices)
    cheapest = merge_equal(into, rank_by(prices, np.arange(len(rows))))
    giver = np.where(has_own, np.arange(len(rows)), cheapest)
    for name in _FARE:
        rows = replaced(rows, name, flat(rows[name]).take(pa.array(giver)))
    return rows


def _mask(values: pa.Array) -> Mask:
    return np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.bool_)
