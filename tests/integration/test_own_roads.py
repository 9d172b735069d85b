"""A file of somebody's own roads: its points are those of the cities, and its pairs fill the two tables of roads."""

from pathlib import Path

import pyarrow.compute as pc
import pytest

from schemas.region import Region, load_region
from schemas.rows import Built
from sources.tables.mapping import load_mapping
from sources.tables.stage import stage
from warehouse.derive.roads import build_distance_matrix, build_road_delay

REGION = Path(__file__).parents[2] / "pipeline" / "regions" / "sample"
POINTS = """\
  origin_latitude: {from: from_lat, parse: number}
  origin_longitude: {from: from_lon, parse: number}
  destination_latitude: {from: to_lat, parse: number}
  destination_longitude: {from: to_lon, parse: number}
"""
HEAD = """\
id: own_roads
title: Own roads
file: roads.csv
format: csv
observed: {at: 2026-01-01, note: constructed}
"""
MATRIX = f"""\
{HEAD}table: distance_matrix
constants: {{road_status: ok}}
columns:
{POINTS}  distance_km: {{from: km, parse: number}}
  duration_min: {{from: minutes, parse: integer}}
ignore: {{slow: not of this table}}
"""
DELAY = f"""\
{HEAD}table: road_delay
columns:
{POINTS}  free_flow_travel_time_min: {{from: minutes, parse: number}}
  historical_travel_time_min: {{from: slow, parse: number}}
ignore: {{km: not of this table}}
"""


@pytest.fixture(scope="module")
def region() -> Region:
    return load_region(REGION)


@pytest.fixture
def file(region: Region, tmp_path: Path) -> Path:
    points = {city.name: f"{city.latitude},{city.longitude}" for city in region.cities}
    rows = (
        f"{points['Mumbai']},{points['Pune']},150.4,180,215.5",
        f"{points['Pune']},{points['Mumbai']},150.4,181,180.5",
        f"{points['Pune']},18.0,75.0,150.4,181,180.5",
    )
    path = tmp_path / "roads.csv"
    path.write_text("\n".join(["from_lat,from_lon,to_lat,to_lon,km,minutes,slow", *rows]) + "\n")
    return path


def _staged(mapping: str, file: Path) -> Built:
    path = file.with_name("own_roads.mapping.yaml")
    path.write_text(mapping)
    return stage(load_mapping(path), file)


def test_the_roads_of_a_file_answer_their_pairs(region: Region, file: Path) -> None:
    built = build_distance_matrix(region, [_staged(MATRIX, file).rows])
    own = built.rows.filter(pc.equal(built.rows["source"], "own_roads")).to_pylist()
    told = ("origin", "destination", "distance_km", "duration_min", "road_status", "road_feasible")
    assert [tuple(row[name] for name in told) for row in own] == [
        ("Mumbai", "Pune", 150.4, 180, "ok", True),
        ("Pune", "Mumbai", 150.4, 181, "ok", True),
    ]
    assert [(row["code"], row["source_ref"]) for row in built.quarantine.to_pylist()] == [
        ("unknown_point", "roads.csv#3")
    ]
    assert len(built.rows) == 12 * 11


def test_the_delays_of_a_file_are_those_of_its_pairs(region: Region, file: Path) -> None:
    rows = build_road_delay([_staged(DELAY, file).rows], region).rows.to_pylist()
    assert [(row["origin"], row["destination"], row["estimated_historical_delay_min"]) for row in rows] == [
        ("Mumbai", "Pune", 35.5),
        ("Pune", "Mumbai", 0.0),
    ]
