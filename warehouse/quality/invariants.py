"""What must hold in the rows of one table, rule by rule: identities, orders, pairs. Those of rides stand in `rides`."""

from collections.abc import Iterator

from schemas.tables import PLACE_TABLES
from schemas.vocab import vocabulary
from warehouse.quality.database import Database
from warehouse.quality.invariant import Invariant, minutes, row_rule
from warehouse.quality.results import Outcome, Remark, attempt
from warehouse.quality.rides import RIDES

EARTH_RADIUS_KM = 6371.009


def dearer_below(method: str) -> str:
    """True for a row that costs less than another one of its city and method at a lower price tier."""
    below = f"""SELECT City, price_tier, max(avg_cost) AS dearest FROM restaurants
                WHERE avg_cost_method = '{method}' AND City IS NOT NULL GROUP BY ALL"""
    return f"""t.avg_cost_method = '{method}' AND EXISTS (SELECT 1 FROM ({below}) b
               WHERE b.City = t.City AND b.price_tier < t.price_tier AND b.dearest > t.avg_cost)"""


def _category_hours() -> str:
    categories = vocabulary("attraction_categories")
    quoted = ((token.replace("'", "''"), categories.number(token, "hours")) for token in categories.tokens)
    return ", ".join(f"('{token}', {hours}::DOUBLE)" for token, hours in quoted)


_MEAN_HOURS = f"""(SELECT avg(h.hours) FROM (VALUES {_category_hours()}) h(category, hours)
                   WHERE list_contains(t.subcategories, h.category))"""
_HALF_LATITUDE = "sin(radians(b.latitude - a.latitude) / 2)"
_HALF_LONGITUDE = "sin(radians(b.longitude - a.longitude) / 2)"
_GREAT_CIRCLE = f"""2 * {EARTH_RADIUS_KM} * asin(least(1, sqrt({_HALF_LATITUDE} ** 2
    + cos(radians(a.latitude)) * cos(radians(b.latitude)) * {_HALF_LONGITUDE} ** 2)))"""
_STOP = ("PoI", "City", "nearest_stop_name", "nearest_stop_distance", "nearest_stop_distance_km", "nearest_stop_id")
_PAIR = ("origin", "destination")
_VENUE = ("poi_type", "asked_place_id", "weekday", "day_state")
_ROAD = (*_PAIR, "great_circle_km", "road_status", "distance_km", "duration_min", "road_feasible")
_HOURS = ("poi_type", "place_id", "weekday", "hours_state", "opens", "closes", "closes_day_offset")
_BEGIN = minutes("opens")
_END = f"({minutes('closes')} + 1440 * closes_day_offset::INTEGER)"
_DELAY = (*_PAIR, "free_flow_travel_time_min", "historical_travel_time_min", "estimated_historical_delay_min")

