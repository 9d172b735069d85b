"""The crowd object of a place, from the levels of its days."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.derive.crowd_objects import HOURS, Day, average_object, week_object
from warehouse.quality.payloads import PAYLOADS, _fault_of


def day(levels: dict[int, int], quiet: tuple[int, ...] = (), peak: tuple[int, int] | None = None) -> Day:
    """A day with levels by hour, at all other hours closed."""
    return Day(tuple(levels.get(hour) for hour in HOURS), quiet, peak)


def _average(*days: Day) -> dict[str, Any] | None:
    text = average_object(dict(enumerate(days, start=1)))
    return json.loads(text) if text else None


# The venue of the contract (4.3).
LEVELS = {9: -2, 10: -2, 11: -1, 12: -1, 13: -1, 14: 0, 15: 0, 16: 0, 17: 2, 18: 2, 19: 2, 20: 1, 21: 1}
PLAIN = day(LEVELS, quiet=(9, 10), peak=(17, 19))


def test_seven_equal_days_give_the_object_of_the_contract() -> None:
    assert _average(*[PLAIN] * 7) == {
        "o": 9,
        "c": 22,
        "I": {"L": "Low", "BA": "Below average", "A": "Average", "AA": "Above average", "H": "High"},
        "avg_day": {
            "cw": [[9, 10, "L"], [11, 13, "BA"], [14, 16, "A"], [17, 19, "H"], [20, 21, "AA"]],
            "q": [9, 10],
            "p": [17, 19],
        },
    }


def test_each_weekday_has_an_object_of_its_own_and_closed_days_none() -> None:
    text = week_object({1: PLAIN, 7: day({10: 0}), 3: day({})})
    assert text is not None
    days = json.loads(text)["days"]
    assert list(days) == ["Mon", "Sun"]
    assert days["Sun"] == {"o": 10, "c": 11, "cw": [[10, 10, "A"]]}
    assert days["Mon"]["p"] == [17, 19]


@pytest.mark.parametrize(
    ("levels", "tier"),
    [
        ([-2, -2, -1, -1], "BA"),
        ([-2, -2, -2, -1], "L"),
        ([0, 0, 1, 1, None, None, None], "AA"),
        ([2, 2, 2, 1, 1, 1, 1], "AA"),
        ([2, 2, 2, None, None, None, None], None),
    ],
)
def test_an_hour_has_the_mean_of_the_days_on_which_it_is_open_rounded_half_up(
    levels: list[int | None], tier: str | None
) -> None:
    found = _average(*[day({} if level is None else {12: level}) for level in levels])
    assert (found and found["avg_day"]["cw"]) == (tier and [[12, 12, tier]])


def test_an_hour_is_quiet_that_is_so_on_four_days() -> None:
    days = [day(LEVELS, quiet=(9, 10) if number < 3 else (10,)) for number in range(4)]
    found = _average(*days)
    assert found is not None
    assert found["avg_day"]["q"] == [10]
    assert "p" not in found["avg_day"]


def test_the_peak_is_that_of_most_days_then_the_longer_then_the_earlier() -> None:
    peaks = [(17, 19), (18, 20), (18, 20), (10, 11), None, None, None]
    assert _peak(peaks) == [18, 20]
    assert _peak([(17, 19), (17, 20), (17, 19), (17, 20), None]) == [17, 20]
    assert _peak([(17, 19), (10, 12), (10, 12), (17, 19), None]) == [10, 12]


def _peak(peaks: list[tuple[int, int] | None]) -> Any:
    found = _average(*[day(LEVELS, peak=peak) for peak in peaks])
    assert found is not None
    return found["avg_day"]["p"]


def test_a_peak_outside_the_windows_is_no_peak() -> None:
    assert _peak([(20, 23), (20, 23), (20, 23), (10, 12)]) == [10, 12]
    found = _average(*[day(LEVELS, peak=(20, 23))] * 4)
    assert found is not None
    assert "p" not in found["avg_day"]


def test_an_hour_both_quiet_and_in_the_peak_is_not_quiet() -> None:
    found = _average(*[day(LEVELS, quiet=(9, 17), peak=(17, 19))] * 4)
    assert found is not None
    assert found["avg_day"]["q"] == [9]


def test_a_bar_that_closes_at_two_has_windows_over_midnight() -> None:
    night = dict.fromkeys((18, 19, 20, 21), 1) | dict.fromkeys((22, 23, 0, 1), 0)
    found = _average(*[day(night, quiet=(1,), peak=(23, 0))] * 4)
    assert found is not None
    assert (found["o"], found["c"]) == (18, 2)
    assert found["avg_day"] == {"cw": [[18, 21, "AA"], [22, 1, "A"]], "q": [1], "p": [23, 0]}


def test_a_venue_that_never_closes_has_the_day_from_six_to_six() -> None:
    found = _average(*[day(dict.fromkeys(range(24), 0))] * 4)
    assert found is not None
    assert (found["o"], found["c"], found["avg_day"]["cw"]) == (6, 6, [[6, 5, "A"]])


def test_no_usable_day_is_no_object() -> None:
    assert _average(*[day({})] * 7) is None
    assert week_object({1: day({})}) is None


_HOUR = st.integers(0, 23)
_DAY = st.builds(
    Day,
    st.tuples(*[st.none() | st.integers(-2, 2)] * 24),
    st.lists(_HOUR, max_size=6).map(tuple),
    st.none() | st.tuples(_HOUR, _HOUR),
)


@given(st.dictionaries(st.integers(1, 7), _DAY, min_size=1))
def test_every_object_passes_the_rules_of_a_release(week: dict[int, Day]) -> None:
    texts = {"besttime_analysis": week_object(week), "avg_besttime_analysis": average_object(week)}
    for (column,), judge in PAYLOADS["attractions"]:
        text = texts[column]
        if text is not None:
            assert _fault_of(judge, {column: text}) is None
