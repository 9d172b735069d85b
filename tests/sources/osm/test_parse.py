"""What answers of Overpass mean: rows of stops, or a refusal that names what is wrong."""

import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sources.osm.parse import parse
from sources.protocol.types import Refusal, Row, Skipped, Unknown
from tests.sources.osm.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    FOLDER,
    GRID_BOX,
    NOON,
    answer,
    assert_usable,
    of_elements,
    of_file,
    refusals,
    rows,
)

HALT = {"railway": "halt", "name": "Constructed Halt"}


def node(number: int = 1, **tags: str) -> dict[str, Any]:
    return {"type": "node", "id": number, "lat": 21.15, "lon": 79.08, "tags": tags}


def stop(**tags: str) -> dict[str, Any]:
    (row,) = rows(parse(of_elements(node(**tags))))
    return row


def skipped(**tags: str) -> list[str]:
    items = list(parse(of_elements(node(**tags))))
    assert len(items) == 1
    return [item.reason for item in items if isinstance(item, Skipped)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_has_no_fault(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    assert not [item for item in items if isinstance(item, Refusal | Unknown)]


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_a_counterexample_causes_the_error_that_it_is_named_after(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    (refusal,) = refusals(items)
    assert refusal.code == path.name.partition("__")[0]
    # A wrong element costs itself alone, a wrong answer everything.
    assert len(rows(items)) == (1 if refusal.where.startswith("elements[") else 0)


@pytest.mark.parametrize("code", ["aborted", "too_busy", "too_large"])
def test_what_was_too_much_is_worth_asking_again_only_where_it_cannot_be_cut(code: str) -> None:
    path = next(path for path in COUNTEREXAMPLES if path.name.startswith(f"{code}__"))
    box = GRID_BOX
    while True:
        (refusal,) = refusals(parse(of_file(path, box=box)))
        assert refusal.is_retryable is (box.quarters() == ())
        assert refusal.message.endswith("the area is asked for in quarters") is refusal.is_split
        assert refusal.is_split is not refusal.is_retryable
        if not box.quarters():
            break
        box = box.quarters()[-1]


def test_every_code_of_the_parser_has_a_counterexample() -> None:
    code = "".join((FOLDER / name).read_text(encoding="utf-8") for name in ("envelope.py", "elements.py"))
    used = set(re.findall(r'(?:Refusal|_NotJsonError)\(\s*"(\w+)"', code))
    # The last two are properties of an answer that no file can show.
    assert used == {path.name.partition("__")[0] for path in COUNTEREXAMPLES} | {"expired", "unknown_endpoint"}


def test_the_stops_of_a_box_are_read_as_a_person_reads_them() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "one_box.json")))
    columns = ("source_id", "stop_mode", "stop_name", "stop_code", "stop_lines", "latitude", "longitude")
    first = 9_000_000_000
    assert [tuple(row[column] for column in columns) for row in rows(items)] == [
        (f"node/{first + 1}", "rail", "Constructed Halt", "CNHT", None, 21.152, 79.0881),
        (f"node/{first + 3}", "bus", "Constructed Market", None, ["201", "500"], 21.1502, 79.0801),
        (f"node/{first + 5}", "bus", None, None, None, 21.149, 79.079),
        (f"node/{first + 6}", "metro", "Constructed Square", None, None, 21.14, 79.07),
        (f"node/{first + 9}", "tram", "Constructed Depot", None, None, 21.13, 79.06),
        (f"node/{first + 10}", "ferry", "Constructed Jetty", None, None, 21.12, 79.05),
        (f"way/{first + 2}", "rail", "Constructed Halt", None, None, 21.1523, 79.0885),
        (f"way/{first + 11}", "bus", "Constructed Bus Stand", None, None, 21.11, 79.04),
        (f"way/{first + 18}", "rail", "Constructed Bounds", None, None, 21.11, 79.02),
        (f"relation/{first + 19}", "rail", "Constructed Shape", None, None, 21.3, 79.25),
        (f"node/{first + 8}", "rail", None, None, None, 21.1521, 79.0882),
        (f"node/{first + 4}", "bus", "Constructed Market", None, None, 21.1501, 79.08),
        (f"node/{first + 7}", "metro", None, None, None, 21.1402, 79.0701),
    ]
    assert {row["observed_at"] for row in rows(items)} == {date(2026, 7, 14)}
    assert {row["state_name"] for row in rows(items)} == {None}
    assert [item for item in items if not isinstance(item, Row)] == [
        Skipped("airport", 1),
        Skipped("mode_unknown", 1),
        Skipped("no_stop", 1),
        Skipped("no_transport", 1),
        Skipped("not_in_service", 1),
        Skipped("not_yet_open", 1),
        Skipped("stop_area", 1),
    ]


