"""What ties rows to other rows: keys that stand once, and references that lead somewhere."""

from collections.abc import Iterator

import pyarrow as pa

from schemas.fields import FIELDS
from schemas.model import ForeignKey
from schemas.tables import PLACE_TABLES, TABLES, table
from schemas.text import fold
from warehouse.quality.candidate import city_columns
from warehouse.quality.database import Database
from warehouse.quality.results import Outcome, Remark, attempt

# Beyond the declared foreign keys: values that a row repeats from another table must be the values that stand there.
_REPEATED = {
    "events": (ForeignKey(("city", "City"), "city_set", ("City", "City")),),
    "flights": (
        ForeignKey(("OriginAirport", "OriginCityName"), "airports", ("iata", "City")),
        ForeignKey(("DestAirport", "DestCityName"), "airports", ("iata", "City")),
    ),
    "poi_nearest_stops": (
        ForeignKey(("nearest_stop_id", "nearest_stop_name"), "transit_stops", ("stop_id", "stop_name")),
    ),
}

# Tables of what is known of places: the column that names the place, and the one that repeats its City.
_OF_PLACES = {"place_hours": ("place_id", "City"), "venue_crowd": ("asked_place_id", None)}
_POI_TYPES = dict(zip(PLACE_TABLES, ("attraction", "restaurant", "accommodation"), strict=True))

_FOLDS = pa.schema([("word", pa.string()), ("folded", pa.string())])


def repeated_columns(name: str) -> set[str]:
    """The columns whose values a row repeats from another table."""
    keys = (*table(name).foreign_keys, *_REPEATED.get(name, ()))
    own = {"PoI", "place_id", "asked_place_id"} if name in ("poi_nearest_stops", *_OF_PLACES) else set()
    return {column for key in keys for column in key.columns} | own


def has_references(name: str) -> bool:
    return bool(table(name).foreign_keys) or name in (*_OF_PLACES, "city_set")


def keys_unique(database: Database, name: str) -> Iterator[Outcome]:
    declared = table(name)
    held = {column: database.column(name, column) for column in (*declared.key, *declared.evaluator_key)}
    # A hidden row may lack a required part of its key, and null equals nothing; a null in an optional part is a value.
    filled = [f"{held[column]} IS NOT NULL" for column in declared.key if column in declared.required]
    listed = ", ".join(held[column] for column in declared.key)
    sql = f"""SELECT {listed}, count(*) AS repeats, min(source_ref) AS source_ref FROM {name}
              WHERE {" AND ".join(filled) or "true"} GROUP BY {listed} HAVING count(*) > 1"""
    yield from database.findings(f"key ({', '.join(declared.key)}) stands more than once", sql)
    if declared.evaluator_key:
        yield from _evaluator_key_unique(database, name)


def _evaluator_key_unique(database: Database, name: str) -> Iterator[Outcome]:
    """Fold each distinct spelling once in Python and let SQL do the rest, so that long tables stay in columns."""
    key = table(name).evaluator_key
    words = [column for column in key if FIELDS[column].type == "string"]
    spellings = {word for column in words for word in _distinct(database, name, column)}
    changed = {word: fold(word) for word in sorted(spellings) if fold(word) != word}
    database.register("folds", pa.table({"word": changed.keys(), "folded": changed.values()}, schema=_FOLDS))
    joins, parts = "", []
    for number, column in enumerate(key):
        held = f"t.{database.column(name, column)}"
        if column in words:
            joins += f" LEFT JOIN folds f{number} ON f{number}.word = {held}"
            held = f"coalesce(f{number}.folded, {held})"
        parts.append((held, column))
    listed = ", ".join(f'{part} AS "folded {column}"' for part, column in parts)
    sql = f"""SELECT {listed}, count(*) AS repeats, min(t.source_ref) AS source_ref FROM {name} t {joins}
              WHERE t.evaluator_visible GROUP BY {", ".join(part for part, _ in parts)} HAVING count(*) > 1"""
    cause = f"({', '.join(key)}) stands more than once among visible rows, but for case and accents"
    yield from database.findings(cause, sql)


def _distinct(database: Database, name: str, column: str) -> list[str]:
    held = database.column(name, column)
    sql = f"SELECT DISTINCT {held} AS word FROM {name} WHERE evaluator_visible AND {held} IS NOT NULL"
    return [row["word"] for row in database.rows(sql)]


