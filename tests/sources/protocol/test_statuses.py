"""An answer that only says that we are not let in, or not now, is no answer: every provider is asked again."""

import hashlib
from datetime import UTC, datetime

import pytest

from sources.protocol.discovery import find_sources
from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal

SOURCES = find_sources()
ENDPOINTS = [(name, endpoint) for name, source in SOURCES.items() for endpoint in source.declaration.endpoints]
BODIES = (b"", b"{}", b'{"error": "no"}', b'{"message": "no"}', b"<html><body>no</body></html>")


def first_of(provider: str, answer: Answer) -> Refusal:
    found = next(iter(SOURCES[provider].parse(answer)))
    assert isinstance(found, Refusal)
    return found


@pytest.mark.parametrize(("provider", "endpoint"), ENDPOINTS)
def test_who_is_not_let_in_or_not_now_is_not_answered_for_good(provider: str, endpoint: str) -> None:
    for status in (401, 402, 403, 406, 407, 451, 408, 425, 429, 500, 503, 511, 520):
        assert is_worth_again(status)
        for body in BODIES:
            found = first_of(provider, _answer(provider, endpoint, status, body))
            # An answer to more than a server could do is asked for in parts.
            assert found.is_retryable or found.is_split, (status, body, found)


@pytest.mark.parametrize(("provider", "endpoint"), ENDPOINTS)
def test_what_the_provider_does_not_have_is_not_asked_again_and_again(provider: str, endpoint: str) -> None:
    found = first_of(provider, _answer(provider, endpoint, 410, b""))
    assert not found.is_retryable
    assert not is_worth_again(410)


def _answer(provider: str, endpoint: str, status: int, body: bytes) -> Answer:
    return Answer(
        request_id="0" * 64,
        provider=provider,
        endpoint=endpoint,
        scope="18.9000,72.7000,19.3000,73.1000" if provider == "osm" else "scope",
        params={},
        url="https://example.org",
        status=status,
        headers={},
        media_type="application/json",
        fetched_at=datetime(2026, 7, 14, 12, 0, tzinfo=UTC),
        body=body,
        body_sha256=hashlib.sha256(body).hexdigest(),
        origin="live",
        subject={},
    )
