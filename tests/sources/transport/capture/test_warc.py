"""A WARC: each answer to a provider becomes one as it came; what is torn or of another kind is named."""

import gzip
import random
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import brotli
import pytest

from tests.sources.transport.capture.files import KEY, exchange, taken, warc


@pytest.mark.parametrize("packed", [True, False], ids=["packed", "plain"])
def test_a_record_becomes_an_answer_with_its_own_time_and_status(tmp_path: Path, packed: bool) -> None:
    file = warc(tmp_path, exchange(status="404 Not Found", headers={"ETag": "7", "Set-Cookie": "a=b"}), packed=packed)
    (answer,), skipped = taken(file)
    assert skipped == []
    assert (answer.endpoint, dict(answer.params), answer.status) == ("stops", {"area": "Kochi"}, 404)
    assert (answer.body, answer.media_type, answer.origin) == (b'{"a": 1}', "application/json", "capture")
    assert answer.fetched_at == datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    assert answer.headers == {"content-type": "application/json", "etag": "7"}


def test_the_question_gives_method_and_parameters(tmp_path: Path) -> None:
    url = "https://api.acme.example/v1/form"
    sent = exchange(url, method="POST", sent=b"area=Kochi+%26+sea&b=")
    (answer,), skipped = taken(warc(tmp_path, sent, exchange(url)))
    assert (answer.endpoint, dict(answer.params)) == ("form", {"area": "Kochi & sea", "b": ""})
    assert "asked by GET" in skipped[0]


def test_an_answer_without_its_question_was_one_to_get(tmp_path: Path) -> None:
    (answer,), _ = taken(warc(tmp_path, exchange(with_question=False)))
    assert dict(answer.params) == {"area": "Kochi"}


def chunked(body: bytes) -> bytes:
    return b"3\r\n" + body[:3] + b"\r\n%x;name=x\r\n" % (len(body) - 3) + body[3:] + b"\r\n0\r\n\r\n"


BODY = "café".encode() * 30


@pytest.mark.parametrize(
    ("kept", "headers"),
    [
        (gzip.compress(BODY), {"Content-Encoding": "gzip"}),
        (brotli.compress(BODY), {"Content-Encoding": "br"}),
        (zlib.compress(BODY), {"Content-Encoding": "deflate"}),
        (zlib.compress(BODY, wbits=-15), {"Content-Encoding": "deflate"}),
        (chunked(BODY), {"Transfer-Encoding": "chunked"}),
        (chunked(gzip.compress(BODY)), {"Transfer-Encoding": "chunked", "Content-Encoding": "gzip"}),
        (brotli.compress(gzip.compress(BODY)), {"Content-Encoding": "gzip, br"}),
    ],
    ids=["gzip", "brotli", "deflate", "bare deflate", "chunks", "packed chunks", "twice"],
)
def test_a_body_is_unpacked(tmp_path: Path, kept: bytes, headers: dict[str, str]) -> None:
    (answer,), _ = taken(warc(tmp_path, exchange(body=kept, headers=headers)))
    assert answer.body == BODY


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (exchange("https://elsewhere.example/"), "no endpoint of acme"),
        (exchange(warc_headers={"WARC-Truncated": "length"}), "its record is truncated (length)"),
        (exchange(stated_length=4000), "truncated: 8 of 4000 bytes"),
        (exchange(body=gzip.compress(BODY)[:-9], headers={"Content-Encoding": "gzip"}), "ends in the middle"),
        (exchange(body=brotli.compress(BODY)[:-3], headers={"Content-Encoding": "br"}), "ends in the middle"),
        (exchange(body=zlib.compress(BODY)[:-3], headers={"Content-Encoding": "deflate"}), "ends in the middle"),
        (exchange(body=chunked(BODY)[:-7], headers={"Transfer-Encoding": "chunked"}), "chunked body is cut off"),
        (exchange(body=b"x", headers={"Content-Encoding": "zstd"}), "packed as 'zstd'"),
        (exchange(body=b"x" * 1_000_001), "larger than 1000000 bytes"),
        (exchange(status="302 Found"), "leads elsewhere"),
        (exchange(kind="resource"), "a resource record holds no answer"),
        (exchange(kind="revisit"), "a revisit record holds no answer"),
        (exchange(at="2026-12-24T12:00:00Z"), "still to come"),
        (exchange(at="soon"), "time 'soon' is none"),
    ],
)
def test_what_cannot_be_taken_is_named_with_the_reason_and_costs_nothing_else(
    tmp_path: Path, made: Any, reason: str
) -> None:
    answers, skipped = taken(warc(tmp_path, made, exchange("https://api.acme.example/v1/stops?area=Pune")))
    assert [dict(answer.params) for answer in answers] == [{"area": "Pune"}]
    (line,) = skipped
    assert reason in line


def test_a_body_that_is_not_the_one_that_was_written_is_not_taken(tmp_path: Path) -> None:
    file = warc(tmp_path, exchange(body=b"one"), packed=False)
    file.write_bytes(file.read_bytes().replace(b"\r\n\r\none", b"\r\n\r\ntwo"))
    answers, (line,) = taken(file)
    assert answers == []
    assert "its record is not what was written" in line


def test_keys_are_taken_out_of_everything_wherever_in_the_file_they_stand(tmp_path: Path) -> None:
    other = "header-key-4711"
    answers, skipped = taken(
        warc(
            tmp_path,
            exchange("https://api.acme.example/v1/stops?area=Pune", body=f"{KEY} {other}".encode()),
            exchange(
                f"https://api.acme.example/v1/stops?area=Kochi&key={KEY}",
                body=gzip.compress(f"{KEY} {other}".encode()),
                headers={"Content-Encoding": "gzip", "ETag": KEY},
                sent_headers={"X-API-Key": other},
            ),
        )
    )
    assert skipped == []
    assert [answer.body for answer in answers] == [b"REDACTED REDACTED"] * 2
    assert KEY not in repr([(answer, answer.headers) for answer in answers])


@pytest.mark.parametrize("packed", [True, False], ids=["packed", "plain"])
def test_a_file_cut_anywhere_gives_whole_answers_only_and_says_where_it_ended(tmp_path: Path, packed: bool) -> None:
    bodies = [random.Random(number).randbytes(400) for number in range(3)]
    made = [exchange(f"https://api.acme.example/v1/stops?area={n}", body=body) for n, body in enumerate(bodies)]
    file = warc(tmp_path, *made, packed=packed)
    whole = file.read_bytes()
    assert len(taken(file)[0]) == 3
    for cut in range(40, len(whole), 23):
        file.write_bytes(whole[:cut])
        answers, _ = taken(file)
        assert [answer.body for answer in answers] == bodies[: len(answers)]


@pytest.mark.parametrize("packed", [True, False], ids=["packed", "plain"])
def test_whatever_byte_is_changed_it_is_told_and_never_an_accident(tmp_path: Path, packed: bool) -> None:
    body = random.Random(1).randbytes(400)
    file = warc(tmp_path, exchange(body=body), packed=packed)
    whole, chance = file.read_bytes(), random.Random(2)
    for _ in range(400):
        place = chance.randrange(30, len(whole))
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :])
        answers, _ = taken(file)
        assert [answer.body for answer in answers] in ([], [body])