def test_an_area_without_stops_is_no_failure() -> None:
    assert list(parse(of_file(FOLDER / "examples" / "nothing_mapped.json"))) == []


@pytest.mark.parametrize(
    ("tags", "mode"),
    [
        ({"railway": "station"}, "rail"),
        ({"railway": "halt", "train": "yes"}, "rail"),
        ({"railway": "station", "station": "subway"}, "metro"),
        ({"railway": "station", "subway": "yes"}, "metro"),
        ({"railway": "station", "light_rail": "yes"}, "metro"),
        ({"railway": "station", "station": "monorail"}, "metro"),
        ({"railway": "station", "train": "yes", "subway": "yes"}, "rail"),
        ({"railway": "station", "station": "subway", "train": "yes"}, "metro"),
        ({"railway": "station", "station": "train;subway"}, "rail"),
        ({"railway": "station", "subway": "no"}, "rail"),
        ({"railway": "tram_stop", "bus": "yes"}, "tram"),
        ({"amenity": "bus_station", "public_transport": "station"}, "bus"),
        ({"highway": "bus_stop", "public_transport": "platform"}, "bus"),
        ({"amenity": "ferry_terminal"}, "ferry"),
        ({"public_transport": "station", "ferry": "yes"}, "ferry"),
        ({"public_transport": "platform", "highway": "platform"}, "bus"),
        ({"public_transport": "stop_position", "trolleybus": "yes"}, "bus"),
        ({"public_transport": "stop_position", "tram": "yes", "bus": "yes"}, "tram"),
        ({"public_transport": "platform", "subway": "yes"}, "metro"),
        ({"railway": "station", "aeroway": "terminal"}, "rail"),
        ({"railway": "halt", "construction": "no", "disused": "no"}, "rail"),
        ({"railway": "halt", "start_date": "2026-07-14"}, "rail"),
        ({"railway": "halt", "start_date": "2026"}, "rail"),
        ({"railway": "halt", "start_date": "C19"}, "rail"),
    ],
)
def test_the_mode_is_that_of_the_tags(tags: dict[str, str], mode: str) -> None:
    assert stop(**tags)["stop_mode"] == mode


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        ({"aeroway": "aerodrome", "public_transport": "station", "bus": "yes"}, "airport"),
        ({"aeroway": "terminal"}, "airport"),
        ({"public_transport": "stop_area"}, "stop_area"),
        ({"tourism": "zoo"}, "no_stop"),
        ({}, "no_stop"),
        ({"railway": "station", "disused": "yes"}, "not_in_service"),
        ({"railway": "halt", "start_date": "2026-07-15"}, "not_yet_open"),
        ({"railway": "halt", "start_date": "2027"}, "not_yet_open"),
        ({"railway": "station", "station": "funicular"}, "no_transport"),
        ({"public_transport": "platform"}, "mode_unknown"),
    ],
)
def test_what_is_no_stop_is_counted_and_no_fault(tags: dict[str, str], reason: str) -> None:
    assert skipped(**tags) == [reason]


