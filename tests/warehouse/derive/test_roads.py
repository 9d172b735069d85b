"""Roads between cities: every pair is there, and what an answer says of it is believed only where it can be true."""

from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow.compute as pc
import pytest
from geopy.distance import great_circle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.arrow import table_schema
from schemas.region import Region
from schemas.rows import Built
from tests.warehouse.derive.conftest import CITIES
from warehouse.derive.roads import build_distance_matrix, build_road_delay

POINTS = {city.name: (city.latitude, city.longitude) for city in CITIES}
Row = dict[str, Any]


def _ends(origin: str, destination: str) -> Row:
    points = (*POINTS[origin], *POINTS[destination])
    return dict(
        zip(
            ("origin_latitude", "origin_longitude", "destination_latitude", "destination_longitude"),
            points,
            strict=True,
        )
    )


def _road(origin: str, destination: str, km: float | None, minutes: int | None, status: str = "ok", **more: Any) -> Row:
    return {
        **_ends(origin, destination), "distance_km": km, "duration_min": minutes, "road_status": status, **more
    }  # fmt: skip


def _failure(origin: str, destination: str, status: str, **more: Any) -> Row:
    return _road(origin, destination, None, None, status, **more)


def _delay(free: float | None, historical: float | None, **more: Any) -> Row:
    return {
        **_ends("Delhi", "Nagpur"),
        "free_flow_travel_time_min": free,
        "historical_travel_time_min": historical,
        **more,
    }


def _pair(built: Built, origin: str, destination: str) -> Row:
    is_pair = pc.and_(pc.equal(built.rows["origin"], origin), pc.equal(built.rows["destination"], destination))
    (row,) = built.rows.filter(is_pair).to_pylist()
    return dict(row)


def _rejected(built: Built) -> list[tuple[str, str]]:
    return [(row["code"], row["column"]) for row in built.quarantine.to_pylist()]


DELHI_NAGPUR = _road("Delhi", "Nagpur", 1080.5, 1050)


def test_every_ordered_pair_of_different_cities_stands_once_in_order(region: Region) -> None:
    rows = build_distance_matrix(region).rows
    pairs = list(zip(rows["origin"].to_pylist(), rows["destination"].to_pylist(), strict=True))
    names = sorted(city.name for city in region.cities)
    assert pairs == [(origin, destination) for origin in names for destination in names if origin != destination]


def test_distances_are_great_circles_and_no_road_was_asked_for(region: Region) -> None:
    rows = build_distance_matrix(region).rows.to_pylist()
    points = {city.name: (city.latitude, city.longitude) for city in region.cities}
    for row in rows:
        expected = great_circle(points[row["origin"]], points[row["destination"]]).km
        assert row["great_circle_km"] == pytest.approx(expected, rel=1e-9)
        assert (row["road_status"], row["distance_km"], row["duration_min"]) == ("not_asked", None, None)
        assert row["road_feasible"] is None
        assert row["evaluator_visible"]
    assert rows[0]["source_ref"] == "cities.csv#in-aurangabad-bihar,in-bengaluru"


def test_an_answer_tells_of_its_pair_alone_and_is_named_as_its_origin(region: Region, staged: Any) -> None:
    answer = {**DELHI_NAGPUR, "observed_at": date(2026, 3, 14)}
    built = build_distance_matrix(region, [staged("distance_matrix", answer, source="tomtom")])
    expected = {
        "road_status": "ok",
        "distance_km": 1080.5,
        "duration_min": 1050,
        "road_feasible": True,
        "source": "tomtom",
        "source_ref": "tomtom.csv#1",
        "snapshot_id": "f" * 16,
        "observed_at": date(2026, 3, 14),
        "value_class": "observed",
    }
    assert expected.items() <= _pair(built, "Delhi", "Nagpur").items()
    kilometres = great_circle(POINTS["Delhi"], POINTS["Nagpur"]).km
    assert _pair(built, "Delhi", "Nagpur")["great_circle_km"] == pytest.approx(kilometres, rel=1e-9)
    back = _pair(built, "Nagpur", "Delhi")
    assert (back["road_status"], back["source"], back["road_feasible"]) == ("not_asked", "geonames", None)
    assert built.notes.remarks == ("30 pairs of cities: 1 ok, 29 not_asked",)


def test_a_pair_of_the_region_is_merged_into_the_answer_to_it(region: Region, staged: Any) -> None:
    built = build_distance_matrix(region, [staged("distance_matrix", DELHI_NAGPUR)])
    assert built.merges.to_pylist() == [
        {
            "table": "distance_matrix",
            "source": "geonames",
            "source_ref": "cities.csv#in-delhi,in-nagpur",
            "into_source": "one",
            "into_ref": "one.csv#1",
            "rule": "road_answered",
        }
    ]


