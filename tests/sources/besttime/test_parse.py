"""What answers of BestTime mean: seven rows a venue, or a refusal that names what is wrong."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sources.besttime.days import WINDOW
from sources.besttime.parse import parse
from sources.protocol.cuts import CUT
from sources.protocol.types import Answer, Refusal
from tests.sources.besttime.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    FOLDER,
    SUBJECT,
    answer,
    assert_usable,
    document,
    of_document,
    of_file,
    refusals,
    rows,
    skipped,
    unknown,
)

RETRYABLE = {
    "html", "not_json", "wrong_charset", "duplicate_key", "expired", "server_error", "rate_limited", "key_refused",
    "credits_spent",
}  # fmt: skip


def of_example(name: str) -> list[dict[str, Any]]:
    return rows(parse(of_file(FOLDER / "examples" / f"{name}.json")))


def one_day(**changed: Any) -> Answer:
    """The Tuesday of a museum, from 9 to 17, with other values in it; those in `day_info` are added to it."""
    day = document("forecasts_museum_closed_on_mondays")["analysis"][1]
    info = day["day_info"] | changed.pop("day_info", {})
    found = {"analysis": day | changed | {"day_info": info}, "venue_id": "ven_0123456789", "venue_name": "Constructed"}
    return of_document(found, "day")


def only(given: Answer) -> dict[str, Any]:
    (row,) = rows(parse(given))
    return row


def by_hour(row: dict[str, Any]) -> dict[int, int]:
    return {hour: level for hour, level in zip(WINDOW, row["hourly_levels"], strict=True) if level is not None}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_has_no_fault(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    assert not refusals(items)
    assert not unknown(items)


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_a_counterexample_causes_the_error_that_it_is_named_after(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    (refusal,) = refusals(items)
    assert refusal.code == path.name.partition("__")[0]
    # A wrong day of a forecast costs itself alone, anything else the whole answer.
    assert len(rows(items)) == (6 if path.stem == "bad_intensity__forecasts_one_day" else 0)
    assert items[0] == refusal or rows(items)
    assert (refusal.table, refusal.value) == ("venue_crowd", SUBJECT["place_id"])


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_only_what_says_nothing_about_a_venue_is_asked_again(path: Path) -> None:
    (refusal,) = refusals(parse(of_file(path)))
    assert refusal.is_retryable is (refusal.code in RETRYABLE)


def test_every_code_of_the_parser_has_a_counterexample() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r'(?:Refusal|UnfitError|_NotJsonError)\(\s*"(\w+)"', code))
    # The last three are properties of an answer that no file can show.
    shown = {path.name.partition("__")[0] for path in COUNTEREXAMPLES}
    assert used == shown | {"expired", "too_large", "unknown_endpoint"}


def test_a_museum_is_read_as_a_person_reads_it() -> None:
    monday, tuesday, *_ = of_example("forecasts_museum_closed_on_mondays")
    assert monday == {
        "poi_type": "attraction",
        "asked_place_id": "tripadvisor:1",
        "venue_id": "ven_436f6e7374727563746564303030303030303030303030303031",
        "venue_name": "Constructed Venue",
        "venue_address": "1 Constructed Road Bengaluru, Karnataka 560001 India",
        "latitude": 12.9719,
        "longitude": 77.5937,
        "weekday": 1,
        "day_state": "closed",
        "hourly_levels": None,
        "hourly_raw": None,
        "quiet_hours": None,
        "busy_hours": None,
        "peak_start_hour": None,
        "peak_end_hour": None,
        "opens": None,
        "closes": None,
        "closes_day_offset": None,
    }
    assert tuesday["weekday"] == 2
    assert by_hour(tuesday) == {9: -1, 10: 0, 11: 0, 12: 2, 13: 2, 14: 1, 15: 0, 16: -1}
    assert tuesday["hourly_raw"][3:11] == [25, 50, 70, 90, 100, 75, 60, 30]
    assert (tuesday["quiet_hours"], tuesday["busy_hours"]) == ([9, 16], [12, 13, 14])
    assert (tuesday["peak_start_hour"], tuesday["peak_end_hour"]) == (11, 15)
    assert (tuesday["opens"], tuesday["closes"], tuesday["closes_day_offset"]) == ("09:00", "17:00", 0)


def test_bug_59_a_bar_that_closes_at_two_has_its_night_on_the_day_on_which_it_opened() -> None:
    """Closed hours as 999, sometimes as text; the venue's day starts at 06:00; closing hour past midnight."""
    monday = of_example("forecasts_bar_until_two")[0]
    assert (monday["opens"], monday["closes"], monday["closes_day_offset"]) == ("18:00", "02:00", 1)
    assert monday["hourly_levels"] == [None] * 12 + [-1, -1, 0, 1, 2, 2, 1, -1] + [None] * 4
    assert by_hour(monday) == {18: -1, 19: -1, 20: 0, 21: 1, 22: 2, 23: 2, 0: 1, 1: -1}
    # The strongest of two peaks, past midnight.
    assert (monday["peak_start_hour"], monday["peak_end_hour"]) == (21, 1)
    # Neither the hour of closing nor any closed one is quiet.
    assert monday["quiet_hours"] == [18, 19, 1]


