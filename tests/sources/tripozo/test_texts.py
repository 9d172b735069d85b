"""What single texts mean: times, days, durations, fares, ratings, numbers and codes."""

import pytest

from sources.tripozo.clocks import Clock, journey, read_clock, read_day, read_duration
from sources.tripozo.days import MONDAY_FIRST, SUNDAY_FIRST, either, read_days, shifted
from sources.tripozo.markup import read_html
from sources.tripozo.money import lowest_fare, read_fare, read_rating
from sources.tripozo.names import RENAMED, read_classes, read_code, read_name, read_number
from sources.tripozo.unfit import UnfitError


@pytest.mark.parametrize(
    ("text", "minute", "day"),
    [("9:00", 540, None), ("16.50", 1010, None), ("15:35:00", 935, None), ("24:00", 1440, None), ("00:00", 0, None),
     ("23:05 (Day 1)", 1385, 0), ("00:35 +1 Day", 35, 1), ("00:35+1", 35, 1), ("Source (Day 1)", None, 0),
     ("Destination (Day 2)", None, 1), ("--", None, None), ("None", None, None), ("Start", None, None),
     ("", None, None), (None, None, None)],
)  # fmt: skip
def test_a_time_of_day(text: str | None, minute: int | None, day: int | None) -> None:
    assert read_clock(text, "") == Clock(minute, day)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("15:46H", 946), ("30h 5m", 1805), ("17.15", 1035), ("42:55", 2575), ("24h 01m", 1441), ("2h 10min", 130),
     ("19h", 1140), ("5m", 5), ("0h 21m", 21), ("08h 25m", 505), ("100h 5m", 6005), ("--", None), ("", None)],
)  # fmt: skip
def test_a_duration(text: str, minutes: int | None) -> None:
    assert read_duration(text, "") == minutes


@pytest.mark.parametrize("text", ["0-18h 0-59m", "17.75", "h", "0h 0m", "-5m", "1d 2h", "two hours"])
def test_a_broken_duration_is_refused(text: str) -> None:
    with pytest.raises(UnfitError, match="no time"):
        read_duration(text, "")


@pytest.mark.parametrize(
    ("text", "day"), [("+1", 1), ("+1 Day", 1), ("Day 3", 2), ("3", 2), ("(Day 1)", 0), ("", None), ("--", None)]
)
def test_a_mark_of_a_day(text: str, day: int | None) -> None:
    assert read_day(text, "") == day


@pytest.mark.parametrize(
    ("departs", "arrives", "day", "duration", "expected"),
    [
        ("23:00", "01:00", None, None, ("23:00", "01:00", 1, 120)),
        ("23:55", "00:05", None, 1450, ("23:55", "00:05", 2, 1450)),
        ("09:00", "03:55", 2, 2575, ("09:00", "03:55", 2, 2575)),
        ("24:00", "24:00", 1, 1440, ("00:00", "00:00", 1, 1440)),
        ("24:00", "02:05", None, None, ("00:00", "02:05", 0, 125)),
        ("18:20", "24:00", None, None, ("18:20", "00:00", 1, 340)),
    ],
)
def test_an_arrival_has_its_day(
    departs: str, arrives: str, day: int | None, duration: int | None, expected: tuple[str, str, int, int]
) -> None:
    assert journey(read_clock(departs, ""), read_clock(arrives, ""), day, duration)[:4] == expected


@pytest.mark.parametrize(
    ("text", "fare"),
    [("₹1,02,345", 102345.0), ("₹ 745", 745.0), ("745.00", 745.0), ("Rs. 650/-", 650.0), ("INR 161", 161.0),
     ("₹12,450", 12450.0), ("1,234,567", 1234567.0), ("N/A", None), ("--", None), ("", None), ("0", None),
     ("0.00", None), ("Sold Out", None)],
)  # fmt: skip
def test_a_fare_is_never_zero(text: str, fare: float | None) -> None:
    assert read_fare(text, "") == fare


