from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.arrow import staged_schema, table_schema
from schemas.region import Region
from schemas.rows import MERGES_SCHEMA, QUARANTINE_SCHEMA, Built
from schemas.tables import PLACE_TABLES
from schemas.text import fold
from warehouse.derive.places import build_places

CAFE = {
    "name": "Cafe",
    "city_name": "New Delhi",
    "state_name": "Delhi",
    "cuisines": ["Asian"],
    "avg_cost": 250.0,
    "rating": 4.0,
    "latitude": 28.60,
    "longitude": 77.20,
    "price_tier": 2,
    "avg_cost_method": "observed",
    "locality": "Saket",
    "address": "1 High Street",
}
FORT = {
    "name": "Fort",
    "city_name": "Delhi",
    "latitude": 28.6,
    "longitude": 77.2,
    "address": "Ring Road",
    "subcategories": ["Museums", "Sights & Landmarks", "Shopping"],
    "source_categories": ["Museum", "Monument", "Bazaar"],
}


def _column(built: Built, name: str) -> list[Any]:
    values: list[Any] = built.rows[name].to_pylist()
    return values


def test_a_complete_row_is_visible_with_its_city_and_what_the_source_called_it(region: Region, staged: Any) -> None:
    built = build_places("restaurants", [staged("restaurants", {**CAFE, "source_id": "42"})], region)
    row = built.rows.to_pylist()[0]
    expected = {"place_id": "one:42", "name": "Cafe", "source_name": "Cafe", "City": "Delhi", "name_hazard": False}
    assert expected.items() <= row.items()
    assert (row["evaluator_visible"], row["missing"], row["value_class"]) == (True, [], "observed")


def test_a_place_of_no_city_of_the_region_stays_hidden_and_its_term_is_counted(region: Region, staged: Any) -> None:
    rows = staged("restaurants", {**CAFE, "city_name": "Paris", "state_name": "Goa"}, CAFE)
    built = build_places("restaurants", [rows], region)
    assert sorted(zip(_column(built, "City"), _column(built, "missing"), strict=True), key=str) == [
        ("Delhi", []),
        (None, ["City"]),
    ]
    assert built.notes.unmapped == {"cities": {"Paris, Goa": 1}}


def test_a_place_whose_city_leads_nowhere_is_of_the_city_around_which_it_was_asked_for(
    region: Region, staged: Any
) -> None:
    names = (("Noida", "Uttar Pradesh"), (None, None), ("Noida", None))
    rows = [{**CAFE, "city_name": city, "state_name": state, "search_city_id": "in-delhi"} for city, state in names]
    found = [{**row, "name": f"Cafe {number}"} for number, row in enumerate(rows)]
    built = build_places("restaurants", [staged("restaurants", *found)], region)
    assert _column(built, "City") == ["Delhi"] * 3
    assert built.notes.unmapped == {}


def test_where_a_place_was_asked_for_says_nothing_against_its_own_city(region: Region, staged: Any) -> None:
    rows = staged("restaurants", {**CAFE, "search_city_id": "in-nagpur"}, {**CAFE, "name": "Bar", "city_name": "Paris"})
    built = build_places("restaurants", [rows], region)
    assert sorted(zip(_column(built, "name"), _column(built, "City"), strict=True)) == [
        ("Bar", None),
        ("Cafe", "Delhi"),
    ]


def test_a_place_far_from_the_city_around_which_it_was_asked_for_is_not_taken_for_its_own(
    region: Region, staged: Any
) -> None:
    stray = {
        **CAFE,
        "city_name": "Agra",
        "state_name": "Uttar Pradesh",
        "latitude": 27.18,
        "search_city_id": "in-delhi",
    }
    built = build_places("restaurants", [staged("restaurants", stray)], region)
    assert built.quarantine["code"].to_pylist() == ["far_from_city"]


def test_a_search_around_a_city_that_the_region_lost_leads_nowhere(region: Region, staged: Any) -> None:
    stray = {**CAFE, "city_name": "Noida", "state_name": None, "search_city_id": "in-gone"}
    built = build_places("restaurants", [staged("restaurants", stray)], region)
    assert (_column(built, "City"), built.notes.unmapped) == ([None], {"cities": {"Noida": 1}})


def test_rows_of_one_id_of_one_source_are_one_and_the_most_complete_stays(region: Region, staged: Any) -> None:
    first, second = {**CAFE, "source_id": "7", "rating": None}, {**CAFE, "source_id": "7", "name": "Other"}
    built = build_places("restaurants", [staged("restaurants", first, second)], region)
    assert _column(built, "source_ref") == ["one.csv#2"]
    assert built.merges.to_pylist() == [
        {
            "table": "restaurants",
            "source": "one",
            "source_ref": "one.csv#1",
            "into_source": "one",
            "into_ref": "one.csv#2",
            "rule": "same_id",
        }
    ]


