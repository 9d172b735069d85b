"""What pages mean: cards one by one, clocks that agree with days and durations, and a reason for what has no row."""

import csv
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from sources.protocol.types import Refusal, Row
from sources.tripozo.layouts import LAYOUTS
from sources.tripozo.page import Page, open_page
from sources.tripozo.parse import parse
from tests.sources.tripozo.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    answer,
    assert_usable,
    columns,
    of_example,
    of_file,
    of_json,
    refusals,
    rows,
    skipped,
)

WHEN = ("DepTime", "ArrTime", "arr_day_offset", "duration_min")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_has_no_refusal_and_only_usable_rows(path: Path) -> None:
    items = assert_usable(of_file(path))
    assert refusals(items) == []
    is_empty = "none" in path.name or "no_lines" in path.name
    assert bool(rows(items)) is not is_empty


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_a_counterexample_is_refused_with_the_code_in_its_name(path: Path) -> None:
    items = assert_usable(of_file(path))
    assert {item.code for item in refusals(items)} == {path.name.partition("__")[0]}
    assert all(item.table for item in refusals(items))
    assert rows(items) == []


def test_each_layout_has_an_example_that_it_knows_and_no_other_does() -> None:
    known = set()
    for path in EXAMPLES:
        page = _page(of_file(path))
        (layout,) = [one for one in LAYOUTS if one.knows(page)]
        known.add(layout)
    assert known == set(LAYOUTS)


def _page(given: Any) -> Any:
    page = open_page(given)
    assert isinstance(page, Page)
    return page


def test_a_card_without_a_fare_does_not_shift_the_fares_behind_it() -> None:
    items = list(parse(of_example("flights.cards.html")))
    assert columns(items, "Flight Number", "Price") == [
        ("6E-284", 4799.0),
        ("AI-45", 102345.0),
        ("SG-8157", None),
        ("QP-1128", 5106.5),
        ("6E-21", 3100.0),
    ]
    assert skipped(items) == {"a connection of several flights": 1}


def test_known_bug_37_an_arrival_keeps_its_day() -> None:
    found = {row["Flight Number"]: row for row in rows(parse(of_example("flights.cards.html")))}
    assert [found["AI-45"][name] for name in WHEN] == ["22:20", "00:35", 1, 135]
    # 24:00 of the day that was asked for is 00:00 of the next one, and the arrival lies on that day too.
    assert [found["QP-1128"][name] for name in WHEN] == ["00:00", "02:05", 0, 125]
    assert (found["QP-1128"]["FlightDate"], found["AI-45"]["FlightDate"]) == (date(2025, 8, 16), date(2025, 8, 15))
    for path in EXAMPLES:
        for item in parse(of_file(path)):
            if isinstance(item, Row) and "duration_min" in item.values:
                departs, arrives, offset, duration = (item.values[name] for name in WHEN)
                assert duration == _minutes(arrives) + 1440 * offset - _minutes(departs)


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def test_known_bug_38_a_halt_over_midnight_ends_on_the_next_day() -> None:
    found = columns(parse(of_example("train.timetable.html")), "arrives", "departs", "day")
    assert found == [(None, "23:05", 1), ("23:58", "00:03", 1), ("00:00", "00:10", 3), ("05:00", None, 3)]


def test_known_bug_39_times_are_null_at_the_ends_alone_and_no_journey_takes_thirteen_days() -> None:
    found = columns(parse(of_example("train.timetable.html")), "arrives", "departs")
    assert [place for place, times in enumerate(found) if None in times] == [0, len(found) - 1]
    for name in ("bad_day__train.day_13.html", "bad_day__trains.day_13.json", "no_time__train.middle.html"):
        (refusal,) = refusals(parse(of_file(EXAMPLES[0].parents[1] / "counterexamples" / name)))
        assert refusal.code in ("bad_day", "no_time")


