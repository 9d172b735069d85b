"""What is sent, what is kept, and what comes back: one question to a real server on loopback."""

import json
import logging
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from sources.protocol.types import Request
from sources.transport.archive import Archive
from sources.transport.errors import SecretMissing, TransportError, TransportSettingError
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import HEADER_KEY, QUERY_KEY, FakeClock, ask, declare
from tests.sources.transport.stand_in import StandIn, raw, reply

KEY = "k-3f9a/77+Zq=="


def test_a_call_says_who_asks_and_how_to_reach_them(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    connect().fetch(ask())
    headers = stand_in.arrivals[0].headers
    assert headers["user-agent"] == "utp/0.1.0 (+https://contact.example)"
    assert headers["accept"] == "application/json"
    assert headers["accept-encoding"] == "gzip"


def test_an_answer_is_kept_as_it_came_under_the_canonical_address(
    stand_in: StandIn, connect: Connect, archive: Archive, clock: FakeClock
) -> None:
    stand_in.on(
        "/acme/v1/stops", reply(200, b'{"a": 1}', "application/json; charset=utf-8", ETag="7", Set_Cookie="a=b")
    )
    answer = connect().fetch(ask(area="Kochi & sea"))
    assert archive.known("acme").answer(ask(area="Kochi & sea")) == answer
    assert answer.url == "https://api.acme.example/v1/stops?area=Kochi+%26+sea"
    assert (answer.status, answer.body, answer.media_type) == (200, b'{"a": 1}', "application/json")
    assert (answer.origin, answer.scope, answer.fetched_at) == ("sandbox", "Kochi", clock.now())
    assert answer.headers["etag"] == "7"
    assert "set-cookie" not in answer.headers


def test_an_answer_is_on_disk_when_fetch_returns(stand_in: StandIn, connect: Connect, archive: Archive) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    transport = connect()
    transport.fetch(ask())
    assert len(list(archive.answers("acme"))) == 1, "the transport is still open"


@pytest.mark.parametrize("status", [400, 404, 406, 410, 501])
def test_an_answer_with_an_error_status_is_archived_and_returned(
    status: int, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/acme/v1/stops", reply(status, b"<p>no</p>", "text/html"))
    answer = connect().fetch(ask())
    assert (answer.status, answer.body) == (status, b"<p>no</p>")
    assert archive.known("acme").answer(ask()) == answer
    assert len(stand_in.arrivals) == 1


def test_no_cookie_is_carried_from_one_answer_to_the_next_question(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200, Set_Cookie="session=1; Path=/"))
    transport = connect()
    transport.fetch(ask("Kochi"))
    transport.fetch(ask("Delhi"))
    assert "cookie" not in stand_in.arrivals[1].headers


def test_nothing_in_the_environment_leads_a_call_elsewhere(
    stand_in: StandIn, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    stand_in.on("/acme/v1/stops", reply(200))
    assert connect().fetch(ask()).status == 200


def test_a_form_carries_parameters_in_the_body_and_none_in_the_address(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    answer = connect(declare(method="POST", params_in="form")).fetch(ask(data="[out:json];node(1);out;", b="é"))
    assert stand_in.arrivals[0].body == b"b=%C3%A9&data=%5Bout%3Ajson%5D%3Bnode%281%29%3Bout%3B"
    assert stand_in.arrivals[0].headers["content-type"] == "application/x-www-form-urlencoded"
    assert answer.url == "https://api.acme.example/v1/stops"


def test_json_carries_parameters_in_the_body(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    connect(declare(method="POST", params_in="json")).fetch(ask(q='"é"', a='[1.50, {"b":\n null}]'))
    assert stand_in.arrivals[0].body == '{"a": [1.50, {"b":\n null}], "q": "é"}'.encode()
    assert json.loads(stand_in.arrivals[0].body) == {"a": [1.5, {"b": None}], "q": "é"}


def test_a_parameter_of_the_path_does_not_stand_in_the_json_too(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/jobs/7f", reply(200))
    connect(declare(method="POST", params_in="json", path="/jobs/{job}")).fetch(ask(job="7f", a="1"))
    assert stand_in.arrivals[0].body == b'{"a": 1}'


@pytest.mark.parametrize("text", ["", "é", "{", "NaN", "-Infinity", "1 2", "[1,]", "'a'"])
def test_what_is_no_json_text_is_an_error_before_the_call(text: str, stand_in: StandIn, connect: Connect) -> None:
    with pytest.raises(TransportError, match=r"acme, stops of Kochi: q=.* is no JSON text"):
        connect(declare(method="POST", params_in="json")).fetch(ask(q=text))
    assert not stand_in.arrivals


def test_an_endpoint_with_a_base_of_its_own_is_asked_there_and_kept_under_it(
    stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    declared = declare(base="https://files.acme.example/api/v2/")
    stand_in.on("/acme/api/v2/stops", reply(200))
    answer = connect(replace(declared, hosts=(*declared.hosts, "files.acme.example"))).fetch(ask())
    assert (answer.status, answer.url) == (200, "https://files.acme.example/api/v2/stops?area=Kochi")
    assert archive.known("acme").answer(ask()) == answer


def test_what_an_answer_is_about_is_kept_with_it_and_not_sent(
    stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    answer = connect().fetch(replace(ask(), subject={"city_id": "IN-1", "b": "é"}))
    assert answer.subject == {"city_id": "IN-1", "b": "é"}
    assert archive.known("acme").answer(ask()) == answer
    assert "IN-1" not in stand_in.arrivals[0].path + str(stand_in.arrivals[0].headers)


def test_a_parameter_of_the_path_stands_in_the_path_alone(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/places/a%2Fb%20c/tags", reply(200))
    answer = connect(declare(path="/places/{id}/tags")).fetch(ask(id="a/b c", lang="en"))
    assert stand_in.arrivals[0].path == "/acme/v1/places/a%2Fb%20c/tags?lang=en"
    assert answer.url == "https://api.acme.example/v1/places/a%2Fb%20c/tags?lang=en"


@pytest.mark.parametrize("params", [{"id": ".."}, {"id": "."}, {"id": ""}, {"lang": "en"}])
def test_a_path_that_cannot_be_made_is_an_error_before_the_call(
    params: dict[str, str], stand_in: StandIn, connect: Connect
) -> None:
    with pytest.raises(TransportError, match=r"acme, stops of Kochi: .*path"):
        connect(declare(path="/places/{id}/tags")).fetch(ask(**params))
    assert not stand_in.arrivals


@pytest.mark.parametrize(("secrets", "place"), [(QUERY_KEY, "query"), (HEADER_KEY, "header")])
def test_a_key_goes_where_the_provider_wants_it(
    secrets: tuple, place: str, stand_in: StandIn, connect: Connect
) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    connect(declare(secrets=secrets), environment={"UTP_ACME_KEY": f" {KEY}\n"}).fetch(ask())
    arrival = stand_in.arrivals[0]
    if place == "query":
        assert arrival.path == "/acme/v1/stops?area=Kochi&key=k-3f9a%2F77%2BZq%3D%3D"
    else:
        assert arrival.headers["x-api-key"] == KEY


@pytest.mark.parametrize("environment", [{}, {"UTP_ACME_KEY": "  "}, {"UTP_ACME_KEY": "short"}])
def test_a_key_that_is_missing_or_too_short_is_one_error_by_name_before_any_call(
    environment: dict[str, str], stand_in: StandIn, connect: Connect
) -> None:
    transport = connect(declare(secrets=QUERY_KEY), environment=environment)
    for question in (lambda: transport.check([ask()]), lambda: transport.fetch(ask())):
        with pytest.raises(SecretMissing, match="acme, stops: UTP_ACME_KEY") as caught:
            question()
        assert "short" not in str(caught.value).replace("shorter", "")
    assert not stand_in.arrivals


def test_a_key_in_a_parameter_is_refused(stand_in: StandIn, connect: Connect) -> None:
    transport = connect(declare(secrets=HEADER_KEY), environment={"UTP_ACME_KEY": KEY})
    with pytest.raises(TransportError, match="hold a key") as caught:
        transport.fetch(ask(token=KEY))
    assert KEY not in str(caught.value)
    assert not stand_in.arrivals


def test_one_line_is_logged_for_each_request(
    stand_in: StandIn, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    stand_in.on("/acme/v1/stops", reply(200, b"12345"), reply(404, b""), raw(b"nonsense"))
    transport = connect()
    with caplog.at_level(logging.INFO, "sources.transport"):
        transport.fetch(ask("New Delhi"))
        transport.fetch(ask("Kochi"))
        with pytest.raises(TransportError):
            transport.fetch(ask("Pune"))
    messages = [record.getMessage() for record in caplog.records if record.name.startswith("sources.transport")]
    lines = [re.sub(r"ms=\d+", "ms=N", message) for message in messages]
    assert lines[0] == 'provider=acme endpoint=stops scope="New Delhi" status=200 ms=N bytes=5 tries=1'
    assert lines[1] == "provider=acme endpoint=stops scope=Kochi status=404 ms=N bytes=0 tries=1"
    assert lines[2].startswith('provider=acme endpoint=stops scope=Pune status=- ms=N bytes=- tries=- cause="no conn')
    assert len(lines) == 3


@pytest.mark.parametrize(
    "settings",
    [
        {"contact": ""},
        {"contact": "a b"},
        {"agent": "utp"},
        {"agent": "utp/1\r\nX: y"},
        {"origin": "capture"},
        {"time_scale": 0.5},
        {"time_scale": 60.0, "origin": "live"},
        {"bases": {"other": "http://127.0.0.1:1"}},
        {"bases": {"acme": "http://192.0.2.1/v1"}},
        {"bases": {"acme": "http://api.acme.example/v1"}},
        {"bases": {"acme": "https://elsewhere.example/v1"}},
        {"bases": {"acme": "https://api.acme.example/v1"}},
        {"bases": {"acme": "https://user:word@api.acme.example/v1"}},
        {"bases": {"acme": "127.0.0.1:80"}},
    ],
)
def test_a_transport_that_must_not_ask_is_not_made(settings: dict, connect: Connect) -> None:
    with pytest.raises(TransportSettingError):
        connect(**settings)


def test_constructed_answers_come_from_loopback_and_live_ones_never_do(stand_in: StandIn, connect: Connect) -> None:
    for settings in ({"origin": "live"}, {"bases": {}}):
        with pytest.raises(TransportSettingError, match="acme: origin"):
            connect(**settings).fetch(ask())
    assert not stand_in.arrivals


def test_an_endpoint_that_is_not_declared_is_named(connect: Connect) -> None:
    with pytest.raises(TransportSettingError, match="acme, nothing of x"):
        connect().fetch(Request("acme", "nothing", "x"))
    with pytest.raises(TransportSettingError, match="nobody, stops of x"):
        connect().fetch(Request("nobody", "stops", "x"))


def test_fetched_at_is_the_clock_of_here(stand_in: StandIn, connect: Connect, clock: FakeClock) -> None:
    stand_in.on("/acme/v1/stops", reply(200, Date="Mon, 01 Jan 2001 00:00:00 GMT"))
    answer = connect(time_scale=60.0).fetch(ask())
    assert answer.fetched_at == clock.now()
    assert answer.fetched_at.utcoffset() == timedelta(0)
