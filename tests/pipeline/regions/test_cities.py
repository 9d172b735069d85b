"""What the city sets of `india` and `sample` promise."""

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import combinations

import pytest
from geopy.distance import great_circle

from pipeline.regions import read_region, region_folder, region_ids
from pipeline.regions.selection import Selection, read_selection
from schemas.region import City, Region, RegionError, has_name_hazard
from schemas.text import fold
from schemas.textyaml import load_text

MUST_HAVE = """
    Jaipur|Nagpur|Jabalpur|Thiruvananthapuram|Kochi|Jamnagar|Vadodara|Ahmedabad|Bhopal|Kanpur|Surat|Pune|Indore
    Hyderabad|Visakhapatnam|Lucknow|Delhi|Mumbai|Bengaluru|Chennai|Kolkata|Port Blair
"""


@pytest.fixture(scope="module")
def selection() -> Selection:
    selection = read_selection(region_folder("india") / "selection.yaml")
    assert isinstance(selection, Selection)
    return selection


def spellings(region: Region) -> dict[str, City]:
    return {fold(name): city for city in region.cities for name in (city.name, *city.aliases)}


def km(one: City, other: City) -> float:
    return float(great_circle((one.latitude, one.longitude), (other.latitude, other.longitude)).km)


def test_india_has_exactly_504_cities_in_33_states(india: Region) -> None:
    assert len(india.cities) == 504
    assert {city.state for city in india.cities} == set(india.states)
    assert len(india.states) == 33


def test_states_are_of_the_closed_list_and_the_others_are_explained(india: Region, selection: Selection) -> None:
    closed = load_text(region_folder("india").parents[2] / "schemas" / "vocabularies" / "states.yaml")["terms"]
    assert len(closed) == 36
    assert set(india.states) | selection.not_covered.keys() == set(closed)
    assert all(selection.not_covered.values())


@pytest.mark.parametrize("name", re.split(r"\||\n +", MUST_HAVE.strip()))
def test_the_city_is_in(india: Region, name: str) -> None:
    assert name in {city.name for city in india.cities}


def test_city_names_are_plain_ascii_that_the_plan_grammar_can_read(india: Region) -> None:
    for city in india.cities:
        assert city.name.isascii()
        assert not re.search(r"[(),;\n\t]|\b(from|to)\b", city.name, re.IGNORECASE), city.name
        assert not has_name_hazard(city.name)


@pytest.mark.parametrize("name", ["Goa (North)", "Goa, North", "Goa; North", "Way to Goa", "From Goa", "A\tB"])
def test_a_name_that_breaks_a_plan_is_hazardous(name: str) -> None:
    assert has_name_hazard(name)


@pytest.mark.parametrize("name", ["Tonk", "Totopara", "Fromelles", "Mira-Bhayandar"])
def test_a_name_that_only_holds_the_letters_of_from_or_to_is_not_hazardous(name: str) -> None:
    assert not has_name_hazard(name)


def test_the_accented_form_is_an_alias(india: Region) -> None:
    for name, accented in [("Thane", "Thāne"), ("Rajkot", "Rājkot"), ("Ghaziabad", "Ghāziābād")]:
        (city,) = [city for city in india.cities if city.name == name]
        assert accented in city.aliases


def test_ids_names_and_aliases_mean_one_city(india: Region) -> None:
    assert len({city.city_id for city in india.cities}) == 504
    assert len({city.geonames_id for city in india.cities}) == 504
    claims = Counter(
        spelling for city in india.cities for spelling in {fold(name) for name in (city.name, *city.aliases)}
    )
    assert [spelling for spelling, count in claims.items() if count > 1] == []


def test_a_bare_name_of_two_cities_is_a_spelling_of_none(india: Region) -> None:
    known = spellings(india)
    assert known["aurangabad bihar"].name == "Aurangabad Bihar"
    assert known["aurangabad bihar"].city_id == "in-aurangabad-bihar"
    assert known["aurangabad maharashtra"].name == "Chhatrapati Sambhajinagar"
    assert "aurangabad" not in known


