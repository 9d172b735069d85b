"""Whatever arrives, the parser yields rows or reasons, and never raises."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.flightstats.parse import parse
from tests.sources.flightstats.answers import (
    COUNTEREXAMPLES,
    ENDPOINTS,
    EXAMPLES,
    PAIR,
    answer,
    assert_usable,
    endpoint_of,
    example,
    of_document,
    of_file,
    rows,
)

# A long run: UTP_FUZZ=100 is a hundred times as much.
EFFORT = int(os.environ.get("UTP_FUZZ", "1"))
FUZZ = settings(max_examples=60 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))
STATUSES = st.sampled_from([200, 200, 200, 302, 401, 403, 404, 429, 500, 599])

OWN = [body for path in (*EXAMPLES, *COUNTEREXAMPLES) if (body := of_file(path).body) is not None]
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, 1e308, float("nan"), float("-inf"), "", "x", "1", "\ud800", "\x00", "..",
    [], {}, [None], {"a": None}, [[]], "NAG", "6E", "0", "Asia/Kolkata", "Asia", "/etc/localtime",
    "0001-01-01T00:00:00.000", "9999-12-31T23:59:00.000", "2025-11-03T06:10:00.000", {"errorCode": "AUTH_FAILURE"},
]  # fmt: skip
ANY_JSON = st.recursive(
    st.sampled_from(STRANGE) | st.floats(allow_nan=True) | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def feed(endpoint: str, body: bytes, status: int = 200) -> None:
    for params in ({}, PAIR):
        assert_usable(parse(answer(endpoint, body, params, status=status)))


@st.composite
def _mutations(draw: st.DrawFn, bodies: list[bytes]) -> bytes:
    body = bytearray(draw(st.sampled_from(bodies)))
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
    return bytes(body)


@FUZZ
@given(_mutations(OWN), STATUSES, st.sampled_from(ENDPOINTS))
def test_a_body_with_broken_bytes_never_raises(body: bytes, status: int, endpoint: str) -> None:
    feed(endpoint, body, status)


def _places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    return [path, *(place for key, value in inner for place in _places(value, (*path, key)))]


def _with(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(document) if isinstance(document, dict) else list(document)
    copy[path[0]] = _with(document[path[0]], path[1:], value)
    return copy


WHOLE = {path: json.loads(path.read_bytes()) for path in EXAMPLES}
PLACES = [(path, place) for path in EXAMPLES for place in _places(WHOLE[path])]


@FUZZ
@given(st.sampled_from(PLACES), ANY_JSON)
def test_any_value_in_any_place_never_raises(where: tuple[Path, tuple[Any, ...]], value: Any) -> None:
    path, place = where
    feed(endpoint_of(path), json.dumps(_with(WHOLE[path], place, value)).encode())


@pytest.mark.parametrize("where", PLACES[:: max(1, 10 // EFFORT)], ids=lambda where: f"{where[0].stem}{where[1]}")
def test_every_strange_value_in_a_place_never_raises(where: tuple[Path, tuple[Any, ...]]) -> None:
    path, place = where
    for value in STRANGE:
        feed(endpoint_of(path), json.dumps(_with(WHOLE[path], place, value)).encode())


def test_the_samples_with_broken_bytes_never_raise(shared: Path) -> None:
    paths = sorted((shared / "contracts" / "samples" / "flightstats").glob("*.json"))
    bodies = [path.read_bytes() for path in paths]

    @settings(FUZZ, max_examples=40 * EFFORT)
    @given(_mutations(bodies), st.sampled_from(ENDPOINTS))
    def run(body: bytes, endpoint: str) -> None:
        feed(endpoint, body)

    run()


@pytest.mark.parametrize(
    ("name", "records"), [("schedules.own_code_of_airport", "scheduledFlights"), ("route_ratings.empty", "ratings")]
)
def test_the_work_grows_with_the_answer_and_not_faster(name: str, records: str) -> None:
    calls: list[int] = []

    def count(*_: object) -> None:
        calls[-1] += 1

    one = example("route_ratings.partly_codeshare")["ratings"][0] if records == "ratings" else example(name)[records][0]
    for many in (500, 1000):
        document = example(name)
        document["appendix"] = example("route_ratings.partly_codeshare")["appendix"]
        ends = {"departureAirportFsCode": "NAG", "arrivalAirportFsCode": "BOM"}
        document[records] = [one | ends | {"flightNumber": str(number + 1)} for number in range(many)]
        given = of_document(endpoint_of(Path(f"x__{name}")), document)
        calls.append(0)
        sys.setprofile(count)
        try:
            found = rows(parse(given))
        finally:
            sys.setprofile(None)
        assert len(found) == many
    assert calls[1] < 2.1 * calls[0]