def test_of_two_answers_about_one_id_the_fuller_stays_and_of_two_as_full_the_later(region: Region, staged: Any) -> None:
    full = {**CAFE, "source_id": "7", "website": "https://example.org", "observed_at": date(2026, 3, 1)}
    poor = {**full, "locality": None, "website": None, "observed_at": date(2026, 3, 2)}
    later = {**full, "rating": 3.0, "observed_at": date(2026, 3, 2)}
    for rows, rating in (((poor, full), 4.0), ((full, poor), 4.0), ((full, later), 3.0), ((later, full), 3.0)):
        built = build_places("restaurants", [staged("restaurants", *rows)], region)
        found = (_column(built, "website"), _column(built, "rating"), built.merges["rule"].to_pylist())
        assert found == (["https://example.org"], [rating], ["same_id"])


def test_a_less_trusted_source_does_not_win_by_what_is_not_required(region: Region, staged: Any) -> None:
    fuller = {**CAFE, "website": "https://example.org", "observed_at": date(2026, 3, 2)}
    built = build_places(
        "restaurants", [staged("restaurants", CAFE), staged("restaurants", fuller, source="two")], region
    )
    assert _column(built, "source") == ["one"]


def test_a_record_without_categories_is_merged_into_that_of_the_same_id_which_has_them(
    region: Region, staged: Any
) -> None:
    good = {**FORT, "source_id": "7", "observed_at": date(2026, 3, 1)}
    bare = {
        **good, "subcategories": None, "source_categories": None, "observed_at": date(2026, 3, 2), "rating": 4.5,
        "website": "https://example.org", "locality": "Fort Area",
    }  # fmt: skip
    other = {**good, "latitude": None, "longitude": None, "rating": None, "address": None, "city_name": None}
    for rows in ((bare, good), (good, bare), (bare, other)):
        built = build_places("attractions", [staged("attractions", *rows)], region)
        assert _column(built, "visit_duration") == [2.5]
        assert (built.merges["rule"].to_pylist(), len(built.quarantine)) == (["same_id"], 0)


def test_records_of_one_id_none_of_which_has_categories_are_all_quarantined(region: Region, staged: Any) -> None:
    bare = {**FORT, "source_id": "7", "subcategories": None, "source_categories": None}
    built = build_places("attractions", [staged("attractions", bare, bare)], region)
    assert built.quarantine["code"].to_pylist() == ["no_duration_category"] * 2
    assert (len(built.rows), len(built.merges)) == (0, 0)


def test_a_place_outside_the_box_of_the_region_is_quarantined_whatever_it_is_called(
    region: Region, staged: Any
) -> None:
    strays = [
        {**CAFE, "latitude": 41.39, "longitude": 2.17, "city_name": "Barcelona", "state_name": None},
        {**CAFE, "latitude": 41.39},
        {**CAFE, "longitude": 2.17},
    ]
    built = build_places("restaurants", [staged("restaurants", *strays, CAFE)], region)
    assert sorted(zip(*(built.quarantine[name].to_pylist() for name in ("code", "column")), strict=True)) == [
        ("outside_region", "latitude"), ("outside_region", "latitude"), ("outside_region", "longitude"),
    ]  # fmt: skip
    assert len(built.rows) == 1


@pytest.mark.parametrize("table", PLACE_TABLES)
def test_a_place_whose_point_and_country_are_not_known_is_not_shown(region: Region, staged: Any, table: str) -> None:
    row = {**FORT, **CAFE, "latitude": None, "longitude": None}
    known = {name: value for name, value in row.items() if name in staged_schema(table).names}
    built = build_places(table, [staged(table, known)], region)
    assert _column(built, "evaluator_visible") == [False]
    assert {"latitude", "longitude"} <= set(_column(built, "missing")[0])


def test_one_id_of_two_sources_says_nothing(region: Region, staged: Any) -> None:
    rows = [staged("restaurants", {**CAFE, "source_id": "7", "name": name}, source=name) for name in ("one", "two")]
    assert _column(build_places("restaurants", rows, region), "place_id") == ["one:7", "two:7"]


def test_one_name_within_75_m_is_one_place_across_sources_and_the_earlier_source_stays_on_ties(
    region: Region, staged: Any
) -> None:
    near = {**CAFE, "name": "CAFÉ", "latitude": 28.6006}
    built = build_places(
        "restaurants", [staged("restaurants", CAFE), staged("restaurants", near, source="two")], region
    )
    assert _column(built, "source") == ["one"]
    assert built.merges["rule"].to_pylist() == ["same_place"]