def test_a_drive_of_1440_minutes_is_feasible_and_a_longer_or_unknown_one_is_not(region: Region, staged: Any) -> None:
    rows = staged(
        "distance_matrix",
        _road("Delhi", "Nagpur", 1080.5, 1440),
        _road("Nagpur", "Delhi", 1080.5, 1441),
        _failure("Delhi", "Bilaspur", "no_route"),
    )
    built = build_distance_matrix(region, [rows])
    assert _pair(built, "Delhi", "Nagpur")["road_feasible"] is True
    assert _pair(built, "Nagpur", "Delhi")["road_feasible"] is False
    bilaspur = _pair(built, "Delhi", "Bilaspur")
    assert (bilaspur["road_status"], bilaspur["road_feasible"], bilaspur["distance_km"]) == ("no_route", False, None)


@pytest.mark.parametrize("is_failure_later", [True, False])
def test_a_road_that_was_found_is_believed_before_any_failure(
    region: Region, staged: Any, is_failure_later: bool
) -> None:
    days = (date(2026, 3, 1), date(2026, 3, 2))
    road = {**DELHI_NAGPUR, "observed_at": days[not is_failure_later]}
    failure = _failure("Delhi", "Nagpur", "timeout", observed_at=days[is_failure_later])
    for rows in ((road, failure), (failure, road)):
        built = build_distance_matrix(region, [staged("distance_matrix", *rows)])
        assert _pair(built, "Delhi", "Nagpur")["road_status"] == "ok"
        assert sorted(built.merges["rule"].to_pylist()) == ["road_answered", "same_pair"]


def test_of_two_roads_of_one_source_the_later_and_then_the_last_is_taken(region: Region, staged: Any) -> None:
    old = {**DELHI_NAGPUR, "distance_km": 1100.0}
    new = {**DELHI_NAGPUR, "observed_at": date(2026, 3, 2)}
    earlier = {**old, "observed_at": date(2026, 3, 1)}
    for rows in ((new, earlier), (earlier, new), (new, old), (old, DELHI_NAGPUR)):
        built = build_distance_matrix(region, [staged("distance_matrix", *rows)])
        assert _pair(built, "Delhi", "Nagpur")["distance_km"] == 1080.5


def test_the_more_trusted_source_is_believed_before_a_later_one(region: Region, staged: Any) -> None:
    later = {**DELHI_NAGPUR, "distance_km": 1100.0, "observed_at": date(2026, 3, 2)}
    first = staged("distance_matrix", {**DELHI_NAGPUR, "observed_at": date(2026, 3, 1)})
    built = build_distance_matrix(region, [first, staged("distance_matrix", later, source="two")])
    assert _pair(built, "Delhi", "Nagpur")["source"] == "one"


@pytest.mark.parametrize(
    ("answer", "code", "column"),
    [
        (_road("Delhi", "Nagpur", 800.0, 900), "road_below_great_circle", "distance_km"),
        (_road("Delhi", "Nagpur", float("nan"), 900), "road_below_great_circle", "distance_km"),
        (_road("Delhi", "Nagpur", 1080.5, 589), "impossible_speed", "duration_min"),
        (_road("Delhi", "Nagpur", 1080.5, 6484), "impossible_speed", "duration_min"),
        (_road("Delhi", "Nagpur", 1080.5, 0), "impossible_speed", "duration_min"),
        (_road("Delhi", "Nagpur", 1080.5, None), "road_contradicts_status", "duration_min"),
        (_road("Delhi", "Nagpur", None, 900), "road_contradicts_status", "distance_km"),
        (_road("Delhi", "Nagpur", 1080.5, 1050, "no_route"), "road_contradicts_status", "distance_km"),
        (_failure("Delhi", "Nagpur", "not_asked"), "value:road_status", "road_status"),
        (_failure("Delhi", "Nagpur", "lost"), "value:road_status", "road_status"),
        ({**_ends("Delhi", "Nagpur")}, "required", "road_status"),
    ],
)
def test_an_answer_that_cannot_be_true_is_quarantined_and_its_pair_stays_without_a_road(
    region: Region, staged: Any, answer: Row, code: str, column: str
) -> None:
    built = build_distance_matrix(region, [staged("distance_matrix", answer)])
    assert _rejected(built) == [(code, column)]
    row = _pair(built, "Delhi", "Nagpur")
    assert (row["road_status"], row["distance_km"], row["duration_min"]) == ("error", None, None)
    assert (row["source"], row["value_class"], row["road_feasible"]) == ("geonames", "derived", False)


