"""What answers of FlightStats mean: flights and ratings, or a refusal that names what is wrong."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from sources.flightstats.parse import parse
from sources.protocol.types import Refusal, Unknown
from tests.sources.flightstats.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    FOLDER,
    answer,
    assert_usable,
    endpoint_of,
    example,
    of_document,
    of_file,
    refusals,
    rows,
    skipped,
    unknown,
)

SOLD_FLIGHT = "a flight under the number of an airline that only sells it"
SOLD_RATING = "a rating under the number of an airline that only sells the flight"
UNRATED = "no rating: too few flights, or none"
MISCOUNTED = "a rating whose counts do not add up; its row stays"
MISRATED = "a rating whose on-time share, from 0 to 1, is not that of its counts; its row stays"
# Faults of one record, which leave the others alone.
OF_A_RECORD = {
    "bad_flight_number", "bad_number", "bad_time", "bad_times", "bad_type", "contradiction", "no_iata", "no_time_zone",
    "unknown_code",
}  # fmt: skip


def schedule(**changed: Any) -> dict[str, Any]:
    """A day with one flight, of which some fields are others."""
    document = example("schedules.own_code_of_airport")
    document["scheduledFlights"][0] |= changed
    return dict(document)


def zoned(origin: str | None, destination: str | None, offsets: tuple[Any, Any] = (None, None)) -> dict[str, Any]:
    """A day with one flight between airports of other time zones."""
    document = schedule()
    for airport in document["appendix"]["airports"]:
        is_origin = airport["iata"] == "NAG"
        airport["timeZoneRegionName"] = origin if is_origin else destination
        airport["utcOffsetHours"] = offsets[0 if is_origin else 1]
    return document


def rated(**changed: Any) -> dict[str, Any]:
    """A route with one rating, of which some fields are others."""
    document = example("route_ratings.partly_codeshare")
    document["ratings"][0] |= changed
    return dict(document)


def flight(document: dict[str, Any]) -> dict[str, Any]:
    (row,) = rows(parse(of_document("schedules", document)))
    return row


def rating(document: dict[str, Any]) -> dict[str, Any]:
    (row,) = rows(parse(of_document("route_ratings", document)))
    return row


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
    found = refusals(items)
    assert {item.code for item in found} == {code}
    assert {item.table for item in found} == {"flights" if endpoint_of(path) == "schedules" else "flight_ratings"}
    # A record that contradicts another takes that one along; the last one of each file is sound.
    is_whole = not found[0].where.partition("[")[2]
    assert (code in OF_A_RECORD) or is_whole
    assert len(rows(items)) == (0 if is_whole or "no_appendix" in path.name else 1)


def test_every_code_of_the_parser_has_a_counterexample() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r'(?:Refusal|UnfitError|_NotJsonError)\(\s*"(\w+)"', code))
    shown = {path.name.partition("__")[0] for path in COUNTEREXAMPLES}
    # The last three are properties of an answer that no file can show.
    assert used == shown | {"expired", "unknown_endpoint", "too_large"}


def test_only_what_may_pass_is_worth_asking_again() -> None:
    found = {path: refusals(parse(of_file(path)))[0] for path in COUNTEREXAMPLES}
    assert {path.name.partition("__")[0] for path, item in found.items() if item.is_retryable} == {
        "html", "http_status", "key_refused", "not_json", "provider_error", "quota_spent", "rate_limited",
        "wrong_charset", "wrong_pair",
    }  # fmt: skip
    gone = next(path for path in found if path.name == "http_status__schedules.gone.capture.json")
    assert not found[gone].is_retryable


def test_an_answer_whose_body_was_dropped_or_cut_or_that_nobody_reads_is_refused() -> None:
    assert [item.code for item in refusals(parse(answer("schedules", None)))] == ["expired"]
    assert [item.code for item in refusals(parse(answer("schedules", b"", headers={"x-utp-cut": "too_large"})))] == [
        "too_large"
    ]
    assert [item.code for item in refusals(parse(answer("status", b"{}")))] == ["unknown_endpoint"]


@pytest.mark.parametrize("error", [{}, None], ids=["empty", "null"])
@pytest.mark.parametrize("name", ["schedules.two_zones", "route_ratings.partly_codeshare"])
def test_an_error_that_says_nothing_is_no_error(name: str, error: Any) -> None:
    endpoint = name.partition(".")[0]
    plain, said = example(name), {**example(name), "error": error}
    assert list(parse(of_document(endpoint, said))) == list(parse(of_document(endpoint, plain)))


def test_a_failure_is_never_told_in_the_words_that_repeat_who_asked() -> None:
    for path in COUNTEREXAMPLES:
        assert "constructed" not in str(refusals(parse(of_file(path))))


def test_a_day_without_flights_is_an_answer() -> None:
    assert list(parse(of_file(FOLDER / "examples" / "schedules.no_flight.json"))) == []


def test_a_flight_is_read_as_a_person_reads_it() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "schedules.codeshare_and_night.json")))
    night, morning = rows(items)
    assert night == {
        "Flight Number": "UK-42",
        "Airline": "Constructed Airline UK",
        "OriginAirport": "NAG",
        "DestAirport": "BOM",
        "DepTime": "22:55",
        "ArrTime": "00:35",
        "arr_day_offset": 1,
        "duration_min": 100,
        "Price": None,
        "fare_class": None,
        "FlightDate": date(2025, 11, 3),
        "days_of_operation": None,
    }
    assert (morning["Flight Number"], morning["arr_day_offset"]) == ("6E-284", 0)
    assert skipped(items) == {SOLD_FLIGHT: 1}


def test_codes_are_those_that_the_appendix_gives_whatever_its_order() -> None:
    document = example("schedules.own_code_of_airport")
    for _ in range(2):
        document["appendix"]["airports"].reverse()
        row = flight(document)
        assert (row["OriginAirport"], row["DestAirport"]) == ("NAG", "BOM")


@pytest.mark.parametrize(
    ("fs", "iata", "number"),
    [("UK*", "UK", "UK-284"), ("I5*", "I5", "I5-284"), ("CD", "9I", "9I-284"), ("TRJ", "2T", "2T-284"),
     ("O2G", "OG", "OG-284")],
)  # fmt: skip
def test_the_own_code_of_an_airline_becomes_that_of_iata(fs: str, iata: str, number: str) -> None:
    document = schedule(carrierFsCode=fs)
    document["appendix"]["airlines"] = [{"fs": fs, "iata": iata, "name": " Air  Name "}]
    row = flight(document)
    assert (row["Flight Number"], row["Airline"]) == (number, "Air Name")


@pytest.mark.parametrize(("written", "number"), [("0284", "6E-284"), ("007", "6E-7"), ("6999", "6E-6999")])
def test_zeros_before_a_number_do_not_count_in_schedules_nor_in_ratings(written: str, number: str) -> None:
    assert flight(schedule(flightNumber=written))["Flight Number"] == number
    assert rating(rated(flightNumber=written))["Flight Number"] == number


@pytest.mark.parametrize(
    ("origin", "destination", "departs", "arrives", "offset", "minutes"),
    [
        ("Asia/Kolkata", "Asia/Kathmandu", "2025-11-03T09:00", "2025-11-03T11:00", 0, 105),
        ("Asia/Kathmandu", "Asia/Kolkata", "2025-11-03T09:00", "2025-11-03T11:00", 0, 135),
        ("Asia/Kolkata", "Asia/Dubai", "2025-11-03T23:30", "2025-11-04T01:00", 1, 180),
        ("Asia/Calcutta", "Europe/London", "2025-07-01T13:00", "2025-07-01T18:00", 0, 570),
        ("Asia/Calcutta", "Europe/London", "2025-12-01T13:00", "2025-12-01T18:00", 0, 630),
        # The clocks of this country are moved back between the two.
        ("Europe/Paris", "Europe/Paris", "2025-10-26T01:30", "2025-10-26T03:30", 0, 180),
    ],
)
def test_a_duration_is_told_by_the_clocks_of_both_airports(
    origin: str, destination: str, departs: str, arrives: str, offset: int, minutes: int
) -> None:
    document = zoned(origin, destination)
    document["scheduledFlights"][0] |= {"departureTime": f"{departs}:00.000", "arrivalTime": f"{arrives}:00.000"}
    row = flight(document)
    assert (row["DepTime"], row["ArrTime"]) == (departs[-5:], arrives[-5:])
    assert (row["arr_day_offset"], row["duration_min"], row["FlightDate"]) == (
        offset, minutes, date.fromisoformat(departs[:10]),
    )  # fmt: skip


def test_the_offset_of_an_airport_stands_in_for_a_time_zone_without_a_name() -> None:
    assert flight(zoned(None, "Nowhere/Known", (5.5, 4)))["duration_min"] == 100 + 90
    assert flight(zoned("Asia/Kolkata", "Asia/Kolkata", (0, 9)))["duration_min"] == 100


def test_a_number_that_flies_on_is_a_flight_for_each_leg() -> None:
    document = schedule()
    leg = {"departureAirportFsCode": "BOM", "arrivalAirportFsCode": "VIXX", "departureTime": "2025-11-03T09:00:00.000"}
    document["scheduledFlights"].append(
        document["scheduledFlights"][0] | leg | {"arrivalTime": "2025-11-03T10:40:00.000"}
    )
    found = rows(parse(of_document("schedules", document)))
    assert [(row["Flight Number"], row["OriginAirport"], row["DepTime"]) for row in found] == [
        ("6E-284", "NAG", "06:10"), ("6E-284", "BOM", "09:00"),
    ]  # fmt: skip


def test_a_record_that_stands_twice_alike_counts_once() -> None:
    document = schedule()
    document["scheduledFlights"] *= 3
    items = list(parse(of_document("schedules", document)))
    assert (len(rows(items)), skipped(items)) == (1, {"a record that stands twice alike": 2})


def test_of_records_that_contradict_each_other_none_is_a_row_whatever_a_third_says() -> None:
    document = schedule()
    first = document["scheduledFlights"][0]
    document["scheduledFlights"] = [first, first | {"arrivalTime": "2025-11-03T08:00:00.000"}, first]
    items = list(parse(of_document("schedules", document)))
    assert [item.code for item in refusals(items)] == ["contradiction"] * 3
    assert rows(items) == []


def test_a_rating_is_read_as_a_person_reads_it() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "route_ratings.codeshare_repeats.json")))
    first, second = rows(items)
    assert first == {
        "Flight Number": "UK-42",
        "OriginAirport": "NAG",
        "DestAirport": "BOM",
        "observations": 52,
        "on_time": 40,
        "late": 5,
        "very_late": 3,
        "excessive": 4,
        "cancelled": 0,
        "diverted": 0,
        "delay_observations": 20,
        "codeshares": 0,
        "delay_mean_min": 28.0,
        "delay_std_min": 42.244675,
        "delay_max_min": 190.0,
    }
    assert second["Flight Number"] == "6E-284"
    assert skipped(items) == {SOLD_RATING: 1}


def test_a_number_that_was_sold_in_part_keeps_its_rating() -> None:
    assert (rating(rated())["codeshares"], rating(rated())["observations"]) == (7, 60)
    assert rating(rated(codeshares=59))["codeshares"] == 59
    assert rows(parse(of_document("route_ratings", rated(codeshares=60)))) == []


def test_few_observations_are_a_row_and_no_delay_is_null_and_not_zero() -> None:
    (row,) = rows(parse(of_file(FOLDER / "examples" / "route_ratings.few_and_never_late.json")))
    assert (row["observations"], row["on_time"], row["delay_observations"]) == (3, 3, 0)
    assert {row[name] for name in ("delay_mean_min", "delay_std_min", "delay_max_min")} == {None}


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_no_rating_is_no_row_of_zeros_and_says_so(name: str) -> None:
    items = list(parse(of_file(FOLDER / "examples" / f"route_ratings.{name}.json")))
    assert (rows(items), refusals(items), skipped(items)) == ([], [], {UNRATED: 1})


def test_a_number_that_flew_two_pairs_has_a_rating_for_each() -> None:
    found = rows(parse(of_file(FOLDER / "examples" / "flight_ratings.two_legs.json")))
    assert [(row["OriginAirport"], row["DestAirport"], row["observations"]) for row in found] == [
        ("NAG", "BOM", 60), ("BOM", "NAG", 55),
    ]  # fmt: skip


def test_every_statistic_may_be_a_whole_number_or_a_broken_one() -> None:
    whole = rated()
    numbers = [name for name, value in whole["ratings"][0].items() if type(value) in (int, float)]
    for kind in (int, float):
        document = rated(**{name: kind(whole["ratings"][0][name]) for name in numbers if "Percent" not in name})
        row = rating(document | {"ratings": [document["ratings"][0] | {"delayStandardDeviation": 42.244675}]})
        assert row == rating(whole)
        assert {type(row[name]) for name in ("observations", "late", "codeshares")} == {int}
        assert {type(row[name]) for name in ("delay_mean_min", "delay_max_min")} == {float}


def test_known_bug_58_one_extreme_day_is_given_as_it_is_with_the_number_of_its_observations() -> None:
    extreme = {"delayObservations": 21, "delayMean": 75.0, "delayStandardDeviation": 195.23309, "delayMax": 908}
    row = rating(rated(**extreme))
    told = (row["delay_mean_min"], row["delay_std_min"], row["delay_max_min"], row["delay_observations"])
    assert told == (75.0, 195.23309, 908.0, 21)


def test_counts_that_do_not_add_up_are_kept_and_told() -> None:
    items = list(parse(of_document("route_ratings", rated(late45=6))))
    assert (len(rows(items)), skipped(items)) == (1, {MISCOUNTED: 1})


@pytest.mark.parametrize(
    ("share", "is_doubtful"),
    [(0.73333335, False), (0.73333, False), (0.7, True), (73.333335, True), (1, True), (None, True), ("0.73", True)],
)
def test_known_bug_60_an_on_time_share_is_a_fraction_and_that_of_the_counts(share: Any, is_doubtful: bool) -> None:
    items = list(parse(of_document("route_ratings", rated(ontimePercent=share))))
    assert rows(items) == [rating(rated())]
    assert skipped(items) == ({MISRATED: 1} if is_doubtful else {})


def test_what_nobody_knows_is_told_by_its_path() -> None:
    document = schedule(gate="5")
    document["appendix"]["airports"][0]["runways"] = 2
    document["new\ud800"] = 1
    assert unknown(parse(of_document("schedules", document))) == [
        "scheduledFlights[].gate", "appendix.airports[].runways", "new\\ud800",
    ]  # fmt: skip


def test_every_sample_has_the_outcome_of_its_dossier(shared: Path) -> None:
    samples = shared / "contracts" / "samples" / "flightstats"

    def read(name: str, endpoint: str) -> list[Any]:
        return list(parse(answer(endpoint, (samples / f"{name}.json").read_bytes())))

    one = read("ratings_flight_AA1295", "flight_ratings")
    assert [
        (row["Flight Number"], row["observations"], row["on_time"], row["delay_mean_min"]) for row in rows(one)
    ] == [("AA-1295", 60, 49, 75.0)]
    route = read("ratings_route_BOM_LHR", "route_ratings")
    assert [row["Flight Number"] for row in rows(route)] == ["VS-355", "9W-118", "AI-131", "BA-138"]
    assert skipped(route) == {SOLD_RATING: 2}
    day = read("schedules_route_IXB_GAU", "schedules")
    columns = ("Flight Number", "Airline", "DepTime", "ArrTime", "duration_min")
    assert [tuple(row[column] for column in columns) for row in rows(day)] == [
        ("6E-433", "IndiGo", "16:00", "16:45", 45), ("G8-153", "GoAir", "13:55", "14:50", 55),
    ]  # fmt: skip
    for items in (one, route, day):
        assert_usable(items)
        assert not [item for item in items if isinstance(item, Refusal | Unknown)]
    for endpoint in ("schedules", "route_ratings", "flight_ratings"):
        refused = read("error_auth_failure.http200", endpoint)
        assert [(item.code, item.is_retryable) for item in refusals(refused)] == [("key_refused", True)]
