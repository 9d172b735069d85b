"""Opening hours: what is open, what is closed, what nobody can tell, and what is not known."""

from typing import Any

import pytest

from sources.protocol.types import Unknown
from sources.tripadvisor.hours import WEEKDAYS, Interval, intervals
from sources.tripadvisor.reading import UnfitError


def period(day: int, opens: str, closes: str, last_day: int | None = None) -> dict[str, Any]:
    return {"open": {"day": day, "time": opens}, "close": {"day": last_day or day, "time": closes}}


def read(periods: Any = None, lines: Any = None) -> list[Interval | Unknown]:
    given = {"periods": periods, "weekday_text": lines}
    return list(intervals({"hours": {name: value for name, value in given.items() if value is not None}}))


def days(found: list[Interval | Unknown], weekday: int) -> list[tuple[Any, ...]]:
    return [tuple(one)[1:] for one in found if isinstance(one, Interval) and one.weekday == weekday]


def contradiction(periods: Any, lines: Any) -> str:
    with pytest.raises(UnfitError) as caught:
        read(periods, lines)
    return caught.value.code


def test_without_hours_nothing_is_known_and_nothing_closed() -> None:
    empty: list[dict[str, Any]] = [{}, {"hours": None}, {"hours": {}}, {"hours": {"periods": [], "weekday_text": []}}]
    for record in empty:
        assert list(intervals(record)) == []


def test_a_day_without_a_period_is_closed() -> None:
    found = read([period(5, "0900", "1700")])
    assert [one.state for one in found if isinstance(one, Interval)] == ["closed"] * 4 + ["open"] + ["closed"] * 2


def test_a_place_that_is_closed_all_week_is_closed_all_week() -> None:
    assert read([], [f"{day}: Closed" for day in WEEKDAYS]) == [Interval(day, "closed") for day in range(1, 8)]


@pytest.mark.parametrize("last_day", [1, 2])
@pytest.mark.parametrize(("opens", "closes"), [("1000", "0600"), ("1800", "0000"), ("2359", "2358")])
def test_what_closes_before_it_opens_closes_on_the_next_day_whichever_of_both_is_given(
    opens: str, closes: str, last_day: int
) -> None:
    found = read([period(1, opens, closes, last_day)])
    assert days(found, 1) == [("open", f"{opens[:2]}:{opens[2:]}", f"{closes[:2]}:{closes[2:]}", 1)]


def test_several_intervals_stand_in_the_order_of_time_and_each_once() -> None:
    periods = [period(1, "1800", "2300"), period(1, "1300", "1600"), period(1, "1800", "2300")]
    assert days(read(periods, ["Monday: 13:00 - 16:00,  18:00 - 23:00"]), 1) == [
        ("open", "13:00", "16:00", 0),
        ("open", "18:00", "23:00", 0),
    ]


def test_the_tail_of_an_evening_may_stand_on_the_next_day() -> None:
    found = read([period(2, "0000", "0200"), period(2, "0800", "2330")], ["Tuesday: 00:00 - 02:00,  08:00 - 23:30"])
    assert days(found, 2) == [("open", "00:00", "02:00", 0), ("open", "08:00", "23:30", 0)]


@pytest.mark.parametrize("time", ["0900", "0000"])
def test_a_day_that_closes_when_it_opens_is_ambiguous_and_has_no_length(time: str) -> None:
    for periods in (
        [period(1, time, time)],
        [period(1, time, time, 2)],
        [period(1, time, time), period(1, "1000", "1100")],
    ):
        assert days(read(periods), 1) == [("ambiguous", None, None, None)]


def test_a_day_whose_intervals_overlap_is_ambiguous() -> None:
    assert days(read([period(1, "1000", "1400"), period(1, "1300", "1600")]), 1) == [("ambiguous", None, None, None)]
    assert days(read([period(1, "1000", "0200"), period(1, "2000", "2200")]), 1) == [("ambiguous", None, None, None)]
    assert len(days(read([period(1, "1000", "1300"), period(1, "1300", "1600")]), 1)) == 2


