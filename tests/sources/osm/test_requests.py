"""What is asked next, given what is known: nothing twice, and a smaller box where one was too much."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from schemas.region import Region, load_region
from sources.osm.areas import SMALLEST_DEPTH, boxes_around
from sources.osm.kinds import STOPS
from sources.osm.requests import requests, stops_request
from sources.protocol.cuts import CUT
from sources.protocol.types import Answer, Request
from tests.sources.osm.answers import COUNTEREXAMPLES, FOLDER, answer, of_file

SAMPLE = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")
TOO_MUCH = ("aborted", "too_busy", "too_large")


class Archive:
    """Answers by request, as a fetch leaves them."""

    def __init__(self) -> None:
        self.held: dict[str, Answer] = {}

    def answer(self, request: Request) -> Answer | None:
        return self.held.get(request.id)

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return [self.held[key] for key in sorted(self.held) if self.held[key].endpoint == endpoint]


def example(name: str) -> Answer:
    return of_file(FOLDER / "examples" / name)


def counterexample(code: str) -> Answer:
    return of_file(next(path for path in COUNTEREXAMPLES if path.name.startswith(f"{code}__")))


def answer_all(region: Region, archive: Archive, with_: Answer) -> list[Request]:
    asked = list(requests(region, archive))
    archive.held |= {request.id: with_ for request in asked}
    return asked


def test_the_first_round_asks_for_each_box_once_and_an_answer_settles_it() -> None:
    archive = Archive()
    asked = answer_all(SAMPLE, archive, example("one_box.json"))
    assert [request.scope for request in asked] == [box.id for box in boxes_around(SAMPLE.cities)]
    assert len({request.id for request in asked}) == len(asked)
    assert {(request.provider, request.endpoint, request.units) for request in asked} == {("osm", "stops", 1.0)}
    assert list(requests(SAMPLE, archive)) == []


def test_the_plan_is_the_same_every_time_and_goes_on_where_it_was_left() -> None:
    whole = list(requests(SAMPLE, Archive()))
    archive = Archive()
    archive.held |= {request.id: example("nothing_mapped.json") for request in whole[::3]}
    assert list(requests(SAMPLE, archive)) == [request for request in whole if request not in whole[::3]]


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_only_a_question_that_was_too_much_is_cut_in_four(path: Path) -> None:
    archive = Archive()
    box = boxes_around(SAMPLE.cities)[0]
    whole = answer_all(SAMPLE, archive, example("nothing_mapped.json"))
    archive.held[whole[0].id] = of_file(path)
    is_too_much = path.name.partition("__")[0] in TOO_MUCH
    assert [request.scope for request in requests(SAMPLE, archive)] == (
        [quarter.id for quarter in box.quarters()] if is_too_much else []
    )


def test_a_box_whose_answer_was_too_large_to_be_read_is_cut_in_four() -> None:
    archive, box = Archive(), boxes_around(SAMPLE.cities)[0]
    whole = answer_all(SAMPLE, archive, example("nothing_mapped.json"))
    archive.held[whole[0].id] = replace(answer(b"", box=box), headers=CUT)
    assert [request.scope for request in requests(SAMPLE, archive)] == [quarter.id for quarter in box.quarters()]


def test_a_tag_that_is_called_remark_is_no_remark() -> None:
    archive = Archive()
    body = (FOLDER / "examples" / "one_box.json").read_bytes().replace(b'"iata"', b'"remark"')
    assert b'"remark"' in body
    answer_all(SAMPLE, archive, answer(body))
    assert list(requests(SAMPLE, archive)) == []


def test_an_answer_whose_body_has_expired_settles_its_box() -> None:
    archive = Archive()
    answer_all(SAMPLE, archive, answer(None))
    assert list(requests(SAMPLE, archive)) == []


def test_cutting_ends_at_the_smallest_box() -> None:
    region, archive, aborted = replace(SAMPLE, cities=SAMPLE.cities[:1]), Archive(), counterexample("aborted")
    boxes = len(boxes_around(region.cities))
    asked = [len(answer_all(region, archive, aborted)) for _ in range(SMALLEST_DEPTH + 2)]
    assert asked == [boxes * 4**depth for depth in range(SMALLEST_DEPTH + 1)] + [0]


def test_a_smaller_box_asks_the_server_for_less_time() -> None:
    box = boxes_around(SAMPLE.cities)[0]
    queries = []
    for _ in range(SMALLEST_DEPTH + 1):
        queries.append(stops_request(box).params["data"].partition("\n")[0])
        box = (*box.quarters(), box)[0]
    assert [query.partition("[timeout:")[2].partition("]")[0] for query in queries] == ["180", "90", "60", "60", "60"]
    assert queries[1].startswith("[out:json][timeout:90][bbox:")


def test_everything_that_may_be_a_stop_is_asked_for() -> None:
    query = stops_request(boxes_around(SAMPLE.cities)[0]).params["data"]
    for key, words in STOPS.items():
        (line,) = (line for line in query.splitlines() if f'nwr["{key}"' in line)
        assert line.strip(" ();").removeprefix(f'nwr["{key}"').strip('~="^($])').split("|") == list(words)