def test_nulls_of_the_row_that_stays_are_not_filled_from_the_other(region: Region, staged: Any) -> None:
    other = {**CAFE, "website": "https://example.org", "rating": None}
    built = build_places("restaurants", [staged("restaurants", other, CAFE)], region)
    assert _column(built, "website") == [None]


def test_one_name_farther_than_75_m_or_without_point_is_two_places_with_their_locality(
    region: Region, staged: Any
) -> None:
    far = {**CAFE, "latitude": 28.6008, "locality": "Rohini, New Delhi"}
    pointless = {**CAFE, "latitude": None, "longitude": None, "locality": "Dwarka"}
    built = build_places("restaurants", [staged("restaurants", CAFE, far, pointless)], region)
    assert sorted(_column(built, "name")) == ["Cafe - Dwarka", "Cafe - Rohini", "Cafe - Saket"]
    assert set(_column(built, "source_name")) == {"Cafe"}
    assert built.notes.remarks == ("3 namesakes carry their locality or a number",)


def test_one_name_at_one_point_in_two_cities_is_two_places(region: Region, staged: Any) -> None:
    noida = replace(region.cities[0], city_id="in-noida", name="Noida", state="Uttar Pradesh", aliases=())
    region = replace(region, cities=(*region.cities, noida))
    other = {**CAFE, "city_name": "Noida", "state_name": "Uttar Pradesh"}
    built = build_places("restaurants", [staged("restaurants", CAFE, other)], region)
    assert _column(built, "name") == ["Cafe", "Cafe"]


def test_a_point_far_from_its_city_is_another_places(region: Region, staged: Any) -> None:
    swapped = {**CAFE, "latitude": 13.0, "longitude": 77.6}
    near = {**CAFE, "name": "Suburb", "latitude": 28.65195 + 0.6}
    built = build_places("restaurants", [staged("restaurants", swapped, near)], region)
    assert _column(built, "name") == ["Suburb"]
    assert built.quarantine.select(["source_ref", "code", "column"]).to_pylist() == [
        {"source_ref": "one.csv#1", "code": "far_from_city", "column": "latitude"}
    ]


def test_without_a_cost_there_is_no_way_in_which_it_came_to_be(region: Region, staged: Any) -> None:
    rows = [{**CAFE, "avg_cost": cost, "avg_cost_method": "observed"} for cost in (None, 200.0)]
    built = build_places(
        "restaurants", [staged("restaurants", {**rows[0], "name": "A"}, {**rows[1], "name": "B"})], region
    )
    assert {row["name"]: row["avg_cost_method"] for row in built.rows.to_pylist()} == {"A": None, "B": "observed"}


def test_a_merged_row_points_to_the_row_that_stays_in_the_end(region: Region, staged: Any) -> None:
    twice = {**CAFE, "source_id": "7", "rating": None}
    best = {**CAFE, "source_id": "8"}
    sources = [staged("restaurants", twice, twice), staged("restaurants", best, source="two")]
    built = build_places("restaurants", sources, region)
    assert _column(built, "source_ref") == ["two.csv#1"]
    assert built.merges["into_ref"].to_pylist() == ["two.csv#1"] * 2
    assert sorted(built.merges["rule"].to_pylist()) == ["same_id", "same_place"]


@pytest.mark.parametrize("name", ["A;B", "A\tB", "A\nB"])
def test_a_name_that_no_plan_can_hold_is_quarantined(region: Region, staged: Any, name: str) -> None:
    built = build_places("restaurants", [staged("restaurants", {**CAFE, "name": name}, CAFE)], region)
    assert built.quarantine.select(["source_ref", "code", "column", "value"]).to_pylist() == [
        {"source_ref": "one.csv#1", "code": "name_breaks_grammar", "column": "name", "value": name}
    ]
    assert len(built.rows) == 1


def test_a_row_without_name_is_quarantined(region: Region, staged: Any) -> None:
    built = build_places("restaurants", [staged("restaurants", {**CAFE, "name": None})], region)
    assert built.quarantine["code"].to_pylist() == ["required"]


def test_an_attraction_gets_its_duration_in_hours_and_minutes(region: Region, staged: Any) -> None:
    built = build_places("attractions", [staged("attractions", FORT)], region)
    assert (_column(built, "visit_duration"), _column(built, "visit_duration_min")) == ([2.5], [150])
    assert _column(built, "evaluator_visible") == [True]


def test_an_attraction_without_a_known_category_is_quarantined_with_what_the_source_said(
    region: Region, staged: Any
) -> None:
    unknown = {**FORT, "subcategories": None, "source_categories": ["Tram", "Ghat"]}
    built = build_places("attractions", [staged("attractions", unknown)], region)
    assert built.quarantine.select(["code", "value"]).to_pylist() == [
        {"code": "no_duration_category", "value": "Tram, Ghat"}
    ]
    assert len(built.rows) == 0