def test_known_bug_40_a_station_is_its_code_and_its_name_and_no_city_is_made_of_it() -> None:
    found = rows(parse(of_example("train.timetable.html")))
    assert [(row["station_code"], row["station_name"]) for row in found] == [
        ("ON", "CONSTRUCTED ONE"),
        ("NIL", "CONSTRUCTED TWO"),
        # MGS was renamed.
        ("DDU", "CONSTRUCTED THREE"),
        ("NAN", "CONSTRUCTED FOUR"),
    ]
    assert not any("city" in name.lower() for name in found[0])


def test_known_bug_46_an_airport_is_its_code_as_the_card_has_it() -> None:
    params = {"from": "2025-08-15", "origin": "DEL", "destination": "NMI"}
    found = rows(parse(of_example("flights.cards.html", params=params)))
    assert {(row["OriginAirport"], row["DestAirport"]) for row in found} == {("DEL", "BOM")}


def test_flights_of_a_page_without_a_day_are_refused() -> None:
    for params in ({}, {"from": "15-08-2025"}):
        assert [one.code for one in refusals(parse(of_example("flights.cards.html", params=params)))] == ["no_date"]


def test_the_days_of_a_train_are_shifted_back_from_the_stop_where_they_were_listed() -> None:
    # It halts over midnight there: who gets on on a Tuesday and a Saturday, gets on a train of Monday and of Friday.
    told = {"days": "0100010", "days_at": "NIL", "classes": "2A SL", "train_type": "sf"}
    found = rows(parse(of_example("train.timetable.html", subject=told)))
    assert {(row["days_of_operation"], tuple(row["classes"]), row["train_type"]) for row in found} == {
        ("1000100", ("2A", "SL"), "SF")
    }
    for elsewhere in ({}, told | {"days_at": "XYZ"}, told | {"days_at": "NAN"}):
        found = rows(parse(of_example("train.timetable.html", subject=elsewhere)))
        assert {row["days_of_operation"] for row in found} == {None}


def test_a_train_that_runs_under_another_number_is_left_to_that_number() -> None:
    (item,) = parse(of_example("train.timetable.html", params={"number": "82117"}))
    assert isinstance(item, Refusal)
    assert (item.code, item.is_split) == ("renumbered", True)
    assert {
        row["Train Number"] for row in rows(parse(of_example("train.timetable.html", params={"number": "1431"})))
    } == {"01431"}


def test_distances_that_fall_along_the_way_are_none() -> None:
    body = of_example("train.timetable.html").body or b""
    items = list(parse(answer(body.replace(b"900 kms", b"9 kms"), "train")))
    assert {row["distance_km"] for row in rows(items)} == {None}
    assert list(skipped(items).values()) == [4]


def test_a_saved_list_is_timetables_of_two_stops() -> None:
    found = columns(
        parse(of_example("trains.lines.html")),
        "Train Number", "stop_sequence", "station_code", "arrives", "departs", "day", "days_of_operation",
    )  # fmt: skip
    assert found == [
        # Sunday first, at the station where one gets on.
        ("22605", 1, "VSKP", None, "01:40", 1, "0100010"),
        ("22605", 2, "TNM", "17:26", None, 1, "0100010"),
        ("07468", 1, "VSKP", None, "18:20", 1, "1111100"),
        ("07468", 2, "ON", "00:00", None, 2, "1111100"),
    ]


def test_a_list_that_was_asked_for_its_numbers_has_no_rows() -> None:
    items = list(parse(of_example("trains.lines.html", subject={"for": "numbers"})))
    assert rows(items) == []
    assert skipped(items) == {"a train of a list; its stops come with its timetable": 2}


