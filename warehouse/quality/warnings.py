"""What a reader of a release should look at, although nothing forbids it. No warning stops publishing."""

from collections.abc import Iterable, Iterator

from schemas.tables import PLACE_TABLES
from schemas.text import fold
from warehouse.quality.database import Database
from warehouse.quality.invariant import Invariant, row_rule
from warehouse.quality.invariants import broken, dearer_below
from warehouse.quality.results import EXAMPLES, Finding, Outcome

ASYMMETRY = 1.5
STOP_COVERAGE = 0.99

COST_BY_TIER = row_rule(
    "restaurants",
    "observed avg_cost is below that of a lower price_tier in its city",
    dearer_below("observed"),
    *("name", "City", "price_tier", "avg_cost", "avg_cost_method"),
)

RATINGS_ADD_UP = row_rule(
    "flight_ratings",
    "the outcomes of the flights do not add up to observations",
    "observations <> on_time + late + very_late + excessive + cancelled + diverted",
    *("Flight Number", "OriginAirport", "DestAirport", "observations"),
)


def _asymmetric(table: str, *columns: str) -> Invariant:
    there_and_back = ", ".join(f"m.{column}, w.{column} AS back_{column}" for column in columns)
    differs = " OR ".join(f"m.{column} > {ASYMMETRY} * w.{column}" for column in columns)
    return Invariant(
        table,
        f"the road there and the road back differ by more than a factor of {ASYMMETRY}",
        ("origin", "destination", *columns),
        f"""SELECT m.origin, m.destination, {there_and_back}
            FROM {table} m JOIN {table} w ON w.origin = m.destination AND w.destination = m.origin
            WHERE {differs}""",
    )


ASYMMETRIC_ROADS = {
    "distance_matrix": _asymmetric("distance_matrix", "distance_km", "duration_min"),
    "road_delay": _asymmetric("road_delay", "free_flow_travel_time_min", "historical_travel_time_min"),
}


def cost_by_tier(database: Database, _name: str) -> Iterator[Outcome]:
    yield from broken(database, COST_BY_TIER)


def ratings_add_up(database: Database, _name: str) -> Iterator[Outcome]:
    yield from broken(database, RATINGS_ADD_UP)


def asymmetric_roads(database: Database, name: str) -> Iterator[Outcome]:
    yield from broken(database, ASYMMETRIC_ROADS[name])


def stop_coverage(database: Database, _name: str) -> Iterator[Outcome]:
    """Judge how many of the visible places have a stop; a place without a row has none."""
    places = sum(
        database.number(f"SELECT count(*) FROM {database.view(places)} WHERE evaluator_visible")
        for places in PLACE_TABLES
        if database.candidate.has(places)
    )
    found = f"SELECT count(*) FROM {database.view('poi_nearest_stops')} WHERE nearest_stop_name IS NOT NULL"
    with_stop = database.number(found)
    if places and with_stop / places < STOP_COVERAGE:
        without = int(places - with_stop)
        cause = f"{with_stop:g} of {places:g} visible places have a stop, where {STOP_COVERAGE:.0%} should"
        yield Finding(cause, without)


def name_substring(database: Database, name: str) -> Iterator[Outcome]:
    """Find names that are part of another name of the city; a public evaluator would take either for the other.

    Every part of a name that is as long as some name is looked up, so that the work grows with the names of a city
    and not with its pairs of names.
    """
    columns = ", ".join(database.column(name, column) for column in ("name", "City"))
    by_city: dict[str, dict[str, str]] = {}
    for row in database.rows(f"SELECT DISTINCT {columns} FROM {name} WHERE evaluator_visible ORDER BY ALL"):
        by_city.setdefault(row["City"], {})[fold(row["name"])] = row["name"]
    parts = [
        {"City": city, "name": names[part], "part_of": names[whole]}
        for city, names in by_city.items()
        for part, whole in sorted(_parts(names).items())
    ]
    if parts:
        yield Finding("a name is part of another name of its city", len(parts), tuple(parts[:EXAMPLES]))


def _parts(names: Iterable[str]) -> dict[str, str]:
    """Return the names that are a proper part of another one, each with the first such name."""
    known = set(names)
    lengths = sorted({len(name) for name in known})
    found: dict[str, str] = {}
    for whole in sorted(known):
        for length in lengths:
            if length >= len(whole):
                break
            for start in range(len(whole) - length + 1):
                part = whole[start : start + length]
                if part in known:
                    found.setdefault(part, whole)
    return found
