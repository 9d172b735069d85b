"""The books of a build: whatever came in for a table left it by one door, for every source of it."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.accounts import accounts_of, contributions
from pipeline.origins import SourceCard
from pipeline.regions import region_folder
from pipeline.store import Store
from schemas.arrow import staged_schema
from schemas.region import Region, load_region
from schemas.rows import Built, Notes, Reject, quarantine_table
from schemas.terms import Terms
from warehouse.derive.places import build_places
from warehouse.derive.roads import build_distance_matrix
from warehouse.quality.candidate import Account
from warehouse.release.draft import Contribution

Books = Callable[[str, Built, Built], tuple[Contribution, ...]]


@pytest.fixture(scope="module")
def region() -> Region:
    return load_region(region_folder("sample"))


@pytest.fixture
def books(tmp_path: Path, region: Region) -> Books:
    """Return what the rows of one source, as they were staged and derived, brought to a table."""

    def keep(table: str, staged: Built, derived: Built) -> tuple[Contribution, ...]:
        store = Store(tmp_path)
        sources = {table: {"asked": store.put("staged", "asked", "0" * 64, staged)}}
        return contributions(sources, {table: store.put("derived", table, "0" * 64, derived)}, region, _card)

    return keep


def _card(source: str) -> SourceCard:
    return SourceCard(source, source, source, "0" * 64, Terms())


def _staged(table: str, *rows: dict[str, Any], refused: int = 0) -> Built:
    marks = {"source": "asked", "snapshot_id": "f" * 16, "value_class": "observed"}
    numbered = [{**marks, "source_ref": f"a#{number}", **row} for number, row in enumerate(rows)]
    rejects = [Reject(table, "asked", f"b#{number}", "unreadable", "not a number") for number in range(refused)]
    found = pa.Table.from_pylist(numbered, schema=staged_schema(table))
    return Built(found, Notes(len(rows) + refused), quarantine_table(rejects))


def _road(region: Region, pair: tuple[int, int], **values: Any) -> dict[str, Any]:
    (one, other), road = (region.cities[place] for place in pair), {"road_status": "no_route", **values}
    return road | {
        "origin_latitude": one.latitude,
        "origin_longitude": one.longitude,
        "destination_latitude": other.latitude,
        "destination_longitude": other.longitude,
    }


def test_of_distances_both_the_answers_and_the_pairs_of_the_region_are_accounted_for(
    region: Region, books: Books
) -> None:
    staged = _staged(
        "distance_matrix",
        _road(region, (0, 1), observed_at=date(2026, 3, 1)),
        _road(region, (0, 1), observed_at=date(2026, 3, 2)),
        _road(region, (1, 0)),
        _road(region, (0, 2), road_status="ok", distance_km=1.0, duration_min=1),
        _road(region, (0, 2), road_status="ok", distance_km=1.0, duration_min=1, origin_latitude=0.0),
        refused=1,
    )
    derived = build_distance_matrix(region, [staged.rows])
    assert accounts_of(books("distance_matrix", staged, derived)) == (
        Account("distance_matrix", "asked", rows_in=6, kept=2, merged=1, quarantined=3),
        Account("distance_matrix", "geonames", rows_in=132, kept=130, merged=2, quarantined=0),
    )


def test_the_pairs_of_the_region_are_accounted_for_when_every_one_is_answered(region: Region, books: Books) -> None:
    cities = range(len(region.cities))
    answers = [_road(region, (one, other)) for one in cities for other in cities if one != other]
    staged = _staged("distance_matrix", *answers)
    derived = build_distance_matrix(region, [staged.rows])
    assert accounts_of(books("distance_matrix", staged, derived))[1] == Account(
        "distance_matrix", "geonames", rows_in=132, kept=0, merged=132, quarantined=0
    )


def test_what_a_source_says_that_leads_nowhere_is_told_of_it(region: Region, books: Books) -> None:
    found = {"name": "Inn", "city_name": "Atlantis", "search_city_id": region.cities[0].city_id}
    staged = _staged(
        "accommodations",
        {**found, "source_id": "1", "source_amenities": ["Levitation", "Pool"]},
        {**found, "source_id": "2", "city_name": "Lemuria", "search_city_id": None},
    )
    (told,) = books("accommodations", staged, build_places("accommodations", [staged.rows], region))
    assert told.unmapped == {"cities": {"Lemuria": 1}, "amenities": {"Levitation": 1}}
