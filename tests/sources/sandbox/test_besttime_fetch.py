"""A whole fetch from BestTime's stand-in, through transport, archive and parser, tells the truth about every venue."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.allowances import read_allowances
from pipeline.asking import Asked
from pipeline.fetching import fetch
from pipeline.home import Home
from pipeline.provider_rows import stage_answers
from schemas.region import Region
from schemas.rows import Built
from sources.protocol.discovery import load_source
from sources.sandbox.crowd import TrueCrowdDay
from sources.sandbox.world import World
from sources.transport.archive import Archive

SOURCE = load_source(Path(__file__).resolve().parents[3] / "sources" / "besttime")
KEY = "constructed-key-of-a-fetch"


def needed(world: World, table: str) -> list[Mapping[str, Any]]:
    """The rows that a place table would have, under the ids of the truth."""
    return [
        {
            "place_id": place.id,
            "name": place.name,
            "source_name": place.name,
            "City": place.city_name,
            "address": place.address,
            "latitude": place.latitude,
            "longitude": place.longitude,
            "evaluator_visible": True,
        }
        for place in world.places
        if place.table == table and place.city_id and place.trap != "gone"
    ]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("home")
    (folder / "accounts.yaml").write_text("besttime: pro\n")
    return Home(folder)


def ask_all(home: Home, region: Region, world: World, address: str) -> Asked:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UTP_SANDBOX", address)
        patch.setenv("UTP_BESTTIME_PRIVATE_KEY", KEY)
        allowances = read_allowances(home.folder, [SOURCE.declaration], of_stand_ins=True)
        rows = {table: needed(world, table) for table in SOURCE.declaration.needs}
        return fetch([SOURCE], region, home, "sandbox", allowances, lambda _: rows)["besttime"]


@pytest.fixture(scope="module")
def asked(home: Home, region: Region, world: World, address: str) -> Asked:
    return ask_all(home, region, world, address)


@pytest.fixture(scope="module")
def staged(home: Home, asked: Asked) -> Built:
    assert asked.stopped is None
    return stage_answers(SOURCE, Archive(home.raw).answers("besttime"))["venue_crowd"]


def test_every_place_is_asked_about_once_and_failures_are_answers(asked: Asked, world: World) -> None:
    assert (asked.done, asked.failed) == (len(world.crowd), ())


def test_nothing_is_asked_a_second_time_not_even_what_failed(
    asked: Asked, home: Home, region: Region, world: World, address: str
) -> None:
    assert asked.done
    assert ask_all(home, region, world, address).done == 0


def as_row(place_id: str, day: TrueCrowdDay) -> tuple[Any, ...]:
    def listed(values: tuple[Any, ...] | None) -> list[Any] | None:
        return None if values is None else [*values]

    return (
        place_id, day.weekday, day.state, day.opens, day.closes, day.closes_day_offset, listed(day.levels),
        listed(day.shares), listed(day.quiet_hours), listed(day.busy_hours), day.peak_start_hour, day.peak_end_hour,
    )  # fmt: skip


def test_the_rows_are_the_truth_of_every_venue_that_is_told(staged: Built, world: World) -> None:
    columns = ("asked_place_id", "weekday", "day_state", "opens", "closes", "closes_day_offset", "hourly_levels",
               "hourly_raw", "quiet_hours", "busy_hours", "peak_start_hour", "peak_end_hour")  # fmt: skip
    found = [tuple(row[column] for column in columns) for row in staged.rows.to_pylist()]
    truth = [as_row(one.place_id, day) for one in world.crowd for day in one.days or ()]
    assert sorted(found, key=lambda row: row[:2]) == sorted(truth, key=lambda row: row[:2])
    assert found


def test_a_row_is_about_its_place(staged: Built, world: World) -> None:
    by_id = {place.id: place for place in world.places}
    for row in staged.rows.to_pylist():
        place = by_id[row["asked_place_id"]]
        assert row["poi_type"] == place.table.removesuffix("s")
        assert (row["latitude"], row["longitude"]) == (place.latitude, place.longitude)
        assert row["value_class"] == "constructed"
    venues = {(row["asked_place_id"], row["venue_id"]) for row in staged.rows.to_pylist()}
    assert len({venue for _, venue in venues}) == len({place for place, _ in venues}) == len(venues)


def test_every_venue_that_is_not_told_is_refused_for_its_own_reason(staged: Built, world: World) -> None:
    refused = Counter(row["code"] for row in staged.quarantine.to_pylist())
    traps = Counter(one.trap for one in world.crowd if one.trap)
    reasons = {"too_few_visitors": "not_forecastable", "unlisted": "venue_not_found", "mistaken": "other_venue"}
    assert refused == Counter({reasons[trap]: count for trap, count in traps.items()})


def test_nothing_that_is_served_is_unknown_to_the_parser(staged: Built) -> None:
    assert staged.notes.unmapped == {}


def test_the_key_that_answers_repeat_is_nowhere_in_the_home(asked: Asked, home: Home) -> None:
    assert asked.done
    bodies = [answer.body or b"" for answer in Archive(home.raw).answers("besttime")]
    assert any(b'"api_key_private": "REDACTED"' in body for body in bodies)
    assert not any(re.search(KEY.encode(), body) for body in bodies)
