"""Events by local day."""

from datetime import date
from typing import Any

import pytest

from schemas.arrow import table_schema
from schemas.region import Region
from warehouse.derive.events import build_events

Row = dict[str, Any]
EVENT = {
    "name": "Evening Ragas",
    "url": "https://example.org/e/1",
    "event_date": date(2025, 11, 3),
    "streetAddress": "Hall 1",
    "segmentName": "Music",
    "city_name": "Bangalore",
}


def test_an_event_has_its_city_twice_and_its_day_as_text(region: Region, staged: Any) -> None:
    built = build_events([staged("events", EVENT)], region)
    (row,) = built.rows.to_pylist()
    assert (row["City"], row["city"], row["dateTitle"]) == ("Bengaluru", "Bengaluru", "03-11-2025")
    assert row["evaluator_visible"] is True
    assert built.rows.schema == table_schema("events")


def test_each_day_of_an_event_is_a_row_and_the_same_day_told_twice_is_one(region: Region, staged: Any) -> None:
    rows = (EVENT, EVENT | {"event_date": date(2025, 11, 4)}, EVENT | {"segmentName": None})
    built = build_events([staged("events", *rows)], region)
    assert built.rows["event_date"].to_pylist() == [date(2025, 11, 3), date(2025, 11, 4)]
    assert built.rows["segmentName"].to_pylist() == ["Music", "Music"]
    assert [(row["source_ref"], row["rule"]) for row in built.merges.to_pylist()] == [("one.csv#3", "same_event")]


def test_an_event_in_no_city_of_the_region_stays_hidden_once(region: Region, staged: Any) -> None:
    away = EVENT | {"city_name": "Atlantis"}
    built = build_events([staged("events", away, away, EVENT)], region)
    assert [row["City"] for row in built.rows.to_pylist()] == ["Bengaluru", None]
    assert built.notes.unmapped == {"cities": {"Atlantis": 2}}


@pytest.mark.parametrize("column", ["name", "url", "event_date"])
def test_an_event_without_name_address_or_day_is_quarantined(region: Region, staged: Any, column: str) -> None:
    built = build_events([staged("events", EVENT | {column: None})], region)
    assert [(row["code"], row["column"]) for row in built.quarantine.to_pylist()] == [("required", column)]


def test_a_name_that_would_end_a_part_of_a_plan_is_quarantined(region: Region, staged: Any) -> None:
    built = build_events([staged("events", EVENT | {"name": "Ragas; Jazz"})], region)
    assert built.quarantine["code"].to_pylist() == ["name_breaks_grammar"]
