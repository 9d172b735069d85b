"""Where redirects lead, and what is not taken along."""

import pytest

from sources.transport.addresses import reach
from sources.transport.archive import Archive
from sources.transport.budget import Allowance, Budget
from sources.transport.errors import BudgetSpent, TransportError
from sources.transport.redaction import Redactor
from sources.transport.redirects import RedirectRefused, next_call
from sources.transport.wire import Call, Reply
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import HEADER_KEY, ask, declare
from tests.sources.transport.stand_in import StandIn, redirect, reply, standing_in

KEY = "k-3f9a/77+Zq=="


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_the_same_place_is_followed_and_kept_under_the_first_address(
    status: int, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/acme/v1/stops", redirect("/acme/v1/there?x=1#part", status))
    stand_in.on("/acme/v1/there", reply(200, b"found"))
    answer = connect().fetch(ask())
    assert (answer.status, answer.body) == (200, b"found")
    assert answer.url == "https://api.acme.example/v1/stops?area=Kochi"
    assert stand_in.arrivals[-1].path == "/acme/v1/there?x=1"
    assert len(list(archive.answers("acme"))) == 1


@pytest.mark.parametrize(
    ("status", "method", "body"),
    [(301, "POST", b"area=Kochi"), (302, "POST", b"area=Kochi"), (307, "POST", b"area=Kochi"), (303, "GET", b"")],
)
def test_a_question_keeps_its_words_on_the_way(
    status: int, method: str, body: bytes, stand_in: StandIn, connect: Connect
) -> None:
    stand_in.on("/acme/v1/stops", redirect("/acme/v1/there", status))
    stand_in.on("/acme/v1/there", reply(200))
    connect(declare(method="POST", params_in="form")).fetch(ask())
    assert (stand_in.arrivals[1].method, stand_in.arrivals[1].body) == (method, body)


def test_a_key_in_a_header_goes_along_to_the_same_place(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", redirect("/acme/v1/there"))
    stand_in.on("/acme/v1/there", reply(200))
    connect(declare(secrets=HEADER_KEY), environment={"UTP_ACME_KEY": KEY}).fetch(ask())
    assert stand_in.arrivals[1].headers["x-api-key"] == KEY


def test_five_redirects_are_followed_and_a_sixth_is_not(stand_in: StandIn, connect: Connect) -> None:
    for hop in range(5):
        stand_in.on(f"/acme/{hop}", redirect(f"/acme/{hop + 1}"))
    stand_in.on("/acme/5", reply(200, b"end"))
    stand_in.on("/acme/v1/stops", redirect("/acme/1"), redirect("/acme/0"))
    transport = connect()
    assert transport.fetch(ask("Kochi")).body == b"end"
    with pytest.raises(TransportError, match="redirects more than 5 times"):
        transport.fetch(ask("Pune"))


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{other}/secret",
        "http://localhost:{port}/secret",
        "http://[::1]:{other}/secret",
        "http://169.254.169.254/latest/meta-data",
        "https://api.acme.example/v1/stops",
        "https://example.org/",
        "//127.0.0.1:{other}/secret",
        "file:///etc/passwd",
        "http://[broken/",
    ],
)
def test_a_redirect_elsewhere_is_not_followed(
    location: str, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    with standing_in() as other:
        other.on("/secret", reply(200, b"inside"))
        stand_in.on("/acme/v1/stops", redirect(location.format(other=other.port, port=stand_in.port)))
        with pytest.raises(TransportError, match="acme, stops of Kochi: the provider redirects to"):
            connect().fetch(ask())
        assert not other.arrivals
    assert len(stand_in.arrivals) == 1
    assert not list(archive.answers("acme"))


def test_a_redirect_without_a_place_is_an_answer(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(302, b"somewhere"))
    assert connect().fetch(ask()).status == 302


def test_each_redirect_is_one_more_call_to_the_budget_but_not_one_more_unit(
    stand_in: StandIn, connect: Connect
) -> None:
    stand_in.on("/acme/v1/stops", redirect("/acme/v1/there"))
    stand_in.on("/acme/v1/there", reply(200))
    transport = connect(budget=Budget({"acme": Allowance(calls=3)}))
    transport.fetch(ask("Kochi"))
    assert (transport.spent("acme").calls, transport.spent("acme").units) == (2, 1)
    with pytest.raises(BudgetSpent):
        transport.fetch(ask("Pune"))


REACH = reach(["https://api.acme.example"], ["api.acme.example", "files.acme.example"])
CALL = Call("POST", "https://api.acme.example/a?key=1", {"Accept": "x", "X-Api-Key": KEY, "Content-Type": "y"}, b"body")


def _next(location: str, status: int = 307) -> Call:
    return next_call(CALL, Reply(status, {"location": location}, b""), REACH, ["X-Api-Key"], Redactor([KEY]))


def test_to_another_declared_host_everything_goes_but_the_key() -> None:
    call = _next("https://files.acme.example/b")
    assert call.url == "https://files.acme.example/b"
    assert dict(call.headers) == {"Accept": "x", "Content-Type": "y"}
    assert (call.method, call.body) == ("POST", b"body")


def test_on_the_same_host_the_key_goes_along() -> None:
    assert _next("/b").headers["X-Api-Key"] == KEY
    assert _next("https://API.ACME.example:443/b").headers["X-Api-Key"] == KEY


@pytest.mark.parametrize("echo", [KEY, "k-3f9a%2F77%2BZq%3D%3D"])
def test_an_address_with_a_key_in_it_is_never_taken_to_another_host(echo: str) -> None:
    with pytest.raises(RedirectRefused, match="with a key"):
        _next(f"https://files.acme.example/b?key={echo}")
    assert _next(f"/b?key={echo}").url.endswith(echo)


def test_what_was_sent_cannot_be_read_off_an_object() -> None:
    assert KEY not in repr(CALL)
    assert "key=1" not in repr(CALL)
