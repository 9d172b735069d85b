"""What the clocks of a ride tell, and rides that cannot be right beside others: `clocks`, `above` and `unlike`."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from sources.tables.mapping import MappingError, load_mapping
from tests.sources.tables.stops import Stage, refused, rows

BUSES = """\
id: buses
table: buses
title: Buses
file: buses.csv
format: csv
observed: {at: 2024-07-17}
columns:
  origin_name: {from: from, parse: text}
  destination_name: {from: to, parse: text}
  DepTime: {from: dep, parse: clock}
  ArrTime: {from: arr, parse: clock, null: [none]}
  arr_day_offset: {clocks: midnights}
  duration_min: {clocks: minutes}
"""
UNLIKE = """\
reject:
  - code: unlike
    message: unlike its route
    unlike: {column: duration_min, by: [origin_name, destination_name], times: 3, least_rows: 3}
"""


def rides(*clocks: str, route: str = "A,B") -> str:
    return "".join(f"{route},{one}\n" for one in clocks)


def file(*lines: str) -> str:
    return "from,to,dep,arr\n" + "".join(lines)


def test_a_ride_takes_what_its_clocks_say_and_never_a_day(stage_text: Stage) -> None:
    built = stage_text(BUSES, file(rides("20:00,04:25", "10:00,14:45", "00:00,23:59", "23:59,00:00", "12:01,12:00")))
    assert rows(built, "duration_min", "arr_day_offset") == [(505, 1), (285, 0), (1439, 0), (1, 1), (1439, 1)]


def test_without_a_clock_nothing_is_told(stage_text: Stage) -> None:
    built = stage_text(BUSES, file(rides("20:00,none", ",04:25", "20:00,20:01")))
    assert rows(built, "duration_min", "arr_day_offset") == [(None, None), (None, None), (1, 0)]


def test_an_arrival_at_the_departure_is_no_ride(stage_text: Stage) -> None:
    built = stage_text(BUSES, file(rides("19:45,19:45", "19:45,20:00")))
    assert refused(built) == [("1", "out_of_range", "duration_min", "19:45 to 19:45")]


def test_a_clock_that_is_none_is_a_fault_of_its_own(stage_text: Stage) -> None:
    built = stage_text(BUSES, file(rides("19:45,24:00", "25:00,26:00", "9:05,10:00")))
    assert [line[:3] for line in refused(built)] == [
        ("1", "not_a_clock", "ArrTime"),
        ("2", "not_a_clock", "DepTime"),
        ("3", "not_a_clock", "DepTime"),
    ]


def test_above_refuses_more_than_its_limit_and_never_null(stage_text: Stage) -> None:
    rule = "reject:\n  - {code: long, message: too long, above: {column: duration_min, limit: 60}}\n"
    built = stage_text(BUSES + rule, file(rides("10:00,11:00", "10:00,11:01", "10:00,none")))
    assert refused(built) == [("2", "long", "duration_min", "10:00 to 11:01")]


def lasting(minutes: Iterable[int]) -> list[str]:
    return [f"10:00,{10 + one // 60}:{one % 60:02d}" for one in minutes]


def test_unlike_refuses_what_is_far_from_the_median_of_its_route_alone(stage_text: Stage) -> None:
    long = rides(*lasting([30, 30, 30, 90, 91, 10, 9]))
    other = rides(*lasting([300, 310, 320]), route="A,C")
    built = stage_text(BUSES + UNLIKE, file(long, other))
    assert refused(built) == [
        ("5", "unlike", "duration_min", "10:00 to 11:31"),
        ("7", "unlike", "duration_min", "10:00 to 10:09"),
    ]


def test_unlike_says_nothing_of_few_rows_or_of_rows_of_no_route(stage_text: Stage) -> None:
    built = stage_text(BUSES + UNLIKE, file(rides(*lasting([10, 100])), rides(*lasting([10, 10, 10, 100]), route=",C")))
    assert refused(built) == []


def test_a_ride_without_duration_counts_for_no_median(stage_text: Stage) -> None:
    built = stage_text(BUSES + UNLIKE, file(rides("10:00,none", *lasting([10, 100]))))
    assert refused(built) == []


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("{clocks: minutes}", "{clocks: midnights}", "'midnights' fills 'arr_day_offset', not 'duration_min'"),
        ("{clocks: minutes}", "{clocks: hours}", "choose one of"),
        ("  ArrTime: {from: arr, parse: clock, null: [none]}\n", "", "need 'ArrTime', read from a raw column"),
        ("times: 3", "times: 1", "'times' must be above 1"),
        ("least_rows: 3", "least_rows: 2", "from 3 on"),
        ("column: duration_min", "column: DepTime", "DepTime"),
        ("by: [origin_name, destination_name]", "by: [BusType]", "'BusType' is not filled by this mapping"),
    ],
)
def test_what_means_nothing_is_refused(tmp_path: Path, wrong: str, right: str, message: str) -> None:
    path = tmp_path / "buses.mapping.yaml"
    assert wrong in BUSES + UNLIKE
    path.write_text((BUSES + UNLIKE).replace(wrong, right))
    with pytest.raises(MappingError) as caught:
        load_mapping(path)
    assert message in str(caught.value)
