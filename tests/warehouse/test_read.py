"""Reading a release: tables, look-ups by whole names, and never a guess."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from tests.warehouse import world
from warehouse import read
from warehouse.release.errors import DamagedRelease, UnknownRelease
from warehouse.release.publish import publish
from warehouse.release.store import Release


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    publish(folder / "releases", world.draft(folder / "candidate"))
    return folder


@pytest.fixture(scope="module")
def warehouse(home: Path) -> read.Warehouse:
    return read.open(home)


@pytest.fixture
def published(tmp_path: Path) -> Release:
    return publish(tmp_path / "releases", world.draft(tmp_path / "candidate"))


def test_a_home_a_folder_of_releases_and_a_release_can_be_opened(published: Release, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "releases", published.folder, str(tmp_path)):
        assert read.open(path).manifest == published.manifest
        assert read.open(path, published.id).manifest == published.manifest


def test_an_older_release_is_opened_by_its_id(published: Release, tmp_path: Path) -> None:
    publish(tmp_path / "releases", world.draft(tmp_path / "candidate", quarantine={}))
    assert read.open(tmp_path).manifest.id != published.id
    assert read.open(tmp_path, published.id).manifest.id == published.id


def test_what_is_not_there_is_an_error_with_the_choices(published: Release, tmp_path: Path) -> None:
    with pytest.raises(UnknownRelease, match=published.id):
        read.open(tmp_path, "nope")
    with pytest.raises(UnknownRelease, match="leave `release` out"):
        read.open(published.folder, "nope")
    with pytest.raises(UnknownRelease, match="no folder"):
        read.open(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnknownRelease, match="nothing was published yet"):
        read.open(tmp_path / "empty")


def test_a_torn_manifest_is_not_opened(published: Release, tmp_path: Path) -> None:
    path = published.folder / "manifest.json"
    path.write_text(path.read_text().replace('"rows_total": 7', '"rows_total": 9'))
    with pytest.raises(DamagedRelease, match=r"manifest\.json"):
        read.open(tmp_path)


def test_a_flipped_bit_in_a_table_is_found_when_it_is_read(published: Release, tmp_path: Path) -> None:
    path = published.folder / "tables" / "restaurants.parquet"
    sound = path.read_bytes()
    path.write_bytes(sound[:300] + bytes([sound[300] ^ 4]) + sound[301:])
    warehouse = read.open(tmp_path)
    assert warehouse.table("city_set").num_rows == 5
    with pytest.raises(DamagedRelease, match="another SHA-256"):
        warehouse.table("restaurants")


def test_an_open_release_stays_what_it_was_when_another_one_is_published(published: Release, tmp_path: Path) -> None:
    warehouse = read.open(tmp_path)
    fewer = {"rows": {"restaurants": world.restaurants().slice(1)}, "built_at": world.BUILT_AT + timedelta(days=1)}
    brought = replace(world.contribution(), rows_in=10, kept=6)
    newer = publish(tmp_path / "releases", world.draft(tmp_path / "next", contributions=(brought,), **fewer))
    assert warehouse.manifest.id == published.id != newer.id
    assert warehouse.table("restaurants", visible_only=False).num_rows == 7
    assert read.open(tmp_path).table("restaurants", visible_only=False).num_rows == 6


def test_a_table_shows_what_the_evaluator_sees_unless_all_is_asked_for(warehouse: read.Warehouse) -> None:
    assert warehouse.table("restaurants").num_rows == 5
    everything = warehouse.table("restaurants", visible_only=False)
    assert everything.equals(world.restaurants())
    assert warehouse.table("restaurants", columns=["name", "rating"]).column_names == ["name", "rating"]
    assert warehouse.tables() == tuple(sorted(world.TABLES_HELD))


def test_unknown_absent_and_misspelt_are_three_different_errors(warehouse: read.Warehouse) -> None:
    with pytest.raises(read.UnknownTable, match=r"choose one of city_set, distance_matrix"):
        warehouse.table("restaurant")
    with pytest.raises(read.TableAbsent, match="no mapping brings flights"):
        warehouse.table("flights")
    with pytest.raises(read.UnknownColumn, match=r"no column 'cost'.*avg_cost"):
        warehouse.table("restaurants", columns=["cost"])
    assert not issubclass(read.TableAbsent, read.UnknownTable)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Delhi", "Delhi"),
        ("delhi", "Delhi"),
        (" DELHI ", "Delhi"),
        ("Dilli", "Delhi"),
        ("bombay", "Mumbai"),
        ("Múmbai", "Mumbai"),
        ("Aurangabad", "Aurangabad"),
        ("aurangabad bihar", "Aurangabad Bihar"),
        ("Del", None),
        ("Delhi Cantonment", None),
        ("", None),
    ],
)
def test_a_city_is_found_by_its_whole_name_or_alias(warehouse: read.Warehouse, asked: str, found: str | None) -> None:
    city = warehouse.city(asked)
    assert (city.name if city else None) == found


def test_a_city_comes_typed(warehouse: read.Warehouse) -> None:
    assert warehouse.city("New Delhi") == read.City(
        "Delhi", "Delhi", "in-delhi", 28.65, 77.23, ("New Delhi", "Dilli"), True, ()
    )


def test_an_alias_of_two_cities_is_no_answer(warehouse: read.Warehouse) -> None:
    with pytest.raises(read.Ambiguous, match="fits 2 times as city: Aurangabad Bihar, Gaya"):
        warehouse.city("Anugrah")


@pytest.mark.parametrize(
    ("name", "city", "found"),
    [
        ("Karim's", "Delhi", "Karim's"),
        ("karim's", "Dilli", "Karim's"),
        ("Karim's - Jama Masjid", "Delhi", "Karim's - Jama Masjid"),
        (world.HOSTILE, "Delhi", world.HOSTILE),
        ("Karim", "Delhi", None),
        ("Karim's", "Mumbai", None),
        ("Karim's", "Atlantis", None),
        ("Café Olé", "Mumbai", "Café Olé"),
        ("Cafe Ole", "Bombay", "Cafe Ole"),
    ],
)
def test_a_place_is_found_by_its_whole_name_and_city(
    warehouse: read.Warehouse, name: str, city: str, found: str | None
) -> None:
    place = warehouse.place("restaurants", name, city)
    assert (place.name if place else None) == found
    if place:
        assert place.row["avg_cost"] == 250.0


def test_a_name_that_fits_two_places_is_no_answer(warehouse: read.Warehouse) -> None:
    with pytest.raises(read.Ambiguous, match="Cafe Ole, Café Olé; write one of them exactly"):
        warehouse.place("restaurants", "CAFE OLE", "Mumbai")


def test_a_hidden_place_is_not_found(warehouse: read.Warehouse) -> None:
    assert warehouse.place("restaurants", "Nameless Corner", "Mumbai") is None
    assert [place.name for place in warehouse.places_in("restaurants", "Bombay")] == ["Café Olé", "Cafe Ole"]


def test_places_of_a_city_without_any_are_none_and_of_no_city_an_error(warehouse: read.Warehouse) -> None:
    assert warehouse.places_in("restaurants", "Gaya") == ()
    with pytest.raises(read.UnknownCity, match="no city 'Atlantis' in region toy"):
        warehouse.places_in("restaurants", "Atlantis")


def test_looking_into_an_absent_table_is_never_just_nothing_found(warehouse: read.Warehouse) -> None:
    with pytest.raises(read.TableAbsent, match="no mapping brings attractions"):
        warehouse.place("attractions", "Red Fort", "Delhi")
    with pytest.raises(read.TableAbsent):
        warehouse.place("attractions", "Red Fort", "Atlantis")
    with pytest.raises(read.TableAbsent):
        warehouse.places_in("attractions", "Delhi")
    with pytest.raises(read.UnknownTable, match="no table of places"):
        warehouse.place("city_set", "Delhi", "Delhi")


def test_a_distance_is_that_of_the_ordered_pair(warehouse: read.Warehouse) -> None:
    assert warehouse.distance("Delhi", "Mumbai") == read.Distance(
        "Delhi", "Mumbai", 100.0, "not_asked", None, None, None
    )
    back = warehouse.distance("bombay", "New Delhi")
    assert back is not None
    assert back.great_circle_km == 104.0
    assert warehouse.distance("Delhi", "Delhi") is None
    assert warehouse.distance("Delhi", "Atlantis") is None


def test_the_nearest_stop_is_in_metres_and_may_be_unknown(warehouse: read.Warehouse) -> None:
    assert warehouse.nearest_stop("karim's", "Delhi", "restaurant") == read.NearestStop(
        "Karim's", "Delhi", "restaurant", "rail:ON", "Old Nagar", 841.96, 0.842
    )
    without = warehouse.nearest_stop("Karim's - Jama Masjid", "Delhi", "restaurant")
    assert without is not None
    assert (without.stop_name, without.distance_m) == (None, None)
    assert warehouse.nearest_stop("Karim's", "Delhi", "attraction") is None
    assert warehouse.nearest_stop("Karim's", "Atlantis", "restaurant") is None


def test_two_rows_of_one_pair_are_an_error(tmp_path: Path) -> None:
    twice = pa.concat_tables([world.distance_matrix(), world.distance_matrix().slice(0, 1)])
    publish(tmp_path / "releases", world.draft(tmp_path / "candidate", rows={"distance_matrix": twice}))
    with pytest.raises(read.Ambiguous, match="Delhi to Mumbai"):
        read.open(tmp_path).distance("Delhi", "Mumbai")


def test_opening_a_release_imports_nothing_heavy(home: Path) -> None:
    code = (
        "import sys, json, warehouse.read as r; r.open(sys.argv[1]); "
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(home)], capture_output=True, text=True, check=True)
    loaded = set(json.loads(ran.stdout))
    assert "warehouse" in loaded
    assert not loaded & {"pyarrow", "numpy", "pandas", "yaml", "duckdb", "dagster", "great_expectations", "osmnx"}


def test_a_process_that_has_read_ends_well(home: Path) -> None:
    """Reading with threads once left one behind that aborted the process at its end, in two of three runs."""
    code = f"from warehouse import read; read.open({str(home)!r}).city('Nowhere')"
    statuses = [subprocess.run([sys.executable, "-c", code], check=False).returncode for _ in range(8)]
    assert statuses == [0] * 8
