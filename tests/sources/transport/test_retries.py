"""When a call is made again, how long is waited, and when a provider is left alone instead."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from sources.transport.archive import Archive
from sources.transport.errors import ProviderStopped, TransportError
from sources.transport.retries import backoff, retry_after
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import FakeClock, ask, declare
from tests.sources.transport.stand_in import Script, StandIn, raw, reply

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_status_that_may_pass_is_tried_again_until_it_has(
    status: int, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/acme/v1/stops", reply(status), reply(status), reply(200, b"good"))
    assert connect().fetch(ask()).body == b"good"
    assert len(stand_in.arrivals) == 3
    assert [answer.status for answer in archive.answers("acme")] == [200]


def test_what_never_passes_is_archived_and_returned_after_five_tries(
    stand_in: StandIn, connect: Connect, archive: Archive, clock: FakeClock
) -> None:
    stand_in.on("/acme/v1/stops", reply(503, b"busy"))
    answer = connect().fetch(ask())
    assert (answer.status, answer.body, len(stand_in.arrivals)) == (503, b"busy", 5)
    assert archive.known("acme").answer(ask()) == answer
    waits = [seconds for seconds in clock.slept if seconds > 0.1]
    assert all(low <= wait <= 2 * low for low, wait in zip([1, 2, 4, 8], waits, strict=True))


def test_a_broken_connection_is_tried_again(stand_in: StandIn, connect: Connect) -> None:
    half = b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half": '
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n"
    stand_in.on("/acme/v1/stops", raw(b""), raw(half), raw(chunked), reply(200, b"whole"))
    assert connect().fetch(ask()).body == b"whole"
    assert len(stand_in.arrivals) == 4


def test_nobody_there_is_an_error_that_says_so_and_three_in_a_row_stop_the_provider(
    stand_in: StandIn, connect: Connect
) -> None:
    stand_in.close()
    transport = connect()
    for city in ("Kochi", "Pune"):
        with pytest.raises(
            TransportError, match=f"acme, stops of {city}: no connection.*refused.*; try again"
        ) as caught:
            transport.fetch(ask(city))
        assert not isinstance(caught.value, ProviderStopped)
    for city in ("Delhi", "Agra"):
        with pytest.raises(ProviderStopped, match=f"acme, stops of {city}: no connection"):
            transport.fetch(ask(city))


def test_an_answer_between_failures_starts_the_count_anew(stand_in: StandIn, connect: Connect) -> None:
    broken = [raw(b"")] * 5
    stand_in.on("/acme/v1/stops", *broken, *broken, reply(404), *broken, *broken)
    transport = connect()
    for city, is_answered in (("A", False), ("B", False), ("C", True), ("D", False), ("E", False)):
        if is_answered:
            assert transport.fetch(ask(city)).status == 404
        else:
            with pytest.raises(TransportError) as caught:
                transport.fetch(ask(city))
            assert not isinstance(caught.value, ProviderStopped)


def test_retry_after_in_seconds_is_waited_for(stand_in: StandIn, connect: Connect, clock: FakeClock) -> None:
    stand_in.on("/acme/v1/stops", reply(503, Retry_After="120"), reply(200))
    connect().fetch(ask())
    assert max(clock.slept) == 120


def test_retry_after_as_a_date_is_measured_by_the_clock_of_the_provider(
    stand_in: StandIn, connect: Connect, clock: FakeClock
) -> None:
    theirs = datetime(2020, 1, 1, tzinfo=UTC)
    until = format_datetime(theirs + timedelta(seconds=90), usegmt=True)

    def busy(handler: Any) -> None:
        handler.wfile.write(
            f"HTTP/1.1 429 Too Many\r\nDate: {format_datetime(theirs, usegmt=True)}\r\n"
            f"Retry-After: {until}\r\nContent-Length: 0\r\n\r\n".encode()
        )

    stand_in.on("/acme/v1/stops", busy, reply(200))
    connect().fetch(ask())
    assert max(clock.slept) == 90


def test_a_pause_is_as_many_times_shorter_as_the_time_of_a_stand_in_is_faster(
    stand_in: StandIn, connect: Connect, clock: FakeClock
) -> None:
    stand_in.on("/acme/v1/stops", reply(503, Retry_After="120"), reply(200))
    connect(time_scale=60.0).fetch(ask())
    assert max(clock.slept) == 2


def test_a_longer_pause_than_is_waited_stops_the_provider_and_keeps_the_answer(
    stand_in: StandIn, connect: Connect, archive: Archive, clock: FakeClock
) -> None:
    stand_in.on("/acme/v1/stops", reply(503, b"back at noon", Retry_After="3600"))
    with pytest.raises(ProviderStopped, match="pause of 3600 s; try again later"):
        connect().fetch(ask())
    assert [answer.body for answer in archive.answers("acme")] == [b"back at noon"]
    assert sum(clock.slept) < 1
    assert len(stand_in.arrivals) == 1


def test_too_many_calls_is_waited_for_half_a_minute_and_in_the_end_stops_the_provider(
    stand_in: StandIn, connect: Connect, archive: Archive, clock: FakeClock
) -> None:
    stand_in.on("/acme/v1/stops", reply(429))
    with pytest.raises(ProviderStopped, match="5 times that there are too many calls"):
        connect().fetch(ask())
    assert len([wait for wait in clock.slept if wait >= 30]) == 4
    assert [answer.status for answer in archive.answers("acme")] == [429]


FAST = ("Over Queries Per Second", "Developer Over Qps")
TOO_FAST = [
    reply(403, b"<h1>Developer Over Qps</h1>", "text/html"),
    reply(403, b"", X_Error_Detail_Header="Account Over Queries Per Second Limit"),
    reply(200, b'{"error": "Developer Over Qps"}'),
    reply(401, b"Developer Over Qps"),
]


@pytest.mark.parametrize("script", TOO_FAST, ids=["page", "header", "success", "401"])
def test_an_answer_that_says_that_it_was_too_fast_is_waited_for_like_too_many_calls(
    script: Script, stand_in: StandIn, connect: Connect, archive: Archive, clock: FakeClock
) -> None:
    stand_in.on("/acme/v1/stops", script, reply(200, b"good"))
    assert connect(declare(rate_marks=FAST)).fetch(ask()).body == b"good"
    assert len([wait for wait in clock.slept if wait >= 30]) == 1
    assert [answer.body for answer in archive.answers("acme")] == [b"good"]


def test_the_pause_that_it_asks_for_is_kept(stand_in: StandIn, connect: Connect, clock: FakeClock) -> None:
    stand_in.on("/acme/v1/stops", reply(403, b"Developer Over Qps", Retry_After="120"), reply(200))
    connect(declare(rate_marks=FAST)).fetch(ask())
    assert max(clock.slept) == 120


@pytest.mark.parametrize("script", TOO_FAST, ids=["page", "header", "success", "401"])
def test_one_that_is_always_too_fast_stops_in_the_end(
    script: Script, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/acme/v1/stops", script)
    with pytest.raises(ProviderStopped, match="5 times that there are too many calls"):
        connect(declare(rate_marks=FAST)).fetch(ask())
    assert len(stand_in.arrivals) == 5
    assert len(list(archive.answers("acme"))) == 1


@pytest.mark.parametrize(
    "script",
    [
        reply(403, b"<h1>Developer Inactive</h1>", "text/html"),
        reply(403, b"", X_Error_Detail_Header="Account Inactive"),
        reply(403, b"Developer Over Qps" + b" " * 70_000),
    ],
    ids=["page", "header", "a long page"],
)
def test_any_other_refusal_stops_at_once(script: Script, stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", script)
    with pytest.raises(ProviderStopped, match="shuts us out"):
        connect(declare(rate_marks=FAST)).fetch(ask())
    assert len(stand_in.arrivals) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0"}, 0),
        ({"retry-after": " 30 "}, 30),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "1.5"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "Mon, 30 Nov 2026 12:01:00 GMT"}, 60),
        ({"retry-after": "Mon, 30 Nov 2026 12:01:00 -0000"}, 60),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "Tue, 01 Jan 2030 00:00:10 GMT", "date": "Tue, 01 Jan 2030 00:00:00 GMT"}, 10),
        ({"retry-after": "Tue, 99 Jan 2030 00:00:10 GMT"}, None),
    ],
)
def test_retry_after_is_read_as_number_or_date_or_not_at_all(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


def test_waiting_doubles_up_to_a_minute_and_is_spread_by_chance() -> None:
    assert [backoff(tries, 503, 0.0) for tries in (1, 2, 3, 9)] == [1.0, 2.0, 4.0, 30.0]
    assert [backoff(tries, 503, 0.999) for tries in (1, 9)] == pytest.approx([2.0, 60.0], rel=0.01)
    assert backoff(1, 429, 0.0) == 30.0
