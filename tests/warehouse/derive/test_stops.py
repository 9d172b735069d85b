from typing import Any

import pyarrow as pa
import pytest
from geopy.distance import geodesic
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.arrow import table_schema
from schemas.region import Region
from schemas.rows import Built
from schemas.tables import PLACE_TABLES
from warehouse.derive.places import build_places
from warehouse.derive.stops import build_poi_nearest_stops, build_transit_stops, station_key

NAGPUR = {
    "stop_name": "NAGPUR JN",
    "stop_mode": "rail",
    "stop_code": "NGP",
    "latitude": 21.1520,
    "longitude": 79.0880,
    "state_name": "Maharastra",
    "source_id": "NGP",
}
METRO = {"stop_name": "Kashmere Gate", "stop_mode": "metro", "latitude": 28.6675, "longitude": 77.2282}

STREET = 0.002  # degrees of latitude, some 220 m


def _stop(built: Built, stop_id: str) -> dict[str, Any]:
    (row,) = (row for row in built.rows.to_pylist() if row["stop_id"] == stop_id)
    return row


def _rules(built: Built) -> list[tuple[str, str, str]]:
    columns = ("source_ref", "into_ref", "rule")
    return sorted(zip(*(built.merges[column].to_pylist() for column in columns), strict=True))


def test_a_coded_station_is_known_by_its_code_and_its_state_is_normalised(region: Region, staged: Any) -> None:
    built = build_transit_stops([staged("transit_stops", NAGPUR)], region)
    row = _stop(built, "rail:NGP")
    assert (row["state_name"], row["evaluator_visible"]) == ("Maharashtra", True)


def test_an_unknown_state_becomes_null_and_is_counted(region: Region, staged: Any) -> None:
    built = build_transit_stops([staged("transit_stops", {**NAGPUR, "state_name": "Gaul"})], region)
    assert built.rows["state_name"].to_pylist() == [None]
    assert built.notes.unmapped == {"states": {"Gaul": 1}}


@pytest.mark.parametrize("code", ["NAN", "NIL", "ON", "E"])
def test_codes_that_look_like_nothing_are_codes(region: Region, staged: Any, code: str) -> None:
    built = build_transit_stops([staged("transit_stops", {**NAGPUR, "stop_code": code})], region)
    assert built.rows["stop_id"].to_pylist() == [f"rail:{code}"]


def test_rows_of_one_code_are_one_stop_and_the_first_with_a_point_stays(region: Region, staged: Any) -> None:
    pointless, later = {**NAGPUR, "latitude": None, "longitude": None}, {**NAGPUR, "stop_name": "Nagpur"}
    sources = [staged("transit_stops", pointless), staged("transit_stops", later, source="two")]
    built = build_transit_stops(sources, region)
    assert _stop(built, "rail:NGP")["source"] == "two"
    assert _rules(built) == [("one.csv#1", "two.csv#1", "same_code")]


def test_of_two_agreeing_points_the_one_of_the_first_source_stays(region: Region, staged: Any) -> None:
    sources = [
        staged("transit_stops", NAGPUR),
        staged("transit_stops", {**NAGPUR, "latitude": 21.1525}, source="two"),
    ]
    assert _stop(build_transit_stops(sources, region), "rail:NGP")["latitude"] == 21.1520


def test_of_two_sources_that_contradict_each_other_the_more_trusted_one_is_believed(
    region: Region, staged: Any
) -> None:
    sources = [
        staged("transit_stops", NAGPUR),
        staged("transit_stops", {**NAGPUR, "latitude": 21.20}, source="two"),
    ]
    built = build_transit_stops(sources, region)
    row = _stop(built, "rail:NGP")
    assert (row["source"], row["latitude"], row["evaluator_visible"]) == ("one", 21.1520, True)
    (remark,) = built.notes.remarks
    assert remark == "1 coded stops have the point of the most trusted source, as others differ by more than 5 km: NGP"


def test_a_third_source_decides_which_point_is_right(region: Region, staged: Any) -> None:
    points = {"one": 21.30, "two": 21.1520, "three": 21.1530}
    sources = [
        staged("transit_stops", {**NAGPUR, "latitude": latitude}, source=name) for name, latitude in points.items()
    ]
    built = build_transit_stops(sources, region)
    row = _stop(built, "rail:NGP")
    assert (row["source"], row["latitude"]) == ("two", 21.1520)
    assert "point of most sources" in built.notes.remarks[0]


