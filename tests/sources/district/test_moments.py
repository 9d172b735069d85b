"""Dates in the forms that events carry them in, and the local day that each means."""

from datetime import date, time

import pytest

from sources.district.moments import Moment, read_moment

EVENING = Moment(date(2025, 11, 12), time(19, 30))


@pytest.mark.parametrize(
    "text",
    [
        "2025-11-12T14:00:00.000Z", "2025-11-12T14:00:00Z", "2025-11-12T14:00Z", "2025-11-12T19:30:00+05:30",
        "2025-11-12T19:30:00.000+05:30", "2025-11-12T19:30:00+0530", "2025-11-12T19:30:00", "2025-11-12 19:30",
        "2025-11-12T19:30:00+5.5", "2025-11-12T19:30:00+05.50", "2025-11-12T15:00:00+01", "2025-11-12T09:00:00-05:00",
        "2025-11-12T09:00-0500", "2025-11-12T4:00:00-10", " 2025-11-12T19:30:00+5:30 ",
    ],
)  # fmt: skip
def test_every_form_means_the_same_evening(text: str) -> None:
    assert read_moment(text) == EVENING


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025-11-12T18:29:00Z", date(2025, 11, 12)),
        ("2025-11-12T18:30:00Z", date(2025, 11, 13)),
        ("2025-12-31T20:00:00.000Z", date(2026, 1, 1)),
        ("2025-11-12T02:00:00+14:00", date(2025, 11, 11)),
    ],
)
def test_the_local_day_may_be_another_one_than_the_day_as_written(text: str, day: date) -> None:
    moment = read_moment(text)
    assert moment is not None
    assert moment.day == day


def test_a_day_alone_is_that_day_at_no_time() -> None:
    assert read_moment("2025-11-12") == Moment(date(2025, 11, 12), None)
    assert read_moment("2025-3-7") == Moment(date(2025, 3, 7), None)
    assert read_moment("2025-3-7T9:05:00") == Moment(date(2025, 3, 7), time(9, 5))


@pytest.mark.parametrize(
    "value",
    [
        "", "x", "12-11-2025", "2025/11/12",
        "2025-13-01", "2025-02-30", "2025-11-12T25:00", "2025-11-12T10:60", "1999-11-12",
        "2025-11-12T10:00+15:00", "2025-11-12T10:00+05:75", "2025-11-12T10:00 IST", "tomorrow", None, 20251112, True,
        ["2025-11-12"], {}, "2025-11-12T10:00:00Z" * 9, "\uff12\uff10\uff12\uff15-11-12",
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_moment_is_none(value: object) -> None:
    assert read_moment(value) is None
