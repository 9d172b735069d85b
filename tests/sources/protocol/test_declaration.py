"""source.yaml: read strictly, every fault with its line and the next step."""

from pathlib import Path

import pytest

from schemas.errors import UtpError
from sources.protocol.declaration import (
    ONCE,
    Declaration,
    DeclarationError,
    Follows,
    Price,
    Rate,
    Repeat,
    Secret,
    load_declaration,
)
from sources.protocol.types import Account

SOURCE = """\
id: demo
title: A provider
base: https://api.example.org/v1/
hosts: [api.example.org, mirror.example.org]
robots: not_applicable
secrets: {appId: UTP_DEMO_ID, appKey: UTP_DEMO_KEY}
endpoints:
  search:
    method: GET
    path: /places/{city}/search
    params_in: query
    secret_in: {query: [appId, appKey]}
    scope: city
    is_static: true
    rate: {calls: 1, seconds: 2.5}
    daily_calls: 10000
    unit: call
    price: {amount: 0.01, currency: USD}
    days_valid: 90
    timeout_s: 200
    max_bytes: 1000000
    media_types: [application/json]
  ask:
    method: POST
    path: /ask
    params_in: form
    scope: area
    is_static: false
    rate: {calls: 5, seconds: 1}
    unit: call
    price: {amount: 0, currency: USD}
    days_valid: 0.5
    timeout_s: 10
    max_bytes: 1000
    media_types: [application/json, text/plain]
terms: {confidence: documented, family: attribution}
floors: {restaurants: {min_rows: 10, min_cities: 2}}
"""


def load(folder: Path, text: str) -> Declaration:
    path = folder / "demo" / "source.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_declaration(path)


def test_everything_that_is_written_is_read(tmp_path: Path) -> None:
    read = load(tmp_path, SOURCE)
    assert (read.id, read.title, read.base) == ("demo", "A provider", "https://api.example.org/v1")
    assert read.hosts == ("api.example.org", "mirror.example.org")
    assert read.floors == {"restaurants": {"min_rows": 10, "min_cities": 2}}
    assert (read.terms.family, read.robots, read.terms.robots) == ("attribution", "not_applicable", "not_applicable")
    search, ask = read.endpoints["search"], read.endpoints["ask"]
    assert (search.name, search.method, search.path, search.params_in) == (
        "search", "GET", "/places/{city}/search", "query"
    )  # fmt: skip
    assert search.path_params == ("city",)
    assert (search.rate, search.price, search.daily_calls) == (Rate(1, 2.5), Price(0.01, "USD"), 10000)
    assert search.secrets == (Secret("query", "appId", "UTP_DEMO_ID"), Secret("query", "appKey", "UTP_DEMO_KEY"))
    assert (search.is_static, search.scope, search.unit) == (True, "city", "call")
    assert (ask.method, ask.params_in, ask.secrets, ask.daily_calls, ask.is_static) == ("POST", "form", (), None, False)
    assert (ask.days_valid, ask.timeout_s, ask.max_bytes) == (0.5, 10, 1000)
    assert ask.media_types == ("application/json", "text/plain")


def test_marks_are_lists_of_texts_none_of_them_empty(tmp_path: Path) -> None:
    marked = SOURCE.replace("max_bytes: 1000000\n", "max_bytes: 1000000\n    MARKS\n", 1)
    for key in ("quota_marks", "rate_marks"):
        read = load(tmp_path, marked.replace("MARKS", f"{key}: [Account Over, spent]"))
        assert getattr(read.endpoints["search"], key) == ("Account Over", "spent")
        assert getattr(read.endpoints["ask"], key) == ()
        for wrong, words in ((f'{key}: ["", spent]', "which stands in every answer"), (f"{key}: spent", key)):
            with pytest.raises(DeclarationError, match=rf"line 22: .*{words}"):
                load(tmp_path, marked.replace("MARKS", wrong))