def test_one_train_is_told_once_however_often_it_is_listed() -> None:
    items = list(parse(of_example("trains.json")))
    found = columns(items, "Train Number", "Train Name", "departs", "arrives", "day", "days_of_operation", "classes")
    assert found == [
        ("12295", "CONSTRUCTED EXP", "09:00", None, 1, "1001000", ["1A", "2A", "EC", "SL"]),
        ("12295", "CONSTRUCTED EXP", None, "03:55", 3, "1001000", ["1A", "2A", "EC", "SL"]),
        # Leaving at 24:00 of a Saturday is leaving on a Sunday.
        ("01417", "CONSTRUCTED EXP", "00:00", None, 1, "0000001", ["1A", "2A", "EC"]),
        ("01417", "CONSTRUCTED EXP", None, "00:00", 2, "0000001", ["1A", "2A", "EC"]),
    ]
    assert skipped(items) == {
        "another listing of the same train": 1,
        "a train that is listed between other stations too": 1,
    }


def test_a_duration_with_a_point_is_hours_and_minutes_and_counts_the_days() -> None:
    for name in ("trains.erail.txt", "trains.confirmtkt.json"):
        found = columns(parse(of_example(name)), "Train Number", "departs", "arrives", "day")
        assert found == [
            ("12302", "16:50", None, 1),
            ("12302", None, "10:05", 2),
            ("04302", "23:55", None, 1),
            ("04302", None, "00:05", 3),
        ]


def test_weekdays_begin_where_each_layout_has_them_begin() -> None:
    for name in ("trains.erail.txt", "trains.confirmtkt.json"):
        assert rows(parse(of_example(name)))[0]["days_of_operation"] == "1111011"


def test_buses_have_the_lowest_fare_their_kind_and_times_that_are_computed() -> None:
    items = list(parse(of_example("buses.json")))
    wanted = ("Operator", "BusType", *WHEN, "Price", "bus_rating")
    assert columns(items, *wanted) == [
        ("Constructed Travels", "AC Sleeper", "19:30", "06:15", 1, 645, 1399.0, 4.2),
        ("Constructed Lines", "Non AC Seater", "21:00", "10:30", 1, 810, 650.0, None),
        ("Constructed Travels", "AC Sleeper", "19:30", "06:15", 1, 645, None, 3.3),
        ("Constructed Travels", None, "23:59", "00:00", 2, 1441, None, 4.2),
    ]
    assert skipped(items) == {"a placeholder in place of a fare; the row stays": 1}
    assert rows(items)[3]["bus_type_text"] == "Constructed chariot"


def test_places_are_those_of_the_page_else_those_that_were_asked_for_with_their_states() -> None:
    states = {"origin_state": "Haryana", "destination_state": "Uttar Pradesh"}
    for name, places in (("buses.json", ("Gurgaon", "Allahabad")), ("buses.redbus.json", ("Bengaluru", "Kozhikode"))):
        row = rows(parse(of_example(name, subject=states)))[0]
        assert (row["origin_name"], row["destination_name"]) == places
        assert {row["origin_state"], row["destination_state"]} == {"Haryana", "Uttar Pradesh"}


def test_a_bus_that_is_stamped_with_its_day_of_departure_arrives_the_next_morning() -> None:
    found = columns(parse(of_example("buses.redbus.json")), *WHEN, "Price", "bus_rating")
    assert found == [("20:00", "04:25", 1, 505, 473.0, 3.6), ("23:44", "05:45", 1, 361, None, None)]


def test_an_unknown_field_of_a_record_is_named_once() -> None:
    items = list(parse(of_json("buses", {"buses": [{"constructed": 1}, {"constructed": 2}]})))
    assert [item.path for item in items if hasattr(item, "path")] == ["buses[].constructed"]


@pytest.mark.parametrize("endpoint", ["hotels", ""])
def test_another_endpoint_is_refused(endpoint: str) -> None:
    assert [one.code for one in refusals(parse(answer(b"<p>", endpoint)))] == ["unknown_endpoint"]


def test_an_answer_without_its_body_is_asked_for_again() -> None:
    (refusal,) = refusals(parse(answer(None, "trains")))
    assert (refusal.code, refusal.is_retryable) == ("expired", True)


# What the dossier says of its samples.


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "tripozo"