def test_two_against_two_is_no_majority_and_a_source_does_not_support_itself(region: Region, staged: Any) -> None:
    two_to_two = [
        staged("transit_stops", {**NAGPUR, "latitude": latitude}, source=f"s{number}")
        for number, latitude in enumerate((21.1, 21.1, 21.2, 21.2))
    ]
    itself = [
        staged("transit_stops", NAGPUR, NAGPUR),
        staged("transit_stops", {**NAGPUR, "latitude": 21.2}, source="two"),
    ]
    for sources, first in ((two_to_two, 21.1), (itself, 21.1520)):
        built = build_transit_stops(sources, region)
        assert _stop(built, "rail:NGP")["latitude"] == first
        assert "most trusted source" in built.notes.remarks[0]


def test_codes_of_metros_are_their_own_and_merge_nothing(region: Region, staged: Any) -> None:
    kochi = {"stop_name": "Aluva", "stop_mode": "metro", "stop_code": "NGP", "latitude": 10.1, "longitude": 76.35}
    built = build_transit_stops([staged("transit_stops", NAGPUR, {**kochi, "source_id": "A1"})], region)
    assert built.rows["stop_id"].to_pylist() == ["one:A1", "rail:NGP"]


def test_a_station_without_code_is_the_coded_one_of_its_name_nearby(region: Region, staged: Any) -> None:
    uncoded = {**NAGPUR, "stop_name": "Nagpur Junction", "stop_code": None, "source_id": None}
    near, far = {**uncoded, "latitude": 21.1520 + 2 * STREET}, {**uncoded, "latitude": 21.1520 + 3 * STREET}
    built = build_transit_stops([staged("transit_stops", near, far, NAGPUR)], region)
    assert _rules(built) == [("one.csv#1", "one.csv#3", "same_name_nearby")]
    assert len(built.rows) == 2


def test_a_station_without_code_is_known_also_by_where_its_own_source_puts_the_coded_one(
    region: Region, staged: Any
) -> None:
    elsewhere = {**NAGPUR, "latitude": 21.18}
    uncoded = {**elsewhere, "stop_name": "Nagpur Jn", "stop_code": None, "source_id": None}
    sources = [staged("transit_stops", NAGPUR), staged("transit_stops", elsewhere, uncoded, source="two")]
    built = build_transit_stops(sources, region)
    assert [(row["stop_id"], row["latitude"]) for row in built.rows.to_pylist()] == [("rail:NGP", 21.1520)]
    assert ("two.csv#2", "one.csv#1", "same_name_nearby") in _rules(built)


def test_two_codes_are_two_stations_however_near_and_alike(region: Region, staged: Any) -> None:
    built = build_transit_stops([staged("transit_stops", NAGPUR, {**NAGPUR, "stop_code": "NAG"})], region)
    assert built.rows["stop_id"].to_pylist() == ["rail:NAG", "rail:NGP"]


def test_platforms_of_metro_lines_that_meet_are_one_stop_with_all_their_lines(region: Region, staged: Any) -> None:
    rows = [
        {**METRO, "source_id": "16", "stop_lines": ["Red"]},
        {**METRO, "source_id": "41", "stop_lines": ["Yellow", "Red"], "latitude": METRO["latitude"] + STREET},
        {**METRO, "source_id": "99", "stop_lines": ["Blue"], "latitude": METRO["latitude"] + 2 * STREET},
    ]
    built = build_transit_stops([staged("transit_stops", *rows)], region)
    assert _stop(built, "one:16")["stop_lines"] == ["Red", "Yellow"]
    assert _stop(built, "one:99")["stop_lines"] == ["Blue"]


def test_a_metro_stop_and_a_station_of_one_name_are_two_stops(region: Region, staged: Any) -> None:
    built = build_transit_stops([staged("transit_stops", METRO, {**METRO, "stop_mode": "rail"})], region)
    assert len(built.rows) == 2


def test_a_stop_without_lines_has_none_and_no_empty_list(region: Region, staged: Any) -> None:
    built = build_transit_stops([staged("transit_stops", {**NAGPUR, "stop_lines": []})], region)
    assert built.rows["stop_lines"].to_pylist() == [None]


@pytest.mark.parametrize(("point", "column"), [({"latitude": 51.5}, "latitude"), ({"longitude": 28.69}, "longitude")])
def test_a_point_outside_the_region_is_quarantined(
    region: Region, staged: Any, point: dict[str, float], column: str
) -> None:
    built = build_transit_stops([staged("transit_stops", {**METRO, **point})], region)
    assert built.quarantine.select(["code", "column", "value"]).to_pylist() == [
        {"code": "outside_region", "column": column, "value": str(point[column])}
    ]


