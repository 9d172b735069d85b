"""What pages of etrain mean: delays by station and horizon, or a refusal that names what is wrong."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from sources.etrain.parse import parse
from sources.protocol.cuts import CUT
from sources.protocol.types import Refusal, Skipped, Unknown
from tests.sources.etrain.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    FOLDER,
    NOON,
    PageText,
    Station,
    answer,
    answer_to,
    asked,
    assert_usable,
    codes,
    delays,
    of_file,
    refusals,
    rows,
)

YEAR = FOLDER / "examples" / "1y.negative_and_unknown.html"
OF_RUNS = {"bad_run", "future_run", "runs_disagree"}
OF_A_STATION = {"bad_code", "bad_counts", "bad_average", "contradiction", "repeated_station", "no_counts"}
NO_LOSS = {"no_slug"}


def with_runs(delays_of_runs: Mapping[date, int | None], average: float | None = None) -> PageText:
    """A page of a year of one station, whose counts are those of its runs."""
    known = [delay for delay in delays_of_runs.values() if delay is not None]
    if average is None and known:
        average = sum(known) / len(known)
    counts = (len(known), 0, 0, len(delays_of_runs) - len(known))
    return PageText([Station("ON", counts, average)], {day: [delay] for day, delay in delays_of_runs.items()})


def last_days(count: int, last: date = date(2026, 10, 4)) -> list[date]:
    return [last - timedelta(days=back) for back in reversed(range(count))]


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
    assert set(codes(items)) == {code}
    given = [row for row in rows(items) if row["delay_basis"] == "given"]
    # A fault of the runs costs what is computed of them, one of a station this station, all others the whole page.
    is_about_runs = code in OF_RUNS or ".runs_" in path.name
    assert len(given) == (3 if is_about_runs else 2 if code in OF_A_STATION else 3 if code in NO_LOSS else 0)


def test_every_code_of_the_parser_has_a_counterexample() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r'Refusal\(\s*"(\w+)"', code))
    # The last two are properties of an answer that no file can show.
    assert used == {path.name.partition("__")[0] for path in COUNTEREXAMPLES} | {"expired", "too_large"}


def test_only_what_may_pass_is_worth_asking_again() -> None:
    passing = {
        path.name.partition("__")[0] for path in COUNTEREXAMPLES if refusals(parse(of_file(path)))[0].is_retryable
    }
    assert passing == {"no_title", "bad_title", "wrong_charset", "http_status"}
    gone = answer_to(asked("1y"), b"", status=410)
    assert not refusals(parse(gone))[0].is_retryable


def test_a_page_without_body_says_so() -> None:
    (expired,) = refusals(parse(answer_to(asked("1y"), None)))
    (large,) = refusals(parse(answer_to(asked("1y"), b"", headers=CUT)))
    assert (expired.code, expired.is_retryable, large.code, large.is_retryable) == ("expired", True, "too_large", False)


def test_a_page_of_a_year_is_read_as_a_person_reads_it() -> None:
    items = list(parse(of_file(YEAR)))
    assert rows(items)[1] == {
        "Train Number": "19999",
        "station_code": "ON",
        "station_name": "CONSTRUCTED ROAD",
        "horizon": "1year",
        "avg_delay_min": 34.1,
        "runs_right_time": 5.0,
        "runs_slight": 1.0,
        "runs_significant": 2.0,
        "runs_unknown": 1.0,
        "runs_unit": "count",
        "delay_basis": "given",
    }
    assert delays(items) == {
        ("1year", "CHILL"): (0.4, "given"),
        ("1year", "ON"): (34.1, "given"),
        ("1year", "NIL"): (8.6, "given"),
        # Three runs: 28 September, 1 and 4 October.
        ("1week", "CHILL"): (0.3, "computed"),
        ("1week", "ON"): (5.0, "computed"),
        ("1week", "NIL"): (-10.0, "computed"),
        # And those of 7 and 21 September.
        ("1month", "CHILL"): (0.2, "computed"),
        ("1month", "ON"): (19.0, "computed"),
        ("1month", "NIL"): (-9.7, "computed"),
        # And that of 3 August, which is known at one station alone.
        ("3month", "CHILL"): (0.5, "computed"),
        ("3month", "ON"): (19.0, "computed"),
        ("3month", "NIL"): (-9.7, "computed"),
        # And those of 20 April and 15 June: sums of 4, 123 and -60 of 8, 7 and 6.
        ("6month", "CHILL"): (0.5, "computed"),
        ("6month", "ON"): (17.6, "computed"),
        ("6month", "NIL"): (-10.0, "computed"),
    }


def test_a_computed_average_has_no_classes_of_delay_as_nobody_knows_their_limits() -> None:
    (row,) = [row for row in rows(parse(of_file(YEAR))) if (row["horizon"], row["station_code"]) == ("1week", "NIL")]
    assert (row["runs_right_time"], row["runs_slight"], row["runs_significant"]) == (None, None, None)
    assert (row["runs_unknown"], row["runs_unit"]) == (1.0, "count")


def test_a_name_over_several_lines_is_one_name() -> None:
    names = {row["station_code"]: row["station_name"] for row in rows(parse(of_file(YEAR)))}
    assert names == {"CHILL": "CONSTRUCTED HILL", "ON": "CONSTRUCTED ROAD", "NIL": "CONSTRUCTED TERMINUS"}


def test_the_horizon_is_that_of_the_title_and_not_the_one_that_was_asked_for() -> None:
    page = PageText([Station("ON", (2, 0, 0, 0), 3.0)], window="this month")
    for window in ("bare", "1w", "1y"):
        assert delays(parse(answer(page, window))) == {("1month", "ON"): (3.0, "given")}


@pytest.mark.parametrize(
    ("window", "horizon"),
    [
        ("last week", "1week"),
        ("this month", "1month"),
        ("last 3 months", "3month"),
        ("last 6 months", "6month"),
        ("last year", "1year"),
    ],
)
def test_a_window_has_the_horizon_of_its_words(window: str, horizon: str) -> None:
    page = PageText([Station("ON", (2, 0, 0, 0), 3.0)], window=window)
    assert {row["horizon"] for row in rows(parse(answer(page)))} == {horizon}


def test_a_page_about_another_train_than_the_one_asked_about_is_refused() -> None:
    page = PageText([Station("ON", (2, 0, 0, 0), 3.0)], number="19998")
    assert codes(parse(answer(page))) == ["wrong_train"]
    assert codes(parse(answer(page, "bare"))) == ["wrong_train"]
    assert rows(parse(answer_to(asked("1y", "19998"), str(page).encode())))[0]["Train Number"] == "19998"


def test_no_runs_is_no_data_and_no_delay_of_0() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "3m.no_runs.html")))
    assert items == [Skipped("no run of the train in a window of 3month", 1)]


@pytest.mark.parametrize(
    ("counts", "average", "expected"),
    [
        ((1, 0, 0, 364), 0, None),
        ((0, 0, 0, 365), 0, None),
        ((10, 0, 0, 90), 4.0, None),
        ((0, 0, 1, 9), 61.0, None),
        ((7, 0, 0, 63), 5.0, None),
        ((19, 0, 0, 171), 5.0, None),
        ((11, 0, 0, 89), 4.0, 4.0),
        ((365, 0, 0, 0), 0, 0.0),
        ((0, 0, 0, 0), 0, None),
    ],
)
def test_known_bug_57_a_zero_that_means_unknown_is_null(
    counts: tuple[int, int, int, int], average: float, expected: float | None
) -> None:
    (row,) = rows(parse(answer(PageText([Station("AVD", counts, average)], window="last week"))))
    assert row["avg_delay_min"] == expected
    assert row["runs_unknown"] == counts[3]


def test_known_bug_57_holds_for_computed_averages_too() -> None:
    page = with_runs({day: 5 if place in (0, 29) else None for place, day in enumerate(last_days(30))})
    found = delays(parse(answer(page)))
    assert found["1week", "ON"] == (5.0, "computed")
    assert found["1month", "ON"] == (None, "computed")


def test_known_bug_38_a_delay_of_more_than_half_a_day_is_believed_nowhere() -> None:
    assert codes(parse(answer(PageText([Station("ON", (1, 0, 0, 0), -1430.0)])))) == ["bad_average"]
    found = list(parse(answer(with_runs(dict.fromkeys(last_days(30), 2) | {date(2026, 10, 4): -1430}))))
    assert codes(found) == ["runs_disagree"]
    assert {row["delay_basis"] for row in rows(found)} == {"given"}


def test_negative_averages_are_kept_and_blank_ones_are_null() -> None:
    stations = [Station("EARLY", (5, 0, 0, 0), -3.5), Station("BLANK", (5, 0, 0, 0), None)]
    found = delays(parse(answer(PageText(stations, window="last week"))))
    assert found == {("1week", "EARLY"): (-3.5, "given"), ("1week", "BLANK"): (None, "given")}


def test_a_blank_average_stays_null_whatever_the_runs_say_and_shorter_horizons_are_computed() -> None:
    page = replace(with_runs(dict.fromkeys(last_days(10), -4)), stations=[Station("ON", (10, 0, 0, 0), None)])
    found = delays(parse(answer(page)))
    assert found["1year", "ON"] == (None, "given")
    assert found["1week", "ON"] == (-4.0, "computed")


def test_a_station_that_a_loop_train_calls_at_twice_is_refused_and_never_summed() -> None:
    loop = [Station("ON", (5, 0, 0, 0), 1.0), Station("NIL", (5, 0, 0, 0), 2.0), Station("ON", (0, 5, 0, 0), 30.0)]
    items = list(parse(answer(PageText(loop, window="last week"))))
    assert codes(items) == ["repeated_station", "repeated_station"]
    assert delays(items) == {("1week", "NIL"): (2.0, "given")}
    runs = {day: [1, 2, 30] for day in last_days(5)}
    items = list(parse(answer(PageText(loop, runs))))
    assert Counter(row["station_code"] for row in rows(items)) == {"NIL": 5}


def test_a_quote_in_a_name_and_the_sign_that_ends_tags_in_an_attribute_hide_no_station() -> None:
    stations = [
        Station("ON", (5, 0, 0, 0), 1.0, "ST. JOHN&#39;S &amp; CO (E)"),
        Station("NIL", (5, 0, 0, 0), 2.0, "TWO"),
    ]
    names = [row["station_name"] for row in rows(parse(answer(PageText(stations, window="last week"))))]
    assert names == ["ST. JOHN'S & CO (E)", "TWO"]


def test_a_station_without_a_bar_has_no_name() -> None:
    page = str(PageText([Station("ON", (5, 0, 0, 0), 1.0)], window="last week")).replace("runStatStn", "other")
    assert [row["station_name"] for row in rows(parse(answer(page)))] == [None]


@pytest.mark.parametrize(
    ("bar", "average", "is_fine"),
    [
        ("85", 85.4, True),
        ("86", 85.4, True),
        ("-4", -3.5, True),
        ("84", 85.4, False),
        ("3", -3.0, False),
        ("", 85.4, True),
    ],
)
def test_the_bar_may_round_the_average_of_the_table_and_say_no_other(bar: str, average: float, is_fine: bool) -> None:
    page = PageText([Station("ON", (5, 0, 0, 0), average, bar=bar)], window="last week")
    assert codes(parse(answer(page))) == ([] if is_fine else ["contradiction"])


def test_a_window_ends_with_the_latest_run_of_the_page() -> None:
    weekly = {date(2026, 9, 30) - timedelta(days=7 * back): back for back in reversed(range(20))}
    found = delays(parse(answer(with_runs(weekly))))
    assert found["1week", "ON"] == (0.0, "computed")
    # 30 days until 30 September: the runs of 0, 7, 14, 21 and 28 days before.
    assert found["1month", "ON"] == (2.0, "computed")


def test_of_a_train_that_stopped_to_run_nothing_old_passes_for_last_week() -> None:
    page = with_runs(dict.fromkeys(last_days(20, date(2026, 8, 1)), 12))
    found = delays(parse(answer(page)))
    # 90 days until 5 October begin on 8 July, 180 on 9 April.
    assert found == {
        ("1year", "ON"): (12.0, "given"),
        ("3month", "ON"): (12.0, "computed"),
        ("6month", "ON"): (12.0, "computed"),
    }
    for age, has_week in ((7, True), (8, False)):
        fetched_at = datetime(2026, 8, 1, 12, tzinfo=UTC) + timedelta(days=age)
        assert (("1week", "ON") in delays(parse(answer(page, fetched_at=fetched_at)))) is has_week


def test_a_run_may_begin_on_the_day_after_as_days_begin_earlier_there_but_not_later() -> None:
    for ahead, expected in ((1, []), (2, ["future_run"])):
        last = NOON.date() + timedelta(days=ahead)
        assert codes(parse(answer(with_runs(dict.fromkeys(last_days(9, last), 3))))) == expected


def test_shorter_horizons_are_computed_of_the_page_of_a_year_alone() -> None:
    page = replace(with_runs(dict.fromkeys(last_days(10), 3)), window="last 6 months")
    assert {row["horizon"] for row in rows(parse(answer(page)))} == {"6month"}


def test_other_tables_of_the_script_are_reported() -> None:
    page = str(PageText([Station("ON", (5, 0, 0, 0), 1.0)], window="last week"))
    page = page.replace("</script>", "et.rsStat.moodData = [];</script>")
    assert [item for item in parse(answer(page)) if isinstance(item, Unknown)] == [Unknown("et.rsStat.moodData")]


def test_every_sample_has_the_outcome_of_its_description(shared: Path) -> None:
    folder = shared / "contracts" / "samples" / "train_delays"
    pages = {path.name for path in folder.glob("*.html")}
    assert pages == {"etrain_history_1w.html", "etrain_history_1y.html", "etrain_history_no_runs.html"}

    week = list(parse(of_file(folder / "etrain_history_1w.html", asked("1w", "12892"))))
    assert_usable(week)
    assert delays(week) == {
        ("1week", code): (average, "given")
        for code, average in {"PURI": 0.2, "KUR": 7.0, "BBS": 11.0, "CTC": 24.0, "BGY": 29.0}.items()
    }
    assert [row["station_name"] for row in rows(week)] == [
        "PURI", "KHURDA ROAD JN", "BHUBANESWAR", "CUTTACK", "BANGRIPOSI",
    ]  # fmt: skip
    assert [row["runs_unknown"] for row in rows(week)] == [1.0] * 5
    assert not refusals(week)

    fetched_at = datetime(2025, 9, 27, 12, tzinfo=UTC)
    year = list(parse(of_file(folder / "etrain_history_1y.html", asked("1y", "12673"), fetched_at=fetched_at)))
    assert_usable(year)
    assert [(row["station_code"], row["avg_delay_min"]) for row in rows(year)] == [
        ("MAS", 2.0), ("AVD", None), ("AJJ", 16.0), ("KPD", 17.0), ("JTJ", None), ("SA", 25.0), ("ED", 25.0),
        ("TUP", 24.0), ("CBF", 13.0), ("CBE", None),
    ]  # fmt: skip
    assert {(row["horizon"], row["delay_basis"]) for row in rows(year)} == {("1year", "given")}
    # Its two runs are not the 365 of its counts, so nothing is computed of them.
    assert codes(year) == ["runs_disagree"]

    none = list(parse(of_file(folder / "etrain_history_no_runs.html", asked("3m", "01064"))))
    assert none == [Skipped("no run of the train in a window of 3month", 1)]


def test_the_runs_of_the_sample_of_a_week_bear_out_its_averages(shared: Path) -> None:
    path = shared / "contracts" / "samples" / "train_delays" / "etrain_history_1w.html"
    page = path.read_text(encoding="utf-8").replace("last week</title>", "last year</title>")
    items = list(parse(answer_to(asked("1y", "12892"), page.encode())))
    assert not refusals(items)
    found = delays(items)
    assert {code for horizon, code in found if horizon == "1week"} == {"PURI", "KUR", "BBS", "CTC", "BGY"}
    assert all(found["1week", code][0] == found["1year", code][0] for horizon, code in found if horizon == "1week")