@pytest.mark.parametrize(
    ("tags", "name"),
    [
        ({"name": " Constructed\n Halt "}, "Constructed Halt"),
        ({"name": "निर्मित", "name:en": "Constructed"}, "निर्मित"),
        ({"name:en": "Constructed", "ref": "7"}, "Constructed"),
        ({"name": "  ", "name:en": "Constructed"}, "Constructed"),
        ({"name": "e\u0301"}, "\u00e9"),
        ({"name": "Bus Stop"}, None),
        ({"name": "-"}, None),
        ({"ref": "7", "local_ref": "B", "official_name": "X", "name:hi": "निर्मित"}, None),
        ({"name": "12"}, "12"),
    ],
)
def test_a_stop_has_its_own_name_or_none(tags: dict[str, str], name: str | None) -> None:
    assert stop(highway="bus_stop", **tags)["stop_name"] == name


@pytest.mark.parametrize(
    "tags",
    [
        {"railway": "subway_entrance"},
        {"public_transport": "platform", "train": "yes"},
        {"public_transport": "platform", "subway": "yes"},
    ],
)
def test_the_name_of_an_entrance_or_a_platform_is_not_that_of_the_stop(tags: dict[str, str]) -> None:
    assert stop(name="Platform 1", **tags)["stop_name"] is None


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        ({"network": "IR", "ref": "NGP"}, "NGP"),
        ({"network": "Indian Railways", "railway:ref": "NAN"}, "NAN"),
        ({"ref:IR": "ON", "network": "Somebody"}, "ON"),
        ({"ref": "NGP"}, None),
        ({"network": "Delhi Metro", "ref": "KG"}, None),
        ({"network": "IR", "ref": "12"}, None),
        ({"network": "IR", "ref": "NGP;ITR"}, None),
        ({"network": "IR", "ref": "ngp"}, None),
        ({"network": "IR", "ref": "NGPNGP"}, None),
        ({"network": "IR", "ref": "KG", "station": "subway"}, None),
    ],
)
def test_a_code_is_taken_only_where_it_is_sure_to_be_one_of_the_railway(tags: dict[str, str], code: str | None) -> None:
    assert stop(railway="station", name="Constructed", **tags)["stop_code"] == code


def test_a_station_without_a_name_has_no_code_that_could_merge_it_with_a_named_one() -> None:
    assert stop(railway="station", network="IR", ref="NGP")["stop_code"] is None


def test_only_a_station_has_a_station_code() -> None:
    assert stop(public_transport="stop_position", train="yes", name="X", network="IR", ref="NGP")["stop_code"] is None


def test_unknown_fields_are_reported_with_their_path_and_tags_are_open() -> None:
    given = {**node(**HALT, anything="x"), "mood": 1}
    items = list(parse(of_elements(given, given, surprise={})))
    assert [item.path for item in items if isinstance(item, Unknown)] == [
        "surprise",
        "elements[].mood",
        "elements[].mood",
    ]
    assert len(rows(items)) == 2


def test_who_edited_the_map_is_not_read() -> None:
    body = (FOLDER / "examples" / "with_meta.json").read_text(encoding="utf-8")
    assert '"user": "nobody"' in body
    (row,) = parse(answer(body.encode()))
    assert "nobody" not in str(row)


def test_data_may_be_some_days_older_than_its_answer_and_not_more() -> None:
    saved = FOLDER / "examples" / "with_meta.json"
    base = NOON - timedelta(minutes=1)
    assert not refusals(parse(of_file(saved, fetched_at=base + timedelta(days=7))))
    (refusal,) = parse(of_file(saved, fetched_at=base + timedelta(days=7, seconds=1)))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.is_retryable) == ("frozen_mirror", True)
    naive = (base + timedelta(days=8)).replace(tzinfo=None)
    assert [item.code for item in refusals(parse(of_file(saved, fetched_at=naive)))] == ["frozen_mirror"]


