"""What is asked next, given what is known: the page of each number, then that of its year, and nothing twice."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from schemas.region import load_region
from sources.etrain.parse import parse
from sources.etrain.requests import requests
from sources.protocol.declaration import load_declaration
from sources.protocol.types import Account, Answer, Request
from tests.sources.etrain.answers import FOLDER, NUMBER, SLUG, PageText, Station, answer_to, asked, codes, of_file

DECLARATION = load_declaration(FOLDER / "source.yaml")
REGION = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")
STOPS = [{"Train Number": "12001", "stop_sequence": 1}, {"Train Number": NUMBER, "stop_sequence": 1}]
MONTH = PageText([Station("ON", (5, 0, 0, 0), 1.0)], window="this month")


class Archive:
    """The latest answer to each request. Implements `Known`."""

    account = Account("standard", {})

    def __init__(self, stops: Sequence[Mapping[str, Any]] = STOPS) -> None:
        self._stops = stops
        self._held: dict[str, Answer] = {}

    def keep(self, request: Request, answer: Answer) -> None:
        self._held[request.id] = answer

    def rows(self, table: str) -> Sequence[Mapping[str, Any]]:
        assert table in DECLARATION.needs
        return self._stops

    def answer(self, request: Request) -> Answer | None:
        return self._held.get(request.id)

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return [answer for answer in self._held.values() if answer.endpoint == endpoint]


def params(archive: Archive) -> list[Mapping[str, str]]:
    return [request.params for request in requests(REGION, archive)]


def test_each_train_of_the_timetables_is_asked_about_once_by_its_number() -> None:
    stops = [*STOPS, {"Train Number": NUMBER, "stop_sequence": 2}, {"Train Number": "01064", "stop_sequence": 1}]
    assert params(Archive(stops)) == [{"train": "01064"}, {"train": "12001"}, {"train": NUMBER}]
    assert params(Archive([])) == []


def test_the_slug_is_learnt_from_the_links_of_that_page_and_then_the_year_is_asked_for() -> None:
    archive = Archive()
    archive.keep(asked("bare"), answer_to(asked("bare"), str(MONTH).encode()))
    assert params(archive) == [{"train": "12001"}, {"train": SLUG, "d": "1y"}]
    archive.keep(asked("1y"), answer_to(asked("1y"), b""))
    assert params(archive) == [{"train": "12001"}]


def test_a_train_without_runs_this_month_may_have_some_in_the_year() -> None:
    archive = Archive()
    archive.keep(asked("bare"), of_file(FOLDER / "examples" / "3m.no_runs.html", asked("bare")))
    assert {"train": SLUG, "d": "1y"} in params(archive)


@pytest.mark.parametrize(
    "name", ["unknown_train__bare.capture.json", "no_slug__bare.no_links.html", "no_title__1y.picture_question.html"]
)
def test_without_a_slug_nothing_more_is_asked_and_the_answer_says_why(name: str) -> None:
    archive = Archive()
    answer = of_file(FOLDER / "counterexamples" / name, asked("bare"))
    archive.keep(asked("bare"), answer)
    assert params(archive) == [{"train": "12001"}]
    assert codes(parse(answer)) == [name.partition("__")[0]]


def test_a_slug_of_another_train_is_no_slug_of_this_one() -> None:
    archive = Archive()
    page = str(MONTH).replace(f"Express-{NUMBER}/history", "Express-19998/history")
    archive.keep(asked("bare"), answer_to(asked("bare"), page.encode()))
    assert params(archive) == [{"train": "12001"}]


def test_the_site_is_asked_no_faster_than_once_in_three_seconds_whatever_the_page() -> None:
    (endpoint,) = DECLARATION.endpoints.values()
    assert endpoint.rate.seconds / endpoint.rate.calls >= 3
    assert DECLARATION.terms.access == "unknown"
    assert DECLARATION.needs == ("train_stops",)
