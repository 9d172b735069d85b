"""Whatever arrives, a parser yields rows or reasons, and never raises; and it takes no longer than its page is long."""

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
from sources.tripozo.markup import read_html
from sources.tripozo.parse import parse
from tests.sources.tripozo.answers import COUNTEREXAMPLES, EXAMPLES, PARAMS, answer, assert_usable, endpoint_of

# A long run: UTP_FUZZ=100 is a hundred times as much.
EFFORT = int(os.environ.get("UTP_FUZZ", "1"))
FUZZ = settings(max_examples=60 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))

OWN = [(path.read_bytes(), endpoint_of(path)) for path in (*EXAMPLES, *COUNTEREXAMPLES)]
WHOLE = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in EXAMPLES if path.suffix == ".json"}
SIGNS = [b"\xff", b'"', b"<", b">", b"</", b"<!--", b"{", b"]", b"~^", b"~", b"24:00", b"1e999", b"&#xd800;", b"'"]
STRANGE: list[Any] = [
    None, True, 0, -1, 1.5, 10**30, 10**400, 1e308, "", "x", "NaN", "null", "1,234", "-", "\ud800", "\x00", "24:00",
    "99:99", "2026-02-30 10:00:00", "9999-12-31 23:59:00", "Day 99", "+9", "1111111", "३:१२", [], {}, [None],
    {"Array": [[]]}, ["x"], "9" * 5000,
]  # fmt: skip
SUBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "days": st.sampled_from(["1000000", "0000000", "x"]),
        "days_at": st.sampled_from(["ON", "NIL", "DDU", "NAN"]),
        "for": st.sampled_from(["numbers", "x"]),
        "classes": st.text(max_size=5),
        "train_type": st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    },
)


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
                body[place:place] = draw(st.binary(max_size=4) | st.sampled_from(SIGNS))
            case "copy":
                other = draw(st.integers(0, len(body)))
                body[place:place] = body[min(place, other) : min(place, other) + 400]
            case "drop":
                del body[place : place + draw(st.integers(1, 40))]
    return bytes(body), endpoint


@FUZZ
@given(_mutations(OWN), SUBJECTS, st.sampled_from([200, 200, 200, 403, 429, 502]))
def test_a_page_with_broken_bytes_never_raises(found: tuple[bytes, str], subject: dict[str, str], status: int) -> None:
    body, endpoint = found
    assert_usable(answer(body, endpoint, subject=subject, status=status))


@FUZZ
@given(st.sampled_from(OWN), st.sampled_from(sorted(PARAMS)))
def test_a_page_of_one_endpoint_under_the_name_of_another_never_raises(found: tuple[bytes, str], name: str) -> None:
    assert_usable(answer(found[0], name))


def _places(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    return [path, *(place for key, value in inner for place in _places(value, (*path, key)))]


def _with(found: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(found) if isinstance(found, dict) else list(found)
    copy[path[0]] = _with(found[path[0]], path[1:], value)
    return copy


PLACES = [(name, path) for name, whole in WHOLE.items() for path in _places(whole)]


@pytest.mark.parametrize("place", PLACES[:: max(1, 12 // EFFORT)], ids=str)
def test_every_strange_value_in_a_place_never_raises(place: tuple[str, tuple[Any, ...]]) -> None:
    name, path = place
    for value in STRANGE:
        body = json.dumps(_with(WHOLE[name], path, value)).encode()
        assert_usable(answer(body, endpoint_of(Path(name))))


def test_the_samples_with_broken_bytes_never_raise(shared: Path) -> None:
    folder = shared / "contracts" / "samples" / "tripozo"
    named = {"flight_r": "flights", "trains": "trains", "train_s": "train", "erail": "trains", "confirm": "trains",
             "capture_t": "trains", "capture_b": "buses", "bus_search": "buses"}  # fmt: skip
    bodies = [
        (path.read_bytes(), endpoint)
        for path in sorted(folder.iterdir())
        for start, endpoint in named.items()
        if path.name.startswith(start)
    ]
    assert len(bodies) == 8

    @settings(FUZZ, max_examples=40 * EFFORT)
    @given(_mutations(bodies))
    def run(found: tuple[bytes, str]) -> None:
        assert_usable(answer(*found))

    run()


GROWING = {
    "cards": ("flights", lambda times: b"<html>" + _example("flights.cards.html") * times),
    "stops": ("train", lambda times: _timetable(200 * times)),
    "lines": ("trains", lambda times: b"<div class=trainlist>" + _example("trains.lines.html") * 10 * times),
    "erail": ("trains", lambda times: b"~" + _example("trains.erail.txt") * 20 * times),
}


def _example(name: str) -> bytes:
    return next(path for path in EXAMPLES if path.name == name).read_bytes()


def _timetable(stops: int) -> bytes:
    row = "<tr><td><div class=pdl5>{}</div><div class=pdl5>ON</div><div class=fixwelps>X</div><div class=pd5>10:00</div><div class=pd5>10:00</div>"  # noqa: E501
    return (
        "<title>X (12951) Train Schedule</title><table id=sublowerdata>"
        + "".join(row.format(number + 1) + "</td></tr>" for number in range(stops))
    ).encode()


@pytest.mark.parametrize("name", GROWING)
def test_the_work_grows_with_the_page_and_not_faster(name: str) -> None:
    endpoint, make = GROWING[name]
    calls: list[int] = []

    def count(*_: object) -> None:
        calls[-1] += 1

    for times in (10, 20):
        given = answer(make(times), endpoint)
        calls.append(0)
        sys.setprofile(count)
        try:
            for _ in parse(given):
                pass
        finally:
            sys.setprofile(None)
    assert 1.5 * calls[-2] < calls[-1] < 2.2 * calls[-2]


@pytest.mark.parametrize(
    "text",
    ["<", "</", "<a ", '<a b="', "<a b='", "<!--", "<a =", "<a b  ", "</b>", "<b></i></b>", "<script>", "&#", "<a\t"],
)
def test_a_million_signs_of_markup_are_read_in_a_moment(text: str) -> None:
    begin = time.process_time()
    read_html(text * (1_000_000 // len(text)))
    assert time.process_time() - begin < 5


def test_two_thousand_small_pages_are_parsed_in_a_second() -> None:
    pages = [answer(_example("trains.json"), "trains"), answer(_example("buses.redbus.json"), "buses")] * 500
    begin = time.process_time()
    rows = sum(1 for page in pages for item in parse(page) if isinstance(item, Row))
    assert rows == 500 * 6
    assert len(pages) / (time.process_time() - begin) > 2_000