def test_the_sample_of_flights_has_its_outcome(samples: Path) -> None:
    items = assert_usable(answer((samples / "flight_results_01.html").read_bytes(), "flights"))
    assert refusals(items) == []
    assert columns(items, "Flight Number", *WHEN, "Price", "FlightDate") == [
        ("6E-2031", "06:00", "08:10", 0, 130, 4799.0, date(2025, 8, 15)),
        ("AI-2954", "22:20", "00:35", 1, 135, 12450.0, date(2025, 8, 15)),
        ("QP-1128", "00:00", "02:05", 0, 125, 5106.5, date(2025, 8, 16)),
        ("SG-8157", "19:55", "22:05", 0, 130, None, date(2025, 8, 15)),
    ]
    assert skipped(items) == {"a connection of several flights": 1}


def test_the_sample_of_a_timetable_has_its_outcome(samples: Path) -> None:
    items = assert_usable(answer((samples / "train_schedule_01.html").read_bytes(), "train", {"number": "10111"}))
    found = columns(items, "station_code", "arrives", "departs", "day", "distance_km")
    assert (len(items), len(found)) == (19, 19)
    assert found[0] == ("CSMT", None, "23:05", 1, 0.0)
    assert found[3] == ("PNVL", "00:25", "00:30", 2, 69.0)
    assert found[-1] == ("MAO", "10:45", None, 2, 765.0)


def test_the_samples_of_lists_have_their_outcome(samples: Path) -> None:
    between = assert_usable(answer((samples / "trains_between_01.html").read_bytes(), "trains"))
    wanted = ("Train Number", "arrives", "day", "days_of_operation", "classes")
    assert columns(between, *wanted)[1::2] == [
        ("22605", "17:26", 1, "0100010", ["2A", "3A", "SL"]),
        ("18189", "09:35", 2, "1111111", ["1A", "2A", "3A", "3E", "SL"]),
        ("07468", "00:00", 2, "1111100", None),
    ]
    for name in ("erail_trains_shape.txt", "confirmtkt_trains_shape.json"):
        found = columns(assert_usable(answer((samples / name).read_bytes(), "trains")), *wanted[:4])
        assert found[1::2] == [("12302", "10:05", 2, "1111011"), ("04302", "00:05", 3, "0000100")]


def test_the_sample_of_saved_trains_has_its_outcome(samples: Path) -> None:
    items = assert_usable(answer((samples / "capture_trains_constructed.json").read_bytes(), "trains"))
    found = columns(items, "Train Number", "departs", "arrives", "day", "days_of_operation", "classes")
    classes = ["1A", "2A", "3A", "SL"]
    assert found == [
        # Once with greyed days and once with one of them: it may run on others too.
        ("12295", "09:00", None, 1, None, classes),
        ("12295", None, "03:55", 3, None, classes),
        # Flags whose first weekday nobody knows.
        ("01417", "00:00", None, 1, None, ["2S"]),
        ("01417", None, "00:00", 2, None, ["2S"]),
    ]
    assert [(one.code, one.value) for one in refusals(items)] == [("no_time", "82653")]


def test_the_samples_of_buses_have_their_outcome(samples: Path) -> None:
    saved = assert_usable(answer((samples / "capture_buses_constructed.json").read_bytes(), "buses"))
    assert columns(saved, *WHEN, "Price", "bus_rating") == [
        ("19:30", "06:15", 1, 645, 1499.0, 4.2),
        ("21:00", "10:30", 1, 810, 650.0, None),
        ("23:59", "00:00", 2, 1441, 899.0, None),
    ]
    search = assert_usable(answer((samples / "bus_search_api_shape.json").read_bytes(), "buses"))
    assert columns(search, *WHEN, "Price", "bus_rating") == [
        ("20:00", "04:25", 1, 505, 473.0, 3.6),
        ("23:45", "09:00", 1, 555, 1250.0, None),
        ("21:00", "05:30", 1, 510, 450.0, 4.1),
    ]
    assert refusals([*saved, *search]) == []


