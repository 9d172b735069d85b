"""Bounds of one exchange: time in all, size, and whole bodies only."""

import gzip
import random
import time
import zlib

import pytest

from sources.protocol.cuts import is_too_large
from sources.transport.archive import Archive
from sources.transport.decoding import TooLarge, Undecodable, decode
from sources.transport.errors import ProviderStopped, TransportError
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import ask, declare
from tests.sources.transport.stand_in import Script, StandIn, raw, redirect, reply, slowly

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
DRIP = [b"x"] * 60


@pytest.mark.parametrize(
    "script",
    [
        raw(HEAD + b"Content-Length: 60\r\n\r\n", *DRIP, pause_s=0.05),
        raw(HEAD + b"Connection: close\r\n\r\n", *DRIP, pause_s=0.05),
        raw(HEAD + b"X-Endless: ", *DRIP, pause_s=0.05),
        raw(*[bytes([byte]) for byte in HEAD], pause_s=0.05),
        raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *[b"1\r\nx\r\n"] * 60, pause_s=0.05),
        slowly(reply(200), 2.0),
    ],
    ids=["body of known length", "body until the end", "one header", "head", "chunks", "silence"],
)
def test_who_never_comes_to_an_end_is_cut_at_the_deadline(
    script: Script, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/acme/v1/stops", script)
    transport = connect(declare(timeout_s=0.4))
    started = time.monotonic()
    with pytest.raises(TransportError, match=r"no whole answer within 0.4 s"):
        transport.fetch(ask())
    assert len(stand_in.arrivals) == 2, "a try that took all of its time is made once more only"
    assert time.monotonic() - started < 2 * 0.4 + 0.6
    assert not list(archive.answers("acme"))


def test_the_deadline_holds_on_a_connection_that_is_used_again(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200), raw(HEAD + b"Content-Length: 60\r\n\r\n", *DRIP, pause_s=0.05))
    transport = connect(declare(timeout_s=0.4))
    transport.fetch(ask("Kochi"))
    started = time.monotonic()
    with pytest.raises(TransportError, match="no whole answer"):
        transport.fetch(ask("Pune"))
    assert time.monotonic() - started < 2 * 0.4 + 0.6


