"""For every blocking check of every table, the smallest fault that it must see: one cell, one row, one number.

A corruption names the table and the check that must fail, and nothing else may fail with it. Those of `invariants` name
the rule as well.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.tables import TABLES
from tests.warehouse.quality.good_candidate import (
    accounts_of,
    good_tables,
    rows_of,
    with_account,
    with_cell,
)
from warehouse.quality.candidate import Candidate

Change = Callable[[pa.Table], pa.Table]


@dataclass(frozen=True)
class Corruption:
    """A fault in one table, the check that must see it, and a word that its summary must hold."""

    table: str
    check: str
    says: str
    rows: Change | None = None
    candidate: Callable[[Candidate], Candidate] = lambda candidate: candidate

    @property
    def id(self) -> str:
        return f"{self.table}-{self.check}-{self.says}".replace(" ", "_")

    def write(self, good: Candidate, folder: Path) -> Candidate:
        """Copy the good candidate into a folder of its own and put the fault in."""
        shutil.copytree(good.folder, folder)
        if self.rows is None:
            return self.candidate(replace(good, folder=folder))
        tables = good_tables()
        tables[self.table] = self.rows(tables[self.table])
        pq.write_table(tables[self.table], folder / f"{self.table}.parquet")
        # A row more or less is accounted for, so that only its content is at fault.
        return replace(good, folder=folder, accounts=accounts_of(tables))


def _cell(table: str, check: str, row: int, column: str, value: Any, says: str = "") -> Corruption:
    return Corruption(table, check, says or column, lambda rows: with_cell(rows, row, column, value))


def _invariant(table: str, row: int, column: str, value: Any, says: str) -> Corruption:
    return _cell(table, "invariants", row, column, value, says)


def _more(table: str, check: str, says: str, row: dict[str, Any]) -> Corruption:
    """The first row once more, with some of its cells changed."""

    def change(rows: pa.Table) -> pa.Table:
        extra = rows.slice(0, 1).to_pylist()[0] | row
        return pa.concat_tables([rows, rows_of(table, [extra])])

    return Corruption(table, check, says, change)


def _one_city_flight(rows: pa.Table) -> pa.Table:
    return with_cell(with_cell(rows, 0, "DestCityName", "Jaipur"), 0, "DestAirport", "QQJ")


def _short_ride(rows: pa.Table) -> pa.Table:
    return with_cell(with_cell(with_cell(rows, 0, "ArrTime", "18:09"), 0, "arr_day_offset", 0), 0, "duration_min", 9)


def _marks_swapped(rows: pa.Table) -> pa.Table:
    return rows.select([*rows.column_names[:-2], "missing", "evaluator_visible"])


def _refit(rows: pa.Table, column: str, kind: pa.DataType | None = None, nullable: bool = True) -> pa.Table:
    field = rows.schema.field(column).with_nullable(nullable)
    field = field.with_type(kind or field.type)
    return rows.set_column(rows.schema.get_field_index(column), field, rows[column].cast(field.type))


def _floor_raised(table: str) -> Corruption:
    def change(candidate: Candidate) -> Candidate:
        return replace(candidate, floors={table: {"min_rows": 1000}})

    return Corruption(table, "floors", "rows", candidate=change)


def _row_lost(table: str) -> Corruption:
    def change(candidate: Candidate) -> Candidate:
        account = next(one for one in candidate.accounts if one.table == table)
        return with_account(candidate, table, rows_in=account.rows_in + 1)

    return Corruption(table, "rows_accounted", "rows in", candidate=change)


def _said_absent(table: str) -> Corruption:
    reason = {table: "no source contributed"}
    return Corruption(
        table, "present", "is there", candidate=lambda one: replace(one, is_complete=False, absent=reason)
    )


EVERY_TABLE = tuple(
    corruption
    for table in TABLES
    for corruption in (
        Corruption(table, "columns", "order", _marks_swapped),
        _cell(table, "values", 0, "snapshot_id", "not hexadecimal"),
        _cell(table, "visibility", 0, "missing", ["City"]),
        _floor_raised(table),
        _row_lost(table),
        _said_absent(table),
    )
)

COLUMNS = (
    Corruption("restaurants", "columns", "not nullable", lambda rows: _refit(rows, "address", nullable=False)),
    Corruption(
        "cost_of_living", "columns", "int64 instead of int32", lambda rows: _refit(rows, "contributors", pa.int64())
    ),
    Corruption("events", "columns", "not declared: extra", lambda rows: rows.append_column("extra", rows["name"])),
)

VALUES = (
    _cell("city_set", "values", 1, "State", "Bombay State"),
    _cell("restaurants", "values", 0, "rating", 6.0),
    _cell("restaurants", "values", 0, "rating", float("nan"), says="rating is not a number"),
    _cell("restaurants", "values", 2, "avg_cost", 0.0),
    _cell("restaurants", "values", 0, "cuisines", ["Indian Subcontinent", "Food"]),
    _cell("restaurants", "values", 0, "cuisines", ["Indian Subcontinent", None], says="is not one of"),
    _cell("accommodations", "values", 1, "max_occupancy", 0),
    _cell("accommodations", "values", 3, "name", "Lake; Rooms"),
    _cell("trains", "values", 0, "Train Number", "1064"),
    _cell("events", "values", 0, "segmentName", "Musik"),
    _cell("place_hours", "values", 0, "opens", "8:00"),
    _cell("place_hours", "values", 0, "weekday", 0),
    _cell("accommodations", "values", 0, "lodging_evidence", ["services=Cleaning_Laundry"]),
    _cell("road_delay", "values", 0, "traffic_delay_s", -1),
    _cell("train_stops", "values", 2, "arrives", "6:45"),
    _cell("train_stops", "values", 2, "day", 6),
    _cell("train_delays", "values", 2, "avg_delay_min", -721.0),
    _cell("train_delays", "values", 0, "horizon", "2years"),
    _cell("venue_crowd", "values", 0, "hourly_levels", [3, *[None] * 23], says="hourly_levels is not a number"),
    _cell("venue_crowd", "values", 0, "quiet_hours", [9, 24]),
)

TEXT = (
    _cell("city_set", "text_clean", 0, "time_zone", "Asia/Kolkata "),
    _cell("airports", "text_clean", 0, "airport_name", "Jaipur  International"),
    _cell("cost_of_living", "text_clean", 0, "city_name", "Jai\u00a0pur"),
    _cell("attractions", "text_clean", 0, "address", ""),
    _cell("restaurants", "text_clean", 0, "locality", "N/A"),
    _cell("accommodations", "text_clean", 0, "property_type", "-"),
    _cell("events", "text_clean", 0, "streetAddress", "Cafe\u0301 Road"),
    _cell("flights", "text_clean", 0, "fare_class", " Economy"),
    _cell("trains", "text_clean", 0, "classes", ["SL", None]),
    _cell("buses", "text_clean", 0, "Operator", "Own\tTravels"),
    _cell("transit_stops", "text_clean", 0, "stop_code", "n/a"),
    _cell("venue_crowd", "text_clean", 0, "venue_name", "Amber  Fort"),
    _cell("stations", "text_clean", 2, "station_name", "-"),
    _cell("train_stops", "text_clean", 0, "Train Name", "Jaipur Express "),
    _cell("train_delays", "text_clean", 0, "station_name", ""),
)

KEYS = (
    _cell("city_set", "keys_unique", 1, "city_id", "in-jaipur"),
    _cell("airports", "keys_unique", 4, "iata", "JAI"),
    _cell("cost_of_living", "keys_unique", 2, "city_name", "Jaipur"),
    _cell("cost_of_living", "keys_unique", 1, "City", "Jaipur", says="case and accents"),
    _cell("attractions", "keys_unique", 2, "place_id", "own:a1"),
    _cell("restaurants", "keys_unique", 3, "place_id", "own:1"),
    _cell("accommodations", "keys_unique", 2, "place_id", "own:1"),
    _cell("place_hours", "keys_unique", 1, "opens", "08:00"),
    _cell("events", "keys_unique", 0, "url", "https://example.org/e/2"),
    _cell("flights", "keys_unique", 1, "FlightDate", date(2025, 11, 3)),
    _cell("trains", "keys_unique", 1, "Train Number", "01064"),
    _cell("buses", "keys_unique", 1, "Operator", "Own Travels"),
    _cell("transit_stops", "keys_unique", 2, "stop_id", "rail:JP"),
    _cell("poi_nearest_stops", "keys_unique", 5, "poi_type", "restaurant"),
    _cell("venue_crowd", "keys_unique", 1, "weekday", 1),
    _cell("flight_ratings", "keys_unique", 1, "Flight Number", "6E-91"),
    _cell("stations", "keys_unique", 2, "station_code", "JP"),
    _cell("train_stops", "keys_unique", 2, "stop_sequence", 2),
    _cell("train_delays", "keys_unique", 1, "horizon", "1month"),
    _more("distance_matrix", "keys_unique", "more than once", {}),
    _more("road_delay", "keys_unique", "more than once", {}),
)

REFERENCES = (
    _cell("city_set", "references", 2, "coverage", ["buses"]),
    _cell("city_set", "references", 2, "coverage", ["hotels"]),
    _cell("airports", "references", 3, "City", "Atlantis"),
    _cell("cost_of_living", "references", 1, "City", "Atlantis"),
    _cell("attractions", "references", 2, "City", "Atlantis"),
    _cell("restaurants", "references", 3, "City", "Atlantis"),
    _cell("accommodations", "references", 3, "City", "Atlantis"),
    _cell("place_hours", "references", 0, "City", "Atlantis"),
    _cell("place_hours", "references", 0, "City", "Kochi", says="the place is no row"),
    _cell("place_hours", "references", 0, "place_id", "own:a9", says="the place is no row"),
    _cell("place_hours", "references", 3, "poi_type", "restaurant", says="the place is no row"),
    _cell("venue_crowd", "references", 0, "asked_place_id", "own:a9", says="the place is no row"),
    _cell("venue_crowd", "references", 1, "poi_type", "restaurant", says="the place is no row"),
    _cell("stations", "references", 1, "City", "Atlantis"),
    _cell("trains", "references", 0, "OriginStation", "ON", says="stations"),
    _cell("trains", "references", 0, "DestStation", "JPX", says="stations"),
    _cell("events", "references", 0, "City", "Atlantis"),
    _cell("events", "references", 0, "city", "Jaipur"),
    _cell("flights", "references", 0, "DestCityName", "Atlantis"),
    _cell("flights", "references", 0, "DestAirport", "COK"),
    _cell("trains", "references", 0, "OriginCityName", "nagpur"),
    _cell("buses", "references", 0, "DestCityName", "Atlantis"),
    _cell("poi_nearest_stops", "references", 0, "PoI", "amber fort", says="place"),
    _cell("poi_nearest_stops", "references", 0, "place_id", "own:a3", says="place"),
    _cell("poi_nearest_stops", "references", 0, "nearest_stop_id", "rail:XX"),
    _cell("poi_nearest_stops", "references", 0, "nearest_stop_name", "Ernakulam Town"),
    _more("distance_matrix", "references", "origin", {"origin": "Atlantis"}),
    _cell("road_delay", "references", 0, "destination", "Jaipur", says="distance_matrix"),
)

VISIBILITY = (
    _cell("restaurants", "visibility", 3, "evaluator_visible", True),
    _cell("trains", "visibility", 0, "evaluator_visible", False),
    _cell("airports", "visibility", 4, "missing", []),
)

INVARIANTS = (
    _invariant("city_set", 1, "aliases", ["cochín"], "a spelling leads to two cities"),
    _invariant("cost_of_living", 0, "fx_as_of", None, "an exchange rate without its day"),
    _invariant("attractions", 0, "name_hazard", True, "name_hazard"),
    _invariant("restaurants", 0, "name_hazard", True, "name_hazard"),
    _invariant("accommodations", 1, "name_hazard", False, "name_hazard"),
    _invariant("attractions", 0, "subcategories", [], "empty list"),
    _invariant("attractions", 0, "subcategories", ["Museums", "Nature & Parks"], "mean of the categories"),
    _invariant("attractions", 1, "visit_duration_min", 141, "rounded half up"),
    _invariant("restaurants", 2, "cuisines", [], "empty list"),
    _invariant("restaurants", 0, "avg_cost", 199.0, "avg_cost falls"),
    *(
        _invariant("accommodations", 0, "lodging_evidence", [evidence], "lodging_evidence speaks for")
        for evidence in (
            "house_type=Resort_Beach: Beachfront",
            "house_rules=No_Children: Adults Only",
            "facilities_amenities=Wellness_Spa: Spa",
            "services=Entertainment: Karaoke",
            "max_occupancy=4: Family Rooms",
            "rating=4: Good",
        )
    ),
    _invariant("place_hours", 0, "closes", None, "not set together, exactly when"),
    _invariant("place_hours", 0, "closes_day_offset", None, "not set together"),
    _invariant("place_hours", 0, "hours_state", "ambiguous", "exactly when hours_state is open"),
    _invariant("place_hours", 0, "closes", "08:00", "end after it begins and within a day"),
    _invariant("place_hours", 3, "closes", "06:01", "within a day"),
    _invariant("place_hours", 2, "weekday", 1, "a weekday that is not open has another row"),
    _invariant("place_hours", 0, "closes", "18:31", "two intervals of a weekday overlap"),
    _invariant("events", 0, "dateTitle", "04-11-2025", "dateTitle is not event_date"),
    _invariant("flights", 2, "arr_day_offset", 0, "arrival less departure"),
    _invariant("flights", 0, "duration_min", 20, "outside 30 to 600"),
    _invariant("flights", 2, "arr_day_offset", 2, "arr_day_offset is above 1"),
    _invariant("flights", 0, "ActualElapsedTime", "1 hours 41 minutes", "ActualElapsedTime"),
    _invariant("flights", 0, "ActualElapsedTime", "100", "ActualElapsedTime is not duration_min"),
    Corruption("flights", "invariants", "origin and destination are one city", _one_city_flight),
    _invariant("flights", 0, "FlightDate", None, "neither FlightDate nor"),
    _invariant("flights", 2, "DelayStats", None, "not null together"),
    _invariant("trains", 0, "duration_min", 569, "arrival less departure"),
    _invariant("trains", 0, "duration_min", 6001, "outside 10 to 6000"),
    _invariant("buses", 0, "ArrTime", "03:31", "arrival less departure"),
    Corruption("buses", "invariants", "outside 10 to 6000", _short_ride),
    _invariant("trains", 0, "DestCityName", "Nagpur", "origin and destination are one city"),
    _invariant("buses", 0, "DestCityName", "Nagpur", "origin and destination are one city"),
    _invariant("train_stops", 0, "departs", None, "a stop has no time"),
    _invariant("train_stops", 1, "arrives", "17:59", "before it left the one before"),
    _invariant("train_delays", 1, "avg_delay_min", 0.0, "90 % of the runs are unknown"),
    _invariant("train_delays", 0, "runs_unknown", 0.7, "do not add up to 100"),
    _invariant("flight_ratings", 1, "diverted", 5, "more than all of them"),
    _invariant("venue_crowd", 0, "hourly_levels", [0] * 23, "does not hold 24 hours"),
    _invariant("venue_crowd", 1, "hourly_levels", [0] * 24, "exactly on an open day"),
    _invariant("poi_nearest_stops", 0, "nearest_stop_distance_km", None, "not null together"),
    _invariant("poi_nearest_stops", 0, "nearest_stop_distance_km", 10.86, "three decimals"),
    _invariant("poi_nearest_stops", 0, "nearest_stop_distance_km", 10.8614, "three decimals (1"),
    _more("distance_matrix", "invariants", "paired with itself", {"destination": "Jaipur", "great_circle_km": 0.0}),
    Corruption("distance_matrix", "invariants", "pair of visible cities is not there", lambda rows: rows.slice(0, 5)),
    _invariant("distance_matrix", 4, "great_circle_km", 1290.0, "two city points"),
    _invariant("distance_matrix", 0, "duration_min", None, "exactly when road_status is ok"),
    _invariant("distance_matrix", 4, "road_status", "no_route", "road_feasible"),
    _invariant("distance_matrix", 2, "road_feasible", True, "road_feasible is not"),
    _invariant("distance_matrix", 0, "distance_km", 600.0, "shorter than the great circle"),
    _invariant("distance_matrix", 0, "duration_min", 480, "speed by road"),
    _invariant("road_delay", 1, "estimated_historical_delay_min", 5.0, "floored at 0"),
    _invariant("road_delay", 0, "total_travel_time_min", 945.5, "free-flow time"),
)


def _payload(table: str, row: int, column: str, old: str, new: str, says: str) -> Corruption:
    """A text of the good candidate with one part of it changed."""

    def change(rows: pa.Table) -> pa.Table:
        text = rows[column][row].as_py()
        assert old in text
        return with_cell(rows, row, column, text.replace(old, new, 1))

    return Corruption(table, "payloads", says, change)


_AVERAGE, _WEEK = "avg_besttime_analysis", "besttime_analysis"

PAYLOADS = (
    _payload("flights", 2, "DelayStats", "{", "", "is no JSON object"),
    _payload("flights", 2, "DelayStats", "40", "181", "longer than the longest"),
    _payload("flights", 2, "DelayStats", "180", "null", "there is no mean or longest"),
    _payload("flights", 2, "DelayStats", "20", "-1", "a delay of DelayStats is none"),
    _payload("flights", 2, "DelayStats", '"std_delay_min": 20, ', "", "its three numbers"),
    _payload("flights", 2, "OnTimePerformance", '"late": 9', '"late": 8', "do not add up"),
    _payload("flights", 2, "OnTimePerformance", "73.3", "0.733", "not the share of on_time"),
    _payload("flights", 2, "OnTimePerformance", "44", "44.0", "a count of flights is none"),
    _payload("attractions", 0, _WEEK, '"Mon"', '"Monday"', "no weekday"),
    _payload("attractions", 0, _WEEK, '"c": 13', '"c": 12', "outside the opening hours"),
    _payload("restaurants", 2, _AVERAGE, '[9, 12, "L"], [13, 18, "A"], [19, 1, "H"]', "", "has no window"),
    _payload("restaurants", 2, _AVERAGE, '"A"', '"X"', "begin, end and level"),
    _payload("restaurants", 2, _AVERAGE, "[13, 18", "[12, 18", "windows overlap"),
    _payload("restaurants", 2, _AVERAGE, '"A"', '"L"', "are not merged"),
    _payload("restaurants", 2, _AVERAGE, "[19, 1,", "[19, 7,", "within the venue's day"),
    _payload("restaurants", 2, _AVERAGE, "[9, 10]", "[]", "an empty list"),
    _payload("restaurants", 2, _AVERAGE, "[9, 10]", "[8, 9]", "lie outside the crowd windows"),
    _payload("restaurants", 2, _AVERAGE, "[21, 1]", "[21, 2]", "lie outside the crowd windows"),
    _payload("restaurants", 2, _AVERAGE, "[9, 10]", "[9, 21]", "both quiet and in the peak"),
    _payload("restaurants", 2, _AVERAGE, "[13, 18", "[13, 24", "not built as the contract"),
)

CORRUPTIONS = (*EVERY_TABLE, *COLUMNS, *VALUES, *TEXT, *KEYS, *REFERENCES, *VISIBILITY, *INVARIANTS, *PAYLOADS)
