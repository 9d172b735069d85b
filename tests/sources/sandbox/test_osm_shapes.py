"""What is served has the shape of genuine answers, field by field."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import requests

from sources.sandbox.osm.pages import NOTICE
from tests.sources.sandbox.asking import AGENT, NOWHERE, UDAIPUR, ask, stops

# A constructed stop can have no entry in an encyclopedia, and local names are written in Hindi alone.
_TAGS_LEFT_OUT = {"wikidata", "wikipedia", "name:kn", "name:ml"}
_ABORTED_BOXES = ("12.5,80,13.5,81", "12.5,80,14,81", "13,80,13.5,80.5")


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "osm"


def shape(value: Any) -> Any:
    """Return a document with each value replaced by its type; keys keep their order, as text shows it."""
    if isinstance(value, dict):
        return [(key, shape(member)) for key, member in value.items()]
    if isinstance(value, list):
        return [shape(member) for member in value]
    return type(value).__name__


def without_tags(element: dict[str, Any]) -> Any:
    return shape({**element, "tags": {}})


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def aborted(address: str) -> list[dict[str, Any]]:
    return [stops(address, box).json() for box in _ABORTED_BOXES]


def _with_remark(documents: list[dict[str, Any]], remark: str) -> list[dict[str, Any]]:
    return [
        document for document in documents if re.sub(r"\d+", "N", document["remark"]) == re.sub(r"\d+", "N", remark)
    ]


def test_an_empty_answer_is_a_genuine_one_but_for_its_values(address: str, samples: Path) -> None:
    ours, genuine = stops(address, NOWHERE), _read(samples / "overpass_empty.json")
    assert shape(ours.json()) == shape(genuine)
    assert (ours.json()["version"], ours.json()["elements"]) == (genuine["version"], genuine["elements"])


def test_elements_have_the_fields_and_types_of_genuine_ones(address: str, samples: Path) -> None:
    genuine = [
        element
        for name in ("overpass_center_mixed_elements", "overpass_transit_bengaluru")
        for element in _read(samples / f"{name}.json")["elements"]
    ]
    known = {element["type"]: without_tags(element) for element in genuine}
    ours = [*stops(address, UDAIPUR).json()["elements"], *_relations(address)]
    assert {element["type"] for element in ours} == set(known)
    assert all(without_tags(element) == known[element["type"]] for element in ours)
    assert all(
        isinstance(key, str) and isinstance(value, str) for element in ours for key, value in element["tags"].items()
    )


def _relations(address: str) -> list[dict[str, Any]]:
    found = ask(address, "[out:json];relation[public_transport=stop_area];out tags center;")
    elements: list[dict[str, Any]] = found.json()["elements"]
    return elements


def test_the_tags_of_genuine_stops_are_used(address: str, samples: Path) -> None:
    genuine = _read(samples / "overpass_transit_bengaluru.json")["elements"]
    wanted = {key for element in genuine for key in element["tags"]} - _TAGS_LEFT_OUT
    boxes = ("19,72.75,19.1,72.85", UDAIPUR, "13.05,80.2,13.15,80.3", "18.5,73.8,18.55,73.9")
    answers = [stops(address, box).json()["elements"] for box in boxes]
    ours = {key for elements in (*answers, _relations(address)) for element in elements for key in element["tags"]}
    assert wanted <= ours


def test_an_answer_that_ran_out_of_time_has_the_shape_of_a_genuine_one(
    aborted: list[dict[str, Any]], samples: Path
) -> None:
    genuine = _read(samples / "overpass_timeout_remark.json")
    # That query used areas; ours never does.
    del genuine["osm3s"]["timestamp_areas_base"]
    ours = _with_remark(aborted, genuine["remark"])
    assert {bool(document["elements"]) for document in ours} == {True, False}
    assert all(shape({**document, "elements": []}) == shape(genuine) for document in ours)


def test_an_answer_that_ran_out_of_memory_has_the_shape_of_a_genuine_one(
    aborted: list[dict[str, Any]], samples: Path
) -> None:
    genuine = _read(samples / "overpass_out_of_memory_remark.json")
    ours = _with_remark(aborted, genuine["remark"])
    assert ours
    assert all(shape(document) == shape(genuine) for document in ours)


def test_a_question_that_cannot_be_read_gets_the_page_of_a_genuine_server(address: str, samples: Path) -> None:
    genuine = _read(samples / "overpass_400_parse_error_capture.json")
    ours = ask(address, "[out:json];node[railway]\nout tags center;")
    assert (ours.status_code, ours.headers["content-type"]) == (genuine["status"], genuine["headers"]["Content-Type"])
    notice = re.search(r"<p>(The data included .*?)</p>", genuine["body"])
    assert notice
    assert ours.text == genuine["body"].replace(notice[1], NOTICE)


def test_the_status_page_has_the_lines_of_a_genuine_one(address: str, samples: Path) -> None:
    genuine = _read(samples / "overpass_status_capture.json")
    ours = requests.get(f"{address}/osm/api/status", headers=AGENT, timeout=10)
    assert ours.headers["content-type"].partition(";")[0] == genuine["headers"]["Content-Type"]
    assert _masked(ours.text) == _masked(genuine["body"])


def _masked(status: str) -> str:
    return re.sub(r"\d+", "N", re.sub(r"(endpoint: )\S+", r"\1E", status))