def test_the_hash_is_that_of_the_file(tmp_path: Path) -> None:
    first = load(tmp_path, SOURCE).sha256
    assert len(first) == 64
    assert load(tmp_path, SOURCE + "\n").sha256 != first


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("id: demo", "id: Demo", 1, ["'Demo'"]),
        ("id: demo", "id: other", 1, ["'other'", "'demo'", "make them the same"]),
        ("title: A provider", "titel: A provider", 2, ["'titel'", "did you mean 'title'"]),
        ("title: A provider", "title:", 2, ["'title' is empty"]),
        ("base: https:", "base: http:", 3, ["https address"]),
        ("v1/", "v1?key=1", 3, ["https address"]),
        ("https://api", "https://user@api", 3, ["https address"]),
        ("https://api.example.org", "https://[", 3, ["https address"]),
        ("[api.example.org, ", "[", 4, ["'hosts' must list 'api.example.org'"]),
        ("robots: not_applicable", "robots: ignore", 5, ["'ignore'", "'obey'"]),
        ("UTP_DEMO_ID", "a1b2c3", 6, ["'appId'", "environment variable"]),
        ("appKey: UTP", "third: UTP_X, appKey: UTP", 6, ["no endpoint uses 'third'"]),
        ("method: GET", "method: PUT", 9, ["'PUT'", "'POST'"]),
        ("path: /places", "path: places", 10, ["begins with /"]),
        ("path: /places", "path: /places?x=1", 10, ["no query"]),
        ("params_in: query", "params_in: form", 11, ["GET has no body"]),
        ("{query: [appId, appKey]}", "{cookie: appId}", 12, ["'cookie'", "'header'"]),
        ("{query: [appId, appKey]}", "{query: [appId, apKey]}", 12, ["'apKey'", "did you mean 'appKey'"]),
        ("{query: [appId, appKey]}", "{query: }", 12, ["empty"]),
        ("is_static: true", "is_static: yes", 14, ["'yes'", "'true'"]),
        ("{calls: 1, seconds: 2.5}", "{calls: 1}", 15, ["'seconds' missing"]),
        ("{calls: 1, seconds: 2.5}", "{calls: 0, seconds: 2.5}", 15, ["above 0"]),
        ("{calls: 1, seconds: 2.5}", "{calls: 1.5, seconds: 2.5}", 15, ["whole number"]),
        ("{calls: 1, seconds: 2.5}", "1", 15, ["mapping of keys"]),
        ("daily_calls: 10000", "daily_calls: many", 16, ["'many'"]),
        ("amount: 0.01", "amount: -1", 18, ["never below 0"]),
        ("amount: 0.01, currency: USD", "amount: 0.01, currency: $", 18, ["three letters"]),
        ("days_valid: 90", "days_valid: 0", 19, ["above 0"]),
        ("timeout_s: 200", "timeout_s: nan", 20, ["must be a number"]),
        ("    max_bytes: 1000000\n", "", 9, ["'max_bytes' missing"]),
        ("media_types: [application/json]", "media_types: []", 22, ["'media_types' is empty"]),
        ("family: attribution", "family: free", 36, ["terms", "'free'"]),
        ("family: attribution", "robots: obey", 36, ["'obey' here and 'not_applicable' above"]),
        ("restaurants: {", "cafes: {", 37, ["'cafes'", "'restaurants'"]),
        ("min_cities: 2", "min_towns: 2", 37, ["'min_towns'", "did you mean 'min_rows'"]),
        ("min_cities: 2", "min_cities: 0", 37, ["above 0"]),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_file_line_and_choices(
    tmp_path: Path, old: str, new: str, line: int, words: list[str]
) -> None:
    assert old in SOURCE
    with pytest.raises(DeclarationError) as caught:
        load(tmp_path, SOURCE.replace(old, new, 1))
    assert str(caught.value).startswith(f"demo/source.yaml, line {line}: ")
    for word in words:
        assert word in str(caught.value)


def test_a_provider_without_endpoints_is_refused(tmp_path: Path) -> None:
    head, _, rest = SOURCE.partition("endpoints:\n")
    text = head.replace("secrets: {appId: UTP_DEMO_ID, appKey: UTP_DEMO_KEY}\n", "")
    with pytest.raises(DeclarationError, match=r"line 6: .*'endpoints' is empty"):
        load(tmp_path, text + "endpoints: {}\n" + rest[rest.index("terms:") :])


@pytest.mark.parametrize("text", ["", "a: [", "- a\n", "a: \x00\n"])
def test_what_is_no_mapping_is_refused_with_its_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(DeclarationError, match=r"demo/source\.yaml, "):
        load(tmp_path, text)


def test_a_missing_file_is_an_error_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(UtpError, match=r"source\.yaml: No such file"):
        load_declaration(tmp_path / "demo" / "source.yaml")


EXTRA = """\
accounts:
  small: {max_cells: 2500}
  large: {max_cells: 100000, max_side: 1000}
stand_in_account: large
"""
FOLLOWING = """\
    media_types: [application/json, text/plain]
    base: https://mirror.example.org/other/
    repeat: {most: 720, every_s: 10}
    follows: {endpoint: search, least: 1, most: 3}
"""


def with_more() -> str:
    return SOURCE.replace("    media_types: [application/json, text/plain]\n", FOLLOWING) + EXTRA


def test_accounts_and_endpoints_that_follow_others_are_read(tmp_path: Path) -> None:
    read = load(tmp_path, with_more())
    search, ask = read.endpoints["search"], read.endpoints["ask"]
    assert list(read.accounts.values()) == [
        Account("small", {"max_cells": 2500}),
        Account("large", {"max_cells": 100_000, "max_side": 1000}),
    ]
    assert read.stand_in_account == "large"
    assert (search.repeat, search.follows, read.base_of(search)) == (ONCE, None, "https://api.example.org/v1")
    assert (ask.repeat, ask.follows) == (Repeat(720, 10), Follows("search", 1, 3))
    assert read.base_of(ask) == "https://mirror.example.org/other"
    assert read.tables == ("restaurants",)


def test_a_provider_with_one_kind_of_account_need_not_name_it(tmp_path: Path) -> None:
    read = load(tmp_path, SOURCE)
    assert (dict(read.accounts), read.stand_in_account) == ({"standard": Account("standard", {})}, "standard")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("stand_in_account: large", "stand_in_account: huge", ["'huge'", "'small'"]),
        (EXTRA, "accounts: {}\n", ["empty"]),
        ("max_cells: 2500", "max_cells: 0", ["above 0"]),
        ("mirror.example.org/other", "evil.example.org/other", ["'hosts' must list 'evil.example.org'"]),
        ("most: 720", "most: 0", ["above 0"]),
        ("every_s: 10", "every: 10", ["'every'", "did you mean 'every_s'"]),
        ("endpoint: search, least", "endpoint: ask, least", ["'ask' follows 'ask'", "'search'"]),
        ("least: 1, most: 3", "least: 4, most: 3", ["'least'", "from 0 to 'most'"]),
    ],
)  # fmt: skip
def test_a_fault_in_accounts_or_order_is_refused_with_its_choices(
    tmp_path: Path, old: str, new: str, words: list[str]
) -> None:
    assert old in with_more()
    with pytest.raises(DeclarationError) as caught:
        load(tmp_path, with_more().replace(old, new, 1))
    for word in words:
        assert word in str(caught.value)