def test_schedules_are_left_to_their_own_provider(samples: Path) -> None:
    for name in ("flight_schedule_api.json", "flight_schedule_api_empty.json"):
        (refusal,) = refusals(parse(answer((samples / name).read_bytes(), "flights")))
        assert refusal.code == "other_provider"


def test_genuine_texts_of_buses_are_read_as_their_dossier_has_them(samples: Path) -> None:
    """Rows that were scraped into files go through the same normaliser, as records of a page."""
    with (samples / "bus_rows_with_dates.csv").open(encoding="utf-8") as file:
        dated = [
            {"Tvs": row["busname"], "bt": row["bustype"], "dt": row["departing_time"], "at": row["reaching_time"],
             "minfr": row["price"], "rt": {"totRt": row["star_rating"]}}
            for row in csv.DictReader(file)
        ]  # fmt: skip
    items = assert_usable(of_json("buses", {"inv": dated}))
    minutes = columns(items, "DepTime", "duration_min", "Price")
    assert minutes == [
        ("20:00", 505, 473.0),
        ("21:31", 545, 640.0),
        ("22:12", 564, 640.0),
        ("23:44", 361, 618.0),
        ("23:55", 250, 509.0),
        ("23:59", 561, 1290.0),
        ("19:30", 780, None),
        ("19:40", 655, None),
    ]
    assert [one.code for one in refusals(items)] == ["bad_duration"] * 4
    assert skipped(items) == {"a placeholder in place of a fare; the row stays": 2}

    with (samples / "bus_rows_raw_strings.csv").open(encoding="utf-8") as file:
        raw = [
            {"operator": row["bus_name"], "busType": row["bus_type"], "dep": row["departure_at"],
             "arr": row["arrival_at"], "duration": row["duration"], "fare": row["price"], "rating": row["rating"]}
            for row in csv.DictReader(file)
        ]  # fmt: skip
    items = assert_usable(of_json("buses", {"buses": raw}))
    assert refusals(items) == []
    assert columns(items, "Operator", "duration_min", "Price", "bus_rating")[:3] == [
        ("WBTC (CTC) HABRA-DIGHA via Bally - 26", 285, 161.0, 3.3),
        ("WBTC (CTC) BARASAT-DIGHA via Esplanade, Karunamoyee,Airport - 206", 320, 165.0, 3.0),
        ("WBTC (CTC) HABRA-DIGHA via Bally - 26", 285, 161.0, 3.2),
    ]
    assert columns(items, "bus_rating")[5:7] == [(None,), (None,)]


def test_genuine_lines_of_the_train_list_are_read_as_their_dossier_has_them(samples: Path) -> None:
    with (samples / "train_list_rows.csv").open(encoding="utf-8") as file:
        listed = [
            {"trainNo": row["Train No"], "trainName": row["Train Name"], "trainType": row["Train Type"],
             "srcCode": row["From"], "dstCode": row["To"], "dep": row["Dep"], "arr": row["Arr"],
             "duration": row["Duration"], "runsOn": row["Days"], "classes": row["Classes"]}
            for row in csv.DictReader(file)
        ]  # fmt: skip
    items = assert_usable(of_json("trains", {"trains": listed}))
    assert refusals(items) == []
    found = columns(items, "Train Number", "Train Name", "train_type", "day", "days_of_operation", "classes")[1::2]
    # Two of the 18 lines are repeats.
    assert len(found) == 16
    assert {row[0]: row[3] for row in found}["11045"] == 3
    assert {row[0] for row in found} >= {"01431", "01432", "20111", "71405"}
    assert {row[4] for row in found} == {None}
    assert ("12462", "Sabarmati - Jodhpur Vande Bharat Express", "VB", 1, None, ["CC", "EC"]) in found
    assert not any("(" in name and ("PT)" in name or "UnReserved" in name) for _, name, *_ in found)
