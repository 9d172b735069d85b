"""Crowd by venue, and the places that it is told of."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from schemas.arrow import table_schema
from schemas.rows import Built
from warehouse.derive.crowd import build_venue_crowd, with_crowd

Row = dict[str, Any]
Crowd = Callable[..., Built]

LEVELS = [*[None] * 4, *[0] * 8, *[None] * 12]
DAY = {
    "poi_type": "attraction",
    "asked_place_id": "guide:1",
    "venue_id": "ven_1",
    "venue_name": "Amber Fort",
    "latitude": 26.98,
    "longitude": 75.85,
    "weekday": 1,
    "day_state": "open",
    "hourly_levels": LEVELS,
}


def _places(table: str, *rows: Row) -> pa.Table:
    schema = pa.schema([field.with_nullable(True) for field in table_schema(table)])
    return pa.Table.from_pylist([dict.fromkeys(schema.names) | row for row in rows], schema=schema)


def _place(number: int, name: str, latitude: float | None = 26.98) -> Row:
    return {"place_id": f"guide:{number}", "source_name": name, "latitude": latitude, "longitude": 75.85}


PLACES = {
    "attractions": _places(
        "attractions", _place(1, "AMBER FORT", 27.0), _place(2, "Jaigarh"), _place(3, "Nahargarh", 26.9)
    ),
    "restaurants": _places("restaurants", _place(1, "1135 AD")),
}


@pytest.fixture
def crowd(staged: Any) -> Crowd:
    return lambda *rows: build_venue_crowd([staged("venue_crowd", *rows)], PLACES)


def _rejected(built: Built) -> list[tuple[str, str]]:
    return [(row["code"], row["source_ref"]) for row in built.quarantine.to_pylist()]


def _of(built: Built) -> list[tuple[str, str, int]]:
    return [(row["poi_type"], row["asked_place_id"], row["weekday"]) for row in built.rows.to_pylist()]


def test_what_is_told_of_a_place_of_the_release_stays(crowd: Crowd) -> None:
    built = crowd(DAY, DAY | {"weekday": 2, "day_state": "closed", "hourly_levels": None})
    assert _of(built) == [("attraction", "guide:1", 1), ("attraction", "guide:1", 2)]
    assert built.rows.schema == table_schema("venue_crowd")
    assert built.rows["hourly_levels"].to_pylist() == [LEVELS, None]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"asked_place_id": "guide:9"}, "unknown_place"),
        ({"poi_type": "accommodation"}, "unknown_place"),
        ({"asked_place_id": None}, "required"),
        ({"day_state": None}, "required"),
        ({"hourly_levels": LEVELS[1:]}, "not_24_hours"),
        ({"hourly_levels": None}, "not_24_hours"),
        ({"day_state": "closed"}, "not_24_hours"),
    ],
)
def test_a_day_of_no_place_or_at_odds_with_itself_is_quarantined(crowd: Crowd, change: Row, code: str) -> None:
    assert _rejected(crowd(DAY | change)) == [(code, "one.csv#1")]


def test_a_venue_told_for_several_places_is_that_of_its_name_though_another_is_nearer(crowd: Crowd) -> None:
    other = DAY | {"asked_place_id": "guide:2"}
    for rows in ((DAY, other), (other, DAY)):
        built = crowd(*rows)
        assert _of(built) == [("attraction", "guide:1", 1)]
        assert built.quarantine["code"].to_pylist() == ["venue_of_another_place"]


def test_where_no_name_fits_the_venue_is_that_of_the_nearest_place(crowd: Crowd) -> None:
    rows = [DAY | {"asked_place_id": f"guide:{number}", "venue_name": "Fort"} for number in (1, 3, 2)]
    assert _of(crowd(*rows)) == [("attraction", "guide:2", 1)]


def test_places_of_several_tables_do_not_share_a_venue(crowd: Crowd) -> None:
    built = crowd(DAY, DAY | {"poi_type": "restaurant"})
    assert (_of(built), _rejected(built)) == (
        [("attraction", "guide:1", 1)],
        [("venue_of_another_place", "one.csv#2")],
    )


def test_all_days_of_a_place_come_from_one_answer(crowd: Crowd) -> None:
    old, new = {"observed_at": date(2026, 3, 1)}, {"observed_at": date(2026, 3, 2)}
    rows = [
        DAY | old | {"source_ref": "a#1", "weekday": 1},
        DAY | old | {"source_ref": "a#2", "weekday": 2},
        DAY | new | {"source_ref": "b#1", "weekday": 1, "venue_id": "ven_2"},
    ]
    built = crowd(*rows)
    assert (_of(built), built.rows["venue_id"].to_pylist()) == ([("attraction", "guide:1", 1)], ["ven_2"])
    assert [(row["source_ref"], row["into_ref"]) for row in built.merges.to_pylist()] == [
        ("a#1", "b#1"),
        ("a#2", "b#1"),
    ]


def test_a_weekday_told_twice_by_one_answer_is_kept_once(crowd: Crowd) -> None:
    built = crowd(DAY | {"source_ref": "a#1"}, DAY | {"source_ref": "a#2"}, DAY | {"source_ref": "a#3", "weekday": 2})
    assert (len(built.rows), built.merges["source_ref"].to_pylist()) == (2, ["a#2"])


def test_places_get_the_crowd_of_their_own_venue(crowd: Crowd) -> None:
    days = crowd(*[DAY | {"weekday": weekday, "quiet_hours": [10]} for weekday in (1, 2, 3, 4)]).rows
    first, second, _ = with_crowd(PLACES["attractions"], "attractions", days).to_pylist()
    assert json.loads(first["avg_besttime_analysis"])["avg_day"] == {"cw": [[10, 17, "A"]], "q": [10]}
    assert list(json.loads(first["besttime_analysis"])["days"]) == ["Mon", "Tue", "Wed", "Thu"]
    assert (second["besttime_analysis"], second["avg_besttime_analysis"]) == (None, None)
    (restaurant,) = with_crowd(PLACES["restaurants"], "restaurants", days).to_pylist()
    assert restaurant["besttime_analysis"] is None


def test_a_place_known_on_three_days_has_days_and_no_average(crowd: Crowd) -> None:
    days = crowd(*[DAY | {"weekday": weekday} for weekday in (1, 2, 3)]).rows
    place = with_crowd(PLACES["attractions"], "attractions", days).to_pylist()[0]
    assert place["besttime_analysis"] is not None
    assert place["avg_besttime_analysis"] is None
