"""Opening hours: joined to the place that a record became, and believed by whole weekdays only."""

from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.arrow import table_schema
from schemas.region import Region
from schemas.rows import Built
from schemas.tables import PLACE_TABLES
from warehouse.derive.hours import Places, build_place_hours
from warehouse.derive.places import build_places

FORT = {
    "name": "Fort",
    "city_name": "Delhi",
    "latitude": 28.6,
    "longitude": 77.2,
    "subcategories": ["Museums"],
    "source_id": "7",
}
Row = dict[str, Any]


def _open(opens: str | None, closes: str | None, offset: int | None = 0, **more: Any) -> Row:
    times = {"opens": opens, "closes": closes, "closes_day_offset": offset}
    return {"poi_type": "attraction", "source_id": "7", "weekday": 1, "hours_state": "open", **times, **more}


def _not_open(state: str = "closed", **more: Any) -> Row:
    return _open(None, None, None, hours_state=state, **more)


@pytest.fixture(scope="module")
def places(region: Region, staged: Any) -> dict[str, Places]:
    """The fort of source `one`, into which that of source `two` went; and a restaurant of no city, of the same id."""
    forts = [staged("attractions", FORT), staged("attractions", {**FORT, "source_id": "b"}, source="two")]
    cafes = [staged("restaurants", {"name": "Cafe", "source_id": "7"})]
    built = {"attractions": (forts, build_places("attractions", forts, region))}
    built["restaurants"] = (cafes, build_places("restaurants", cafes, region))
    return {name: Places(result.rows, records, result.merges) for name, (records, result) in built.items()}


def _intervals(built: Built) -> list[tuple[str, str | None]]:
    return [(row["place_id"], row["opens"]) for row in built.rows.to_pylist()]


def _codes(built: Built) -> list[str]:
    return [row["code"] for row in built.quarantine.to_pylist()]


def test_hours_get_the_id_and_the_city_of_their_place(places: dict[str, Places], staged: Any) -> None:
    rows = staged("place_hours", _open("09:00", "12:00"), _open("18:00", "02:00", 1), _not_open(weekday=2))
    built = build_place_hours([rows], places)
    told = ("poi_type", "place_id", "City", "weekday", "hours_state", "opens", "closes", "closes_day_offset")
    assert [tuple(row[name] for name in told) for row in built.rows.to_pylist()] == [
        ("attraction", "one:7", "Delhi", 1, "open", "09:00", "12:00", 0),
        ("attraction", "one:7", "Delhi", 1, "open", "18:00", "02:00", 1),
        ("attraction", "one:7", "Delhi", 2, "closed", None, None, None),
    ]
    assert built.rows["evaluator_visible"].to_pylist() == [True] * 3


def test_one_id_in_two_tables_is_two_places_and_that_of_no_city_is_hidden(
    places: dict[str, Places], staged: Any
) -> None:
    rows = staged("place_hours", _open("09:00", "12:00"), _open("10:00", "11:00", poi_type="restaurant"))
    found = {row["poi_type"]: row for row in build_place_hours([rows], places).rows.to_pylist()}
    assert (found["attraction"]["opens"], found["attraction"]["City"]) == ("09:00", "Delhi")
    assert (found["restaurant"]["opens"], found["restaurant"]["missing"]) == ("10:00", ["City"])


@pytest.mark.parametrize("stranger", [{"source_id": "9"}, {"poi_type": "accommodation"}, {"poi_type": "airport"}])
def test_hours_of_no_place_are_quarantined(places: dict[str, Places], staged: Any, stranger: Row) -> None:
    built = build_place_hours([staged("place_hours", _open("09:00", "12:00", **stranger))], places)
    assert (_codes(built), len(built.rows)) == (["unknown_place"], 0)


def test_hours_of_a_record_that_was_merged_away_follow_it(places: dict[str, Places], staged: Any) -> None:
    rows = staged("place_hours", _open("09:00", "12:00", source_id="b"), source="two")
    assert _intervals(build_place_hours([rows], places)) == [("one:7", "09:00")]