def test_a_day_of_which_the_source_knows_nothing_is_unknown_and_not_quiet() -> None:
    states = [row["day_state"] for row in of_example("forecasts_bar_until_two")]
    assert states == ["open", "open", "unknown", "open", "open", "open", "open"]
    unknown_day = of_example("forecasts_bar_until_two")[2]
    assert unknown_day["hourly_levels"] is None
    for status in ("warning", "Warning", "something new"):
        assert only(one_day(day_info={"status": status, "note": "x"}))["day_state"] == "unknown"


def test_a_note_alone_is_no_warning() -> None:
    for info in ({"note": "Upgrade"}, {"note": "Upgrade", "status": None}, {"note": "Upgrade", "status": "OK"}):
        assert only(one_day(day_info=info))["day_state"] == "open"


@pytest.mark.parametrize("sign", ["999", 999, 999.0, "N/A", "n/a"])
def test_a_closed_hour_may_be_written_as_text_as_number_or_as_word(sign: Any) -> None:
    entries = [{"hour": hour, "intensity_nr": 1 if hour == 12 else sign} for hour in WINDOW]
    assert by_hour(only(one_day(hour_analysis=entries))) == {12: 1}


@pytest.mark.parametrize("level", [-1, "-1", -1.0])
def test_a_level_may_be_a_text(level: Any) -> None:
    entries = [{"hour": hour, "intensity_nr": level if hour == 12 else "999"} for hour in WINDOW]
    assert by_hour(only(one_day(hour_analysis=entries))) == {12: -1}


def test_hours_are_paired_by_their_own_number_and_not_by_place() -> None:
    day = document("forecasts_museum_closed_on_mondays")["analysis"][1]
    backwards = only(one_day(hour_analysis=day["hour_analysis"][::-1]))
    assert backwards == only(one_day())


def test_visitors_at_a_closed_hour_are_not_believed() -> None:
    friday = of_example("forecasts_bar_until_two")[4]
    given = document("forecasts_bar_until_two")["analysis"][4]
    assert given["day_raw"][WINDOW.index(17)] == 5
    assert friday["hourly_levels"][WINDOW.index(17)] is friday["hourly_raw"][WINDOW.index(17)] is None


def test_the_hour_of_closing_is_closed_unless_somebody_is_there() -> None:
    row = only(one_day())
    assert 17 not in by_hour(row)
    day = document("forecasts_museum_closed_on_mondays")["analysis"][1]
    shares = [10 if hour == 17 else share for hour, share in zip(WINDOW, day["day_raw"], strict=True)]
    assert by_hour(only(one_day(day_raw=shares)))[17] == -2
    half_past = {"24h": [{"opens": 9, "closes": 17, "closes_minutes": 30}]}
    assert by_hour(only(one_day(day_info={"venue_open_close_v2": half_past})))[17] == -2