def references(database: Database, name: str) -> Iterator[Outcome]:
    for key in (*table(name).foreign_keys, *_REPEATED.get(name, ())):
        if database.candidate.has(key.table):
            yield from attempt(_reference(database, name, key))
        else:
            yield Remark(f"{', '.join(key.columns)} was not looked up: {database.absence(key.table)}.")
    if name == "poi_nearest_stops":
        yield from attempt(_places_exist(database))
    if name in _OF_PLACES:
        yield from attempt(_places_known(database, name))
    if name == "city_set":
        yield from attempt(_coverage_is_true(database))


def _reference(database: Database, name: str, key: ForeignKey) -> Iterator[Outcome]:
    """A hidden row may refer to any row, a visible one only to a row that the evaluator sees as well."""
    database.view(key.table)
    own = [f"t.{database.column(name, column)}" for column in key.columns]
    theirs = [database.column(key.table, column) for column in key.references]
    found = ", ".join(f"{column} AS k{number}" for number, column in enumerate(theirs))
    sql = f"""SELECT {", ".join(own)}, t.source_ref FROM {name} t
              LEFT JOIN (SELECT {found}, bool_or(evaluator_visible) AS is_seen FROM {key.table} GROUP BY ALL) r
              ON {" AND ".join(f"r.k{number} = {column}" for number, column in enumerate(own))}
              WHERE {" AND ".join(f"{column} IS NOT NULL" for column in own)}
              AND (r.is_seen IS NULL OR (t.evaluator_visible AND NOT r.is_seen))"""
    target = f"{key.table} ({', '.join(key.references)})"
    yield from database.findings(f"({', '.join(key.columns)}) is not in {target}, or hidden there", sql)


def _places_exist(database: Database) -> Iterator[Outcome]:
    database.view("poi_nearest_stops")
    places = [
        f"SELECT '{poi_type}' AS kind, place_id, name, City FROM {database.view(places)} WHERE evaluator_visible"
        for places, poi_type in _POI_TYPES.items()
        if database.candidate.has(places)
    ]
    nothing = "SELECT NULL AS kind, NULL AS place_id, NULL AS name, NULL AS City WHERE false"
    sql = f"""SELECT t.PoI, t.City, t.poi_type, t.place_id FROM poi_nearest_stops t
              ANTI JOIN ({" UNION ALL ".join(places) or nothing}) p
              ON p.kind = t.poi_type AND p.place_id = t.place_id AND p.name = t.PoI AND p.City = t.City"""
    yield from database.findings("the place is no visible row of its own table", sql)


def _places_known(database: Database, name: str) -> Iterator[Outcome]:
    """What is told of a hidden place is no less true, so that the place need not be visible."""
    database.view(name)
    place_id, city = _OF_PLACES[name]
    places = [
        f"SELECT '{poi_type}' AS kind, place_id, City FROM {database.view(places)}"
        for places, poi_type in _POI_TYPES.items()
        if database.candidate.has(places)
    ]
    nothing = "SELECT NULL AS kind, NULL AS place_id, NULL AS City WHERE false"
    in_city = f"AND p.City IS NOT DISTINCT FROM t.{city}" if city else ""
    sql = f"""SELECT t.poi_type, t.{place_id}, t.source_ref FROM {name} t
              ANTI JOIN ({" UNION ALL ".join(places) or nothing}) p
              ON p.kind = t.poi_type AND p.place_id = t.{place_id} {in_city}"""
    yield from database.findings("the place is no row of its own table, or of another City there", sql)


def _coverage_is_true(database: Database) -> Iterator[Outcome]:
    coverage = database.column("city_set", "coverage")
    named = {row["named"] for row in database.rows(f"SELECT DISTINCT unnest({coverage}) AS named FROM city_set")}
    held = [
        f"SELECT '{name}' AS named, {database.column(name, column)} AS City FROM {name}"
        for name in TABLES
        if name in named and database.candidate.has(name)
        for column in city_columns(name)
    ]
    nothing = "SELECT '' AS named, '' AS City WHERE false"
    sql = f"""SELECT c.City, c.named FROM (SELECT City, unnest({coverage}) AS named FROM city_set) c
              ANTI JOIN ({" UNION ".join(held) or nothing}) h ON h.named = c.named AND h.City = c.City"""
    yield from database.findings("coverage names a table that holds no row for the city", sql)
