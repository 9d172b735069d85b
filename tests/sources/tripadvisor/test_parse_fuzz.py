"""Whatever arrives, a parser yields rows or reasons, and never raises."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.protocol.types import Row
from sources.tripadvisor import content, terra
from sources.tripadvisor.parse import parse
from tests.sources.tripadvisor.answers import (
    COUNTEREXAMPLES,
    ENDPOINTS,
    EXAMPLES,
    SUBJECT,
    answer,
    assert_usable,
    document,
    endpoint_of,
    of_document,
    of_file,
)

# A long run: UTP_FUZZ=100 is a hundred times as much.
EFFORT = int(os.environ.get("UTP_FUZZ", "1"))
FUZZ = settings(max_examples=60 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))

OWN = [(path.read_bytes(), *endpoint_of(path)) for path in (*EXAMPLES, *COUNTEREXAMPLES)]
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, 10**400, 1e308, "", "x", "NaN", "null", "1,234", "-", "\ud800", "\x00",
    "https://[", "0000", "2400", "Monday: 09:00 - 17:00", [], {}, [None], {"a": None}, [[]], ["x"], [{"name": ""}],
]  # fmt: skip
ANY_JSON = st.recursive(
    st.sampled_from(STRANGE) | st.floats(allow_nan=True) | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def feed(body: bytes, endpoint: str, params: dict[str, str], status: int = 200) -> None:
    given = answer(body, endpoint, params, status=status)
    assert_usable(parse(given))
    assert len(content.hits(given, SUBJECT).ids) >= 0
    assert terra.page(given, SUBJECT).items >= 0


@st.composite
def _mutations(draw: st.DrawFn, bodies: list[tuple[bytes, str, dict[str, str]]]) -> tuple[bytes, str, dict[str, str]]:
    whole, endpoint, params = draw(st.sampled_from(bodies))
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
    return bytes(body), endpoint, params


def _places(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    return [path, *(place for key, value in inner for place in _places(value, (*path, key)))]


def _with(found: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(found) if isinstance(found, dict) else list(found)
    copy[path[0]] = _with(found[path[0]], path[1:], value)
    return copy


WHOLE = {
    name: document(name)
    for name in ("details_hotel", "details_restaurant", "details_attraction", "search_hits", "nearby_hits",
                 "photos_one", "reviews_one", "terra_nearby_page", "terra_search_page", "terra_locations_one")
}  # fmt: skip
PLACES = [(name, path) for name, whole in WHOLE.items() for path in _places(whole)]


def feed_document(name: str, found: Any) -> None:
    endpoint, params = endpoint_of(Path(name))
    feed(json.dumps(found).encode(), endpoint, params)


@FUZZ
@given(_mutations(OWN), st.sampled_from([200, 200, 200, 400, 403, 410, 429, 502]))
def test_a_body_with_broken_bytes_never_raises(found: tuple[bytes, str, dict[str, str]], status: int) -> None:
    feed(*found, status)


@FUZZ
@given(st.sampled_from(PLACES), ANY_JSON)
def test_any_value_in_any_place_never_raises(place: tuple[str, tuple[Any, ...]], value: Any) -> None:
    name, path = place
    feed_document(name, _with(WHOLE[name], path, value))


@pytest.mark.parametrize("place", PLACES[:: max(1, 20 // EFFORT)], ids=str)
def test_every_strange_value_in_a_place_never_raises(place: tuple[str, tuple[Any, ...]]) -> None:
    name, path = place
    for value in STRANGE:
        feed_document(name, _with(WHOLE[name], path, value))


@FUZZ
@given(st.sampled_from(EXAMPLES), st.sampled_from(sorted(ENDPOINTS)))
def test_an_answer_of_one_endpoint_under_the_name_of_another_never_raises(path: Path, name: str) -> None:
    feed(path.read_bytes(), *ENDPOINTS[name])


TIMES = st.sampled_from(["0000", "0900", "1700", "0200", "2400", "900", ""]) | st.integers()
MOMENT = st.fixed_dictionaries({}, optional={"day": st.integers(-1, 9) | st.sampled_from(["1", None]), "time": TIMES})
PERIOD = st.fixed_dictionaries({}, optional={"open": MOMENT | st.none(), "close": MOMENT})
LINES = st.lists(
    st.builds(
        "{}: {}".format,
        st.sampled_from(["Monday", "Tuesday", "SUNDAY", "Lundi", ""]),
        st.sampled_from(["Closed", "09:00 - 17:00", "09:00 - 12:00,  13:00 - 17:00", "09:00 - 09:00", "always", ",,"]),
    ),
    max_size=4,
)


@FUZZ
@given(st.fixed_dictionaries({}, optional={"periods": st.lists(PERIOD, max_size=4), "weekday_text": LINES}))
def test_any_hours_never_raise(hours: Any) -> None:
    items = list(parse(of_document("details", WHOLE["details_restaurant"] | {"hours": hours})))
    assert_usable(items)
    found = [item.values for item in items if isinstance(item, Row) and item.table == "place_hours"]
    # A week is known as a whole or not at all, and no two rows of it are the same.
    assert len({tuple(row.values()) for row in found}) == len(found)
    for weekday in range(1, 8):
        states = [row["hours_state"] for row in found if row["weekday"] == weekday]
        assert states in ([], ["closed"], ["ambiguous"]) or set(states) == {"open"}


def test_the_samples_with_broken_bytes_never_raise(shared: Path) -> None:
    folder = shared / "contracts" / "samples" / "tripadvisor"
    named = {"location_details": "details", "location_nearby": "nearby", "location_search": "search",
             "location_photos": "photos", "location_reviews": "reviews", "terra_locations_search": "terra_search",
             "terra_locations_nearby": "terra_nearby"}  # fmt: skip
    bodies = [
        (path.read_bytes(), *ENDPOINTS[name])
        for path in sorted(folder.glob("*.json"))
        for start, name in named.items()
        if path.name.startswith(start)
    ]

    @settings(FUZZ, max_examples=40 * EFFORT)
    @given(_mutations(bodies))
    def run(found: tuple[bytes, str, dict[str, str]]) -> None:
        feed(*found)

    run()


def test_the_work_grows_with_the_answer_and_not_faster() -> None:
    calls: list[int] = []

    def count(*_: object) -> None:
        calls[-1] += 1

    whole = WHOLE["terra_nearby_page"]
    for times in (50, 100):
        given = of_document("terra_nearby", {**whole, "data": whole["data"] * times})
        calls.append(0)
        sys.setprofile(count)
        try:
            rows = sum(1 for item in parse(given) if isinstance(item, Row))
        finally:
            sys.setprofile(None)
        assert rows == 2 * times
    assert calls[-1] < 2.1 * calls[-2]


def test_two_thousand_details_are_parsed_in_a_second() -> None:
    given = [of_file(path) for path in EXAMPLES if path.name.startswith("details_")] * 50
    begin = time.process_time()
    for one in given:
        for _ in parse(one):
            pass
    assert len(given) / (time.process_time() - begin) > 2_000