def test_no_visitors_in_an_open_hour_are_a_low_level() -> None:
    monday = of_example("forecasts_always_open")[0]
    assert len(by_hour(monday)) == 24
    assert by_hour(monday)[3] == -2
    assert monday["hourly_raw"][WINDOW.index(3)] == 0


def test_a_venue_that_opens_when_it_closes_is_always_open_if_its_hours_are() -> None:
    monday = of_example("forecasts_always_open")[0]
    assert (monday["opens"], monday["closes"], monday["closes_day_offset"]) == ("00:00", "00:00", 1)
    old = of_example("day_of_an_old_answer")[0]
    assert (old["opens"], old["closes"], old["closes_day_offset"]) == ("00:00", "00:00", 1)
    contradictory = only(one_day(day_info={"venue_open": 4, "venue_closed": 4, "venue_open_close_v2": None}))
    assert (contradictory["opens"], contradictory["closes_day_offset"]) == (None, None)


def test_minutes_that_were_lost_are_taken_from_the_text() -> None:
    monday = of_example("forecasts_minutes_in_the_text")[0]
    assert (monday["opens"], monday["closes"]) == ("11:30", "18:30")
    assert by_hour(monday)[18] == 0


@pytest.mark.parametrize("text", ["10:15am\u20135:45pm", "from nine to five", "", "9:75am-5pm"])
def test_a_text_that_tells_other_hours_or_none_is_not_believed(text: str) -> None:
    form = {"24h": [{"opens": 9, "closes": 17}], "12h": [text]}
    row = only(one_day(day_info={"venue_open_close_v2": form}))
    assert (row["opens"], row["closes"]) == ("09:00", "17:00")


def test_a_day_of_two_periods_goes_from_the_first_to_the_last_with_a_gap() -> None:
    monday = of_example("forecasts_two_periods")[0]
    assert (monday["opens"], monday["closes"], monday["closes_day_offset"]) == ("12:00", "23:00", 0)
    assert sorted(by_hour(monday)) == [12, 13, 14, 19, 20, 21, 22]
    # Of equally strong peaks the first.
    assert (monday["peak_start_hour"], monday["peak_end_hour"]) == (12, 14)


@pytest.mark.parametrize(
    ("opens", "closes", "offset"), [(14, 4, 1), (11, 2, 1), (9, 0, 1), (6, 1, 1), (9, 24, 1), (9, 17, 0)]
)
def test_closing_at_or_before_opening_is_on_the_next_morning(opens: int, closes: int, offset: int) -> None:
    given = one_day(day_info={"venue_open": opens, "venue_closed": closes, "venue_open_close_v2": None})
    row = only(given)
    assert (row["opens"], row["closes"]) == (f"{opens:02}:00", f"{closes % 24:02}:00")
    assert row["closes_day_offset"] == offset


def test_flags_that_contradict_the_hours_are_not_believed() -> None:
    flags = {"open_24h": True, "crosses_midnight": True}
    for form in ({"24h": [{"opens": 9, "closes": 17} | flags]}, {"24h": [{"opens": 9, "closes": 17}]} | flags):
        row = only(one_day(day_info={"venue_open_close_v2": form}))
        assert (row["opens"], row["closes"], row["closes_day_offset"]) == ("09:00", "17:00", 0)


@pytest.mark.parametrize("peaks", [[], None, [{"peak_info": "x"}], [{"peak_info": "x", "peak_status": "Error"}]])
def test_a_day_without_peaks_has_none(peaks: Any) -> None:
    row = only(one_day(peak_hours=peaks))
    assert (row["peak_start_hour"], row["peak_end_hour"]) == (None, None)


