"""Whatever arrives, the parser yields rows or reasons, and never raises; nor does whoever asks what to do next."""

import os
import sys
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.etrain.page import open_answer, slug_of
from sources.etrain.parse import parse
from sources.protocol.types import Refusal
from tests.sources.etrain.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    HEADER,
    NUMBER,
    PageText,
    Station,
    answer_to,
    asked,
    assert_usable,
    of_file,
    rows,
)

# A long run: UTP_FUZZ=100 is a hundred times as much.
EFFORT = int(os.environ.get("UTP_FUZZ", "1"))
FUZZ = settings(max_examples=150 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))
STATUSES = st.sampled_from([200, 200, 200, 200, 301, 403, 404, 429, 500, 599])
WINDOWS = st.sampled_from(["bare", "1y", "1w"])
OWN = [body for path in (*EXAMPLES, *COUNTEREXAMPLES) if (body := of_file(path).body) is not None]
PIECES = [
    b"\xff", b'"', b"'", b"[", b"]", b"{", b"}", b",", b"null", b"new Date(2026,8,28)", b"-", b"0", b"999", b"<a ",
    b"</a>", b">",
    b"et.rsStat.primaryData = ", b"et.rsStat.tooltipData = ", b"</title>", b"(19999)", b"\\u", b"\x00", b"\xed\xa0\x80",
    b"Avg. Delay: 9 Min's", b"/train/x-19999/history", b"'ON'", b"'\\ud800'", b";",
]  # fmt: skip


def feed(body: bytes, window: str = "1y", status: int = 200) -> None:
    given = answer_to(asked(window), body, status=status)
    assert_usable(parse(given))
    page = open_answer(given)
    if not isinstance(page, Refusal):
        slug = slug_of(page)
        assert slug is None or slug.endswith(NUMBER)


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
                body[place:place] = draw(st.binary(max_size=4) | st.sampled_from(PIECES))
            case "copy":
                other = draw(st.integers(0, len(body)))
                body[place:place] = body[min(place, other) : min(place, other) + 200]
            case "drop":
                del body[place : place + draw(st.integers(1, 40))]
    return bytes(body)


@FUZZ
@given(_mutations(OWN), WINDOWS, STATUSES)
def test_a_page_with_broken_bytes_never_raises(body: bytes, window: str, status: int) -> None:
    feed(body, window, status)


LITERALS = st.recursive(
    st.sampled_from(
        ["0", "7", "-3", "85.4", "999999", "null", "true", "'ON'", "'NIL'", "'\\ud800'", "''", "new Date(2026,8,28)"]
    ),
    lambda inner: (
        st.lists(inner, max_size=7).map(lambda members: f"[{','.join(members)}]")
        | st.lists(inner, max_size=3).map(
            lambda members: f"{{{','.join(f'k{i}:{one}' for i, one in enumerate(members))}}}"
        )
    ),
    max_leaves=12,
)
SCRIPT = "<script>et.rsStat.primaryData = [{},{}];\net.rsStat.tooltipData = [{},{}];</script>"
TITLE = f"<title>Running History of X ({NUMBER}) for last year</title>"


@FUZZ
@given(st.lists(LITERALS, min_size=4, max_size=4))
def test_any_literals_in_the_tables_never_raise(literals: list[str]) -> None:
    counts, row, header, run = literals
    feed((TITLE + SCRIPT.format(counts, row, header, run)).encode("utf-8", "surrogatepass"))
    feed((TITLE + SCRIPT.format(HEADER, row, "['Date',{'label':'ON'}]", run)).encode())


ROWS = st.lists(
    st.sampled_from(["'ON'", "'NIL'", "0", "1", "3", "-2.5", "null", "9999", "1e3"]), min_size=6, max_size=6
)


@FUZZ
@given(
    st.lists(ROWS, max_size=3),
    st.lists(st.tuples(st.integers(0, 13), st.integers(0, 32), st.sampled_from(["1", "null", "-9"])), max_size=4),
)
def test_any_counts_and_runs_never_raise(counts: list[list[str]], runs: list[tuple[int, int, str]]) -> None:
    primary = ",".join([HEADER, *(f"[{','.join(row)}]" for row in counts)])
    tooltip = ",".join(["['Date',{'label':'ON'}]", *(f"[new Date(2026,{m},{d}),{delay}]" for m, d, delay in runs)])
    feed(f"{TITLE}et.rsStat.primaryData=[{primary}];et.rsStat.tooltipData=[{tooltip}];".encode())


def test_the_samples_with_broken_bytes_never_raise(shared: Path) -> None:
    bodies = [path.read_bytes() for path in sorted((shared / "contracts/samples/train_delays").glob("*.html"))]

    @settings(FUZZ, max_examples=60 * EFFORT)
    @given(_mutations(bodies))
    def run(body: bytes) -> None:
        for number in ("12673", "12892", "01064"):
            assert_usable(parse(answer_to(asked("1y", number), body)))

    run()


def work(body: bytes) -> int:
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        list(parse(answer_to(asked("1y"), body)))
    finally:
        sys.setprofile(None)
    return calls


def large(stations: int, runs: int) -> PageText:
    letters = [chr(ord("A") + place) for place in range(26)]
    codes = [a + b + c for a in letters for b in letters for c in letters][:stations]
    days = [date(2026, 10, 4) - timedelta(days=back) for back in reversed(range(runs))]
    return PageText([Station(code, (runs, 0, 0, 0), 3.0) for code in codes], {day: [3] * stations for day in days})


@pytest.mark.parametrize(("one", "other"), [((40, 100), (40, 200)), ((50, 90), (100, 90)), ((400, 3), (800, 3))])
def test_the_work_grows_with_the_page_and_not_faster(one: tuple[int, int], other: tuple[int, int]) -> None:
    small, big = (str(large(*size)).encode() for size in (one, other))
    assert len(rows(parse(answer_to(asked("1y"), big)))) == 5 * other[0]
    assert work(big) < 2.1 * work(small)


@pytest.mark.parametrize(
    "piece",
    [
        "<", "<a ", '<a "', "<a '", '<a class="runStatStn">', '<a class="runStatStn" href="#ON">ON (ON)</a>', '<a x="',
        "x='", "/train/", "/train/a-", "et.rsStat.", "et.rsStat.a=", "et.rsStat.primaryData", "et.rsStat.primaryData=[",
        "et.rsStat.tooltipData = [", "['", "[", "{a:", "Avg. Delay: ", " (ON)", "<title>", "</title>", "\u00e9", " ",
        "a=", "&amp;",
    ],
)  # fmt: skip
def test_no_piece_however_often_it_stands_there_makes_reading_slow(piece: str) -> None:
    """Two hundred thousand signs are read in far less than the minutes that one look back for each would take."""
    times = 200_000 // len(piece)
    script = f"et.rsStat.primaryData = [{HEADER}"
    for page in (
        f"{TITLE}{piece * times}",
        f"{piece * times}{TITLE}",
        f"{TITLE}<a class='runStatStn' href='#ON'>{piece * times}</a>",
        f"{TITLE}{script}{piece * times}",
    ):
        before = time.process_time()
        feed(page.encode())
        assert time.process_time() - before < 5
