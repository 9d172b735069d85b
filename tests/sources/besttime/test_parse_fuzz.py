"""Whatever arrives, the parser yields rows or reasons, and never raises."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.besttime.parse import parse
from sources.protocol.types import Row
from tests.sources.besttime.answers import (
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

OWN = [(path.read_bytes(), endpoint_of(path)) for path in (*EXAMPLES, *COUNTEREXAMPLES)]
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 24, 999, "999", 10**30, 10**400, 1e308, "", "x", "N/A", "Closed", "warning",
    "-", "\ud800", "\x00", [], {}, [None], {"a": None}, [[]], ["x"], [999], [{"peak_info": ""}], [{"opens": 0}],
]  # fmt: skip
ANY_JSON = st.recursive(
    st.sampled_from(STRANGE) | st.floats(allow_nan=True) | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def feed(body: bytes, endpoint: str, status: int = 200) -> None:
    assert_usable(parse(answer(body, endpoint, status=status)))


@st.composite
def _mutations(draw: st.DrawFn, bodies: list[tuple[bytes, str]]) -> tuple[bytes, str]:
    whole, endpoint = draw(st.sampled_from(bodies))
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
    return bytes(body), endpoint


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
    "forecasts": document("forecasts_two_periods"),
    "day": document("day_without_status"),
    "hour": document("hour_single"),
    "venues": document("venues_two_stored"),
}
# The seven days are alike; two are enough to look at.
PLACES = [
    (name, path)
    for name, whole in WHOLE.items()
    for path in _places(whole)
    if len(path) < 2 or path[0] != "analysis" or name != "forecasts" or path[1] < 2
]


@FUZZ
@given(_mutations(OWN), st.sampled_from([200, 200, 200, 200, 400, 402, 403, 404, 429, 502]))
def test_a_body_with_broken_bytes_never_raises(found: tuple[bytes, str], status: int) -> None:
    feed(*found, status)


@FUZZ
@given(st.sampled_from(PLACES), ANY_JSON)
def test_any_value_in_any_place_never_raises(place: tuple[str, tuple[Any, ...]], value: Any) -> None:
    name, path = place
    feed(json.dumps(_with(WHOLE[name], path, value)).encode(), name)


@pytest.mark.parametrize("place", PLACES[:: max(1, 9 // EFFORT)], ids=str)
def test_every_strange_value_in_a_place_never_raises(place: tuple[str, tuple[Any, ...]]) -> None:
    name, path = place
    for value in STRANGE:
        feed(json.dumps(_with(WHOLE[name], path, value)).encode(), name)


@FUZZ
@given(st.sampled_from(EXAMPLES), st.sampled_from(ENDPOINTS))
def test_an_answer_of_one_endpoint_under_the_name_of_another_never_raises(path: Path, name: str) -> None:
    feed(path.read_bytes(), name)


CLOCK = st.sampled_from([0, 4, 6, 9, 17, 23, 24]) | st.integers(-1, 25) | st.sampled_from(["Closed", None])
PERIOD = st.fixed_dictionaries(
    {"opens": CLOCK}, optional={"closes": CLOCK, "opens_minutes": st.integers(-1, 60), "closes_minutes": CLOCK}
)
WORDS = st.lists(st.sampled_from(["9am\u20135pm", "11:30am-2am", "12\u20133pm", "Closed", "Open 24 hours"]), max_size=2)
FORM = st.none() | st.fixed_dictionaries({}, optional={"24h": st.lists(PERIOD, max_size=3), "12h": WORDS})
LEVEL = st.sampled_from([-2, -1, 0, 1, 2, "999", "999", 999, "N/A"])


@FUZZ
@given(FORM, CLOCK, CLOCK, st.lists(LEVEL, min_size=24, max_size=24), st.lists(st.integers(0, 23), max_size=5))
def test_any_hours_of_a_day_never_raise(form: Any, opens: Any, closes: Any, levels: list[Any], quiet: Any) -> None:
    found = json.loads(json.dumps(WHOLE["day"]))
    found["analysis"]["day_info"] |= {"venue_open_close_v2": form, "venue_open": opens, "venue_closed": closes}
    entries = [{"hour": hour, "intensity_nr": level} for hour, level in enumerate(levels)]
    found["analysis"] |= {"hour_analysis": entries, "quiet_hours": quiet}
    items = list(parse(of_document(found, "day")))
    assert_usable(items)
    for item in items:
        if isinstance(item, Row) and item.values["day_state"] == "open":
            known = {(6 + place) % 24: level for place, level in enumerate(item.values["hourly_levels"])}
            # No hour that is closed has become open, and none has another level than was given.
            assert all(level in (None, levels[hour]) for hour, level in known.items())
            assert all(known[hour] is not None for hour in item.values["quiet_hours"])


TOLD = st.sampled_from(["latitude", "longitude", "time_zone", "area"])
NAMES = st.text(st.characters(), max_size=12) | st.sampled_from(["Constructed Venue", "N/A", "The"])


@FUZZ
@given(NAMES, NAMES, st.dictionaries(TOLD, st.text(max_size=8) | st.just("nan")), st.floats(-90, 90))
def test_any_venue_that_was_asked_about_never_raises(name: str, asked: str, subject: Any, latitude: float) -> None:
    found = json.loads(json.dumps(WHOLE["forecasts"]))
    found["venue_info"] |= {"venue_name": name, "venue_address": asked, "venue_lat": latitude}
    params = {"venue_name": asked, "venue_address": name}
    assert_usable(parse(of_document(found, params=params, subject=SUBJECT | subject)))


def test_the_samples_with_broken_bytes_never_raise(shared: Path) -> None:
    folder = shared / "contracts" / "samples" / "besttime"
    bodies = [
        (path.read_bytes(), "day" if path.name.startswith("query_day.") else "forecasts")
        for path in sorted(folder.glob("*.json"))
    ]

    @settings(FUZZ, max_examples=40 * EFFORT)
    @given(_mutations(bodies))
    def run(found: tuple[bytes, str]) -> None:
        feed(*found)

    run()


def test_the_work_grows_with_the_answer_and_not_faster() -> None:
    calls: list[int] = []

    def count(*_: object) -> None:
        calls[-1] += 1

    peak = {"peak_start": 1, "peak_end": 2}
    for times in (2_000, 4_000):
        found = json.loads(json.dumps(WHOLE["day"]))
        found["analysis"] |= {"peak_hours": [peak] * times, "quiet_hours": [9] * times}
        given = of_document(found, "day")
        calls.append(0)
        sys.setprofile(count)
        try:
            rows = sum(1 for item in parse(given) if isinstance(item, Row))
        finally:
            sys.setprofile(None)
        assert rows == 1
    assert calls[-1] < 2.1 * calls[-2]


def test_five_hundred_weeks_are_parsed_in_a_second() -> None:
    given = [of_file(path) for path in EXAMPLES if path.name.startswith("forecasts_")] * 30
    begin = time.process_time()
    rows = sum(1 for one in given for item in parse(one) if isinstance(item, Row))
    assert rows == 7 * len(given)
    assert len(given) / (time.process_time() - begin) > 500