def test_a_place_that_has_hours_of_its_own_takes_none_from_a_record_that_was_merged_into_it(
    places: dict[str, Places], staged: Any
) -> None:
    later = _open("09:00", "12:00", source_id="b", observed_at=date(2026, 3, 2), weekday=2)
    own = staged("place_hours", _open("10:00", "11:00"))
    built = build_place_hours([staged("place_hours", later, source="two"), own], places)
    assert _intervals(built) == [("one:7", "10:00")]
    assert built.merges.to_pylist() == [
        {
            "table": "place_hours",
            "source": "two",
            "source_ref": "two.csv#1",
            "into_source": "one",
            "into_ref": "one.csv#1",
            "rule": "same_place",
        }
    ]


def test_of_two_answers_for_a_place_the_later_tells_all_its_hours(places: dict[str, Places], staged: Any) -> None:
    old = [
        _open("09:00", "12:00", source_ref="a#1", observed_at=date(2026, 3, 1)),
        _open("09:00", "12:00", source_ref="a#2", observed_at=date(2026, 3, 1), weekday=2),
    ]
    new = [_open("10:00", "12:00", source_ref="b#1", observed_at=date(2026, 3, 2))]
    for rows in ((*old, *new), (*new, *old)):
        built = build_place_hours([staged("place_hours", *rows)], places)
        assert _intervals(built) == [("one:7", "10:00")]
        assert built.merges["rule"].to_pylist() == ["same_place"] * 2


def test_of_two_answers_of_one_day_only_one_is_taken(places: dict[str, Places], staged: Any) -> None:
    rows = [_open("09:00", "12:00", source_ref="a#1"), _open("13:00", "14:00", source_ref="b#1")]
    assert _intervals(build_place_hours([staged("place_hours", *rows)], places)) == [("one:7", "13:00")]


def test_an_interval_that_stands_twice_in_an_answer_is_one(places: dict[str, Places], staged: Any) -> None:
    rows = staged("place_hours", _open("09:00", "12:00"), _open("09:00", "12:00"), *[_not_open(weekday=2)] * 2)
    built = build_place_hours([rows], places)
    assert _intervals(built) == [("one:7", "09:00"), ("one:7", None)]
    assert built.merges["rule"].to_pylist() == ["same_interval"] * 2


@pytest.mark.parametrize(
    ("intervals", "code"),
    [
        ([_open("09:00", "12:00"), _open("11:59", "14:00")], "overlapping_intervals"),
        ([_open("09:00", "20:00"), _open("10:00", "11:00"), _open("12:00", "13:00")], "overlapping_intervals"),
        ([_open("18:00", "02:00", 1), _open("20:00", "21:00")], "overlapping_intervals"),
        ([_open("09:00", "12:00"), _open("09:00", "14:00")], "overlapping_intervals"),
        ([_open("09:00", "09:00")], "impossible_interval"),
        ([_open("09:00", "08:59")], "impossible_interval"),
        ([_open("09:00", "09:01", 1)], "impossible_interval"),
        ([_open("9:00", "12:00")], "impossible_interval"),
        ([_open("09:00", "24:00")], "impossible_interval"),
        ([_open("09:00", None)], "hours_contradict_state"),
        ([_open("09:00", "12:00", None)], "hours_contradict_state"),
        ([_open(None, None, None)], "hours_contradict_state"),
        ([_open("09:00", "12:00", hours_state="closed")], "hours_contradict_state"),
        ([_open("09:00", "12:00"), _not_open()], "hours_contradict_state"),
        ([_not_open(), _not_open("ambiguous")], "hours_contradict_state"),
    ],
)
def test_a_weekday_that_cannot_be_true_goes_whole_and_the_others_stay(
    places: dict[str, Places], staged: Any, intervals: list[Row], code: str
) -> None:
    late, other = _open("23:00", "23:30"), _open("09:00", "12:00", weekday=2)
    built = build_place_hours([staged("place_hours", *intervals, late, other)], places)
    assert _intervals(built) == [("one:7", "09:00")]
    assert _codes(built) == [code] * (len(intervals) + 1)


