"""Events of schema.org as a table: a record is an event, its rows are its local days."""

import json
from typing import Any

import pytest

from sources.tables.stage import StageError
from tests.sources.tables.stops import Stage, refused, rows

EVENTS = """\
id: events
table: events
title: Events
file: events.json
format: events
observed: {at: , note: no date}
columns:
  name: {from: name, parse: text}
  url: {from: url, parse: text}
  event_date: {from: day, parse: date}
  streetAddress: {from: street, parse: text}
  city_name: {from: city, parse: text}
  state_name: {from: state, parse: text}
  segmentName: {from: segment, parse: text}
"""
PLACE = {"@type": "Place", "name": "Hall", "address": "1 Park Rd, Pune, Maharashtra 411001, India"}


def event(**changed: Any) -> dict[str, Any]:
    return {
        "@type": "MusicEvent",
        "name": "Night of Songs",
        "url": "https://events.example/1",
        "startDate": "2026-09-12T20:00:00+05:30",
        "location": PLACE,
    } | changed


def test_an_event_has_a_row_for_each_local_day(stage_text: Stage) -> None:
    first = event(endDate="2026-09-14T22:00:00+05:30")
    second = event(startDate="2026-09-12T20:00:00Z", name="Late")
    built = stage_text(EVENTS, json.dumps([first, second]))
    assert [(str(day), name) for day, name in rows(built, "event_date", "name")] == [
        ("2026-09-12", "Night of Songs"),
        ("2026-09-13", "Night of Songs"),
        ("2026-09-14", "Night of Songs"),
        ("2026-09-13", "Late"),
    ]
    assert [str(ref).split("#")[1] for (ref,) in rows(built, "source_ref")] == ["1.1", "1.2", "1.3", "2.1"]
    assert built.notes.rows_in == 4


def test_place_and_kind_are_what_the_event_says(stage_text: Stage) -> None:
    unknown = event(location=None, **{"@type": "SocialEvent"})
    built = stage_text(EVENTS, json.dumps([event(), unknown]))
    assert rows(built, "streetAddress", "city_name", "state_name", "segmentName") == [
        (PLACE["address"], "Pune", "Maharashtra", "Music"),
        (None, None, None, None),
    ]


def test_without_an_address_of_its_own_an_event_has_that_of_the_page_it_is_the_same_as(stage_text: Stage) -> None:
    lacking = {key: value for key, value in event(sameAs="https://events.example/t/7").items() if key != "url"}
    built = stage_text(EVENTS, json.dumps([lacking, event(sameAs="https://events.example/t/8")]))
    assert rows(built, "url") == [("https://events.example/t/7",), ("https://events.example/1",)]


@pytest.mark.parametrize(
    ("changed", "code", "message"),
    [
        ({"eventStatus": "https://schema.org/EventCancelled"}, "left_out", "cancelled"),
        ({"eventStatus": "EventPostponed"}, "left_out", "postponed"),
        ({"eventAttendanceMode": "OnlineEventAttendanceMode"}, "left_out", "online"),
        ({"endDate": "2027-09-12"}, "left_out", "open on any day"),
        ({"startDate": "soon"}, "bad_date", "the day on which it begins"),
        ({"name": ""}, "bad_name", "needs a name"),
        ({"@type": "Person"}, "no_event", "no event"),
    ],
)
def test_an_event_that_is_of_no_use_is_told_with_the_reason(
    stage_text: Stage, changed: dict[str, Any], code: str, message: str
) -> None:
    built = stage_text(EVENTS, json.dumps([event(), event(**changed), event()]))
    assert [line[:2] for line in refused(built)] == [("2", code)]
    assert message in built.quarantine.column("message")[0].as_py()
    assert (built.notes.rows_in, built.rows.num_rows) == (3, 2)


def test_records_that_are_no_objects_are_counted(stage_text: Stage) -> None:
    built = stage_text(EVENTS, json.dumps([None, "x", [], event(), {}]))
    assert [line[:2] for line in refused(built)] == [
        ("1", "no_event"),
        ("2", "no_event"),
        ("3", "no_event"),
        ("5", "no_event"),
    ]
    assert built.rows.num_rows == 1


def test_a_file_in_which_every_event_is_left_out_has_no_rows(stage_text: Stage) -> None:
    built = stage_text(EVENTS, json.dumps(event(eventStatus="EventCancelled")))
    assert (built.notes.rows_in, built.rows.num_rows, len(built.quarantine)) == (1, 0, 1)


def test_an_empty_list_is_an_empty_table(stage_text: Stage) -> None:
    built = stage_text(EVENTS, "[]")
    assert (built.notes.rows_in, built.rows.num_rows) == (0, 0)


@pytest.mark.parametrize("document", ["", "{"])
def test_a_file_that_is_no_json_is_an_error(stage_text: Stage, document: str) -> None:
    with pytest.raises(StageError, match=r"events\.json"):
        stage_text(EVENTS, document)
