"""Which request an exchange answers: the very one that the transport would have sent."""

from dataclasses import replace

import pytest

from sources.protocol.types import Request
from sources.transport.calls import Keys, build_call
from sources.transport.capture.exchange import Asked, Unusable
from sources.transport.capture.matching import match
from tests.sources.transport.capture.files import KEY, declared

DECLARED = declared()


def asked(url: str, method: str = "GET", body: bytes = b"") -> Asked:
    return Asked(method, url, {}, body)


@pytest.mark.parametrize(
    ("endpoint", "params"),
    [
        ("stops", {"area": "Kochi & sea", "b": ""}),
        ("stops", {}),
        ("place", {"id": "a/b c", "lang": "é"}),
        ("form", {"data": "[out:json];\nnode(1);", "é": "=&"}),
        ("form", {}),
        ("json", {"a": '[{"x": 1.50}]', "b": '"é"', "c": '{\n "d" : null }', "e": "1e3"}),
        ("json", {}),
        ("job", {"job": "7f-1"}),
    ],
)
def test_what_the_transport_sends_is_read_back_as_the_same_request(endpoint: str, params: dict[str, str]) -> None:
    request = Request("acme", endpoint, "x", params)
    declared_as = DECLARED.endpoints[endpoint]
    call = build_call(declared_as, request, DECLARED.base_of(declared_as), Keys({"key": KEY}, {"X-Api-Key": KEY}))
    found, read = match(DECLARED, Asked(call.method, call.url, call.headers, call.body or b""), "x")
    assert (found.name, read) == (endpoint, request)
    assert read.id == request.id


def test_an_endpoint_without_parameters_in_its_path_comes_first() -> None:
    assert match(DECLARED, asked("https://api.acme.example/v1/places/all/tags"), "")[0].name == "list"
    assert match(DECLARED, asked("https://api.acme.example/v1/places/al/tags"), "")[0].name == "place"


@pytest.mark.parametrize(
    "url",
    [
        "http://api.acme.example/v1/stops",
        "https://api.acme.example:8443/v1/stops",
        "https://api.acme.example.evil.example/v1/stops",
        "https://api.acme.example/v1/stopsx",
        "https://api.acme.example/v1/stops/",
        "https://api.acme.example/stops",
        "https://api.acme.example/v1/places/a/b/tags",
        "https://api.acme.example/v1/places//tags",
        "http://127.0.0.1:8080/acme/v1/stops",
        "https://api.acme.example/async/7f",
        "https://[::1",
        "nonsense",
        "",
    ],
)
def test_any_other_address_is_nobodys(url: str) -> None:
    with pytest.raises(Unusable, match="no endpoint of acme lies there"):
        match(DECLARED, asked(url), "")


def test_a_host_that_may_be_redirected_to_counts_but_not_for_an_endpoint_with_a_base_of_its_own() -> None:
    assert match(DECLARED, asked("https://jobs.acme.example/v1/stops"), "")[0].name == "stops"
    assert match(DECLARED, asked("https://JOBS.acme.example:443/async/7f"), "")[0].name == "job"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (asked("https://api.acme.example/v1/stops?a=1&a=2"), "'a' stands twice"),
        (asked("https://api.acme.example/v1/form?a=1", "POST"), "takes its parameters in the body"),
        (asked("https://api.acme.example/v1/form", "POST", b"a=1&a=2"), "'a' stands twice"),
        (asked("https://api.acme.example/v1/form", "POST", b"\xff"), "no text in UTF-8"),
        (asked("https://api.acme.example/v1/json", "POST", b""), "no JSON object"),
        (asked("https://api.acme.example/v1/json", "POST", b"[1]"), "no JSON object"),
        (asked("https://api.acme.example/v1/json", "POST", b'{"a": 1'), "no JSON"),
        (asked("https://api.acme.example/v1/json", "POST", b'{"a": 1,}'), "no JSON"),
        (asked("https://api.acme.example/v1/json", "POST", b'{"a": 1} x'), "no JSON"),
        (asked("https://api.acme.example/v1/json", "POST", b'{"a": 1, "a": 2}'), "stands twice"),
        (asked("https://api.acme.example/v1/json", "POST", b"{1: 1}"), "is none"),
        (asked("https://api.acme.example/v1/json", "POST", b'{"a": ' + b"[" * 100_000), "no JSON"),
    ],
)
def test_a_question_that_is_no_request_is_refused(question: Asked, reason: str) -> None:
    with pytest.raises(Unusable, match=reason):
        match(DECLARED, question, "")


def test_a_key_in_the_address_is_no_parameter() -> None:
    url = f"https://api.acme.example/v1/form?key={KEY}"
    _, request = match(DECLARED, asked(url, "POST", b"a=1"), "")
    assert dict(request.params) == {"a": "1"}


def test_a_slash_at_the_end_of_a_base_address_does_not_matter() -> None:
    slashed = replace(DECLARED, base="https://api.acme.example/v1")
    assert match(slashed, asked("https://api.acme.example/v1/stops"), "")[0].name == "stops"
