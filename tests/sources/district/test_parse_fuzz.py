"""Whatever arrives, the parser yields rows or reasons, never raises, and takes no more time than the page is long."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.district.parse import parse
from sources.protocol.types import Row
from tests.sources.district.answers import (
    COUNTEREXAMPLES,
    EVENT,
    EXAMPLES,
    answer,
    assert_usable,
    endpoint_of,
    event,
    of_events,
    page,
)

# A long run: UTP_FUZZ=100 is a hundred times as much.
EFFORT = int(os.environ.get("UTP_FUZZ", "1"))
FUZZ = settings(max_examples=80 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))

OWN = [(path.read_bytes(), endpoint_of(path)) for path in (*EXAMPLES, *COUNTEREXAMPLES)]
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, 10**400, 1e308, "", "x", "NaN", "-", ",", "|", "\ud800", "\x00", "https://[",
    "2025-11-12", "9999-12-31T23:59:59Z", "2000-01-01T00:00+14:00", "2025-11-12T10:00+99.99", "Event", "Free", [], {},
    [None], [[]], ["x"], {"a": None}, {"@type": "Event"}, [{"name": 5}], "</script>", "<!--", "\u2028",
]  # fmt: skip
ANY_JSON = st.recursive(
    st.sampled_from(STRANGE) | st.floats(allow_nan=True) | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
MARKS = [
    b"\xff", b'"', b"{", b"]", b"<script", b"</script>", b"<script type='application/ld+json'>", b"\\", b"$1a", b":T",
    b"self.__next_f.push(", b"<meta property='og:title' content='x'>", b"9 Oct 2026", b"<loc>", b"&#x110000;", b"&amp;",
]  # fmt: skip


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
                body[place:place] = draw(st.binary(max_size=4) | st.sampled_from(MARKS))
            case "copy":
                other = draw(st.integers(0, len(body)))
                body[place:place] = body[min(place, other) : min(place, other) + 200]
            case "drop":
                del body[place : place + draw(st.integers(1, 40))]
    return bytes(body), endpoint


WHOLE: dict[str, Any] = event(
    eventStatus="EventScheduled", eventAttendanceMode="OfflineEventAttendanceMode", keywords=["Music"], url="https://x",
    isAccessibleForFree=False,
    offers=[{"@type": "Offer", "price": "1,499", "priceCurrency": "INR", "availability": "InStock"}],
)  # fmt: skip


def _places(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    return [path, *(place for key, value in inner for place in _places(value, (*path, key)))]


def _with(found: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(found) if isinstance(found, dict) else list(found)
    copy[path[0]] = _with(found[path[0]], path[1:], value)
    return copy


@FUZZ
@given(_mutations(OWN), st.sampled_from([200, 200, 200, 400, 403, 410, 429, 502]))
def test_a_body_with_broken_bytes_never_raises(found: tuple[bytes, str], status: int) -> None:
    assert_usable(parse(answer(*found, status=status)))


@FUZZ
@given(st.sampled_from(_places(WHOLE)), ANY_JSON)
def test_any_value_in_any_place_never_raises(place: tuple[Any, ...], value: Any) -> None:
    assert_usable(parse(of_events(_with(WHOLE, place, value))))


@pytest.mark.parametrize("place", _places(WHOLE), ids=str)
def test_every_strange_value_in_a_place_never_raises(place: tuple[Any, ...]) -> None:
    for value in STRANGE:
        assert_usable(parse(of_events(_with(WHOLE, place, value))))


@FUZZ
@given(
    st.sampled_from(EXAMPLES), st.sampled_from(["sitemap", "event_page", "older_event_page", "x"]), st.text(max_size=9)
)
def test_an_answer_of_one_endpoint_under_the_name_of_another_never_raises(path: Path, endpoint: str, slug: str) -> None:
    assert_usable(parse(answer(path.read_bytes(), endpoint, slug=slug)))


@FUZZ
@given(st.text(max_size=12), st.text(max_size=12))
def test_any_days_asked_about_never_raise(first: str, last: str) -> None:
    assert_usable(parse(of_events(EVENT, subject={"first_day": first, "last_day": last})))


def test_the_samples_with_broken_bytes_never_raise(shared: Path) -> None:
    folder = shared / "contracts" / "samples" / "district"
    bodies = [(path.read_bytes(), "event_page") for path in sorted(folder.glob("*.html"))]
    bodies += [(path.read_bytes(), "sitemap") for path in sorted(folder.glob("*.xml"))]

    @settings(FUZZ, max_examples=40 * EFFORT)
    @given(_mutations(bodies))
    def run(found: tuple[bytes, str]) -> None:
        assert_usable(parse(answer(*found)))

    run()


def _pushed(text: str) -> str:
    return f"<script>self.__next_f.push([1,{json.dumps(text)}])</script>"


# Each is a piece that a careless reader walks through again and again.
HOSTILE = {
    "scripts that never close": "<script type='application/ld+json'",
    "openings": "<script>",
    "ends of scripts": "</script ",
    "brackets": "<",
    "metas": "<meta property='og:title' content=",
    "attributes": "a=",
    "places": "<loc>",
    "blanks": " ",
    "pushes": "<script>self.__next_f.push([1,",
    "lines": _pushed("1:T5,"),
    "long lines": _pushed("1a:Tffffff,ld+json\n"),
    "days": "<p>Fri, 9 Oct 2026, </p>",
    "commas": "a, ",
    "hyphens": "-",
    "digits": "110034",
    "entities": "&amp;",
    "brackets of JSON": '["ld+json",',
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("endpoint", ["event_page", "sitemap"])
def test_a_hostile_page_takes_no_more_time_than_it_is_long(piece: str, endpoint: str) -> None:
    head = "<urlset>" if endpoint == "sitemap" else "<html><meta property='og:title' content='x'>"
    bodies = [(head + piece * (size // len(piece))).encode() for size in (250_000, 1_000_000)]
    # What stands in a title or an address is looked at as well.
    begin = time.process_time()
    for body in bodies:
        assert_usable(parse(answer(body, endpoint)))
    assert time.process_time() - begin < 4


@pytest.mark.parametrize("piece", ["a, ", "-", "110034 ", "| ", "1,", "x" * 9])
def test_a_hostile_text_in_an_event_takes_no_more_time_than_it_is_long(piece: str) -> None:
    text = piece * (500_000 // len(piece))
    long = event(name=text, keywords=text, url=text, startDate=text, offers={"price": text})
    begin = time.process_time()
    for found in (long, {**long, "startDate": "2025-11-12", "location": {"name": text, "address": text}}):
        assert_usable(parse(of_events(found, slug="x" + "-a" * 100)))
    assert time.process_time() - begin < 4


def test_many_sessions_and_many_scripts_take_time_in_proportion() -> None:
    events = [event(name=f"Constructed {number}", endDate=None) for number in range(8000)]
    begin = time.process_time()
    found = list(parse(of_events(events)))
    assert sum(isinstance(item, Row) for item in found) == 8000
    assert len(list(parse(of_events(*events)))) == 8000
    assert time.process_time() - begin < 4


def test_a_thousand_pages_are_parsed_in_a_second() -> None:
    given = answer(page(EVENT, body="<p>Constructed</p>" * 50))
    begin = time.process_time()
    for _ in range(500):
        for _ in parse(given):
            pass
    assert 500 / (time.process_time() - begin) > 1_000