def test_a_stop_without_mode_or_with_a_name_that_no_plan_can_hold_is_quarantined(region: Region, staged: Any) -> None:
    rows = staged("transit_stops", {**METRO, "stop_mode": None}, {**METRO, "stop_name": "A;B"})
    built = build_transit_stops([rows], region)
    assert built.quarantine["code"].to_pylist() == ["required", "name_breaks_grammar"]


def test_stops_without_a_name_are_kept_hidden_and_are_not_taken_for_one_another(region: Region, staged: Any) -> None:
    nameless = {**METRO, "stop_name": None}
    rows = staged("transit_stops", METRO, {**nameless, "source_id": "1"}, {**nameless, "source_id": "2"})
    built = build_transit_stops([rows], region)
    assert (len(built.rows), len(built.merges), len(built.quarantine)) == (3, 0, 0)
    assert [_stop(built, stop_id)["missing"] for stop_id in ("one:1", "one:2")] == [["stop_name"]] * 2
    assert [row["stop_name"] for row in built.rows.to_pylist() if row["evaluator_visible"]] == ["Kashmere Gate"]


def test_stops_of_one_source_id_are_one(region: Region, staged: Any) -> None:
    rows = staged("transit_stops", {**METRO, "source_id": "1", "latitude": None}, {**METRO, "source_id": "1"})
    built = build_transit_stops([rows], region)
    assert _rules(built) == [("one.csv#1", "one.csv#2", "same_id")]


def test_stops_without_any_id_get_one_from_their_contents(region: Region, staged: Any) -> None:
    far = {**METRO, "latitude": 28.9}
    ids = [
        build_transit_stops([staged("transit_stops", *rows)], region).rows.to_pylist()
        for rows in ((METRO, far), (far, METRO))
    ]
    by_point = [{row["latitude"]: row["stop_id"] for row in rows} for rows in ids]
    assert by_point[0] == by_point[1]
    assert by_point[0][28.9] == f"{by_point[0][28.6675]}-2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NAGPUR JN.", "Nagpur Junction"),
        ("MANTRALAYAM RD", "Mantralayam Road"),
        ("Thiruvananthapuram Ctrl", "THIRUVANANTHAPURAM CENTRAL"),
        ("Agra Cantt.", "Agra Cantonment"),
    ],
)
def test_short_forms_of_station_words_are_the_same_name(one: str, other: str) -> None:
    assert station_key(one) == station_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Agra Cantt", "Agra Fort"),
        ("Paschim Vihar (East)", "Paschim Vihar (West)"),
        ("Sector 15", "Sector 16"),
        ("Junction", "Station"),
    ],
)
def test_other_words_tell_stations_apart(one: str, other: str) -> None:
    assert station_key(one) != station_key(other)


ANY_STOP = st.fixed_dictionaries(
    {
        "stop_name": st.sampled_from(["Nagpur", "NAGPUR JN", "Sadar", "A;B", None]),
        "stop_mode": st.sampled_from(["rail", "metro", None]),
        "stop_code": st.sampled_from(["NGP", "SDR", None]),
        "source_id": st.sampled_from(["1", "2", None]),
        "latitude": st.sampled_from([21.152, 21.153, 21.155, 21.3, 60.0, None]),
        "longitude": st.sampled_from([79.088, None]),
        "stop_lines": st.sampled_from([["Red"], ["Blue", "Red"], [], None]),
        "state_name": st.sampled_from(["Maharashtra", "Gaul", None]),
    }
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.lists(ANY_STOP, max_size=8), max_size=3))
def test_every_row_leaves_by_one_door_and_no_line_is_lost(region: Region, staged: Any, sources: list[Any]) -> None:
    tables = [staged("transit_stops", *rows, source=f"s{number}") for number, rows in enumerate(sources)]
    built = build_transit_stops(tables, region)
    doors = [built.rows, built.merges, built.quarantine]
    refs = [ref for door in doors for ref in zip(*(door[c].to_pylist() for c in ("source", "source_ref")), strict=True)]
    assert built.notes.rows_in == sum(map(len, tables)) == len(refs) == len(set(refs))
    kept = set(built.rows["source_ref"].to_pylist())
    assert set(built.merges["into_ref"].to_pylist()) <= kept
    assert len(set(built.rows["stop_id"].to_pylist())) == len(built.rows)
    assert built.rows.schema.equals(table_schema("transit_stops"), check_metadata=True)
    targets = dict(zip(*(built.merges[c].to_pylist() for c in ("source_ref", "into_ref")), strict=True))
    lines_of = dict(zip(*(built.rows[c].to_pylist() for c in ("source_ref", "stop_lines")), strict=True))
    wrong = set(built.quarantine["source_ref"].to_pylist())
    for row in (row for part in tables for row in part.to_pylist() if row["source_ref"] not in wrong):
        united = lines_of[targets.get(row["source_ref"], row["source_ref"])] or []
        assert {*(row["stop_lines"] or [])} <= {*united}
        assert len(united) == len(set(united))


