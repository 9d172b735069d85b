"""Whatever arrives, the parser yields rows or reasons, and never raises."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.numbeo.parse import parse
from sources.numbeo.requests import requests
from sources.protocol.types import Row
from tests.sources.numbeo.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    answer,
    assert_usable,
    document,
    of_document,
    of_file,
    question_of,
)
from tests.sources.numbeo.test_requests import SAMPLE, Archive

# A long run: UTP_FUZZ=100 is a hundred times as much.
EFFORT = int(os.environ.get("UTP_FUZZ", "1"))
FUZZ = settings(max_examples=80 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))

OWN = [(path.read_bytes(), question_of(path)) for path in (*EXAMPLES, *COUNTEREXAMPLES)]
QUESTIONS = sorted({question for _, question in OWN})
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, 10**400, 1e308, -0.0, "", "x", "NaN", "INR", "USD", ", ", "a, b, c, d",
    "\ud800, India", "\x00", [], {}, [None], {"a": None}, [[]], ["x"], [{"item_id": 1}], 1, 106, 13, 2031,
]  # fmt: skip


def _any(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves | st.text(st.characters(), max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
        max_leaves=8,
    )


JSON = _any(st.sampled_from(STRANGE) | st.floats(allow_nan=False, allow_infinity=False))
# What Python writes and no other reader takes for JSON.
NEARLY_JSON = _any(st.sampled_from(STRANGE) | st.floats())


@st.composite
def _mutations(draw: st.DrawFn, bodies: list[tuple[bytes, str]]) -> tuple[bytes, str]:
    whole, question = draw(st.sampled_from(bodies))
    body = bytearray(whole)
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(body)))
        match draw(st.sampled_from(("flip", "cut", "insert", "copy", "drop"))):
            case "flip" if place < len(body):
                body[place] ^= 1 << draw(st.integers(0, 7))
            case "cut":
                del body[place:]
            case "insert":
                body[place:place] = draw(st.binary(max_size=4) | st.sampled_from([b"\xff", b'"', b"{", b"]", b"1e999"]))
            case "copy":
                other = draw(st.integers(0, len(body)))
                body[place:place] = body[min(place, other) : min(place, other) + 200]
            case "drop":
                del body[place : place + draw(st.integers(1, 40))]
    return bytes(body), question


def _places(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    return [path, *(place for key, value in inner for place in _places(value, (*path, key)))]


def _with(found: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(found) if isinstance(found, dict) else list(found)
    copy[path[0]] = _with(found[path[0]], path[1:], value)
    return copy


WHOLE = {path.name.removesuffix(".json"): document(path.name.removesuffix(".json")) for path in EXAMPLES}
PLACES = [(name, path) for name, whole in WHOLE.items() for path in _places(whole)]


@FUZZ
@given(_mutations(OWN), st.sampled_from([200, 200, 200, 400, 403, 410, 429, 502]))
def test_a_body_with_broken_bytes_never_raises(found: tuple[bytes, str], status: int) -> None:
    assert_usable(parse(answer(*found, status=status)))


@FUZZ
@given(st.sampled_from(PLACES), NEARLY_JSON)
def test_any_value_in_any_place_never_raises(place: tuple[str, tuple[Any, ...]], value: Any) -> None:
    name, path = place
    assert_usable(parse(of_document(_with(WHOLE[name], path, value), name.partition(".")[0])))


def test_every_strange_value_in_a_place_never_raises() -> None:
    for name, path in PLACES[:: max(1, 8 // EFFORT)]:
        for value in STRANGE:
            assert_usable(parse(of_document(_with(WHOLE[name], path, value), name.partition(".")[0])))


@FUZZ
@given(st.sampled_from(EXAMPLES), st.sampled_from([*QUESTIONS, ""]))
def test_an_answer_to_one_question_under_the_name_of_another_never_raises(path: Path, question: str) -> None:
    assert_usable(parse(answer(path.read_bytes(), question)))


@FUZZ
@given(st.dictionaries(st.sampled_from(["city", "country", "rupees_for", "rates_as_of"]), st.text(max_size=12)))
def test_any_subject_never_raises(subject: dict[str, str]) -> None:
    for path in EXAMPLES:
        assert_usable(parse(of_file(path, subject=subject)))


@FUZZ
@given(JSON, JSON)
def test_requests_follow_from_any_answers(cities: Any, rates: Any) -> None:
    archive = Archive()
    first, second = requests(SAMPLE, archive)
    archive.keep(first, {"cities": [cities, *WHOLE["cities.three"]["cities"]]})
    archive.keep(second, {"exchange_rates": [rates]})
    # Allahabad and Nasik are cities of the sample.
    assert {request.scope for request in requests(SAMPLE, archive)} == {"in-prayagraj", "in-nashik"}


def test_the_work_grows_with_the_answer_and_not_faster() -> None:
    calls: list[int] = []

    def count(*_: object) -> None:
        calls[-1] += 1

    whole = WHOLE["city_prices.rupees"]
    for times in (200, 400):
        given = of_document({**whole, "prices": whole["prices"] * times})
        calls.append(0)
        sys.setprofile(count)
        try:
            list(parse(given))
        finally:
            sys.setprofile(None)
    assert calls[-1] < 2.1 * calls[-2]


def test_two_thousand_answers_are_parsed_in_a_second() -> None:
    prices = [{"item_id": item, "item_name": "Constructed, Constructed", "average_price": 9.5} for item in range(1, 56)]
    given = of_document({**WHOLE["city_prices.rupees"], "prices": prices})
    begin = time.process_time()
    found = sum(isinstance(item, Row) for _ in range(1_000) for item in parse(given))
    assert found / (time.process_time() - begin) > 2_000


def test_a_list_of_all_cities_of_the_world_is_read_in_a_second() -> None:
    cities = [{**WHOLE["cities.three"]["cities"][1], "city_id": number} for number in range(1, 13_001)]
    given = of_document({"cities": cities}, "cities")
    begin = time.process_time()
    assert json.dumps([item.times for item in parse(given) if not isinstance(item, Row)]) == "[13000]"  # type: ignore[union-attr]
    assert time.process_time() - begin < 1