def test_a_saved_file_may_be_old_and_its_rows_say_how_old() -> None:
    items = parse(
        of_file(FOLDER / "examples" / "with_meta.json", fetched_at=datetime(2030, 1, 1, tzinfo=UTC), origin="capture")
    )
    assert [row["observed_at"] for row in rows(items)] == [date(2026, 7, 14)]


def test_a_body_that_has_expired_is_said_to_be() -> None:
    (refusal,) = refusals(parse(answer(None)))
    assert refusal.code == "expired"


def test_a_page_counts_as_one_by_its_content_or_by_its_media_type() -> None:
    for body, media_type in ((b"\n <html>", "application/json"), (b"{}", "text/html; charset=utf-8")):
        assert [item.code for item in refusals(parse(answer(body, media_type=media_type)))] == ["html"]


def test_what_the_server_says_of_a_wrong_query_is_handed_on() -> None:
    (path,) = (path for path in COUNTEREXAMPLES if path.name.startswith("query_error__"))
    (refusal,) = refusals(parse(of_file(path)))
    assert "line 2: parse error: ';' expected - 'out' found." in refusal.message
    assert not refusal.is_retryable


@pytest.mark.parametrize("depth", [500, 5_000, 200_000])
def test_deep_nesting_is_refused_and_does_not_break_anything(depth: int) -> None:
    body = b'{"version": 0.6, "osm3s": {}, "elements": ' + b"[" * depth + b"]" * depth + b"}"
    assert len(refusals(parse(answer(body)))) == 1


def test_a_remark_of_any_shape_is_a_refusal() -> None:
    for remark in ({}, [["x"]], 7, "", None, "\ud800"):
        items = list(parse(of_elements(node(**HALT), remark=remark)))
        assert_usable(items)
        assert [item.code for item in refusals(items)] == ["remark"]


OUTCOMES = {
    "nominatim_reverse_no_result.json": ("not_overpass", 0, {}),
    "nominatim_search_city.json": ("not_overpass", 0, {}),
    "overpass_400_parse_error_capture.json": ("query_error", 0, {}),
    "overpass_center_mixed_elements.json": (None, 0, {"no_stop": 3}),
    "overpass_empty.json": (None, 0, {}),
    "overpass_out_of_memory_remark.json": ("aborted", 0, {}),
    "overpass_status_capture.json": ("not_json", 0, {}),
    "overpass_timeout_remark.json": ("aborted", 0, {}),
    "overpass_transit_bengaluru.json": (None, 5, {"stop_area": 1}),
}


def test_every_sample_of_the_provider_has_the_outcome_of_its_description(shared: Path) -> None:
    samples = sorted((shared / "contracts" / "samples" / "osm").glob("*.json"))
    assert [path.name for path in samples] == sorted(OUTCOMES)
    for path in samples:
        items = list(parse(of_file(path, origin="capture")))
        assert_usable(items)
        found = next((item.code for item in refusals(items)), None)
        reasons = {item.reason: item.times for item in items if isinstance(item, Skipped)}
        assert (found, len(rows(items)), reasons) == OUTCOMES[path.name], path.name
        assert not [item for item in items if isinstance(item, Unknown)]


def test_the_stops_of_the_sample_are_read_as_a_person_reads_them(shared: Path) -> None:
    path = shared / "contracts" / "samples" / "osm" / "overpass_transit_bengaluru.json"
    assert json.loads(path.read_text(encoding="utf-8"))["elements"]
    columns = ("source_id", "stop_mode", "stop_name", "stop_code")
    assert [tuple(row[column] for column in columns) for row in rows(parse(of_file(path)))] == [
        ("node/246397026", "rail", "Bangalore Cantonment", "BNC"),
        ("node/900000002", "bus", "Kempegowda Bus Station", None),
        ("way/900000001", "rail", "Bangalore Cantonment", None),
        ("node/900000003", "bus", "Kempegowda Bus Station", None),
        ("node/900000004", "metro", None, None),
    ]
