"""Whatever arrives, a parser yields rows or reasons, and never raises; nor does whoever asks what to do next."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.protocol.types import Request
from sources.tomtom.coverage import coverage_of
from sources.tomtom.jobs import Ends
from sources.tomtom.parse import parse
from tests.sources.tomtom.answers import (
    COUNTEREXAMPLES,
    ENDS,
    EXAMPLES,
    answer_to,
    assert_usable,
    endpoint_of,
    matrix,
    of_file,
    request_of,
    road,
    rows,
)
from tests.sources.tomtom.provider import Archive

# A long run: UTP_FUZZ=100 is a hundred times as much.
EFFORT = int(os.environ.get("UTP_FUZZ", "1"))
FUZZ = settings(max_examples=60 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))
ENDPOINTS = ("matrix", "matrix_status", "matrix_result", "route")
STATUSES = st.sampled_from([200, 200, 200, 202, 302, 400, 401, 403, 404, 429, 500, 599])

OWN = [body for path in (*EXAMPLES, *COUNTEREXAMPLES) if (body := of_file(path).body) is not None]
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, 1e308, float("nan"), float("-inf"), "", "x", "1", "\ud800", "\x00", "..",
    [], {}, [None], {"a": None}, [[]], "STOPPED", "NO_ROUTE_FOUND", {"code": "STOPPED"}, "FERRY", "Completed",
]  # fmt: skip
ANY_JSON = st.recursive(
    st.sampled_from(STRANGE) | st.floats(allow_nan=True) | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def feed(request: Request, body: bytes, status: int = 200) -> None:
    given = answer_to(request, body, status=status)
    assert_usable(parse(given))
    pairs = len(rows(parse(given)))
    assert pairs in ((0, 1) if request.endpoint == "route" else (0, 4))
    archive = Archive({})
    archive.keep(request, given)
    for one in coverage_of(ENDS.destinations, archive).follow_ups:
        assert one.id


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
    feed(request_of(endpoint), body, status)


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
    feed(request_of(endpoint_of(path)), json.dumps(_with(WHOLE[path], place, value)).encode())


@pytest.mark.parametrize("where", PLACES[:: max(1, 6 // EFFORT)], ids=lambda where: f"{where[0].stem}{where[1]}")
def test_every_strange_value_in_a_place_never_raises(where: tuple[Path, tuple[Any, ...]]) -> None:
    path, place = where
    for value in STRANGE:
        feed(request_of(endpoint_of(path)), json.dumps(_with(WHOLE[path], place, value)).encode())


CELLS = st.fixed_dictionaries(
    {},
    optional={
        "originIndex": st.integers(-1, 2) | st.booleans(),
        "destinationIndex": st.integers(-1, 3) | st.none(),
        "routeSummary": st.dictionaries(
            st.sampled_from(["lengthInMeters", "travelTimeInSeconds", "other"]), st.integers(-1, 10**9) | st.floats()
        ),
        "detailedError": st.dictionaries(
            st.sampled_from(["code", "message", "innerError"]), st.sampled_from(STRANGE[-8:]) | st.none()
        ),
    },
)


@FUZZ
@given(st.lists(CELLS, max_size=9), ANY_JSON)
def test_any_cells_never_raise(cells: list[Any], statistics: Any) -> None:
    feed(request_of("matrix_result"), json.dumps({"data": cells, "statistics": statistics}).encode())


def test_the_samples_with_broken_bytes_never_raise(shared: Path) -> None:
    paths = sorted((shared / "contracts" / "samples" / "tomtom").glob("*.json"))
    bodies = [body for path in paths if (body := of_file(path, request_of("route")).body)]

    @settings(FUZZ, max_examples=40 * EFFORT)
    @given(_mutations(bodies), st.sampled_from(ENDPOINTS))
    def run(body: bytes, endpoint: str) -> None:
        feed(request_of(endpoint), body)

    run()


def test_the_work_grows_with_the_answer_and_not_faster() -> None:
    calls: list[int] = []

    def count(*_: object) -> None:
        calls[-1] += 1

    for side in (30, 60):
        ends = Ends(tuple((10.0, 70.0 + one) for one in range(side)), tuple((20.0, 70.0 + one) for one in range(30)))
        cells = [road(row, column) for row in range(side) for column in range(30)]
        given = answer_to(request_of("matrix_result", ends), json.dumps(matrix(cells, side * 30)).encode())
        calls.append(0)
        sys.setprofile(count)
        try:
            found = rows(parse(given))
        finally:
            sys.setprofile(None)
        assert len(found) == side * 30
    assert calls[1] < 2.1 * calls[0]