def test_redirects_share_one_deadline(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", slowly(redirect("/acme/v1/there"), 0.3))
    stand_in.on("/acme/v1/there", slowly(reply(200), 0.3))
    with pytest.raises(TransportError, match="no whole answer"):
        connect(declare(timeout_s=0.5)).fetch(ask())
    assert connect(declare(timeout_s=5.0)).fetch(ask()).status == 200


def test_what_was_cut_leaves_the_transport_usable(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", slowly(reply(200), 1.0), slowly(reply(200), 1.0), reply(200, b"good"))
    transport = connect(declare(timeout_s=0.2))
    with pytest.raises(TransportError):
        transport.fetch(ask("Kochi"))
    assert transport.fetch(ask("Pune")).body == b"good"


@pytest.mark.parametrize(
    "script",
    [
        reply(200, b"x" * 1001),
        raw(HEAD + b"Connection: close\r\n\r\n", b"x" * 1001),
        reply(200, gzip.compress(b"x" * 50_000_000), Content_Encoding="gzip"),
    ],
    ids=["stated length", "until the end", "packed bomb"],
)
def test_of_too_large_a_body_it_is_kept_that_it_was_too_large(
    script: Script, stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    stand_in.on("/acme/v1/stops", script)
    transport = connect(declare(max_bytes=1000))
    answer = transport.fetch(ask())
    assert is_too_large(answer)
    assert (answer.status, answer.body, answer.media_type) == (200, b"", "application/json")
    assert archive.known("acme").answer(ask()) == answer
    stand_in.on("/acme/v1/stops", reply(200, b"x" * 1000))
    assert not is_too_large(transport.fetch(ask()))


def test_a_provider_cannot_say_that_its_answer_was_cut_here(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200, b"{}", X_UTP_Cut="too_large"))
    assert not is_too_large(connect().fetch(ask()))


def test_too_large_a_refusal_is_a_refusal(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(403, b"x" * 1001))
    with pytest.raises(ProviderStopped, match="403"):
        connect(declare(max_bytes=1000)).fetch(ask())


def test_the_body_of_a_redirect_is_not_read_beyond_the_same_bounds(stand_in: StandIn, connect: Connect) -> None:
    bomb = gzip.compress(bytes(1_000_000))
    stand_in.on("/acme/v1/stops", reply(302, bomb, Content_Encoding="gzip", Location="/acme/v1/there"))
    stand_in.on("/acme/v1/there", reply(200, b"found"))
    assert connect(declare(max_bytes=1000)).fetch(ask()).body == b"found"
    assert stand_in.at("/acme/v1/there")


def test_a_body_of_the_largest_size_is_kept_whole(stand_in: StandIn, connect: Connect) -> None:
    body = random.Random(7).randbytes(1000)
    packed = gzip.compress(body)
    assert len(packed) > 1000
    stand_in.on("/acme/v1/stops", reply(200, body), reply(200, packed, Content_Encoding="gzip"))
    transport = connect(declare(max_bytes=1000))
    assert transport.fetch(ask("Kochi")).body == body
    assert transport.fetch(ask("Pune")).body == body


def test_a_packed_body_is_kept_unpacked(stand_in: StandIn, connect: Connect, archive: Archive) -> None:
    body = b'{"stops": [' + b"1," * 200_000 + b"1]}"
    stand_in.on("/acme/v1/stops", reply(200, gzip.compress(body), Content_Encoding="gzip"))
    connect().fetch(ask())
    assert archive.known("acme").answer(ask()).body == body


def test_a_packed_body_that_ends_early_is_a_failure_though_its_length_is_as_stated(
    stand_in: StandIn, connect: Connect, archive: Archive
) -> None:
    packed = gzip.compress(bytes(range(256)) * 100)
    stand_in.on("/acme/v1/stops", reply(200, packed[:-20], Content_Encoding="gzip"))
    with pytest.raises(TransportError, match="it ends in the middle"):
        connect().fetch(ask())
    assert not list(archive.answers("acme"))


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip"])
def test_a_packing_that_was_not_asked_for_is_a_failure(encoding: str, stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200, b"...", Content_Encoding=encoding))
    with pytest.raises(TransportError, match=f"packed as '{encoding}', which was not asked for"):
        connect().fetch(ask())


@pytest.mark.parametrize("size", [1, 7, 1000, 1 << 20])
def test_unpacking_does_not_depend_on_how_a_body_comes(size: int) -> None:
    body = bytes(range(256)) * 3000
    packed = gzip.compress(body[:1000]) + gzip.compress(body[1000:])
    chunks = [packed[at : at + size] for at in range(0, len(packed), size)]
    assert decode(chunks, "gzip", len(body)) == body


def test_nothing_is_nothing_packed_or_not() -> None:
    assert decode([], "gzip", 10) == decode([], "", 10) == b""


def test_a_bomb_is_not_unpacked_beyond_its_limit() -> None:
    packer = zlib.compressobj(9, wbits=31)
    bomb = packer.compress(bytes(200_000_000)) + packer.flush()
    started = time.monotonic()
    with pytest.raises(TooLarge):
        decode([bomb], "gzip", 1_000_000)
    assert time.monotonic() - started < 0.2


@pytest.mark.parametrize("data", [b"not packed", gzip.compress(b"x" * 99)[:-1], gzip.compress(b"x") + b"more"])
def test_what_does_not_unpack_is_undecodable(data: bytes) -> None:
    with pytest.raises(Undecodable):
        decode([data], "gzip", 1000)


def test_where_the_end_does_not_matter_a_body_is_cut_at_the_limit() -> None:
    assert decode([b"abc", b"def"], "", 4, is_cut=True) == b"abcd"
    assert decode([gzip.compress(b"abcdef")[:-6]], "gzip", 4, is_cut=True) == b"abcd"