CAFE = {
    "name": "Cafe",
    "city_name": "Nagpur",
    "cuisines": ["Asian"],
    "avg_cost": 250.0,
    "rating": 4.0,
    "latitude": 21.15,
    "longitude": 79.09,
    "price_tier": 2,
    "avg_cost_method": "observed",
    "source_id": "1",
}


def test_a_visible_place_gets_its_nearest_visible_stop_in_metres_and_kilometres(region: Region, staged: Any) -> None:
    hidden = {**NAGPUR, "stop_code": "XYZ", "latitude": None}
    stops = build_transit_stops([staged("transit_stops", NAGPUR, hidden)], region).rows
    cafes = staged("restaurants", CAFE, {**CAFE, "source_id": "2", "name": "Hidden", "rating": None})
    places = build_places("restaurants", [cafes], region).rows
    built = build_poi_nearest_stops({"restaurants": places}, stops)
    (row,) = built.rows.to_pylist()
    metres = geodesic((21.15, 79.09), (21.1520, 79.0880)).m
    assert row == {
        "PoI": "Cafe",
        "City": "Nagpur",
        "poi_type": "restaurant",
        "nearest_stop_name": "NAGPUR JN",
        "nearest_stop_distance": metres,
        "nearest_stop_distance_km": round(metres / 1000, 3),
        "nearest_stop_id": "rail:NGP",
        "place_id": "one:1",
        "source": "one",
        "source_ref": "one.csv#1",
        "snapshot_id": "f" * 16,
        "observed_at": None,
        "value_class": "derived",
        "evaluator_visible": True,
        "missing": [],
    }
    assert built.notes.remarks == ()


def test_a_place_without_a_stop_within_50_km_has_nulls_and_is_counted(region: Region, staged: Any) -> None:
    stops = build_transit_stops([staged("transit_stops", {**NAGPUR, "latitude": 22.0})], region).rows
    places = build_places("restaurants", [staged("restaurants", CAFE)], region).rows
    built = build_poi_nearest_stops({"restaurants": places}, stops)
    columns = ("nearest_stop_id", "nearest_stop_name", "nearest_stop_distance", "nearest_stop_distance_km")
    assert [built.rows[column].to_pylist() for column in columns] == [[None]] * 4
    assert built.rows["evaluator_visible"].to_pylist() == [True]
    assert built.notes.remarks == ("1 of 1 visible places have no stop within 50 km",)


def test_all_kinds_of_places_are_covered(region: Region, staged: Any) -> None:
    fort = {**CAFE, "address": "Sitabuldi", "subcategories": ["Museums"]}
    inn = {**CAFE, "price_per_night": 900.0, "max_occupancy": 2, "house_type": "Family_Friendly", "house_rules": []}
    rows = {"restaurants": CAFE, "attractions": fort, "accommodations": inn}
    places = {name: build_places(name, [staged(name, row)], region).rows for name, row in rows.items()}
    stops = build_transit_stops([staged("transit_stops", NAGPUR)], region).rows
    built = build_poi_nearest_stops(places, stops)
    assert built.rows["poi_type"].to_pylist() == ["accommodation", "attraction", "restaurant"]


def test_without_stops_or_places_the_tables_are_empty_and_of_the_exact_schema(region: Region, staged: Any) -> None:
    for parts in ([], [staged("transit_stops")]):
        stops = build_transit_stops(parts, region)
        assert stops.rows.schema.equals(table_schema("transit_stops"), check_metadata=True)
        assert (len(stops.rows), stops.notes.rows_in) == (0, 0)
    nowhere = {name: build_places(name, [], region).rows for name in PLACE_TABLES}
    for places in ({}, nowhere):
        built = build_poi_nearest_stops(places, stops.rows)
        assert built.rows.schema.equals(table_schema("poi_nearest_stops"), check_metadata=True)
        assert len(built.rows) == 0
    one = build_places("restaurants", [staged("restaurants", CAFE)], region).rows
    assert build_poi_nearest_stops({"restaurants": one}, stops.rows).rows["nearest_stop_id"].to_pylist() == [None]
    assert isinstance(built.rows, pa.Table)
