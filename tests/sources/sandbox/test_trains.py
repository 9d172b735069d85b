"""The trains of the constructed world: between its stations, with a timetable that holds together, and their delays."""

import statistics
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from schemas.region import Region
from sources.sandbox.delays import HORIZON_DAYS, runs_of, summary, within
from sources.sandbox.trains import TrueTrain, station_code
from sources.sandbox.world import World, build_world

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def large(india: Region) -> World:
    return build_world(india, seed=1)


def minutes(clock: str, day: int) -> int:
    return (day - 1) * 1440 + int(clock[:2]) * 60 + int(clock[3:])


def of(world: World, tracking: str) -> list[TrueTrain]:
    return [train for train in world.trains if train.tracking == tracking]


def test_no_two_stations_have_the_same_code_and_some_codes_are_words_to_other_programs(large: World) -> None:
    found = [stop.code for stop in large.stops if stop.mode == "rail"]
    assert len(set(found)) == len(found) > 500
    assert {"ON", "NIL", "NAN", "NO"} <= set(found)
    assert all(code and code.isalpha() and code.isupper() and len(code) <= 5 for code in found)


def test_a_code_is_that_of_its_stop_in_every_region_and_with_every_seed(world: World) -> None:
    for stop in world.stops:
        if stop.mode == "rail":
            assert stop.code == station_code(stop.id, stop.city_id.partition("-")[2].title())


def test_trains_call_at_stations_of_the_world_under_their_code_and_name(world: World) -> None:
    stations = {stop.id: (stop.code, stop.name, stop.city_id) for stop in world.stops if stop.mode == "rail"}
    for train in world.trains:
        assert 4 <= len(train.calls) <= 10
        for call in train.calls:
            assert stations[call.stop_id] == (call.station_code, call.station_name, call.city_id)


def test_some_forty_trains_run_in_the_sample_each_with_a_number_and_name_of_its_own(world: World) -> None:
    assert len(world.trains) == 40
    assert len({train.number for train in world.trains}) == len({train.name for train in world.trains}) == 40
    assert all(len(train.number) == 5 and train.number.isdigit() for train in world.trains)
    assert all(train.name.startswith("Constructed ") for train in world.trains)
    assert any(train.number.startswith("0") for train in world.trains)


def test_a_timetable_goes_forward_in_time_and_distance(world: World) -> None:
    for train in world.trains:
        first, *_, last = train.calls
        assert (first.arrives, first.day, first.distance_km, last.departs) == (None, 1, 0, None)
        times = [
            minutes(clock, day)
            for call in train.calls
            for clock, day in ((call.arrives, call.day), (call.departs, call.departs_day))
            if clock is not None
        ]
        assert times == sorted(set(times))
        distances = [call.distance_km for call in train.calls]
        assert distances == sorted(set(distances))
        hours = (times[-1] - times[0]) / 60
        assert 10 < distances[-1] / hours < 80


def test_one_train_arrives_at_midnight_and_one_halts_over_it(world: World) -> None:
    calls = [call for train in world.trains for call in train.calls]
    assert any(call.arrives == "00:00" and call.day > 1 for call in calls)
    assert any(call.arrives and call.departs and call.departs_day == call.day + 1 for call in calls)
    assert max(call.day for call in calls) >= 3


def test_one_train_runs_in_a_loop(world: World) -> None:
    loops = [train for train in world.trains if len({call.station_code for call in train.calls}) < len(train.calls)]
    assert [train.calls[0].station_code == train.calls[-1].station_code for train in loops] == [True]


def test_trains_run_on_days_of_every_kind(world: World) -> None:
    running = Counter(train.days_of_operation.count("1") for train in world.trains)
    assert {1, 7} <= set(running)
    assert set(running) - {1, 7}


def test_a_region_of_one_city_has_no_trains_and_one_of_two_has(region: Region) -> None:
    assert build_world(replace(region, cities=region.cities[:1]), seed=1).trains == ()
    assert build_world(replace(region, cities=region.cities[:2]), seed=1).trains


def test_delays_are_skewed_early_runs_are_negative_and_some_runs_are_unknown(world: World) -> None:
    delays = [delay for train in world.trains for run in runs_of(train, world.seed, TODAY).delays for delay in run]
    known = [delay for delay in delays if delay is not None]
    assert 40 <= statistics.mean(known) <= 47
    assert statistics.median(known) < 25
    assert min(known) < -10
    assert 300 < max(known) <= 700
    assert 0.03 < 1 - len(known) / len(delays) < 0.15


def test_a_run_is_the_same_whenever_it_is_looked_at(world: World) -> None:
    train = of(world, "whole")[0]
    today, later = (runs_of(train, world.seed, TODAY + timedelta(days=ahead)) for ahead in (0, 40))
    assert dict(zip(today.days, today.delays, strict=True)).items() >= {
        (day, delays) for day, delays in zip(later.days, later.delays, strict=True) if day <= TODAY
    }


def test_a_train_runs_on_its_days_alone(world: World) -> None:
    for train in of(world, "whole"):
        days = runs_of(train, world.seed, TODAY).days
        assert {day.weekday() for day in days} == {
            place for place, flag in enumerate(train.days_of_operation) if flag == "1"
        }
        assert TODAY - timedelta(days=364) <= days[0] <= days[-1] <= TODAY


def test_a_station_that_nobody_reports_from_is_unknown_for_nearly_every_run(world: World) -> None:
    silent = [
        summary(runs_of(train, world.seed, TODAY), place)
        for train in of(world, "whole")
        for place, call in enumerate(train.calls)
        if not call.is_reported
    ]
    assert len(silent) >= 5
    daily = [one for one in silent if one.unknown + one.right_time == 365]
    assert daily
    assert all(one.unknown >= 364 and one.average in (0, None) for one in daily)


def test_a_special_has_no_runs_in_short_windows_and_some_trains_have_none_at_all(world: World) -> None:
    special = of(world, "seasonal")[0]
    runs = runs_of(special, world.seed, TODAY)
    found = {horizon: len(within(runs, horizon, TODAY).days) for horizon in HORIZON_DAYS}
    assert (found["1week"], found["1month"], found["3month"]) == (0, 0, 0)
    assert found["6month"] == found["1year"] > 0
    for train in (*of(world, "none"), *of(world, "unlisted")):
        assert runs_of(train, world.seed, TODAY).days == ()
    assert {train.train_type for train in of(world, "unlisted")} == {"SUB"}


def test_a_summary_counts_each_run_once_and_rounds_half_up(world: World) -> None:
    for train in of(world, "whole")[:5]:
        runs = runs_of(train, world.seed, TODAY)
        for place in range(len(train.calls)):
            said = summary(runs, place)
            assert sum(said[:4]) == len(runs.days)
            known = [delay for run in runs.delays if (delay := run[place]) is not None]
            if known:
                assert said.average is not None
                assert abs(said.average - statistics.mean(known)) <= 0.05 + 1e-9


def test_all_of_india_has_some_thousand_trains(large: World) -> None:
    assert 1_000 < len(large.trains) < 1_500
    assert len({train.number for train in large.trains}) == len(large.trains)
