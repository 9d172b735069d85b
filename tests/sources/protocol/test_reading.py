"""What holds for the answers of every provider is told before its parser is asked."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sources.protocol.cuts import CUT
from sources.protocol.discovery import Source
from sources.protocol.types import Answer, Parsed, Refusal, Row
from tests.sources.protocol.test_declaration import SOURCE, load

ANSWER = Answer(
    "0" * 64, "demo", "search", "Pune", {}, "", 200, {}, "application/json", datetime(2026, 3, 1, tzinfo=UTC), b"{}",
    "0" * 64, "live",
)  # fmt: skip
IN_PARTS = Refusal("aborted", "asked for in parts", is_split=True)


def parse(answer: Answer) -> Iterable[Parsed]:
    yield Row("restaurants", {"name": "Constructed"}) if answer.body else Refusal("not_json", "", is_retryable=True)


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return Source(load(tmp_path, SOURCE), lambda _region, _known: (), parse, tmp_path)


def test_a_whole_answer_is_parsed(source: Source) -> None:
    assert list(source.read(ANSWER)) == [Row("restaurants", {"name": "Constructed"})]


def test_an_answer_whose_body_had_to_be_dropped_is_expired_and_never_fewer_rows(source: Source) -> None:
    (refusal,) = source.read(replace(ANSWER, body=None))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.is_retryable) == ("expired", False)
    assert "2026-03-01" in refusal.message


def test_an_answer_that_was_too_large_is_refused_for_good_whatever_its_parser_makes_of_nothing(source: Source) -> None:
    (refusal,) = source.read(replace(ANSWER, body=b"", headers=CUT))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.is_retryable) == ("too_large", False)


def test_a_parser_that_asks_for_parts_of_what_was_too_large_is_heard(source: Source) -> None:
    splitting = replace(source, parse=lambda _: [IN_PARTS])
    assert list(splitting.read(replace(ANSWER, body=b"", headers=CUT))) == [IN_PARTS]
