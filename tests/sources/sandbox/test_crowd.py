"""The truth of crowds: plausible hours for each kind of place, days that go past midnight, and what nobody tells."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from schemas.region import Region
from sources.sandbox.crowd import ALWAYS, HOURS, TrueCrowd, TrueCrowdDay, crowd_of, strongest
from sources.sandbox.opening import TrueHours
from sources.sandbox.places import TruePlace
from sources.sandbox.world import World, build_world


def days(world: World, table: str, *, without: str = "", **wanted: object) -> list[TrueCrowdDay]:
    """The days that are told of the places of a table, whose attributes are as wanted."""
    by_id = {place.id: place for place in world.places}
    return [
        day
        for one in world.crowd
        for day in one.days or ()
        if by_id[one.place_id].table == table
        and not (without and without in by_id[one.place_id].categories)
        and all(getattr(day, name) == value for name, value in wanted.items())
    ]


def mean_shares(found: list[TrueCrowdDay]) -> dict[int, float]:
    """The mean share by hour, over the days on which the place is open then."""
    by_hour: dict[int, list[int]] = {}
    for day in found:
        for hour, share in zip(HOURS, day.shares or (), strict=True):
            if share is not None:
                by_hour.setdefault(hour, []).append(share)
    return {hour: sum(shares) / len(shares) for hour, shares in by_hour.items()}


def with_hours(world: World, *hours: TrueHours) -> TrueCrowd:
    """The crowd of a restaurant that is told, if it had these hours."""
    told = {one.place_id for one in world.crowd if one.days}
    place = next(one for one in world.places if one.table == "restaurants" and one.id in told)
    (crowd,) = crowd_of([replace(place, hours=hours)], [place.near], world.seed)
    return crowd


def test_a_place_has_the_same_crowd_in_every_region_and_another_with_another_seed(region: Region, world: World) -> None:
    last = region.cities[-1]
    alone = build_world(replace(region, cities=(last,)), seed=1).crowd
    assert alone == tuple(one for one in world.crowd if one.place_id.startswith(f"{last.city_id}/"))
    assert alone
    assert build_world(region, seed=2).crowd != world.crowd


def test_every_place_to_visit_and_to_eat_in_a_city_with_crowd_data_has_one(region: Region, world: World) -> None:
    cities = {city.city_id for city in region.cities if city.is_uncertainty_city}
    wanted = [
        place.id
        for place in world.places
        if place.table != "accommodations" and place.city_id in cities and place.trap != "gone"
    ]
    assert [one.place_id for one in world.crowd] == wanted
    quiet = replace(region, cities=tuple(replace(city, is_uncertainty_city=False) for city in region.cities))
    assert build_world(quiet, seed=1).crowd == ()


def test_some_places_are_told_by_nobody_in_each_of_three_ways(world: World) -> None:
    counts = Counter(one.trap for one in world.crowd)
    assert set(counts) == {None, "too_few_visitors", "unlisted", "mistaken"}
    assert counts[None] / len(world.crowd) == pytest.approx(0.74, abs=0.1)
    assert all((one.days is None) == (one.trap is not None) for one in world.crowd)


def test_a_week_has_each_weekday_and_some_days_are_closed_or_unknown(world: World) -> None:
    assert all([day.weekday for day in one.days] == [*range(1, 8)] for one in world.crowd if one.days)
    states = Counter(day.state for one in world.crowd for day in one.days or ())
    assert set(states) == {"open", "closed", "unknown"}
    assert states["unknown"] / states.total() == pytest.approx(0.03, abs=0.015)


def test_only_open_days_tell_anything(world: World) -> None:
    for day in (day for one in world.crowd for day in one.days or ()):
        told = (day.levels, day.shares, day.quiet_hours, day.busy_hours, day.peaks, day.opens, day.closes)
        assert {value is None for value in told} == {day.state != "open"}
        assert (day.spans == ()) == (day.state == "closed")


def test_sights_fill_at_midday(world: World) -> None:
    museums = {
        place.id for place in world.places if "Museums" in place.categories and "Shopping" not in place.categories
    }
    told = [day for one in world.crowd if one.place_id in museums for day in one.days or () if day.state == "open"]
    shares = mean_shares(told)
    assert max(shares, key=lambda hour: shares[hour]) in (12, 13)


def test_people_eat_at_noon_and_in_the_evening_and_not_between(world: World) -> None:
    shares = mean_shares(days(world, "restaurants", without="Bar/Pub/Cafe", state="open"))
    assert shares[16] < 0.5 * shares[13] < 0.5 * shares[20]


def test_clubs_fill_at_night(world: World) -> None:
    clubs = {place.id for place in world.places if "Nightlife" in place.categories and place.hours is None}
    told = [day for one in world.crowd if one.place_id in clubs for day in one.days or () if day.state == "open"]
    shares = mean_shares(told)
    assert max(shares, key=lambda hour: shares[hour]) in (22, 23, 0)
    assert {(day.opens, day.closes, day.closes_day_offset) for day in told} == {("18:00", "02:00", 1)}


def test_weekends_are_busier_than_the_days_before(world: World) -> None:
    totals = {
        weekday: sum(sum(share or 0 for share in day.shares or ()) for day in found) / len(found)
        for weekday in (2, 6)
        if (found := days(world, "attractions", weekday=weekday, state="open"))
    }
    assert totals[6] > 1.3 * totals[2]


def test_shares_are_of_the_weeks_busiest_hour_by_fives(world: World) -> None:
    for one in world.crowd:
        shares = [share for day in one.days or () for share in day.shares or () if share is not None]
        assert all(0 <= share <= 100 and share % 5 == 0 for share in shares)
        assert not shares or max(shares) == 100


def test_levels_follow_shares_and_lists_follow_levels(world: World) -> None:
    seen: dict[int, set[int]] = {}
    for day in (day for one in world.crowd for day in one.days or () if day.levels):
        by_hour = dict(zip(HOURS, day.levels or (), strict=True))
        for level, share in zip(day.levels or (), day.shares or (), strict=True):
            assert (level is None) == (share is None)
            if level is not None and share is not None:
                seen.setdefault(level, set()).add(share)
        assert {hour for hour, level in by_hour.items() if level is not None and level < 0} == set(
            day.quiet_hours or ()
        )
        assert {hour for hour, level in by_hour.items() if level is not None and level > 0} == set(day.busy_hours or ())
    assert sorted(seen) == [-2, -1, 0, 1, 2]
    assert all(max(seen[low]) < min(seen[high]) for low, high in pairwise(sorted(seen)))


def test_the_strongest_peak_is_that_of_the_day_and_of_equal_ones_the_first(world: World) -> None:
    several = [day for day in days(world, "restaurants", state="open") if len(day.peaks or ()) > 1]
    assert several
    for day in several:
        best = strongest(day.peaks or ())
        assert best is not None
        assert best.strength == max(peak.strength for peak in day.peaks or ())
        assert (day.peak_start_hour, day.peak_end_hour) == (best.start, best.end)
    assert any(
        (day.peak_end_hour or 0) < (day.peak_start_hour or 0) for day in days(world, "attractions", state="open")
    )


def test_a_bar_that_closes_at_two_is_open_until_two_on_the_day_on_which_it_opened(world: World) -> None:
    crowd = with_hours(world, TrueHours(1, "open", "18:00", "02:00", 1))
    assert crowd.days is not None
    monday, tuesday, *_ = crowd.days
    assert [hour for hour, level in zip(HOURS, monday.levels or (), strict=True) if level is not None] == [
        18, 19, 20, 21, 22, 23, 0, 1,
    ]  # fmt: skip
    assert tuesday.state == "closed"


def test_hours_after_midnight_that_are_listed_on_their_date_belong_to_the_day_before(world: World) -> None:
    crowd = with_hours(
        world, TrueHours(2, "open", "00:00", "02:00", 0), TrueHours(1, "open", "20:00", "23:30", 0)
    )  # fmt: skip
    assert crowd.days is not None
    assert crowd.days[0].spans == (("20:00", "23:30"), ("00:00", "02:00"))
    assert (crowd.days[0].opens, crowd.days[0].closes, crowd.days[0].closes_day_offset) == ("20:00", "02:00", 1)
    assert crowd.days[1].state == "closed"


def test_an_hour_that_is_open_in_part_is_open_and_the_hour_of_closing_is_not(world: World) -> None:
    for closes, last in (("17:30", 17), ("17:00", 16)):
        crowd = with_hours(world, TrueHours(1, "open", "12:30", closes, 0))
        assert crowd.days is not None
        hours = [hour for hour, level in zip(HOURS, crowd.days[0].levels or (), strict=True) if level is not None]
        assert hours == [*range(12, last + 1)]


def test_a_place_that_opens_when_it_closes_never_closes(world: World) -> None:
    always = [day for table in ("attractions", "restaurants") for day in days(world, table, spans=(ALWAYS,))]
    assert any(day.state == "open" for day in always)
    for day in always:
        assert day.state == "unknown" or (None not in (day.levels or (None,)) and day.closes_day_offset == 1)


def test_places_that_nobody_lists_hours_of_have_usual_ones(world: World) -> None:
    silent: set[TruePlace] = {place for place in world.places if place.hours is None}
    names = {place.id: place.table for place in silent}
    spans = {(names[one.place_id], day.spans) for one in world.crowd if one.place_id in names for day in one.days or ()}
    assert {(table, found) for table, found in spans if found != (("18:00", "02:00"),)} == {
        ("attractions", (("09:00", "18:00"),)),
        ("restaurants", (("11:00", "23:00"),)),
    }
