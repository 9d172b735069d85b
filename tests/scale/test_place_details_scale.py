"""How many details of places are parsed and staged in a second, on one core: prints, judges only the rows."""

import time
from dataclasses import replace

import pytest

from pipeline.provider_rows import stage_answers
from sources.protocol.discovery import load_source
from tests.sources.tripadvisor.answers import EXAMPLES, FOLDER, of_file

ANSWERS = 12_000


@pytest.mark.scale
def test_details_of_places_are_parsed_and_staged(capsys: pytest.CaptureFixture[str]) -> None:
    source = load_source(FOLDER)
    details = [of_file(path) for path in EXAMPLES if path.name.startswith("details_")]
    answers = [replace(details[number % len(details)], request_id=f"{number:064x}") for number in range(ANSWERS)]

    start = time.process_time()
    items = sum(1 for one in answers for _ in source.read(one))
    parsed = time.process_time() - start
    start = time.process_time()
    built = stage_answers(source, answers)
    staged = time.process_time() - start

    with capsys.disabled():
        size = sum(len(one.body or b"") for one in answers) / ANSWERS / 1000
        print(f"\n{ANSWERS:,} details of {size:.1f} kB, {items:,} rows:", end=" ")
        print(f"parsed {ANSWERS / parsed:,.0f} a second, parsed and staged {ANSWERS / staged:,.0f} a second")
    places = sum(built[table].rows.num_rows for table in ("attractions", "restaurants", "accommodations"))
    areas = sum(1 for one in details if b'"geographic"' in (one.body or b""))
    assert places == ANSWERS * (len(details) - areas) // len(details)
    assert sum(one.quarantine.num_rows for one in built.values()) == 0