@pytest.mark.parametrize("line", ["Monday: Open 24 hours", "monday: 10:00 AM - 5:00 PM", "Monday:"])
def test_a_day_without_a_period_is_not_closed_where_a_line_of_its_own_cannot_be_read(line: str) -> None:
    for found in (read([period(2, "0900", "1700")], [line]), read([], [line, "Tuesday: Closed"])):
        assert found[:2] == [Unknown("hours.weekday_text[]"), Interval(1, "ambiguous")]
    assert days(read([period(2, "0900", "1700")], [line]), 3) == [("closed", None, None, None)]
    assert read([], [line]) == [Unknown("hours.weekday_text[]")]


def test_hours_that_run_into_those_of_the_next_day_make_both_days_ambiguous() -> None:
    for day, after in ((1, 2), (7, 1)):
        late = period(day, "2200", "1100", after)
        found = read([late, period(after, "1000", "1800"), period(4, "0900", "1700")])
        assert days(found, day) == days(found, after) == [("ambiguous", None, None, None)]
        assert days(found, 4) == [("open", "09:00", "17:00", 0)]
        touching = read([late, period(after, "1100", "1800")])
        assert days(touching, day) == [("open", "22:00", "11:00", 1)]


@pytest.mark.parametrize(
    ("periods", "lines"),
    [
        ([period(1, "0900", "1700")], ["Monday: Closed"]),
        ([period(1, "0900", "1700")], ["Tuesday: 09:00 - 17:00"]),
        ([period(1, "0900", "1700")], ["Monday: 09:00 - 18:00"]),
        ([period(1, "0900", "1700")], ["Monday: 09:00 - 12:00,  13:00 - 17:00"]),
        ([], ["Monday: 09:00 - 17:00"]),
        (None, ["Monday: 09:00 - 17:00"]),
        ([period(1, "0900", "1700")], ["Monday: 09:00 - 17:00", "monday: Closed"]),
    ],
)
def test_periods_and_text_that_contradict_each_other_are_refused(periods: Any, lines: Any) -> None:
    assert contradiction(periods, lines) == "contradictory_hours"


@pytest.mark.parametrize(
    "line", ["सोमवार: 09:00 - 17:00", "Monday: Open 24 hours", "lunes: Cerrado", "", "Monday", 7, None]
)
def test_a_line_that_cannot_be_read_is_reported_and_changes_nothing(line: Any) -> None:
    found = read([period(1, "0900", "1700")], [line])
    assert found[0] == Unknown("hours.weekday_text[]")
    assert found[1:] == read([period(1, "0900", "1700")])


def test_lines_are_told_by_their_day_and_not_by_their_order() -> None:
    lines = ["Sunday: Closed", "Monday: 09:00 - 17:00", "Tuesday: 09:00\u201317:00"]
    found = read([period(1, "0900", "1700"), period(2, "0900", "1700")], lines)
    assert [one.state for one in found if isinstance(one, Interval)] == ["open"] * 2 + ["closed"] * 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"open": {"day": 8, "time": "0900"}},
        {"open": {"day": "x", "time": "0900"}},
        {"open": {"day": True, "time": "0900"}},
        {"open": {"day": 1, "time": "900"}},
        {"open": {"day": 1, "time": "0960"}},
        {"open": {"day": 1, "time": "2400"}},
        {"open": {"day": 1}},
        {"open": {"time": "0900"}},
        {"open": []},
        {"open": {"day": 1, "time": "0900"}, "close": None},
        {"open": {"day": 1, "time": "0900"}, "close": {"day": 3, "time": "1700"}},
        {"open": {"day": 1, "time": "1800"}, "close": {"day": 3, "time": "0200"}},
        {"open": {"day": 1, "time": "1800"}, "close": {"day": 7, "time": "0200"}},
        {"open": {"day": 1, "time": "0900"}, "close": {"day": 4, "time": "0900"}},
    ],
)
def test_a_period_that_cannot_be_read_is_not_guessed(wrong: Any) -> None:
    with pytest.raises(UnfitError):
        read([{"close": {"day": 1, "time": "1700"}} | wrong])


def test_the_day_of_a_period_may_be_a_text() -> None:
    period_of_texts = {"open": {"day": "1", "time": "0900"}, "close": {"day": "1", "time": "1700"}}
    assert days(read([period_of_texts]), 1) == [("open", "09:00", "17:00", 0)]
