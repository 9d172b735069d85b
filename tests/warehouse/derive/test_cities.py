from dataclasses import replace

import pyarrow as pa
import pytest

from schemas.region import Region
from warehouse.derive.cities import CityIndex, unresolved


@pytest.mark.parametrize(
    ("city", "state", "expected"),
    [
        ("Delhi", None, "Delhi"),
        ("  NEW   delhi ", None, "Delhi"),
        ("Bangalore", None, "Bengaluru"),
        ("Bangalore", "Karnataka", "Bengaluru"),
        ("Bangalore", "KA", "Bengaluru"),
        ("Nagpur", "Maharastra", "Nagpur"),
        ("Bangalore", "Tamil Nadu", None),
        ("Bangalore", "Atlantis", None),
        ("Paris", None, None),
        ("Aurangabad", None, None),
        ("Aurangabad", "Bihar", "Aurangabad Bihar"),
        ("Aurangabad", "Maharashtra", "Chhatrapati Sambhajinagar"),
        ("Aurangabad Bihar", None, "Aurangabad Bihar"),
        ("Bilaspur", "Himachal Pradesh", None),
        ("Delhi Cantt", "Delhi", None),
        (None, "Delhi", None),
    ],
)
def test_a_term_leads_to_one_city_or_to_none(region: Region, city: str, state: str, expected: str) -> None:
    found = CityIndex(region).resolve(pa.array([city], pa.string()), pa.array([state], pa.string()))
    assert found.to_pylist() == [expected]


def test_a_name_told_apart_by_its_state_hides_a_plain_namesake_where_no_state_is_given(region: Region) -> None:
    plain = replace(region.cities[0], city_id="in-aurangabad", name="Aurangabad", state="Punjab", aliases=())
    index = CityIndex(replace(region, cities=(*region.cities, plain)))
    assert index.find("Aurangabad") is None
    assert index.find("Aurangabad", "Punjab") == "Aurangabad"


def test_rows_keep_their_order_and_chunks_do_not_matter(region: Region) -> None:
    names = pa.chunked_array([["Delhi", None], [], ["Paris", "Delhi", "Nagpur"]], pa.string())
    found = CityIndex(region).resolve(names)
    assert found.to_pylist() == ["Delhi", None, None, "Delhi", "Nagpur"]


def test_unresolved_terms_are_counted_with_their_state_and_nameless_rows_are_no_term(region: Region) -> None:
    names = pa.array(["Paris", "Paris", "Paris", "Delhi", None, "Aurangabad"], pa.string())
    states = pa.array(["Goa", "Goa", None, None, "Goa", None], pa.string())
    cities = CityIndex(region).resolve(names, states)
    assert unresolved(names, states, cities) == {"Paris, Goa": 2, "Aurangabad": 1, "Paris": 1}
    assert unresolved(names, None, CityIndex(region).resolve(names)) == {"Paris": 3, "Aurangabad": 1}


def test_no_rows_lead_to_no_cities(region: Region) -> None:
    nothing = pa.array([], pa.string())
    cities = CityIndex(region).resolve(nothing, nothing)
    assert (cities.type, len(cities)) == (pa.string(), 0)
    assert unresolved(nothing, nothing, cities) == {}


def test_a_state_that_a_city_lay_in_before_borders_changed_leads_to_it(region: Region) -> None:
    hyderabad = replace(region.cities[0], city_id="in-hyderabad", name="Hyderabad", state="Telangana", aliases=())
    index = CityIndex(replace(region, cities=(*region.cities, hyderabad)))
    assert index.find("Hyderabad", "Andhra Pradesh") == "Hyderabad"
    assert index.find("Hyderabad", "Telangana") == "Hyderabad"
    assert index.find("Hyderabad", "Karnataka") is None
