"""Whatever arrives, a parser yields rows or reasons, and never raises."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.osm.envelope import is_too_much
from sources.osm.parse import parse
from sources.protocol.types import Row
from tests.sources.osm.answers import COUNTEREXAMPLES, EXAMPLES, FOLDER, answer, assert_usable, of_elements, of_file

# A long run: UTP_FUZZ=100 is a hundred times as much.
EFFORT = int(os.environ.get("UTP_FUZZ", "1"))
FUZZ = settings(max_examples=60 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))

OWN = [path.read_bytes() for path in (*EXAMPLES, *COUNTEREXAMPLES)]
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, 1e308, "", "x", "NaN", "\ud800", "\x00", "0.6", [], {}, [None], {"a": None},
    {"lat": 1, "lon": None}, "2026-07-14T11:59:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "station", "yes",
]  # fmt: skip
ANY_JSON = st.recursive(
    st.sampled_from(STRANGE) | st.floats(allow_nan=True) | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def feed(body: bytes, status: int = 200) -> None:
    given = answer(body, status=status)
    assert_usable(parse(given))
    assert is_too_much(given) in (True, False)


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


WHOLE = json.loads((FOLDER / "examples" / "one_box.json").read_bytes())
PLACES = _places(WHOLE)


@FUZZ
@given(_mutations(OWN), st.sampled_from([200, 200, 200, 400, 429, 504, 599]))
def test_a_body_with_broken_bytes_never_raises(body: bytes, status: int) -> None:
    feed(body, status)


@FUZZ
@given(st.sampled_from(PLACES), ANY_JSON)
def test_any_value_in_any_place_never_raises(path: tuple[Any, ...], value: Any) -> None:
    feed(json.dumps(_with(WHOLE, path, value)).encode())


@pytest.mark.parametrize("path", PLACES[:: max(1, 8 // EFFORT)], ids=str)
def test_every_strange_value_in_a_place_never_raises(path: tuple[Any, ...]) -> None:
    for value in STRANGE:
        feed(json.dumps(_with(WHOLE, path, value)).encode())


ELEMENTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["node", "way", "relation", "area", 1]),
        "id": st.integers(-1, 2**64) | st.booleans(),
        "lat": st.floats(-100, 100) | st.integers(-100, 100) | st.none(),
        "lon": st.floats(-200, 200) | st.sampled_from(["79", True]),
        "center": st.dictionaries(st.sampled_from(["lat", "lon"]), st.floats(-100, 100)) | st.none(),
        "bounds": st.dictionaries(st.sampled_from(["minlat", "minlon", "maxlat", "maxlon"]), st.floats(-100, 100)),
        "geometry": st.lists(st.dictionaries(st.sampled_from(["lat", "lon"]), st.floats(-100, 100)), max_size=3),
        "tags": st.dictionaries(
            st.sampled_from(["railway", "public_transport", "highway", "station", "subway", "name", "ref", "network",
                             "start_date", "route_ref", "construction", "aeroway"]),
            st.sampled_from(["station", "platform", "bus_stop", "subway", "yes", "IR", "2027-99-99", "0000", "1;2;;"])
            | st.text(st.characters(), max_size=5),
        ),
    },
)  # fmt: skip


@FUZZ
@given(st.lists(ELEMENTS, max_size=5))
def test_any_elements_never_raise(elements: list[Any]) -> None:
    assert_usable(parse(of_elements(*elements)))


def test_the_samples_with_broken_bytes_never_raise(shared: Path) -> None:
    paths = sorted((shared / "contracts" / "samples" / "osm").glob("*.json"))
    bodies = [body for path in paths if (body := of_file(path).body)]

    @settings(FUZZ, max_examples=40 * EFFORT)
    @given(_mutations(bodies))
    def run(body: bytes) -> None:
        feed(body)

    run()


def test_the_work_grows_with_the_answer_and_not_faster() -> None:
    calls: list[int] = []

    def count(*_: object) -> None:
        calls[-1] += 1

    for times in (50, 100):
        body = json.dumps({**WHOLE, "elements": WHOLE["elements"] * times}).encode()
        calls.append(0)
        sys.setprofile(count)
        try:
            rows = sum(1 for item in parse(answer(body)) if isinstance(item, Row))
        finally:
            sys.setprofile(None)
        assert rows == 13 * times
    assert calls[-1] < 2.1 * calls[-2]
