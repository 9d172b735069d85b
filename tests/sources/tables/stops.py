"""A mapping of stops, one of restaurants, and what tests look at in the result of staging."""

from collections.abc import Callable

from schemas.rows import Built

Stage = Callable[[str, str | bytes], Built]

HEAD = """\
id: stops
table: transit_stops
title: Stops
file: rail/stops.csv
format: csv
observed: {at: 2020-02-29}
"""
STOPS = (
    HEAD
    + """\
constants: {stop_mode: rail}
columns:
  stop_code: {from: code, parse: text}
  stop_name: {from: name, parse: text}
  latitude: {from: lat, parse: number, null: ["0"]}
  longitude: {from: lon, parse: number, null: ["0"]}
"""
)
EATING = """\
id: food
table: restaurants
title: Food
file: food.csv
format: csv
observed: {at: , note: no date}
columns:
  name: {from: name, parse: text}
  rating: {from: rating, parse: number}
  website: {from: site, parse: text, null: [none]}
"""


def rows(built: Built, *columns: str) -> list[tuple[object, ...]]:
    return list(zip(*(built.rows.column(name).to_pylist() for name in columns), strict=True))


def refused(built: Built) -> list[tuple[str, str, str | None, str | None]]:
    table = built.quarantine.to_pylist()
    return [(row["source_ref"].split("#")[1], row["code"], row["column"], row["value"]) for row in table]


def merged(built: Built) -> list[tuple[str, str, str]]:
    return [(row["source_ref"], row["into_ref"], row["rule"]) for row in built.merges.to_pylist()]