@pytest.mark.parametrize("minutes", [590, 6483])
def test_the_slowest_and_the_fastest_road_are_possible(region: Region, staged: Any, minutes: int) -> None:
    built = build_distance_matrix(region, [staged("distance_matrix", _road("Delhi", "Nagpur", 1080.5, minutes))])
    assert _pair(built, "Delhi", "Nagpur")["duration_min"] == minutes


def test_an_answer_that_cannot_be_true_hides_no_other_answer(region: Region, staged: Any) -> None:
    wrong = {**DELHI_NAGPUR, "distance_km": 10.0, "observed_at": date(2026, 3, 2)}
    for other, status in ((DELHI_NAGPUR, "ok"), (_failure("Delhi", "Nagpur", "no_route"), "no_route")):
        built = build_distance_matrix(region, [staged("distance_matrix", wrong, other)])
        assert _pair(built, "Delhi", "Nagpur")["road_status"] == status


@pytest.mark.parametrize(
    ("change", "code", "column"),
    [
        ({"origin_latitude": 28.651951}, "unknown_point", "origin_latitude"),
        ({"destination_longitude": 79.0}, "unknown_point", "destination_latitude"),
        ({"origin_longitude": None}, "required", "origin_longitude"),
        (_ends("Delhi", "Delhi"), "self_pair", "destination_latitude"),
    ],
)
@pytest.mark.parametrize("table", ["distance_matrix", "road_delay"])
def test_a_row_between_other_points_than_two_cities_is_quarantined(
    region: Region, staged: Any, table: str, change: Row, code: str, column: str
) -> None:
    rows = [staged(table, {**DELHI_NAGPUR, **_delay(900.0, 910.0), **change})]
    built = build_distance_matrix(region, rows) if table == "distance_matrix" else build_road_delay(rows, region)
    assert _rejected(built) == [(code, column)]
    assert "one" not in built.rows["source"].to_pylist()
    if table == "distance_matrix":
        assert set(built.rows["road_status"].to_pylist()) == {"not_asked"}


def test_a_point_that_two_cities_share_is_the_point_of_neither(region: Region, staged: Any) -> None:
    twin = replace(region.cities[0], city_id="in-twin", name="Twin")
    built = build_distance_matrix(
        replace(region, cities=(*region.cities, twin)), [staged("distance_matrix", DELHI_NAGPUR)]
    )
    assert _rejected(built) == [("unknown_point", "origin_latitude")]


def test_the_delay_is_historical_less_free_flow_time_and_the_total_is_free_flow(region: Region, staged: Any) -> None:
    row = _delay(900.3, 945.8, live_travel_time_min=950.1, traffic_delay_s=269)
    (built,) = build_road_delay([staged("road_delay", row)], region).rows.to_pylist()
    expected = {
        "origin": "Delhi",
        "destination": "Nagpur",
        "estimated_historical_delay_min": 45.5,
        "total_travel_time_min": 900.3,
        "live_travel_time_min": 950.1,
        "traffic_delay_s": 269,
        "evaluator_visible": True,
    }
    assert expected.items() <= built.items()


@pytest.mark.parametrize(
    ("free", "historical", "delay"), [(600.0, 600.05, 0.1), (600.0, 600.04, 0.0), (600.0, 590.0, 0.0)]
)
def test_a_delay_has_one_decimal_and_is_never_below_0(
    region: Region, staged: Any, free: float, historical: float, delay: float
) -> None:
    rows = build_road_delay([staged("road_delay", _delay(free, historical))], region).rows
    assert rows["estimated_historical_delay_min"].to_pylist() == [delay]


# Between Delhi and Nagpur lie some 855 km as the crow flies: 466 min at 110 km/h, 10,262 min at 5 km/h.
@pytest.mark.parametrize(
    ("times", "fault"),
    [
        ((460.0, 900.0, 900.0), ("impossible_speed", "free_flow_travel_time_min")),
        ((0.1, 900.0, None), ("impossible_speed", "free_flow_travel_time_min")),
        ((None, 460.0, None), ("impossible_speed", "historical_travel_time_min")),
        ((900.0, 930.0, 460.0), ("impossible_speed", "live_travel_time_min")),
        ((10_400.0, 10_500.0, None), ("impossible_speed", "free_flow_travel_time_min")),
        ((900.0, 2_701.0, None), ("impossible_delay", "historical_travel_time_min")),
    ],
)
def test_times_that_no_car_can_have_are_quarantined(
    region: Region, staged: Any, times: tuple[float | None, float, float | None], fault: tuple[str, str]
) -> None:
    free, historical, live = times
    good = {**_delay(900.0, 930.0), **_ends("Nagpur", "Delhi")}
    rows = staged("road_delay", _delay(free, historical, live_travel_time_min=live), good)
    built = build_road_delay([rows], region)
    assert (_rejected(built), built.rows["origin"].to_pylist()) == ([fault], ["Nagpur"])


