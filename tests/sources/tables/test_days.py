"""Clocks, spans of time, running days and the day of a stop: nothing is guessed, and no day is lost at midnight."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.tables import parsers
from sources.tables.days import stage_day
from sources.tables.grammar import Column
from tests.sources.tables.conftest import Load, Stage
from tests.sources.tables.stops import refused, rows

YES, NO = frozenset("Y1"), frozenset("N0")
STOPS = """\
id: stops
table: train_stops
title: Stops
file: stops.csv
format: csv
observed: {at: 2024-03-31}
columns:
  station_code: {from: code, parse: text}
  arrives: {from: arr, parse: clock, null: ["--"]}
  departs: {from: dep, parse: clock, null: ["--"]}
  day: {from: day, parse: day_of_arrival}
"""
AFTER = STOPS.replace("{from: day, parse: day_of_arrival}", "{from: took, parse: day_after, since: left}")

CLOCKS = {
    "arrives": Column("arrives", "arr", "clock", may_end_day=True),
    "departs": Column("departs", "dep", "clock", may_end_day=True),
}


def texts(*values: str | None) -> pa.Array:
    return pa.array(values, pa.string())


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_clock_is_read_as_written_and_counts_its_minutes(hour: int, minute: int) -> None:
    text = f"{hour:02d}:{minute:02d}"
    assert parsers.clock(texts(text)).values.to_pylist() == [text]
    assert parsers.clock_minutes(texts(text)).values.to_pylist() == [60 * hour + minute]


@given(st.text(max_size=6) | st.from_regex(r"\A[0-9]{1,3}:[0-9]{1,3}\Z"))
def test_what_is_no_clock_gets_a_code_and_no_value(text: str) -> None:
    values, codes = parsers.clock(texts(text), may_end_day=True)
    is_good = len(text) == 5 and text[2] == ":" and text.isascii() and text[:2].isdigit() and text[3:].isdigit()
    is_good = is_good and (int(text[:2]) < 24 or text == "24:00") and int(text[3:]) < 60
    assert (values[0].is_valid, codes[0].is_valid) == (is_good, not is_good)


def test_the_end_of_a_day_is_a_clock_only_where_a_day_can_take_it() -> None:
    assert parsers.clock(texts("24:00"), may_end_day=True).values.to_pylist() == ["00:00"]
    assert parsers.clock(texts("24:00")).codes.to_pylist() == ["not_a_clock"]


@given(st.integers(0, 999), st.integers(0, 99))
def test_a_span_counts_hours_and_minutes(hours: int, minutes: int) -> None:
    assert parsers.span_minutes(texts(f"{hours}h {minutes}m")).values.to_pylist() == [60 * hours + minutes]


@pytest.mark.parametrize("text", ["17.15", "15:46", "15:46H", "5h", "-1h 5m", "1h 5m late", "1h5m", "0-18h 0-59m"])
def test_other_spans_are_not_guessed(text: str) -> None:
    assert parsers.span_minutes(texts(text)) == (pa.array([None], pa.int64()), texts("not_a_span"))


@given(st.sets(st.integers(0, 6), min_size=1), st.sampled_from(["monday", "sunday"]))
def test_running_days_come_out_monday_first_whatever_the_convention(days: set[int], first: str) -> None:
    week = [*range(7)] if first == "monday" else [6, *range(6)]
    written = "".join("Y" if day in days else "N" for day in week)
    expected = "".join("1" if day in days else "0" for day in range(7))
    assert parsers.weekdays(texts(written), YES, NO, first).values.to_pylist() == [expected]


@pytest.mark.parametrize(
    ("written", "first", "flags"),
    [
        ("YNNNNNN", "sunday", "0000001"),  # a weekly train of the timetable dump, on Sundays
        ("0010001", "sunday", "0100010"),  # etrain, Tuesday and Saturday
        ("1000100", "monday", "1000100"),  # erail, Monday and Friday
    ],
)
def test_the_three_conventions_that_sources_have(written: str, first: str, flags: str) -> None:
    assert parsers.weekdays(texts(written), YES, NO, first).values.to_pylist() == [flags]


@given(st.text(st.sampled_from("YN01S M"), max_size=9) | st.text(max_size=8))
def test_running_days_are_seven_flags_of_which_one_is_set_or_refused(text: str) -> None:
    values, codes = parsers.weekdays(texts(text), YES, NO, "sunday")
    is_good = len(text) == 7 and set(text) <= YES | NO and bool(set(text) & YES)
    assert (values[0].is_valid, codes[0].is_valid) == (is_good, not is_good)


def test_the_letters_of_all_days_are_no_running_days() -> None:
    assert (
        parsers.weekdays(texts("S M T W T F S", "SMTWTFS", "NNNNNNN"), YES, NO, "sunday").codes.to_pylist()
        == ["not_running_days"] * 3
    )


def day(stage_text: Stage, parse: str, arr: str, dep: str, given_day: str = "2") -> tuple[object, ...]:
    built = stage_text(STOPS.replace("day_of_arrival", parse), f"code,arr,dep,day\nA,{arr},{dep},{given_day}\n")
    ((*found,),) = rows(built, "arrives", "departs", "day")
    return tuple(found)


@pytest.mark.parametrize(
    ("arr", "dep", "of_arrival", "of_departure"),
    [
        ("10:00", "10:05", 2, 2),
        ("23:55", "00:05", 2, 1),
        ("23:55", "00:00", 2, 1),
        ("--", "23:00", 2, 2),
        ("04:00", "--", 2, 2),
        ("00:00", "00:05", 2, 2),
        ("24:00", "00:05", 3, 2),
        ("23:50", "24:00", 2, 2),
        ("24:00", "--", 3, 3),
        ("--", "24:00", 3, 3),
    ],
)
def test_the_day_of_a_stop_is_that_of_its_arrival(
    stage_text: Stage, arr: str, dep: str, of_arrival: int, of_departure: int
) -> None:
    assert day(stage_text, "day_of_arrival", arr, dep)[2] == of_arrival
    assert day(stage_text, "day_of_departure", arr, dep)[2] == of_departure


@given(st.integers(0, 3 * 1440), st.integers(0, 600))
def test_either_way_of_counting_leads_to_the_same_day(arrival: int, halt: int) -> None:
    departure = arrival + halt
    arrives, departs = (pa.array([f"{at % 1440 // 60:02d}:{at % 60:02d}"]) for at in (arrival, departure))
    found = []
    for kind, at in (("day_of_arrival", arrival), ("day_of_departure", departure)):
        raw = {"arr": arrives, "dep": departs, "day": pa.array([str(at // 1440 + 1)])}
        found += stage_day(Column("day", "day", kind), CLOCKS, raw).rows.to_pylist()
    assert found == [arrival // 1440 + 1] * 2


@given(st.integers(0, 1439), st.integers(1, 4 * 1440 - 1))
def test_a_duration_gives_the_day_and_must_lead_to_the_clock_of_the_arrival(departure: int, took: int) -> None:
    arrival = departure + took

    def staged(arrives: int) -> object:
        clocks = [f"{at % 1440 // 60:02d}:{at % 60:02d}" for at in (arrives, departure)]
        raw = {"arr": pa.array(clocks[:1]), "dep": pa.array([None], pa.string()), "left": pa.array(clocks[1:])}
        raw["took"] = pa.array([f"{took // 60}h {took % 60}m"])
        column = stage_day(Column("day", "took", "day_after", since="left"), CLOCKS, raw)
        return column.rows[0].as_py(), column.codes[0].as_py()

    days = arrival // 1440 + 1
    assert staged(arrival) == ((days, None) if days <= 5 else (None, "out_of_range"))
    assert staged(arrival + 1) == (None, "contradicts_clock")


def test_a_stop_whose_day_cannot_be_read_is_refused(stage_text: Stage) -> None:
    built = stage_text(STOPS, "code,arr,dep,day\nA,10:00,10:05,1\nB,11:00,--,two\nC,11:00,--,9\nD,11.30,--,1\n")
    assert refused(built) == [("2", "not_an_integer", "day", "two"), ("3", "out_of_range", "day", "9")]
    assert rows(built, "station_code", "arrives") == [("A", "10:00"), ("D", None)]
    assert built.notes.unmapped == {"cells:arrives:not_a_clock": {"11.30": 1}}


def test_37_an_arrival_that_contradicts_the_duration_is_refused(stage_text: Stage) -> None:
    built = stage_text(
        AFTER, "code,arr,dep,took,left\nA,04:00,--,30h 5m,21:55\nB,04:01,--,30h 5m,21:55\nC,04:00,--,,1\n"
    )
    assert rows(built, "station_code", "day") == [("A", 3), ("C", None)]
    assert refused(built) == [("2", "contradicts_clock", "day", "30h 5m")]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("day_of_arrival", "integer", "'integer' gives no int8; 'day' needs 'day_of_arrival' or"),
        ("arr, parse: clock", "arr, parse: text", "'arrives' needs 'clock'"),
        ("code, parse: text", "code, parse: clock", "'station_code' needs 'text'"),
        ("day_of_arrival", "day_after", "'day_after' needs 'since'"),
        ("code, parse: text}", "code, parse: text, zero_pad: 0}", "'zero_pad' is a number of digits"),
        (
            "  day:",
            "  days_of_operation: {from: days, parse: weekdays, yes: [Y]}\n  day:",
            "marks for 'yes' and for 'no'",
        ),
        ("  day:", "  days_of_operation: {from: days, parse: weekdays, yes: [Ja], no: [N]}\n  day:", "single signs"),
        (
            "  day:",
            "  days_of_operation: {from: days, parse: weekdays, first: friday, yes: [Y], no: [N]}\n  day:",
            "'friday'; choose one of 'monday', 'sunday'",
        ),
    ],
)
def test_a_mistake_is_named(load: Load, old: str, new: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        load(STOPS.replace(old, new, 1))