def test_the_day_of_a_stored_forecast_is_read_without_what_it_does_not_tell() -> None:
    row = of_example("day_of_an_old_answer")[0]
    assert (row["venue_address"], row["latitude"], row["longitude"], row["hourly_raw"]) == (None,) * 4
    assert len(by_hour(row)) == 24


def test_what_a_saved_answer_was_asked_about_is_not_known() -> None:
    (path,) = (path for path in EXAMPLES if path.name == "forecasts_always_open.json")
    row = rows(parse(of_file(path, subject={})))[0]
    assert (row["poi_type"], row["asked_place_id"]) == (None, None)


def test_the_key_is_known_and_goes_nowhere() -> None:
    key = "pri_canary_of_somebody"
    found = document("forecasts_bar_until_two") | {"api_key_private": key}
    items = list(parse(of_document(found)))
    assert unknown(items) == []
    assert key not in str(items)


def test_words_of_a_failure_are_not_handed_on() -> None:
    for message in ("Venue found {}", "Could not find venue {}", "{}", "no credits {}"):
        found = {"status": "Error", "message": message.format("pri_canary"), "api_key_private": "pri_canary"}
        items = list(parse(of_document(found, status=404)))
        assert "canary" not in str(items)
    items = list(parse(of_document({"status": "Error", "message": {"api_key_private": ["pri_canary"]}})))
    assert "canary" not in str(items)


def test_unknown_fields_are_reported_with_their_path() -> None:
    found = document("forecasts_museum_closed_on_mondays")
    found["surprise"] = 1
    found["venue_info"]["mood"] = "good"
    found["analysis"][1]["hour_analysis"][2]["queue"] = 3
    found["analysis"][2]["day_info"]["venue_open_close_v2"]["24h"][0]["break"] = 3
    items = list(parse(of_document(found)))
    assert sorted(unknown(items)) == [
        "analysis[].day_info.venue_open_close_v2.24h[].break", "analysis[].hour_analysis[].queue", "surprise",
        "venue_info.mood",
    ]  # fmt: skip
    assert len(rows(items)) == 7


def test_a_body_that_is_not_there_is_said_to_be() -> None:
    for given, code in ((answer(None), "expired"), (answer(b"", headers=CUT), "too_large")):
        assert [item.code for item in refusals(parse(given))] == [code]
    assert [item.code for item in refusals(parse(answer(b"{}", "weather")))] == ["unknown_endpoint"]


@pytest.mark.parametrize("depth", [500, 200_000])
def test_deep_nesting_is_refused_and_does_not_break_anything(depth: int) -> None:
    body = b'{"venue_info": {}, "analysis": ' + b"[" * depth + b"]" * depth + b"}"
    (item,) = parse(answer(body))
    assert isinstance(item, Refusal)


# Rows and states, then refusals, then what is skipped.
OK = ["open"] * 7
SAMPLES: dict[str, tuple[str, tuple[list[str], list[str], dict[str, int]]]] = {
    "error_bad_key.constructed.json": ("forecasts", ([], ["key_refused"], {})),
    "forecast_live.json": ("live", ([], [], {"the crowd of a moment": 1})),
    "forecast_new_error_missing_params.json": ("forecasts", ([], ["bad_request"], {})),
    "forecast_new_error_no_volume.json": ("forecasts", ([], ["not_forecastable"], {})),
    "forecast_new_error_not_found.json": ("forecasts", ([], ["venue_not_found"], {})),
    "forecast_new_ok_closed_days.json": ("forecasts", (["open", "closed", *OK[2:]], [], {})),
    "forecast_new_ok_open_all_week.json": ("forecasts", (OK, [], {})),
    "query_day.json": ("day", (["open"], [], {})),
    "query_day_raw.json": ("day_raw", ([], [], {"shares of a day without its opening hours": 1})),
    "query_hour.json": ("hour", ([], [], {"a single hour of a week": 1})),
    "query_now.json": ("now", ([], [], {"a single hour of a week": 1})),
    "query_peaks.json": ("peaks", ([], [], {"the peaks of a day without its hours": 1})),
    "query_week_overview.json": ("week_overview", ([], [], {"the days of a week without their hours": 1})),
    "query_week_raw.constructed.json": ("week_raw", ([], [], {"shares of a week without its opening hours": 1})),
    "query_week_raw2.constructed.json": ("week_raw2", ([], [], {"shares of a week without its opening hours": 1})),
    "venue_search_accepted.json": ("venue_search", ([], [], {"a search that goes on": 1})),
    "venue_search_progress_running.json": ("venue_search_progress", ([], [], {"a search that goes on": 1})),
    "venues_filter.json": ("venues_filter", ([], [], {"a stored venue without its week": 2})),
    "venues_list.json": ("venues", ([], [], {"a stored venue without its week": 1})),
}


