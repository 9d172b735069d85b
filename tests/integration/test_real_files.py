"""Real public files of India to a published release: what a maintainer is promised of them.

The flow is the one of `utp build`, without Dagster's bookkeeping.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow.compute as pc
import pytest
from geopy.distance import geodesic

from pipeline.flow import Flow
from pipeline.publishing import publish_release
from pipeline.settings import settings_for
from warehouse import read
from warehouse.quality.candidate import Account


@pytest.fixture(scope="module")
def flow(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flow]:
    settings = settings_for("india", tmp_path_factory.mktemp("home"), shared_data)
    settings.home.prepare()
    with settings.home.lock():
        yield Flow(settings.request, settings.home)


@pytest.fixture(scope="module")
def warehouse(flow: Flow) -> read.Warehouse:
    publish_release(flow)
    return read.open(flow.home.folder)


def _account(flow: Flow, table: str, source: str) -> Account:
    (found,) = [one for one in flow.candidate.accounts if (one.table, one.source) == (table, source)]
    return found


def test_every_blocking_check_passes(flow: Flow) -> None:
    assert [(one.table, one.name, one.summary) for one in flow.verdicts if one.is_blocking and not one.passed] == []


def test_of_every_file_rows_in_are_kept_merged_or_quarantined(flow: Flow) -> None:
    accounts = flow.candidate.accounts
    assert {one.source for one in accounts} == {*flow.request.mappings, "geonames", "airportsdata"}
    for one in accounts:
        assert one.rows_in == one.kept + one.merged + one.quarantined, one


def test_restaurants_are_visible_with_every_branch(warehouse: read.Warehouse, flow: Flow) -> None:
    visible = warehouse.table("restaurants")
    assert visible.num_rows >= 4_000
    # Branches are not doubles: of the records only exact repeats and points within 75 m are merged.
    assert _account(flow, "restaurants", "zomato_india").merged < 40
    branches = [name for name in visible["source_name"].to_pylist() if name == "Cafe Coffee Day"]
    assert len(branches) >= 50
    names = Counter((row["name"].casefold(), row["City"]) for row in visible.select(["name", "City"]).to_pylist())
    assert max(names.values()) == 1


def test_every_visible_restaurant_has_its_real_nearest_stop_in_metres(warehouse: read.Warehouse) -> None:
    stops = warehouse.table("transit_stops")
    nearest = warehouse.table("poi_nearest_stops")
    assert nearest.num_rows == warehouse.table("restaurants").num_rows
    assert nearest["nearest_stop_distance"].null_count == 0
    points = {row["stop_id"]: row for row in stops.select(["stop_id", "latitude", "longitude"]).to_pylist()}
    places = {row["place_id"]: row for row in warehouse.table("restaurants").to_pylist()}
    for row in nearest.slice(0, 60).to_pylist():
        place, chosen = places[row["place_id"]], points[row["nearest_stop_id"]]
        here = (place["latitude"], place["longitude"])
        metres = geodesic(here, (chosen["latitude"], chosen["longitude"])).m
        assert row["nearest_stop_distance"] == pytest.approx(metres, abs=1e-6)
        # Nothing in a box around the place is nearer.
        near = pc.and_(
            pc.less(pc.abs(pc.subtract(stops["latitude"], here[0])), 0.05),
            pc.less(pc.abs(pc.subtract(stops["longitude"], here[1])), 0.05),
        )
        others = stops.filter(near).select(["latitude", "longitude"]).to_pylist()
        rivals = [geodesic(here, (other["latitude"], other["longitude"])).m for other in others]
        assert min([*rivals, metres]) == pytest.approx(metres, abs=1e-6)


def test_a_well_known_place_has_the_stop_that_a_person_would_name(warehouse: read.Warehouse) -> None:
    place = next(one for one in warehouse.places_in("restaurants", "Delhi") if "Connaught Place" in one.name)
    stop = warehouse.nearest_stop(place.name, "Delhi", "restaurant")
    assert stop is not None
    assert stop.stop_name in {
        "Rajiv Chowk",
        "Barakhamba",
        "Barakhamba Road",
        "Shivaji Stadium",
        "Patel Chowk",
        "Janpath",
        "SHIVAJI BRIDGE",
    }
    assert stop.distance_m is not None
    assert stop.distance_m < 1_000


@pytest.mark.parametrize(("table", "source", "at_least"), [
    ("accommodations", "goibibo_hotels", 2_000),
    ("attractions", "top_indian_places", 250),
])  # fmt: skip
def test_incomplete_files_are_staged_and_what_they_miss_is_counted(
    flow: Flow, table: str, source: str, at_least: int
) -> None:
    staged = flow.staged(source)
    assert staged.row_count >= at_least
    rows = flow.derived(table).part("rows")
    assert rows.num_rows == _account(flow, table, source).kept
    assert not pc.any(rows["evaluator_visible"]).as_py()
    missing = Counter(name for names in rows["missing"].to_pylist() for name in names)
    assert missing["latitude"] == rows.num_rows


def test_cities_have_prices(warehouse: read.Warehouse) -> None:
    prices = warehouse.table("cost_of_living")
    assert prices.num_rows >= 140
    assert prices.num_rows - prices["meal_tier1_inr"].null_count >= 130
    delhi = next(row for row in prices.to_pylist() if row["City"] == "Delhi")
    assert 100 <= delhi["meal_tier1_inr"] <= 500


def test_a_public_release_holds_nothing_whose_terms_are_not_known(shared_data: Path, tmp_path: Path) -> None:
    settings = settings_for("india", tmp_path, shared_data, audience="public")
    settings.home.prepare()
    with settings.home.lock():
        flow = Flow(settings.request, settings.home)
        publish_release(flow)
    manifest = read.open(tmp_path).manifest
    assert {origin.source for origin in manifest.origins} == {"geonames", "airportsdata", "datameet_stations"}
    assert "terms" in manifest.tables_absent["restaurants"]
    assert set(manifest.tables) == {
        "airports", "city_set", "distance_matrix", "poi_nearest_stops", "stations", "transit_stops",
    }  # fmt: skip
