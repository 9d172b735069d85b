"""A small, constructed set of tables for the region `sample`, as a person would bring it: files and their mappings."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.flow import Flow
from pipeline.home import Home
from pipeline.settings import Step, settings_for

STOPS_MAPPING = """\
id: constructed_stops
table: transit_stops
title: Constructed stops
file: stops.csv
format: csv
observed: {at: 2026-01-01, note: constructed}
constants: {stop_mode: rail}
columns:
  stop_code: {from: code, parse: text}
  stop_name: {from: name, parse: text}
  latitude: {from: lat, parse: number}
  longitude: {from: lon, parse: number}
"""
STOPS = """\
code,name,lat,lon
ON,Constructed Junction,19.0760,72.8777
NIL,Constructed Halt,18.5204,73.8567
"""
RESTAURANTS_MAPPING = """\
id: constructed_restaurants
table: restaurants
title: Constructed restaurants
file: restaurants.csv
format: csv
observed: {at: 2026-01-01, note: constructed}
constants: {avg_cost_method: observed}
columns:
  source_id: {from: id, parse: text}
  name: {from: name, parse: text}
  city_name: {from: city, parse: text}
  locality: {from: quarter, parse: text}
  cuisines: {from: food, parse: list, separator: ",", map: cuisines}
  avg_cost: {from: cost, parse: number}
  price_tier: {from: tier, parse: integer}
  rating: {from: stars, parse: number}
  latitude: {from: lat, parse: number}
  longitude: {from: lon, parse: number}
"""
RESTAURANTS = """\
id,name,city,quarter,food,cost,tier,stars,lat,lon
1,Constructed Kitchen,Mumbai,Fort,"North Indian, Chinese",400,2,4.1,19.0770,72.8780
2,Constructed Kitchen,Mumbai,Dadar,North Indian,350,2,3.9,19.0200,72.8400
3,Constructed Cafe,Pune,Camp,Cafe,200,1,4.0,18.5210,73.8570
4,Constructed Far,Atlantis,,Cafe,200,1,4.0,18.5210,73.8570
5,Constructed Wrong,Pune,Camp,Cafe,200,1,9.9,18.5210,73.8570
"""


def _write_tables(folder: Path) -> Path:
    folder.mkdir()
    for name, text in (
        ("constructed_stops.mapping.yaml", STOPS_MAPPING),
        ("stops.csv", STOPS),
        ("constructed_restaurants.mapping.yaml", RESTAURANTS_MAPPING),
        ("restaurants.csv", RESTAURANTS),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def tables_dir(tmp_path: Path) -> Path:
    """A folder with two files and their mappings: 2 stops, 5 restaurants (one unknown city, one impossible rating)."""
    return _write_tables(tmp_path / "tables")


@pytest.fixture(scope="module")
def module_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same folder for tests that do not change it."""
    return _write_tables(tmp_path_factory.mktemp("module") / "tables")


@pytest.fixture
def new_flow(tmp_path: Path, tables_dir: Path) -> Callable[[], tuple[Flow, list[Step]]]:
    """Return a maker of flows in one home for `sample`, each with the list of steps that it finishes."""

    def make() -> tuple[Flow, list[Step]]:
        steps: list[Step] = []
        home = Home(tmp_path / "home")
        home.folder.mkdir(exist_ok=True)
        settings = settings_for("sample", home.folder, tables_dir, on_step=steps.append)
        return Flow(settings.request, home, settings.on_step), steps

    return make