@pytest.mark.parametrize(("free", "historical", "live"), [(470.0, 470.0, 9_000.0), (10_200.0, 10_200.0, None),
                                                          (900.0, 2_700.0, None), (900.0, 600.0, None)])  # fmt: skip
def test_times_that_are_only_unusual_are_kept(
    region: Region, staged: Any, free: float, historical: float, live: float | None
) -> None:
    rows = staged("road_delay", _delay(free, historical, live_travel_time_min=live))
    built = build_road_delay([rows], region)
    assert (_rejected(built), len(built.rows)) == ([], 1)


def test_an_impossible_delay_does_not_push_out_an_older_one_that_can_be(region: Region, staged: Any) -> None:
    old, new = _delay(900.0, 930.0, observed_at=date(2026, 3, 1)), _delay(9.6, 11.9, observed_at=date(2026, 3, 2))
    built = build_road_delay([staged("road_delay", old, new)], region)
    assert built.rows["free_flow_travel_time_min"].to_pylist() == [900.0]
    assert _rejected(built) == [("impossible_speed", "free_flow_travel_time_min")]


def test_without_one_of_the_times_the_delay_is_not_known_and_the_row_is_hidden(region: Region, staged: Any) -> None:
    (row,) = build_road_delay([staged("road_delay", _delay(900.0, None))], region).rows.to_pylist()
    assert row["missing"] == ["historical_travel_time_min", "estimated_historical_delay_min"]
    assert row["total_travel_time_min"] == 900.0


def test_a_pair_that_was_asked_for_twice_keeps_the_latest_delay(region: Region, staged: Any) -> None:
    new, old = _delay(900.0, 930.0, observed_at=date(2026, 3, 2)), _delay(900.0, 990.0, observed_at=date(2026, 3, 1))
    for rows in ((new, old), (old, new)):
        built = build_road_delay([staged("road_delay", *rows)], region)
        assert built.rows["estimated_historical_delay_min"].to_pylist() == [30.0]
        assert built.merges["rule"].to_pylist() == ["same_pair"]


def test_both_tables_have_their_exact_schema_also_without_rows(
    region: Region, empty_region: Region, staged: Any
) -> None:
    for given_region in (region, empty_region):
        for parts in ([], [staged("distance_matrix")]):
            built = build_distance_matrix(given_region, parts)
            assert built.rows.schema.equals(table_schema("distance_matrix"), check_metadata=True)
            assert built.notes.rows_in == len(built.rows)
        for parts in ([], [staged("road_delay")]):
            assert build_road_delay(parts, given_region).rows.schema.equals(
                table_schema("road_delay"), check_metadata=True
            )


ANY_ROAD = st.builds(
    _road,
    st.sampled_from([*POINTS][:3]),
    st.sampled_from([*POINTS][:3]),
    st.sampled_from([None, 100.0, 2500.0]),
    st.sampled_from([None, 60, 2400]),
    st.sampled_from(["ok", "no_route", "timeout", "lost"]),
    observed_at=st.sampled_from([None, date(2026, 3, 1), date(2026, 3, 2)]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(ANY_ROAD, max_size=10), st.lists(ANY_ROAD, max_size=5))
def test_every_row_leaves_by_one_door_and_every_pair_is_there_once(
    region: Region, staged: Any, one: list[Row], two: list[Row]
) -> None:
    parts = [staged("distance_matrix", *one), staged("distance_matrix", *two, source="two")]
    built = build_distance_matrix(region, parts)
    doors = [built.rows, built.merges, built.quarantine]
    refs = [ref for door in doors for ref in zip(*(door[c].to_pylist() for c in ("source", "source_ref")), strict=True)]
    assert built.notes.rows_in == 30 + len(one) + len(two) == len(refs) == len(set(refs))
    pairs = set(zip(built.rows["origin"].to_pylist(), built.rows["destination"].to_pylist(), strict=True))
    assert len(built.rows) == len(pairs) == 30
    for row in built.rows.to_pylist():
        is_road = row["road_status"] == "ok"
        assert (row["distance_km"] is not None) == (row["duration_min"] is not None) == is_road
