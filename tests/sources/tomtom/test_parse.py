"""What answers of TomTom mean: roads and delays, or a refusal that names what is wrong."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from sources.protocol.types import Answer, Refusal, Skipped, Unknown
from sources.tomtom.jobs import Ends
from sources.tomtom.parse import parse
from tests.sources.tomtom.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    FOLDER,
    MUMBAI,
    NAGPUR,
    PUNE,
    answer,
    answer_to,
    assert_usable,
    failed,
    matrix,
    of_file,
    refusals,
    request_of,
    road,
    rows,
    skipped,
)

# Codes of the provider that mean a fault of the whole answer, by the word that they become.
WORDS = {"no_route", "map_matching", "out_of_region", "timeout", "bad_input", "provider_error"}
PAIRS = ((MUMBAI, PUNE), (MUMBAI, NAGPUR), (PUNE, MUMBAI), (PUNE, NAGPUR))


def cells(*changed: dict[str, Any]) -> list[dict[str, Any]]:
    """All six cells of the 2 x 3 matrix, some of them changed."""
    whole = {(row, column): road(row, column) for row in range(2) for column in range(3)}
    whole |= {(cell["originIndex"], cell["destinationIndex"]): cell for cell in changed}
    return list(whole.values())


def statuses(*changed: dict[str, Any]) -> list[str]:
    return [row["road_status"] for row in rows(parse(answer("matrix_result", matrix(cells(*changed)))))]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_has_no_fault(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    assert not [item for item in items if isinstance(item, Refusal | Unknown)]


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_a_counterexample_causes_the_error_that_it_is_named_after(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    code = path.name.partition("__")[0]
    found = [item.code for item in refusals(items)]
    # A cell that is missing, or of a pair that is told twice, upsets the provider's own count too.
    assert found in ([code], [code, "bad_statistics"])
    assert {item.table for item in refusals(items)} == {"road_delay" if "__route." in path.name else "distance_matrix"}
    # A wrong cell costs its pair alone, which still says so; a wrong answer costs everything.
    of_a_cell = code in ("bad_number", "bad_cell", "bad_index", "contradiction", "bad_statistics")
    assert len(rows(items)) == (len(PAIRS) if of_a_cell and "__matrix_result" in path.name else 0)


def test_every_code_of_the_parser_has_a_counterexample() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r'(?:Refusal|_refuse|_NotJsonError)\(\s*"(\w+)"', code)) | WORDS
    # The last four are properties of an answer that no file can show.
    shown = {path.name.partition("__")[0] for path in COUNTEREXAMPLES}
    assert used == shown | {"expired", "unknown_endpoint", "no_points", "other_question"}


def test_only_what_may_pass_is_worth_asking_again() -> None:
    passing = {path.name for path in COUNTEREXAMPLES if next(iter(refusals(parse(of_file(path))))).is_retryable}
    assert {name.partition(".json")[0].removesuffix(".capture").removesuffix(".html") for name in passing} == {
        "bad_input__matrix.too_many_cells",
        "bad_job__matrix.blank",
        "bad_job__matrix.dots",
        "bad_job__matrix.no_id",
        "bad_job__matrix.number",
        "bad_state__matrix_status.none",
        "bad_state__matrix_status.number",
        "html__matrix_result.gateway",
        "http_status__matrix_result.bad_gateway",
        "http_status__route.failure",
        "key_refused__matrix.inactive",
        "key_refused__matrix.unauthorized",
        "not_json__matrix_result.empty",
        "not_json__matrix_result.huge_number",
        "not_json__matrix_result.truncated",
        "provider_error__matrix.unknown_code",
        "provider_error__matrix_result.error_object",
        "quota_spent__matrix.over_rate",
        "rate_limited__matrix.only_the_header",
        "rate_limited__matrix.over_qps",
        "rate_limited__matrix.too_many_requests",
        "timeout__matrix_result.error_object",
        "timeout__route.stopped",
        "timeout__route.time_limit",
        "wrong_charset__matrix_result.utf_16",
        "wrong_job__matrix_status.of_another",
    }


def test_a_job_that_is_lost_is_no_lost_record_as_its_pairs_are_asked_for_anew() -> None:
    split = {
        path.name.partition("__")[0] for path in COUNTEREXAMPLES for item in parse(of_file(path)) if is_split(item)
    }
    assert split == {"job_failed", "job_unknown", "result_gone"}


def is_split(item: object) -> bool:
    return isinstance(item, Refusal) and item.is_split


def test_cells_are_placed_by_their_numbers_whatever_their_order() -> None:
    whole = [road(row, column, 1_000 + 10 * row + column, 600) for row in range(2) for column in range(3)]
    expected = [1.001, 1.002, 1.010, 1.012]
    for seed in range(5):
        random.Random(seed).shuffle(whole)
        found = rows(parse(answer("matrix_result", matrix(whole))))
        assert [row["distance_km"] for row in found] == expected
        assert [points(row) for row in found] == list(PAIRS)


def points(row: dict[str, Any]) -> tuple[tuple[float, float], tuple[float, float]]:
    return (
        (row["origin_latitude"], row["origin_longitude"]),
        (row["destination_latitude"], row["destination_longitude"]),
    )


def test_a_shuffled_answer_with_failures_is_read_as_a_person_reads_it() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "matrix_result.shuffled_with_failures.json")))
    columns = ("road_status", "distance_km", "duration_min")
    assert [tuple(row[column] for column in columns) for row in rows(items)] == [
        ("ok", 148.202, 152),
        ("no_route", None, None),
        ("timeout", None, None),
        ("out_of_region", None, None),
    ]
    assert skipped(items) == {"a city paired with itself": 2}


@pytest.mark.parametrize(
    ("seconds", "minutes"), [(0, 1), (29, 1), (89, 1), (90, 2), (9_029, 150), (9_030, 151), (86_400, 1_440)]
)
def test_minutes_are_rounded_half_up_and_never_none(seconds: int, minutes: int) -> None:
    (row, *_) = rows(parse(answer("matrix_result", matrix(cells(road(0, 1, 1, seconds))))))
    assert (row["duration_min"], row["distance_km"]) == (minutes, 0.001)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": "CELL_PROCESSING_ERROR", "innerError": {"code": "NO_ROUTE_FOUND"}}, "no_route"),
        ({"code": "CELL_PROCESSING_ERROR", "innerError": {"code": "NO_ROUTE_FOUND", "message": "STOPPED"}}, "timeout"),
        ({"code": "NO_ROUTE_FOUND", "message": "engine STOPPED"}, "timeout"),
        ({"code": "CELL_PROCESSING_ERROR", "innerError": {"code": "MAP_MATCHING_FAILURE"}}, "map_matching"),
        ({"code": "OUT_OF_REGION"}, "out_of_region"),
        ({"code": "CELL_PROCESSING_ERROR", "innerError": {"code": "COMPUTE_TIME_LIMIT_EXCEEDED"}}, "timeout"),
        ({"code": "CELL_PROCESSING_ERROR"}, "error"),
        ({"code": "CELL_PROCESSING_ERROR", "message": "NO_ROUTE_FOUND"}, "error"),
        ({"code": "CELL_PROCESSING_ERROR", "innerError": {}}, "error"),
        ({"code": "CELL_PROCESSING_ERROR", "innerError": "NO_ROUTE_FOUND"}, "error"),
        ({"message": "failed: MAP_MATCHING_FAILURE"}, "map_matching"),
        ({"code": "BAD_INPUT"}, "error"),
        ({}, "error"),
        ({"code": 7}, "error"),
    ],
)
def test_the_inner_code_says_what_failed(error: dict[str, Any], status: str) -> None:
    assert statuses(failed(0, 1, error)) == [status, "ok", "ok", "ok"]


def test_a_code_that_nobody_knows_is_reported() -> None:
    items = list(parse(answer("matrix_result", matrix(cells(failed(0, 1, {"code": "NEW_\ud800CODE"}))))))
    assert [item for item in items if isinstance(item, Unknown)] == [
        Unknown("data[].detailedError.code=NEW_\\ud800CODE")
    ]


def test_a_cell_that_is_missing_is_a_row_that_says_so() -> None:
    document = matrix(cells()[:-1])
    items = list(parse(answer("matrix_result", document)))
    assert [row["road_status"] for row in rows(items)] == ["ok", "ok", "ok", "missing"]
    assert [item.code for item in refusals(items)] == ["bad_statistics"]


def test_a_pair_whose_cell_cannot_be_used_has_no_value_and_is_not_left_out() -> None:
    items = list(parse(of_file(FOLDER / "counterexamples" / "contradiction__matrix_result.two_lengths.json")))
    assert [(row["road_status"], row["distance_km"]) for row in rows(items)] == [
        ("error", None),
        ("ok", 511.903),
        ("ok", 151.077),
        ("missing", None),
    ]


def test_a_cell_that_stands_twice_alike_counts_once() -> None:
    items = list(parse(answer("matrix_result", matrix([*cells(), road(0, 1)]))))
    assert [row["road_status"] for row in rows(items)] == ["ok"] * 4
    assert skipped(items)["a cell that stands twice alike"] == 1


def test_a_third_cell_does_not_settle_a_contradiction() -> None:
    assert statuses() == ["ok"] * 4
    document = matrix([*cells(), road(0, 1, 5), road(0, 1), road(0, 1)])
    assert rows(parse(answer("matrix_result", document)))[0]["road_status"] == "error"


def test_an_answer_of_a_synchronous_matrix_is_read_by_its_own_question() -> None:
    items = list(parse(answer("matrix", matrix(cells()))))
    assert [points(row) for row in rows(items)] == list(PAIRS)
    assert not refusals(items)


@pytest.mark.parametrize(
    "subject", [{}, {"origins": "[]", "destinations": "[]"}, {"origins": "x", "destinations": "1"}]
)
def test_cells_of_unknown_points_are_refused(subject: dict[str, str]) -> None:
    request = request_of("matrix_result")
    given = answer_to(request, json.dumps(matrix(cells())).encode())
    placeless = Answer(**{**vars(given), "subject": subject})
    assert [item.code for item in parse(placeless) if isinstance(item, Refusal)] == ["no_points"]
    assert not rows(parse(placeless))


@pytest.mark.parametrize("locations", ["", "19.0,72.8", "19,72:a,b", "95.0,72.8:18.5,73.8", "1,2:3,4:5,6", "nan,1:2,3"])
def test_a_route_between_unknown_points_is_refused(locations: str) -> None:
    given = of_file(FOLDER / "examples" / "route.with_a_ferry.json")
    placeless = Answer(**{**vars(given), "params": {"locations": locations}})
    assert [item.code for item in parse(placeless) if isinstance(item, Refusal)] == ["no_points"]


CAR = {"departAt": "any", "routeType": "fastest", "traffic": "historical", "travelMode": "car"}


@pytest.mark.parametrize("endpoint", ["matrix", "matrix_result"])
@pytest.mark.parametrize(
    "options",
    [CAR | {"travelMode": "truck"}, CAR | {"routeType": "shortest"}, CAR | {"avoid": ["ferries"]}, {}, [], None],
)
def test_cells_of_a_matrix_with_other_options_are_refused(endpoint: str, options: Any) -> None:
    ours = request_of("matrix").params
    points = {name: ours[name] for name in ("origins", "destinations")}
    given = answer(endpoint, matrix(cells()))
    for asked in (points | {"options": json.dumps(options)}, points | {"options": "["}, points):
        kept = {"params": asked} if endpoint == "matrix" else {"subject": asked}
        (refusal,) = parse(Answer(**{**vars(given), **kept}))
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.table) == ("other_question", "distance_matrix")


def test_the_options_of_a_matrix_are_compared_by_what_they_say() -> None:
    given = answer("matrix", matrix(cells()))
    reordered = dict(reversed(CAR.items()))
    same = Answer(**{**vars(given), "params": {**given.params, "options": json.dumps(reordered, indent=1)}})
    assert len(rows(parse(same))) == len(PAIRS)
    more = Answer(**{**vars(given), "params": {**given.params, "vehicle": '"bus"'}})
    assert [item.code for item in parse(more) if isinstance(item, Refusal)] == ["other_question"]


@pytest.mark.parametrize(
    "other",
    [{"travelMode": "pedestrian"}, {"departAt": "2026-12-01T08:00:00"}, {"traffic": "false"}, {"avoid": "tollRoads"}],
)
def test_a_route_that_was_asked_for_otherwise_is_refused(other: dict[str, str]) -> None:
    given = of_file(FOLDER / "examples" / "route.with_a_ferry.json")
    places = {"locations": given.params["locations"]}
    ours = {"computeTravelTimeFor": "all", "routeRepresentation": "summaryOnly", "traffic": "true"}
    assert len(rows(parse(Answer(**{**vars(given), "params": places | ours})))) == 1
    for asked in (places | ours | other, places | other):
        (refusal,) = parse(Answer(**{**vars(given), "params": asked}))
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.table) == ("other_question", "road_delay")


@pytest.mark.parametrize("metres", [None, 0, -5, 1.5, "148202", True, 10**9])
def test_a_route_without_a_length_that_can_be_is_refused(metres: Any) -> None:
    document = json.loads((FOLDER / "examples" / "route.with_a_ferry.json").read_bytes())
    document["routes"][0]["summary"]["lengthInMeters"] = metres
    items = list(parse(answer("route", document)))
    (refusal,) = refusals(items)
    assert (refusal.code, refusal.where) == ("bad_number", "routes[0].summary.lengthInMeters")
    assert not rows(items)


def test_a_route_is_read_as_a_person_reads_it_and_its_ferry_is_told() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "route.with_a_ferry.json")))
    assert rows(items) == [
        {
            # 8,103 s are 135.05 minutes, 9,117 s are 151.95, and 9,400 s are 156.67.
            "free_flow_travel_time_min": 135.1,
            "historical_travel_time_min": 152.0,
            "live_travel_time_min": 156.7,
            "traffic_delay_s": 301,
            "origin_latitude": 19.07283,
            "origin_longitude": 72.88261,
            "destination_latitude": 18.51957,
            "destination_longitude": 73.85535,
        }
    ]
    assert skipped(items) == {"routed by ferry; its row stays": 1}


def test_the_delay_is_the_one_that_is_given_and_no_difference(shared: Path) -> None:
    sample = shared / "contracts" / "samples" / "tomtom" / "calculate_route_all_live.json"
    (row,) = rows(parse(of_file(sample, request_of("route"))))
    assert row["traffic_delay_s"] == 269
    assert (row["free_flow_travel_time_min"], row["historical_travel_time_min"]) == (9.6, 11.9)
    assert row["live_travel_time_min"] == 15.9


def test_fields_that_nobody_knows_are_told_by_their_paths() -> None:
    document = matrix(cells({**road(0, 1), "mood": 1}))
    document["data"][0]["routeSummary"]["mood"] = 1
    document["mood"] = document["statistics"]["mood"] = 1
    found = [item.path for item in parse(answer("matrix_result", document)) if isinstance(item, Unknown)]
    assert sorted(found) == ["data[].mood", "data[].routeSummary.mood", "mood", "statistics.mood"]
    submitted = answer("matrix", {"jobId": "1", "state": "Submitted", "mood": 1}, status=202)
    assert list(parse(submitted)) == [Unknown("mood")]


def test_an_answer_whose_body_has_expired_says_so() -> None:
    for endpoint in ("matrix", "matrix_status", "matrix_result", "route"):
        (refusal,) = refusals(parse(answer_to(request_of(endpoint), None)))
        assert (refusal.code, refusal.is_retryable) == ("expired", True)


def test_a_page_counts_as_one_by_its_content_or_by_its_media_type() -> None:
    for body, media_type in ((b"\n <html>", "application/json"), (b"{}", "text/html; charset=utf-8")):
        given = answer_to(request_of("matrix_result"), body, media_type=media_type)
        assert [item.code for item in refusals(parse(given))] == ["html"]


@pytest.mark.parametrize("depth", [500, 5_000, 200_000])
def test_deep_nesting_is_refused_and_does_not_break_anything(depth: int) -> None:
    body = b'{"data": [' + b"[" * depth + b"]" * depth + b"]}"
    items = list(parse(answer_to(request_of("matrix_result"), body)))
    assert_usable(items)
    assert not [row for row in rows(items) if row["road_status"] == "ok"]


def test_a_city_under_two_names_is_paired_with_itself() -> None:
    ends = Ends((MUMBAI,), (MUMBAI,))
    given = answer_to(request_of("matrix_result", ends), json.dumps(matrix([road(0, 0, 0, 0)], 1)).encode())
    assert list(parse(given)) == [Skipped("a city paired with itself", 1)]


FAR = tuple((10.0 + step, 70.0 + step) for step in range(8))

# For each sample: the question that it answers, the first refusal, and the rows by road status.
SAMPLES: dict[str, tuple[Any, str | None, dict[str, int]]] = {
    "batch_sync.json": (request_of("route"), "batch", {}),
    "calculate_route_all_future.json": (request_of("route"), None, {"-": 1}),
    "calculate_route_all_live.json": (request_of("route"), None, {"-": 1}),
    "error_bad_input.http400.json": (request_of("route"), "bad_input", {}),
    "error_no_route_found.http400.json": (request_of("route"), "no_route", {}),
    "matrix_v2_async_status_completed.json": (request_of("matrix_status"), "wrong_job", {}),
    "matrix_v2_async_submit.http202.json": (request_of("matrix"), None, {}),
    "matrix_v2_partial_failure.json": (request_of("matrix_result", Ends(FAR[:2], FAR[:2])), None, {"no_route": 2}),
    "matrix_v2_sync_2x6.json": (request_of("matrix", Ends(FAR[:2], FAR[2:])), None, {"ok": 12}),
    "rate_limit_403_capture.json": (request_of("matrix"), "rate_limited", {}),
}


def test_every_sample_of_the_provider_has_the_outcome_of_its_description(shared: Path) -> None:
    samples = sorted((shared / "contracts" / "samples" / "tomtom").glob("*.json"))
    assert [path.name for path in samples] == sorted(SAMPLES)
    for path in samples:
        request, code, expected = SAMPLES[path.name]
        status = re.search(r"\.http(\d+)\.", path.name)
        items = list(parse(of_file(path, request, **({"status": int(status[1])} if status else {}))))
        assert_usable(items)
        assert next((item.code for item in refusals(items)), None) == code, path.name
        counts: dict[str, int] = {}
        for row in rows(items):
            word = row.get("road_status", "-")
            counts[word] = counts.get(word, 0) + 1
        assert counts == expected, path.name
        assert not [item for item in items if isinstance(item, Unknown)], path.name


def test_the_completed_job_of_the_sample_is_read_as_completed(shared: Path) -> None:
    path = shared / "contracts" / "samples" / "tomtom" / "matrix_v2_async_status_completed.json"
    job_id = json.loads(path.read_text(encoding="utf-8"))["jobId"]
    given = of_file(path, request_of("matrix_status"))
    assert list(parse(Answer(**{**vars(given), "params": {"jobId": job_id}}))) == []
