"""A provider that shuts us out stops, with its cause; the others go on."""

import pytest

from sources.transport.archive import Archive
from sources.transport.errors import ProviderStopped
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import HEADER_KEY, ask, declare
from tests.sources.transport.stand_in import StandIn, reply


@pytest.mark.parametrize(("status", "cause"), [(401, "does not accept us"), (403, "shuts us out")])
def test_a_refusal_stops_its_provider_and_no_other(
    status: int, cause: str, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/acme/v1/stops", reply(status, b"no"), reply(200))
    stand_in.on("/other/v1/stops", reply(200))
    key = {"UTP_ACME_KEY": "k-3f9a/77+Zq=="}
    transport = connect(declare(secrets=HEADER_KEY), declare("other"), environment=key)
    with pytest.raises(ProviderStopped, match=rf"acme, stops of Kochi: .*{cause} \({status}\); check UTP_ACME_KEY"):
        transport.fetch(ask("Kochi"))
    with pytest.raises(ProviderStopped, match=f"acme, stops of Pune: .*{cause}"):
        transport.fetch(ask("Pune"))
    assert len(stand_in.at("/acme/v1/stops")) == 1
    assert transport.fetch(ask(provider="other")).status == 200
    assert [answer.status for answer in archive.answers("acme")] == [status]
    assert list(transport.stops) == ["acme"]


@pytest.mark.parametrize("status", [200, 402, 500])
def test_an_answer_that_says_that_the_quota_is_gone_stops_its_provider(
    status: int, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    body = b'{"error": "Daily quota exceeded for this plan"}'
    stand_in.on("/acme/v1/stops", reply(status, body))
    with pytest.raises(ProviderStopped, match="quota is spent; wait for the next period"):
        connect(declare(quota_marks=("quota exceeded",))).fetch(ask())
    assert [answer.body for answer in archive.answers("acme")] == [body]


def test_a_mark_in_a_header_counts_too_and_is_archived(stand_in: StandIn, connect: Connect, archive: Archive) -> None:
    stand_in.on("/acme/v1/stops", reply(403, b"", X_Error_Detail_Header="Account Over Rate Limit"))
    with pytest.raises(ProviderStopped, match="quota is spent"):
        connect(declare(quota_marks=("Over Rate Limit",))).fetch(ask())
    assert [answer.headers["x-error-detail-header"] for answer in archive.answers("acme")] == [
        "Account Over Rate Limit"
    ]


@pytest.mark.parametrize("status", [200, 403, 429])
def test_a_spent_quota_is_not_asked_once_more_even_where_it_was_too_fast(
    status: int, stand_in: StandIn, connect: Connect
) -> None:
    stand_in.on("/acme/v1/stops", reply(status, b"too fast, and quota exceeded"))
    with pytest.raises(ProviderStopped, match="quota is spent"):
        connect(declare(quota_marks=("quota exceeded",), rate_marks=("too fast",))).fetch(ask())
    assert len(stand_in.arrivals) == 1


def test_a_long_answer_may_hold_the_words_of_a_refusal(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200, b'{"name": "Quota exceeded cafe", "x": "' + b"x" * 70_000 + b'"}'))
    assert connect(declare(quota_marks=("Quota exceeded",))).fetch(ask()).status == 200


def test_an_error_knows_who_what_why_and_what_next(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(403))
    with pytest.raises(ProviderStopped) as caught:
        connect().fetch(ask())
    error = caught.value
    assert (error.provider, error.endpoint, error.scope) == ("acme", "stops", "Kochi")
    assert (error.cause, error.next_step, error.exit_status) == ("it shuts us out (403)", "look at its terms", 3)