@pytest.mark.parametrize(
    ("spelling", "city"),
    [
        ("New Delhi", "Delhi"),
        ("Bangalore", "Bengaluru"),
        ("Vizag", "Visakhapatnam"),
        ("Bhubaneshwar", "Bhubaneswar"),
        ("Cochin", "Kochi"),
        ("Ernakulam", "Kochi"),
        ("Gurgaon", "Gurugram"),
        ("Allahabad", "Prayagraj"),
        ("Calicut", "Kozhikode"),
        ("Mysore", "Mysuru"),
        ("Alleppey", "Alappuzha"),
        ("Ooty", "Udhagamandalam"),
        ("Mohali", "Sahibzada Ajit Singh Nagar"),
        ("Sri Vijaya Puram", "Port Blair"),
        ("Secunderabad", "Hyderabad"),
    ],
)
def test_other_spellings_find_their_city(india: Region, spelling: str, city: str) -> None:
    assert spellings(india)[fold(spelling)].name == city


def test_no_two_cities_nearby_have_similar_names(india: Region) -> None:
    similar = [
        (one.name, other.name)
        for one, other in combinations(india.cities, 2)
        if SequenceMatcher(None, fold(one.name), fold(other.name)).ratio() > 0.75 and km(one, other) < 15
    ]
    assert similar == []


def test_a_city_within_8_km_of_a_larger_one_of_its_state_is_in_the_reviewed_keep_list(
    india: Region, selection: Selection
) -> None:
    twins = {
        min(one, other, key=lambda city: city.population).geonames_id
        for one, other in combinations(india.cities, 2)
        if one.state == other.state and abs(one.latitude - other.latitude) < 0.1 and km(one, other) < 8
    }
    assert twins == selection.keep.keys()
    assert all("own municipal" in review.note for review in selection.keep.values())


def test_quarters_and_double_entries_are_out(india: Region) -> None:
    names = {city.name for city in india.cities}
    out = {"Dharavi", "Shivaji Nagar", "Rasapudipalem", "Kallakurichi", "Pimpri", "Rohini", "Yelahanka", "Secunderabad"}
    assert not names & out
    assert Counter(city.name for city in india.cities)["Udaipur"] == 1


def test_uncertainty_cities_are_20_and_five_states_have_three_or_more(india: Region) -> None:
    chosen = [city for city in india.cities if city.is_uncertainty_city]
    served = {airport.city_id for airport in india.airports}
    assert len(chosen) == 20
    assert sum(count >= 3 for count in Counter(city.state for city in chosen).values()) >= 5
    assert all(city.city_id in served for city in chosen)


def test_sample_is_12_uncertainty_cities_of_india_as_4_4_2_2(india: Region, sample: Region) -> None:
    assert len(sample.cities) == 12
    assert set(sample.cities) <= set(india.cities)
    assert all(city.is_uncertainty_city for city in sample.cities)
    assert sorted(Counter(city.state for city in sample.cities).values()) == [2, 2, 4, 4]


@pytest.mark.parametrize("region_id", ["india", "sample"])
def test_floors_are_the_numbers_of_the_region(region_id: str) -> None:
    region = read_region(region_id)
    size = len(region.cities)
    assert region.floors["city_set"] == {"min_rows": size, "min_states": len(region.states)}
    assert region.floors["distance_matrix"] == {"min_rows": size * (size - 1)}
    assert region.floors["airports"]["min_rows"] <= len({airport.city_id for airport in region.airports} - {""})


def test_regions_are_found_by_their_folder_and_an_unknown_one_lists_the_choices() -> None:
    assert {"india", "sample"} <= set(region_ids())
    with pytest.raises(RegionError, match=r"no region 'nepal'.*india, sample"):
        region_folder("nepal")