INVARIANTS = (
    Invariant(
        "city_set",
        "a spelling leads to two cities",
        ("City", "aliases"),
        """SELECT spelling, list_sort(list(DISTINCT City)) AS cities FROM (
               SELECT City, lower(strip_accents(unnest(list_append(coalesce(aliases, []), City)))) AS spelling
               FROM city_set) GROUP BY spelling HAVING count(DISTINCT City) > 1""",
    ),
    row_rule(
        "cost_of_living",
        "an exchange rate without its day, or a day without a rate",
        "(fx_rate IS NULL) <> (fx_as_of IS NULL)",
        *("provider", "city_name", "fx_rate", "fx_as_of"),
    ),
    *(
        row_rule(
            table,
            "name_hazard does not agree with the name",
            r"name_hazard <> regexp_matches(name, '\(|from|stay|visit', 'i')",
            *("name", "name_hazard"),
        )
        for table in PLACE_TABLES
    ),
    row_rule("attractions", "subcategories is an empty list", "len(subcategories) = 0", "name", "subcategories"),
    row_rule(
        "attractions",
        "visit_duration is not the mean of the categories' hours",
        f"abs(visit_duration - {_MEAN_HOURS}) > 1e-9",
        *("name", "subcategories", "visit_duration"),
    ),
    row_rule(
        "attractions",
        "visit_duration_min is not 60 x visit_duration, rounded half up",
        # A mean of thirds is a hair off as a double: just below a half still counts as the half.
        "visit_duration_min IS DISTINCT FROM floor(60 * visit_duration + 0.5 + 1e-9)",
        *("name", "visit_duration", "visit_duration_min"),
    ),
    row_rule("restaurants", "cuisines is an empty list", "len(cuisines) = 0", "name", "cuisines"),
    row_rule(
        "restaurants",
        "avg_cost falls as price_tier rises within a city (tier_x_index)",
        dearer_below("tier_x_index"),
        *("name", "City", "price_tier", "avg_cost", "avg_cost_method"),
    ),
    row_rule(
        "accommodations",
        "lodging_evidence speaks for what its column does not hold",
        """EXISTS (SELECT 1 FROM (
               SELECT split_part(line, '=', 1) AS told, split_part(split_part(line, '=', 2), ': ', 1) AS token
               FROM (SELECT unnest(t.lodging_evidence) AS line)) e
           WHERE NOT coalesce(CASE told WHEN 'house_type' THEN token = t.house_type
               WHEN 'max_occupancy' THEN token = t.max_occupancy::VARCHAR
               WHEN 'house_rules' THEN list_contains(t.house_rules, token)
               WHEN 'facilities_amenities' THEN list_contains(t.facilities_amenities, token)
               WHEN 'services' THEN list_contains(t.services, token) END, false))""",
        *("name", "house_type", "max_occupancy", "house_rules", "facilities_amenities", "services", "lodging_evidence"),
    ),
    row_rule(
        "place_hours",
        "opens, closes and closes_day_offset are not set together, exactly when hours_state is open",
        """len(list_distinct([hours_state = 'open', opens IS NOT NULL, closes IS NOT NULL,
                              closes_day_offset IS NOT NULL])) > 1""",
        *_HOURS,
    ),
    row_rule(
        "place_hours",
        "an interval does not end after it begins and within a day",
        f"{_END} - {_BEGIN} NOT BETWEEN 1 AND 1440",
        *_HOURS,
    ),
    Invariant(
        "place_hours",
        "a weekday that is not open has another row",
        ("poi_type", "place_id", "weekday", "hours_state"),
        """SELECT poi_type, place_id, weekday, list(hours_state) AS states FROM place_hours GROUP BY ALL
           HAVING count(*) > 1 AND bool_or(hours_state <> 'open')""",
    ),
    # Two that begin together are one key twice, which `keys_unique` sees.
    Invariant(
        "place_hours",
        "two intervals of a weekday overlap",
        _HOURS,
        f"""SELECT * FROM (SELECT poi_type, place_id, weekday, opens, closes, source_ref, {_BEGIN} AS begin_min,
               max({_END}) OVER (PARTITION BY poi_type, place_id, weekday ORDER BY {_BEGIN}
                                 RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest_end
               FROM place_hours) WHERE begin_min < latest_end""",
    ),
    row_rule(
        "events",
        "dateTitle is not event_date",
        "dateTitle IS DISTINCT FROM strftime(event_date, '%d-%m-%Y')",
        *("url", "dateTitle", "event_date"),
    ),
    *RIDES,
    row_rule(
        "venue_crowd",
        "hourly_levels does not hold 24 hours, exactly on an open day",
        "coalesce(len(hourly_levels), 0) <> CASE WHEN day_state = 'open' THEN 24 ELSE 0 END",
        *_VENUE,
    ),
    row_rule(
        "poi_nearest_stops",
        "name, id and distance of the nearest stop are not null together",
        """len(list_distinct([nearest_stop_name IS NULL, nearest_stop_distance IS NULL,
                              nearest_stop_distance_km IS NULL, nearest_stop_id IS NULL])) > 1""",
        *_STOP,
    ),
    row_rule(
        "poi_nearest_stops",
        "nearest_stop_distance_km is not the metres / 1000 with three decimals",
        """abs(nearest_stop_distance_km - nearest_stop_distance / 1000) > 0.0005 + 1e-9
           OR abs(1000 * nearest_stop_distance_km - round(1000 * nearest_stop_distance_km)) > 1e-6""",
        *_STOP,
    ),
    row_rule("distance_matrix", "a city is paired with itself", "origin = destination", *_PAIR),
    Invariant(
        "distance_matrix",
        "an ordered pair of visible cities is not there",
        _PAIR,
        """SELECT a.City AS origin, b.City AS destination FROM city_set a JOIN city_set b
           ON a.City <> b.City AND a.evaluator_visible AND b.evaluator_visible
           ANTI JOIN distance_matrix m ON m.origin = a.City AND m.destination = b.City""",
        needs=("city_set",),
    ),
    Invariant(
        "distance_matrix",
        "great_circle_km is not that of the two city points",
        (*_PAIR, "great_circle_km"),
        f"""SELECT * FROM (SELECT m.origin, m.destination, m.great_circle_km, {_GREAT_CIRCLE} AS computed_km
            FROM distance_matrix m JOIN city_set a ON a.City = m.origin JOIN city_set b ON b.City = m.destination)
            WHERE abs(great_circle_km - computed_km) > 0.01""",
        needs=("city_set",),
    ),
    row_rule(
        "distance_matrix",
        "distance_km and duration_min are not set together, exactly when road_status is ok",
        "(distance_km IS NOT NULL) <> (road_status = 'ok') OR (duration_min IS NOT NULL) <> (road_status = 'ok')",
        *_ROAD,
    ),
    row_rule(
        "distance_matrix",
        "road_feasible is not: null where no road was asked for, else known and at most 1,440 minutes",
        """road_feasible IS DISTINCT FROM
           CASE WHEN road_status <> 'not_asked' THEN coalesce(duration_min <= 1440, false) END""",
        *_ROAD,
    ),
    row_rule("distance_matrix", "the road is shorter than the great circle", "distance_km < great_circle_km", *_ROAD),
    row_rule(
        "distance_matrix",
        "the speed by road is outside 10 to 110 km/h",
        "60 * distance_km / duration_min NOT BETWEEN 10 AND 110",
        *_ROAD,
    ),
    row_rule(
        "road_delay",
        "the estimated delay is not historical less free-flow time, floored at 0",
        # Each of the three is given with one decimal, so that the difference may be off by three half steps.
        """abs(estimated_historical_delay_min
               - greatest(0, historical_travel_time_min - free_flow_travel_time_min)) > 0.15 + 1e-9""",
        *_DELAY,
    ),
    row_rule(
        "road_delay",
        "total_travel_time_min is not the free-flow time",
        "total_travel_time_min <> free_flow_travel_time_min",
        *(*_PAIR, "free_flow_travel_time_min", "total_travel_time_min"),
    ),
)


def invariants_of(table: str) -> tuple[Invariant, ...]:
    return tuple(invariant for invariant in INVARIANTS if invariant.table == table)


def invariants(database: Database, name: str) -> Iterator[Outcome]:
    for invariant in invariants_of(name):
        yield from attempt(broken(database, invariant))


def broken(database: Database, invariant: Invariant) -> Iterator[Outcome]:
    """Yield the rows that break an invariant; one that needs an absent table does not run and says so."""
    for column in invariant.columns:
        database.column(invariant.table, column)
    for needed in invariant.needs:
        if not database.candidate.has(needed):
            yield Remark(f"Whether {invariant.cause} was not judged: {database.absence(needed)}.")
            return
        database.view(needed)
    yield from database.findings(invariant.cause, invariant.sql)