@pytest.mark.parametrize("text", ["1,02,34", "₹-5", "USD 5", "5 to 6", "4.799", "1e3", "٤٧"])
def test_what_is_no_fare_is_refused(text: str) -> None:
    with pytest.raises(UnfitError, match="no amount"):
        read_fare(text, "")


def test_the_lowest_of_several_fares_is_no_placeholder() -> None:
    assert lowest_fare(["₹1,499", "12345.0", "₹1,399.50"], "") == (1399.5, True)
    assert lowest_fare(["12345.0"], "") == (None, True)
    assert lowest_fare([], "") == (None, False)


@pytest.mark.parametrize(
    ("text", "rating"),
    [("3.3\n49", 3.3), ("4.2 (118)", 4.2), ("5", 5.0), ("3.6", 3.6), ("0", None), ("New", None), ("N/A", None)],
)
def test_a_rating_may_have_its_count_behind_it(text: str, rating: float | None) -> None:
    assert read_rating(text, "") == rating


@pytest.mark.parametrize(
    ("text", "first", "days"),
    [("0010001", SUNDAY_FIRST, "0100010"), ("YNNNNNN", SUNDAY_FIRST, "0000001"), ("1111011", MONDAY_FIRST, "1111011"),
     ("NYNNNYN", SUNDAY_FIRST, "1000100"), ("NYNNNYN", None, None), ("S M T W T F S", SUNDAY_FIRST, None),
     ("Mon, Thursday", None, "1001000"), ("Daily", None, "1111111"), ("--", None, None)],
)  # fmt: skip
def test_days_begin_with_monday_wherever_they_began(text: str, first: int | None, days: str | None) -> None:
    assert read_days(text, first, "") == days


def test_days_at_another_stop_are_shifted_and_come_back() -> None:
    # It leaves on Monday and Friday, and calls at its second day's stop on Tuesday and Saturday.
    assert shifted("1000100", 1) == "0100010"
    assert shifted("0100010", -1) == "1000100"
    assert shifted("0000001", 1) == "1000000"
    assert all(shifted(shifted("1100010", by), -by) == "1100010" for by in range(9))


def test_days_of_two_listings_are_added_unless_one_is_unknown() -> None:
    assert either("1000000", "0100000") == "1100000"
    assert either("1000000", None) is None


def test_numbers_names_and_codes() -> None:
    assert [read_number(text) for text in ("1431", "01431", "12951")] == ["01431", "01431", "12951"]
    assert read_name("Konkan Kanya SF Express (PT)") == "Konkan Kanya SF Express"
    assert read_name("Sindhudurg Express (UnReserved)") == "Sindhudurg Express"
    assert read_name("Pune - Amravati Express (via Manmad)") == "Pune - Amravati Express (via Manmad)"
    assert [read_code(text, "") for text in ("ON", "NIL", "NAN", "E", "ndls", "MGS")] == [
        "ON", "NIL", "NAN", "E", "NDLS", "DDU",
    ]  # fmt: skip
    assert RENAMED == {"ALD": "PRYJ", "CSTM": "CSMT", "JHS": "VGLJ", "MGS": "DDU"}
    assert read_classes(["SL 3A", "sl Ex", "N/A", "ZZ"]) == (["SL", "3A", "EC"], ["ZZ"])


def test_a_page_is_read_as_a_browser_would_read_its_texts() -> None:
    root = read_html(
        "<!-- <b>no</b> --><p class='a b'>1 &lt; 2<br>three</i></p><script>if (a < b) '</p>'</script><p id=x>four"
    )
    assert [one.text() for one in root.tags("p")] == ["1 < 2 three", "four"]
    assert root.all("b") == [root.tags("p")[0]]
    assert root.tags("p")[1].attributes == {"id": "x"}
    assert root.text() == "1 < 2 three four"
