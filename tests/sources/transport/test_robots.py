"""robots.txt: what it allows, for how long, and what counts as a no."""

import gzip
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from sources.protocol.types import Request
from sources.transport.archive import Archive
from sources.transport.errors import ProviderStopped, RobotsRefusal
from sources.transport.robots import read_rules
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import FakeClock, ask, declare
from tests.sources.transport.stand_in import StandIn, raw, redirect, reply, standing_in

POLITE = declare(robots="obey")
CLOSED = b"User-agent: *\nDisallow: /\n"
URL = "https://api.acme.example"


def _robots(body: bytes, status: int = 200) -> object:
    return reply(status, body, "text/plain")


def test_what_it_forbids_is_not_asked_and_the_rest_is(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/robots.txt", _robots(b"User-agent: *\nDisallow: /acme/v1/stops?area=K\n"))
    stand_in.on("/acme/v1/stops", reply(200))
    transport = connect(POLITE)
    with pytest.raises(RobotsRefusal, match=r"acme, stops of Kochi: robots.txt of https://api.acme.example forbids"):
        transport.fetch(ask("Kochi"))
    assert transport.fetch(ask("Pune")).status == 200
    assert [arrival.path for arrival in stand_in.arrivals] == ["/robots.txt", "/acme/v1/stops?area=Pune"]


def test_where_it_does_not_apply_it_is_not_asked_for(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/robots.txt", _robots(CLOSED))
    stand_in.on("/acme/v1/stops", reply(200))
    assert connect(declare(robots="not_applicable")).fetch(ask()).status == 200
    assert len(stand_in.arrivals) == 1


def test_the_answer_is_archived(stand_in: StandIn, connect: Connect, archive: Archive) -> None:
    stand_in.on("/robots.txt", _robots(b"User-agent: *\nAllow: /\n"))
    stand_in.on("/acme/v1/stops", reply(200))
    connect(POLITE).fetch(ask())
    origin = "https://api.acme.example"
    answer = archive.known("acme").answer(Request("acme", "robots.txt", origin, {"origin": origin}))
    assert answer is not None
    assert (answer.body, answer.url) == (b"User-agent: *\nAllow: /\n", f"{origin}/robots.txt")


@pytest.mark.parametrize("status", [400, 404, 410, 418, 451])
def test_a_missing_file_allows_everything(status: int, stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/robots.txt", _robots(CLOSED, status))
    stand_in.on("/acme/v1/stops", reply(200))
    assert connect(POLITE).fetch(ask()).status == 200


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_refusal_and_a_fault_of_the_server_are_a_no_to_everything(
    status: int, stand_in: StandIn, connect: Connect
) -> None:
    stand_in.on("/robots.txt", _robots(b"", status))
    stand_in.on("/acme/v1/stops", reply(200))
    with pytest.raises(ProviderStopped, match=f"robots.txt was answered with {status}, which counts as a no"):
        connect(POLITE).fetch(ask())
    assert not stand_in.at("/acme/v1/stops")


def test_a_fault_of_the_network_is_a_no_to_everything(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/robots.txt", raw(b""))
    stand_in.on("/acme/v1/stops", reply(200))
    with pytest.raises(ProviderStopped, match=r"robots.txt could not be read .*counts as a no"):
        connect(POLITE).fetch(ask())
    assert not stand_in.at("/acme/v1/stops")


def test_five_redirects_are_followed_and_a_sixth_is_a_no(stand_in: StandIn, connect: Connect) -> None:
    for hop in range(6):
        stand_in.on(f"/r{hop}", redirect(f"/r{hop + 1}"))
    stand_in.on("/r6", _robots(b""))
    stand_in.on("/acme/v1/stops", reply(200))
    stand_in.on("/robots.txt", redirect("/r2"))
    assert connect(POLITE).fetch(ask()).status == 200
    with standing_in() as other:
        for hop in range(6):
            other.on(f"/r{hop}", redirect(f"/r{hop + 1}"))
        other.on("/robots.txt", redirect("/r1"))
        with pytest.raises(ProviderStopped, match="redirects more than 5 times"):
            connect(declare("late", robots="obey"), bases={"late": other.base}).fetch(ask(provider="late"))


def test_it_is_asked_for_once_a_day_also_across_restarts(stand_in: StandIn, connect: Connect, clock: FakeClock) -> None:
    stand_in.on("/robots.txt", _robots(b"User-agent: *\nAllow: /\n"), _robots(CLOSED))
    stand_in.on("/acme/v1/stops", reply(200))
    first = connect(POLITE)
    first.fetch(ask("Kochi"))
    clock.sleep(timedelta(hours=23, minutes=59).total_seconds())
    first.fetch(ask("Pune"))
    connect(POLITE).fetch(ask("Agra"))
    assert len(stand_in.at("/robots.txt")) == 1
    clock.sleep(60)
    for transport in (first, connect(POLITE)):
        with pytest.raises(RobotsRefusal):
            transport.fetch(ask("Delhi"))
    assert len(stand_in.at("/robots.txt")) == 2


def test_a_no_of_yesterdays_run_is_asked_for_again(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/robots.txt", _robots(b"", 403), _robots(b""))
    stand_in.on("/acme/v1/stops", reply(200))
    with pytest.raises(ProviderStopped):
        connect(POLITE).fetch(ask())
    assert connect(POLITE).fetch(ask()).status == 200


def test_each_origin_has_its_own(stand_in: StandIn, connect: Connect) -> None:
    with standing_in() as other:
        other.on("/robots.txt", _robots(b""))
        other.on("/v1/stops", reply(200))
        stand_in.on("/robots.txt", _robots(CLOSED))
        transport = connect(
            POLITE,
            declare("other", robots="obey"),
            bases={"acme": f"{stand_in.base}/acme", "other": other.base},
        )
        with pytest.raises(RobotsRefusal):
            transport.fetch(ask())
        assert transport.fetch(ask(provider="other")).status == 200


def test_crawl_delay_is_kept_between_calls(stand_in: StandIn, connect: Connect, clock: FakeClock) -> None:
    stand_in.on("/robots.txt", _robots(b"User-agent: utp\nCrawl-delay: 10\n"))
    stand_in.on("/acme/v1/stops", reply(200))
    transport = connect(POLITE)
    moments = []
    for city in ("Kochi", "Pune", "Agra"):
        transport.fetch(ask(city))
        moments.append(clock.monotonic())
    assert all(later - earlier > 10 for earlier, later in pairwise(moments))


def test_a_longer_delay_than_is_waited_stops_the_provider(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/robots.txt", _robots(b"User-agent: *\nCrawl-delay: 3600\n"))
    with pytest.raises(ProviderStopped, match="wants 3600 s between two calls"):
        connect(POLITE).fetch(ask())


def test_a_redirect_into_what_is_forbidden_is_not_followed(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/robots.txt", _robots(b"User-agent: *\nDisallow: /private\n"))
    stand_in.on("/acme/v1/stops", redirect("/private/stops"))
    with pytest.raises(RobotsRefusal):
        connect(POLITE).fetch(ask())
    assert not stand_in.at("/private/stops")


@pytest.mark.parametrize(
    ("text", "path", "is_allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow:\n", "/a", True),
        ("User-agent: *\nDisallow: /\n", "/a", False),
        ("User-agent: *\nDisallow: /\nAllow: /a\n", "/a/b", True),
        ("User-agent: *\nAllow: /a\nDisallow: /a/b\n", "/a/b", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a\n", "/a", True),
        ("User-agent: *\nDisallow: /*.gif$\n", "/x.gif", False),
        ("User-agent: *\nDisallow: /*.gif$\n", "/x.gif?y", True),
        ("User-agent: *\nDisallow: /a%3cd\n", "/a%3Cd", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: utp\nAllow: /\n", "/a", True),
        ("User-agent: utp\nDisallow: /\n\nUser-agent: *\nAllow: /\n", "/a", False),
        ("User-agent: UTP\nDisallow: /a\n\nUser-agent: utp\nDisallow: /b\n", "/a", False),
        ("User-agent: utp\nUser-agent: other\nDisallow: /a\n", "/a", False),
        ("User-agent: other\nDisallow: /\n", "/a", True),
        ("\ufeffUser-agent: *\nDisallow: /\n", "/a", False),
        ("User-agent: *\r\nDisallow: /a # why\r\n", "/a", False),
        ("<html>no such page</html>", "/a", True),
    ],
)
def test_rules_are_read_as_the_rfc_says(text: str, path: str, is_allowed: bool) -> None:
    assert read_rules("utp", 200, text.encode()).allows(URL + path) is is_allowed


def test_five_hundred_kilobytes_are_read_and_the_line_that_was_cut_is_left_out(
    stand_in: StandIn, connect: Connect
) -> None:
    start = b"User-agent: *\nDisallow: /acme/v1/stops\n"
    filler = b"#" * 79 + b"\n"
    filled = start + filler * ((500 * 1024 - len(start)) // 80)
    cut = (
        b"#" * (500 * 1024 - len(filled) - 1 - len(b"Allow: /acme/v1/stops?area=Ko"))
        + b"\nAllow: /acme/v1/stops?area=Ko"
    )
    assert len(filled + cut) == 500 * 1024
    stand_in.on("/robots.txt", _robots(filled + cut + b"lkata\n" + filler * 10_000))
    stand_in.on("/acme/v1/stops", reply(200))
    with pytest.raises(RobotsRefusal):
        connect(POLITE).fetch(ask())


def test_one_that_is_packed_beyond_measure_is_a_no_to_everything(stand_in: StandIn, connect: Connect) -> None:
    nothing = gzip.compress(b"") * 40_000
    assert len(nothing) > 700_000
    stand_in.on("/robots.txt", reply(200, nothing, "text/plain", Content_Encoding="gzip"))
    stand_in.on("/acme/v1/stops", reply(200))
    for transport in (connect(POLITE), connect(POLITE)):
        with pytest.raises(ProviderStopped, match="packed beyond measure"):
            transport.fetch(ask())
    assert not stand_in.at("/acme/v1/stops")


def test_the_files_of_two_origins_are_two_also_where_one_stand_in_answers_for_both(
    stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/robots.txt", _robots(b""))
    stand_in.on("/acme/v1/stops", reply(200))
    stand_in.on("/acme/stops", reply(200))
    (one,) = POLITE.endpoints.values()
    two = replace(one, name="files", base="https://files.acme.example")
    hosts = ("api.acme.example", "files.acme.example")
    transport = connect(replace(POLITE, endpoints={"stops": one, "files": two}, hosts=hosts))
    transport.fetch(ask())
    transport.fetch(Request("acme", "files", "Kochi"))
    known = archive.known("acme")
    for origin in ("https://api.acme.example", "https://files.acme.example"):
        assert known.answer(Request("acme", "robots.txt", origin, {"origin": origin})) is not None


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert not read_rules("utp", 200, b"\xff\xfe\x00\nUser-agent: *\nDisallow: /a\n").allows(f"{URL}/a")
