"""What a reader of a release should look at, although nothing forbids it. No warning stops publishing."""

from collections.abc import Iterable, Iterator

from schemas.tables import PLACE_TABLES
from schemas.text import fold
from warehouse.quality.database import Database
from warehouse.quality.invariants import Invariant, broken, dearer_below, row_rule
from warehouse.quality.results import EXAMPLES, Finding, Outcome

ASYMMETRY = 1.5
STOP_COVERAGE = 0.99

COST_BY_TIER = row_rule(
    "restaurants",
    "observed avg_cost is below that of a lower price_tier in its city",
    dearer_below("observed"),
    *("name", "City", "price_tier", "avg_cost", "avg_cost_method"),
)
ASYMMETRIC_ROADS = Invariant(
    "distance_matrix",
    f"the road there and the road back differ by more than a factor of {ASYMMETRY}",
    ("origin", "destination", "distance_km", "duration_min"),
    f"""SELECT m.origin, m.destination, m.distance_km, w.distance_km AS back_km, m.duration_min,
               w.duration_min AS back_min
        FROM distance_matrix m JOIN distance_matrix w ON w.origin = m.destination AND w.destination = m.origin
        WHERE m.distance_km > {ASYMMETRY} * w.distance_km OR m.duration_min > {ASYMMETRY} * w.duration_min""",
)


def cost_by_tier(database: Database, _name: str) -> Iterator[Outcome]:
    yield from broken(database, COST_BY_TIER)


def asymmetric_roads(database: Database, _name: str) -> Iterator[Outcome]:
    yield from broken(database, ASYMMETRIC_ROADS)


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
