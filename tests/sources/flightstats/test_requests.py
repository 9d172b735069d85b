"""What is asked next, given what is known: each pair once, ratings where a flight is, and no more than a plan has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from schemas.region import Airport, Region, load_region
from sources.flightstats.requests import airport_pairs, days_asked, ratings_request, requests, schedule_request
from sources.protocol.declaration import load_declaration
from sources.protocol.types import Account, Answer, Request
from tests.sources.flightstats.answers import FOLDER, answer, example, of_document

REGIONS = FOLDER.parents[1] / "pipeline" / "regions"
SAMPLE, INDIA = load_region(REGIONS / "sample"), load_region(REGIONS / "india")
DECLARATION = load_declaration(FOLDER / "source.yaml")
EVALUATION, CONTRACTED = DECLARATION.accounts["evaluation"], DECLARATION.accounts["contracted"]
MONDAY = date(2025, 11, 3)
CALLS_OF_THE_PLAN = 20_000


class Archive:
    """Answers by request. Implements `Known`."""

    def __init__(self, account: Account = EVALUATION) -> None:
        self.account = account
        self.held: dict[str, Answer] = {}

    def rows(self, table: str) -> Sequence[Mapping[str, Any]]:
        raise KeyError(table)

    def answer(self, request: Request) -> Answer | None:
        return self.held.get(request.id)

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return [one for one in self.held.values() if one.endpoint == endpoint]


def asked(region: Region, archive: Archive) -> list[Request]:
    return list(requests(region, archive))


def nothing_flies(region: Region, archive: Archive) -> None:
    """Answer all schedules with an empty list."""
    empty = of_document("schedules", example("schedules.no_flight"))
    for request in asked(region, archive):
        archive.held[request.id] = empty


def test_each_ordered_pair_of_airports_is_asked_for_one_day() -> None:
    found = asked(SAMPLE, Archive())
    assert Counter(one.endpoint for one in found) == {"schedules": 12 * 11}
    assert len({one.id for one in found}) == 132
    assert {(one.params["year"], one.params["month"], one.params["day"]) for one in found} == {("2025", "11", "3")}
    assert set(found[0].params) == {"dep", "arr", "year", "month", "day"}


def test_a_whole_country_stays_within_the_calls_of_the_evaluation_plan() -> None:
    schedules = asked(INDIA, Archive())
    assert 14_000 < len(schedules) < 15_000
    # Every sixth pair and more could have a flight; in 2021 it was every ninth.
    assert len(schedules) + len(schedules) // 3 < CALLS_OF_THE_PLAN


def test_airports_of_one_city_and_of_no_city_are_not_asked_about() -> None:
    pairs = set(airport_pairs(INDIA))
    cities = {airport.iata: airport.city_id for airport in INDIA.airports}
    assert all(cities[dep] and cities[arr] and cities[dep] != cities[arr] for dep, arr in pairs)
    assert {"GOI", "GOX"} <= {dep for dep, _ in pairs}
    assert not {("GOI", "GOX"), ("GOX", "GOI")} & pairs
    unserved = {iata for iata, city in cities.items() if not city}
    assert unserved
    assert not unserved & {end for pair in pairs for end in pair}


def test_ratings_are_asked_where_the_day_has_a_flight_and_nowhere_else() -> None:
    archive = Archive()
    nothing_flies(SAMPLE, archive)
    assert asked(SAMPLE, archive) == []
    flown = of_document("schedules", example("schedules.codeshare_and_night"))
    archive.held[schedule_request("NAG", "BOM", MONDAY).id] = flown
    assert asked(SAMPLE, archive) == [ratings_request("NAG", "BOM")]
    archive.held[ratings_request("NAG", "BOM").id] = of_document("route_ratings", example("route_ratings.missing"))
    assert asked(SAMPLE, archive) == []


def test_a_codeshare_alone_or_a_refusal_is_no_flight() -> None:
    sold = example("schedules.codeshare_and_night")
    sold["scheduledFlights"] = sold["scheduledFlights"][:1]
    for one in (of_document("schedules", sold), answer("schedules", b"<html>")):
        archive = Archive()
        nothing_flies(SAMPLE, archive)
        archive.held[schedule_request("NAG", "BOM", MONDAY).id] = one
        assert asked(SAMPLE, archive) == []


def test_a_contract_asks_for_a_week_and_for_the_ratings_as_soon_as_one_day_has_a_flight() -> None:
    two = replace(SAMPLE, airports=tuple(one for one in SAMPLE.airports if one.iata in ("NAG", "BOM")))
    archive = Archive(CONTRACTED)
    assert len(asked(two, archive)) == 14
    nothing_flies(two, archive)
    flown = of_document("schedules", example("schedules.codeshare_and_night"))
    archive.held[schedule_request("NAG", "BOM", date(2025, 11, 9)).id] = flown
    assert asked(two, archive) == [ratings_request("NAG", "BOM")]


def test_a_pair_is_asked_the_same_in_another_region_so_that_answers_are_shared() -> None:
    ours = {one.id for one in asked(SAMPLE, Archive())}
    assert ours < {one.id for one in asked(INDIA, Archive())}


def test_a_region_without_airports_asks_nothing() -> None:
    none: tuple[Airport, ...] = ()
    assert asked(replace(SAMPLE, airports=none), Archive()) == []
    assert asked(replace(SAMPLE, airports=SAMPLE.airports[:1]), Archive()) == []


@pytest.mark.parametrize(
    ("first", "last", "count", "days"),
    [
        (date(2025, 11, 1), date(2025, 11, 30), 1, [MONDAY]),
        (MONDAY, date(2025, 11, 30), 2, [MONDAY, date(2025, 11, 4)]),
        (MONDAY, MONDAY, 7, [MONDAY]),
        (date(2025, 11, 4), date(2025, 11, 5), 7, [date(2025, 11, 4), date(2025, 11, 5)]),
        (date(2025, 11, 1), date(2025, 11, 4), 7, [MONDAY, date(2025, 11, 4)]),
    ],
)
def test_days_begin_with_the_first_monday_and_stay_within_the_dates(
    first: date, last: date, count: int, days: list[date]
) -> None:
    assert days_asked((first, last), count) == days


def test_the_declaration_stops_at_a_refused_key_and_signs_no_terms() -> None:
    assert all("AUTH_FAILURE" in endpoint.quota_marks for endpoint in DECLARATION.endpoints.values())
    assert DECLARATION.secrets == {"appId": "UTP_FLIGHTSTATS_APP_ID", "appKey": "UTP_FLIGHTSTATS_APP_KEY"}
    assert (DECLARATION.terms.accepted_by, DECLARATION.terms.access) == ("", "contract")
    assert DECLARATION.tables == ("flight_ratings", "flights")