@pytest.fixture(scope="session")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "besttime"


def of_sample(path: Path) -> Answer:
    return answer(path.read_bytes(), SAMPLES[path.name][0], {}, subject={})


def test_every_sample_of_the_provider_has_the_outcome_of_its_description(samples: Path) -> None:
    paths = sorted(samples.glob("*.json"))
    assert [path.name for path in paths] == sorted(SAMPLES)
    for path in paths:
        items = list(parse(of_sample(path)))
        assert_usable(items)
        states = [row["day_state"] for row in rows(items)]
        codes = [item.code for item in refusals(items)]
        assert (states, codes, skipped(items)) == SAMPLES[path.name][1], path.name
        assert unknown(items) == [], path.name


def test_the_venues_of_the_samples_are_read_as_a_person_reads_them(samples: Path) -> None:
    monday = rows(parse(of_sample(samples / "forecast_new_ok_open_all_week.json")))[0]
    assert (monday["venue_name"], monday["opens"], monday["closes"]) == ("Empire State Building", "09:00", "00:00")
    # The hour from midnight is listed as open, and is the one at which it closes.
    assert by_hour(monday) == {
        9: 0, 10: 0, 11: 2, 12: 2, 13: 2, 14: 0, 15: 0, 16: 0, 17: 0, 18: 0, 19: 0, 20: 0, 21: -1, 22: -1, 23: -2,
    }  # fmt: skip
    assert (monday["busy_hours"], monday["quiet_hours"]) == ([11, 12, 13], [21, 22, 23])
    assert (monday["peak_start_hour"], monday["peak_end_hour"]) == (9, 20)
    museum = rows(parse(of_sample(samples / "forecast_new_ok_closed_days.json")))[0]
    assert by_hour(museum) == {10: -1, 11: 0, 12: 0, 13: 0, 14: 0, 15: 0, 16: 0, 17: -1}
    assert museum["hourly_raw"][4:12] == [35, 50, 60, 70, 70, 60, 50, 35]
    diner = rows(parse(of_sample(samples / "query_day.json")))[0]
    assert (diner["weekday"], diner["peak_start_hour"], diner["peak_end_hour"]) == (1, 8, 23)


def test_a_sample_of_new_york_is_another_venue_when_india_was_asked_about(samples: Path) -> None:
    body = (samples / "forecast_new_ok_open_all_week.json").read_bytes()
    (refusal,) = parse(answer(body, params={"venue_name": "Empire State Building", "venue_address": "1, Agra, India"}))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "other_venue"


def test_a_sample_is_the_venue_that_was_asked_about(samples: Path) -> None:
    found = json.loads((samples / "forecast_new_ok_closed_days.json").read_bytes())
    params = {"venue_name": "The Whitney Museum of American Art", "venue_address": "99 Gansevoort St, New York, USA"}
    subject = SUBJECT | {"latitude": "40.7396", "longitude": "-74.0089", "time_zone": "America/New_York"}
    assert len(rows(parse(of_document(found, params=params, subject=subject)))) == 7