def test_ids_without_source_ids_follow_the_contents_and_not_the_order_of_rows(region: Region, staged: Any) -> None:
    rows = [{**CAFE, "rating": rating, "latitude": None} for rating in (1.0, 2.0, 3.0)]
    ids = []
    for order in (rows, rows[::-1]):
        built = build_places("restaurants", [staged("restaurants", *order)], region)
        ids.append(dict(zip(_column(built, "rating"), _column(built, "place_id"), strict=True)))
    assert ids[0] == ids[1]
    assert ids[0][2.0] == f"{ids[0][1.0]}-2"
    assert pc.all(pc.match_substring_regex(pa.array(list(ids[0].values())), r"^one:[0-9a-f]{12}(-\d)?$")).as_py()


@pytest.mark.parametrize("column", ["name", "city_name", "state_name", "address", "locality"])
def test_an_id_without_source_id_hangs_on_what_tells_places_apart(region: Region, staged: Any, column: str) -> None:
    rows = staged("restaurants", CAFE, {**CAFE, column: "Nagpur", "latitude": None})
    ids = _column(build_places("restaurants", [rows], region), "place_id")
    assert not any(place_id.endswith("-2") for place_id in ids)


@pytest.mark.parametrize("table", PLACE_TABLES)
def test_no_rows_make_an_empty_table_of_the_exact_schema(region: Region, staged: Any, table: str) -> None:
    for parts in ([], [staged(table)]):
        built = build_places(table, parts, region)
        assert built.rows.schema.equals(table_schema(table), check_metadata=True)
        assert (len(built.rows), built.notes.rows_in) == (0, 0)
        assert (built.quarantine.schema, built.merges.schema) == (QUARANTINE_SCHEMA, MERGES_SCHEMA)


ANY_ROW = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["Cafe", "CAFÉ", "Cafe - Saket", "Dhaba", "A;B", None]),
        "city_name": st.sampled_from(["Delhi", "New Delhi", "Nagpur", "Paris", None]),
        "locality": st.sampled_from(["Saket", "Rohini, Delhi", None]),
        "source_id": st.sampled_from(["1", "2", None]),
        "latitude": st.sampled_from([28.60, 28.6004, 28.6008, None]),
        "longitude": st.sampled_from([77.20, None]),
        "subcategories": st.sampled_from([["Museums"], ["Shopping", "Nightlife"], [], None]),
        "rating": st.sampled_from([3.5, None]),
        "address": st.sampled_from(["1 High Street", None]),
    }
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from(PLACE_TABLES), st.lists(ANY_ROW, max_size=12), st.lists(ANY_ROW, max_size=6))
def test_every_row_leaves_by_one_door_and_what_stays_can_be_told_apart(
    region: Region, staged: Any, table: str, one: list[dict[str, Any]], two: list[dict[str, Any]]
) -> None:
    built = build_places(table, [staged(table, *one), staged(table, *two, source="two")], region)
    doors = [built.rows, built.merges, built.quarantine]
    refs = [ref for door in doors for ref in zip(*(door[c].to_pylist() for c in ("source", "source_ref")), strict=True)]
    assert built.notes.rows_in == len(one) + len(two) == len(refs) == len(set(refs))
    kept = set(zip(_column(built, "source"), _column(built, "source_ref"), strict=True))
    assert set(zip(*(built.merges[c].to_pylist() for c in ("into_source", "into_ref")), strict=True)) <= kept
    assert built.rows.schema.equals(table_schema(table), check_metadata=True)
    assert len(set(_column(built, "place_id"))) == len(built.rows)
    named = [
        (city, fold(name)) for city, name in zip(_column(built, "City"), _column(built, "name"), strict=True) if city
    ]
    assert len(named) == len(set(named))
    for name in ("name", "place_id", "name_hazard"):
        assert built.rows[name].null_count == 0


def test_records_that_a_source_tells_apart_by_id_are_different_places_however_near(region: Region, staged: Any) -> None:
    branches = ({**CAFE, "source_id": "7", "locality": "Shop 35"}, {**CAFE, "source_id": "8", "locality": "Shop 68"})
    built = build_places("restaurants", [staged("restaurants", *branches)], region)
    assert sorted(_column(built, "name")) == ["Cafe - Shop 35", "Cafe - Shop 68"]
    other = staged("restaurants", {**CAFE, "source_id": "a"}, source="two")
    built = build_places("restaurants", [staged("restaurants", *branches), other], region)
    assert len(built.rows) == 2
    assert built.merges["source"].to_pylist() == ["two"]