@pytest.mark.parametrize(("day", "after"), [(1, 2), (7, 1)])
def test_two_weekdays_that_overlap_go_both_and_the_others_stay(
    places: dict[str, Places], staged: Any, day: int, after: int
) -> None:
    late, early = _open("22:00", "11:00", 1, weekday=day), _open("10:00", "18:00", weekday=after)
    others = [_open("09:00", "12:00", weekday=day), _open("09:30", "12:00", weekday=4)]
    built = build_place_hours([staged("place_hours", late, early, *others)], places)
    assert _intervals(built) == [("one:7", "09:30")]
    assert _codes(built) == ["overlapping_intervals"] * 3


def test_weekdays_of_two_places_do_not_overlap(places: dict[str, Places], staged: Any) -> None:
    late = _open("22:00", "11:00", 1)
    rows = staged("place_hours", late, _open("10:00", "18:00", weekday=2, poi_type="restaurant"))
    assert _codes(build_place_hours([rows], places)) == []


@pytest.mark.parametrize(
    "intervals",
    [
        [_open("09:00", "12:00"), _open("12:00", "14:00")],
        [_open("22:00", "11:00", 1, weekday=7), _open("11:00", "18:00")],
        [_open("22:00", "11:00", 1, weekday=6), _not_open(weekday=7), _open("09:00", "18:00")],
        [_open("00:00", "02:00"), _open("08:00", "23:30")],
        [_open("18:00", "02:00", 1), _open("09:00", "20:00", weekday=2)],
        [_open("00:00", "00:00", 1)],
        [_not_open("ambiguous")],
    ],
)
def test_hours_that_touch_or_last_the_whole_day_are_kept(
    places: dict[str, Places], staged: Any, intervals: list[Row]
) -> None:
    built = build_place_hours([staged("place_hours", *intervals)], places)
    assert (len(built.rows), _codes(built)) == (len(intervals), [])


@pytest.mark.parametrize("column", ["poi_type", "source_id", "weekday", "hours_state"])
def test_a_row_that_does_not_say_whose_or_which_day_is_quarantined(
    places: dict[str, Places], staged: Any, column: str
) -> None:
    built = build_place_hours([staged("place_hours", _open("09:00", "12:00", **{column: None}))], places)
    assert [(row["code"], row["column"]) for row in built.quarantine.to_pylist()] == [("required", column)]


def test_without_rows_or_places_the_table_is_empty_and_of_the_exact_schema(staged: Any) -> None:
    nothing: dict[str, Places] = {name: Places(table_schema(name).empty_table()) for name in PLACE_TABLES}
    for parts in ([], [staged("place_hours")], [staged("place_hours", _not_open())]):
        for places in ({}, nothing):
            built = build_place_hours(parts, places)
            assert built.rows.schema.equals(table_schema("place_hours"), check_metadata=True)
            assert len(built.rows) == 0


CLOCKS = st.sampled_from(["00:00", "09:00", "12:00", "23:00", "9", None])
ANY_HOURS = st.fixed_dictionaries(
    {
        "poi_type": st.sampled_from(["attraction", "restaurant", None]),
        "source_id": st.sampled_from(["7", "b", "9", None]),
        "weekday": st.sampled_from([1, 2, None]),
        "hours_state": st.sampled_from(["open", "open", "closed", "ambiguous"]),
        "opens": CLOCKS,
        "closes": CLOCKS,
        "closes_day_offset": st.sampled_from([0, 1, None]),
        "observed_at": st.sampled_from([None, date(2026, 3, 1)]),
    }
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(ANY_HOURS, max_size=8), st.lists(ANY_HOURS, max_size=4))
def test_every_row_leaves_by_one_door_and_what_stays_has_one_key(
    places: dict[str, Places], staged: Any, one: list[Row], two: list[Row]
) -> None:
    built = build_place_hours([staged("place_hours", *one), staged("place_hours", *two, source="two")], places)
    doors = [built.rows, built.merges, built.quarantine]
    refs = [ref for door in doors for ref in zip(*(door[c].to_pylist() for c in ("source", "source_ref")), strict=True)]
    assert built.notes.rows_in == len(one) + len(two) == len(refs) == len(set(refs))
    keys = [tuple(row[name] for name in ("poi_type", "place_id", "weekday", "opens")) for row in built.rows.to_pylist()]
    assert len(keys) == len(set(keys))
