"""What must hold in the rows of flights, trains and buses, and of what they are made of."""

from warehouse.quality.invariant import Invariant, minutes, row_rule

_CLOCK = ("DepTime", "ArrTime", "arr_day_offset", "duration_min")
_FLIGHT = ("Flight Number", "OriginCityName", "DestCityName")
_ROUTE = ("OriginCityName", "DestCityName")
_STOP_TIMES = ("Train Number", "stop_sequence", "arrives", "departs", "day")
_MIDNIGHT = "1440 * (day::INTEGER - 1)"
_HERE = f"({_MIDNIGHT} + {minutes('coalesce(arrives, departs)')})"
_OVERNIGHT = "CASE WHEN departs < arrives THEN 1440 ELSE 0 END"
_GONE = f"({_MIDNIGHT} + {minutes('coalesce(departs, arrives)')} + {_OVERNIGHT})"
_DELAYED = ("Train Number", "station_code", "horizon", "avg_delay_min")
_RUNS = "runs_right_time + runs_slight + runs_significant + runs_unknown"


def _timetable(table: str) -> Invariant:
    elapsed = f"{minutes('ArrTime')} + 1440 * arr_day_offset::INTEGER - {minutes('DepTime')}"
    return row_rule(table, "duration_min is not arrival less departure", f"duration_min <> {elapsed}", *_CLOCK)


def _duration(table: str, shortest: int, longest: int) -> Invariant:
    is_outside = f"duration_min NOT BETWEEN {shortest} AND {longest}"
    return row_rule(table, f"duration_min is outside {shortest} to {longest}", is_outside, *_CLOCK)


RIDES = (
    *(_timetable(table) for table in ("flights", "trains", "buses")),
    _duration("flights", 30, 600),
    _duration("trains", 10, 6000),
    _duration("buses", 10, 6000),
    row_rule("flights", "arr_day_offset is above 1", "arr_day_offset > 1", *_CLOCK),
    *(
        row_rule(table, "origin and destination are one city", "OriginCityName = DestCityName", *_ROUTE)
        for table in ("flights", "trains", "buses")
    ),
    row_rule("train_stops", "a stop has no time", "arrives IS NULL AND departs IS NULL", *_STOP_TIMES),
    Invariant(
        "train_stops",
        "a train is at a stop before it left the one before",
        _STOP_TIMES,
        # Where midnight falls into a halt, `day` may be that of the departure.
        f"""SELECT * FROM (SELECT "Train Number", stop_sequence, arrives, departs, day, source_ref, {_HERE} AS here_min,
                lag({_GONE}) OVER w AS gone_min, lag(coalesce(departs < arrives, false)) OVER w AS was_overnight
                FROM train_stops WINDOW w AS (PARTITION BY "Train Number" ORDER BY stop_sequence))
            WHERE here_min < gone_min - CASE WHEN was_overnight THEN 1440 ELSE 0 END""",
    ),
    row_rule(
        "train_delays",
        "a mean delay where at least 90 % of the runs are unknown",
        f"avg_delay_min IS NOT NULL AND runs_unknown >= 0.9 * ({_RUNS}) AND ({_RUNS}) > 0",
        *_DELAYED,
    ),
    row_rule(
        "train_delays",
        "the shares of the runs do not add up to 100",
        f"runs_unit = 'percent' AND abs(({_RUNS}) - 100) > 0.5",
        *_DELAYED,
    ),
    row_rule(
        "flight_ratings",
        "a part of the flights is more than all of them",
        """greatest(on_time, late, very_late, excessive, cancelled, diverted, delay_observations, codeshares)
           > observations""",
        *("Flight Number", "OriginAirport", "DestAirport", "observations"),
    ),
    row_rule(
        "flights",
        "neither FlightDate nor days_of_operation is set",
        "FlightDate IS NULL AND days_of_operation IS NULL",
        *(*_FLIGHT, "FlightDate", "days_of_operation"),
    ),
    row_rule(
        "flights",
        "ActualElapsedTime is not duration_min in hours and minutes",
        r"""duration_min IS DISTINCT FROM
            60 * TRY_CAST(regexp_extract(ActualElapsedTime, '^(\d+) hours? \d+ minutes?$', 1) AS INTEGER)
            + TRY_CAST(regexp_extract(ActualElapsedTime, '^\d+ hours? (\d+) minutes?$', 1) AS INTEGER)
            AND ActualElapsedTime IS NOT NULL""",
        *(*_FLIGHT, "duration_min", "ActualElapsedTime"),
    ),
    row_rule(
        "flights",
        "OnTimePerformance and DelayStats are not null together",
        "(OnTimePerformance IS NULL) <> (DelayStats IS NULL)",
        *(*_FLIGHT, "OnTimePerformance", "DelayStats"),
    ),
)
