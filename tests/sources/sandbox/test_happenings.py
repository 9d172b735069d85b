"""What is true of events: within the days of the region, the same city by city, and with every trap."""

from collections import Counter
from datetime import date, datetime

from schemas.region import Region
from schemas.vocab import vocabulary
from sources.sandbox.happenings import happenings_of
from sources.sandbox.world import World

_NOTHING = {"cancelled", "postponed", "online", "any_day", "over", "gone", "abroad"}


def test_a_city_has_the_same_events_in_every_region_that_holds_it(world: World, india: Region) -> None:
    cities = {city.city_id: city for city in india.cities}
    for city_id in {happening.city_id for happening in world.happenings}:
        ours = [happening for happening in world.happenings if happening.city_id == city_id]
        assert list(happenings_of(cities[city_id], india.dates, 1)) == ours


def test_there_are_about_as_many_rows_as_in_the_published_table(world: World, india: Region) -> None:
    rows = sum(len(happening.days) for city in india.cities for happening in happenings_of(city, india.dates, 1))
    assert 700 < rows < 850
    assert 50 < sum(len(happening.days) for happening in world.happenings) < 80


def test_events_take_place_on_days_of_the_region_or_not_at_all(world: World, region: Region) -> None:
    first, last = region.dates
    for happening in world.happenings:
        assert (happening.days == ()) == (happening.trap in _NOTHING)
        assert all(first <= date.fromisoformat(day) <= last for day in happening.days)
        assert len(set(happening.days)) == len(happening.days)


def test_the_sample_holds_every_trap_form_and_segment(world: World) -> None:
    traps = Counter(happening.trap for happening in world.happenings)
    assert set(traps) - {None} == _NOTHING | {
        "several_days",
        "two_sessions",
        "after_midnight",
        "overnight",
        "rescheduled",
    }
    assert {happening.form for happening in world.happenings} == {"plain", "streamed", "visible"}
    assert {happening.told for happening in world.happenings} == {"locality", "address", "slug", "title"}
    segments = {happening.kind.segment for happening in world.happenings}
    assert segments == {None, *vocabulary("event_segments").tokens}


def test_days_are_those_of_the_sessions(world: World) -> None:
    for happening in world.happenings:
        starts = [datetime.fromisoformat(session.start).date().isoformat() for session in happening.sessions]
        if happening.trap == "several_days":
            assert happening.sessions[0].end is not None
            assert (happening.days[0], happening.days[-1]) == (starts[0], happening.sessions[0].end[:10])
        elif happening.days:
            assert happening.days == tuple(dict.fromkeys(starts))


def test_addresses_of_pages_are_unique_and_names_say_that_they_are_constructed(world: World) -> None:
    slugs = [happening.slug for happening in world.happenings]
    assert len(set(slugs)) == len(slugs)
    assert all(happening.name.startswith("Constructed ") for happening in world.happenings)
