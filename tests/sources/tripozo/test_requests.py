"""What is asked next, given what is known: few pages, each once."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from itertools import permutations
from typing import Any

from schemas.region import load_region
from sources.protocol.discovery import load_source
from sources.protocol.types import Answer, Request
from sources.tripozo.requests import requests, sample_day
from tests.sources.tripozo.answers import FOLDER, answer, of_example

REGIONS = FOLDER.parents[1] / "pipeline" / "regions"
SAMPLE, INDIA = load_region(REGIONS / "sample"), load_region(REGIONS / "india")
DECLARATION = load_source(FOLDER).declaration
TIMETABLE = (of_example("train.timetable.html").body or b"").decode()


class Archive:
    """Answers by request, as a fetch leaves them."""

    def __init__(self) -> None:
        self.kept: dict[str, Answer] = {}
        self.account = next(iter(DECLARATION.accounts.values()))

    def rows(self, table: str) -> list[Mapping[str, Any]]:
        raise KeyError(table)

    def answer(self, request: Request) -> Answer | None:
        return self.kept.get(request.id)

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return [one for one in self.kept.values() if one.endpoint == endpoint]

    def keep(self, request: Request, body: str, status: int = 200) -> None:
        self.kept[request.id] = answer(
            body.encode(), request.endpoint, request.params, subject=request.subject, status=status
        )


def asked(archive: Archive, endpoint: str, region: Any = SAMPLE) -> list[Request]:
    return [one for one in requests(region, archive) if one.endpoint == endpoint]


def listed(*trains: Mapping[str, Any]) -> str:
    usual = {"trainName": "Constructed", "srcCode": "AAA", "dstCode": "BBB", "dep": "09:00", "arr": "10:00"}
    return json.dumps({"trains": [usual | train for train in trains]})


def test_a_list_is_asked_for_each_city_and_no_timetable_before() -> None:
    archive = Archive()
    assert [dict(one.params) for one in asked(archive, "trains")] == [
        {"city": city.name, "state": city.state} for city in SAMPLE.cities
    ]
    assert asked(archive, "train") == []


def test_a_timetable_is_asked_once_with_what_its_first_list_told() -> None:
    archive = Archive()
    first, second, *others = asked(archive, "trains")
    archive.keep(first, listed({"trainNo": "12295", "runsOn": ["Mon"], "classes": "SL", "trainType": "SF"}))
    archive.keep(second, listed({"trainNo": "12295", "srcCode": "CCC"}, {"trainNo": 1417}, {"trainNo": "?"}))
    archive.keep(others[0], "<h1>Constructed</h1>", 502)
    found = asked(archive, "train")
    assert [(dict(one.params), dict(one.subject)) for one in found] == [
        ({"number": "12295"}, {"train_type": "SF", "classes": "SL", "days": "1000000", "days_at": "AAA"}),
        ({"number": "01417"}, {"days_at": "AAA"}),
    ]
    for request in found:
        archive.keep(request, TIMETABLE.replace("(1431)", f"({request.params['number']})"))
    assert asked(archive, "train") == []


def test_a_train_that_was_renumbered_is_asked_for_under_its_new_number_once() -> None:
    archive = Archive()
    first, *_ = asked(archive, "trains")
    archive.keep(first, listed({"trainNo": "82117", "runsOn": ["Sun"]}, {"trainNo": "82118"}))
    for request in asked(archive, "train"):
        archive.keep(request, TIMETABLE)
    (new,) = asked(archive, "train")
    assert (dict(new.params), new.subject["days"]) == ({"number": "01431"}, "0000001")
    archive.keep(new, TIMETABLE)
    assert asked(archive, "train") == []


def test_flights_are_asked_between_airports_of_uncertainty_cities_on_one_day() -> None:
    found = asked(Archive(), "flights", INDIA)
    chosen = {city.city_id for city in INDIA.cities if city.is_uncertainty_city}
    airports = [one.iata for one in INDIA.airports if one.city_id in chosen]
    assert [(one.params["origin"], one.params["destination"]) for one in found] == list(permutations(airports, 2))
    assert len(found) < 500
    assert {one.params["from"] for one in found} == {sample_day(INDIA).isoformat()}


def test_buses_are_asked_between_uncertainty_cities_that_lie_near() -> None:
    found = {(one.params["from"], one.params["to"]): one for one in asked(Archive(), "buses", INDIA)}
    assert ("Mumbai", "Pune") in found
    assert ("Mumbai", "Delhi") not in found
    assert all((two, one) in found for one, two in found)
    assert dict(found["Mumbai", "Pune"].subject) == {
        "origin_state": "Maharashtra", "destination_state": "Maharashtra",
    }  # fmt: skip


def test_all_of_india_is_asked_in_some_thousand_pages() -> None:
    counts = Counter(one.endpoint for one in requests(INDIA, Archive()))
    assert counts["trains"] == len(INDIA.cities)
    assert sum(counts.values()) < 1_500


def test_the_sample_day_lies_in_the_middle_of_the_region_dates() -> None:
    assert sample_day(SAMPLE) == date(2025, 11, 15)
    assert sample_day(replace(SAMPLE, dates=(date(2025, 11, 3), date(2025, 11, 3)))) == date(2025, 11, 3)


def test_any_answer_settles_its_request() -> None:
    archive = Archive()
    for request in list(requests(SAMPLE, archive)):
        archive.keep(request, "<h1>Constructed</h1>", 404)
    assert list(requests(SAMPLE, archive)) == []


def test_ids_of_requests_are_their_own_and_no_live_call_is_made() -> None:
    found = list(requests(INDIA, Archive()))
    assert len({one.id for one in found}) == len(found)
    assert (DECLARATION.terms.access, DECLARATION.terms.robots) == ("unknown", "obey")
    assert all((one.rate.calls, one.rate.seconds) == (1, 3) for one in DECLARATION.endpoints.values())
