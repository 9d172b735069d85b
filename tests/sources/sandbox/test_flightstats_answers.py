"""What the stand-in for FlightStats says of the world's flights, and whom it says it to."""

from typing import Any

import requests

from sources.sandbox.flights import TrueFlight
from sources.sandbox.process import running
from sources.sandbox.world import World
from tests.sources.sandbox.asking import log
from tests.sources.sandbox.flights_asking import day, get, number, route

TUESDAY = "2025/11/4"
SAYS_NOTHING: tuple[Any, ...] = ("absent", None, {})


def with_codeshares(world: World) -> TrueFlight:
    return next(one for one in world.flights if one.codeshares and one.punctuality and one.punctuality.observations > 9)


def test_a_day_holds_the_flights_of_its_weekday_and_each_codeshare_beside_them(address: str, world: World) -> None:
    pairs = {(one.origin, one.destination) for one in world.flights if one.days_of_operation[1] == "0"}
    assert pairs
    for pair in pairs | {(one.origin, one.destination) for one in world.flights[:20]}:
        flown = [one for one in world.flights if (one.origin, one.destination) == pair]
        flown = [one for one in flown if one.days_of_operation[1] == "1"]
        found = day(address, *pair, TUESDAY)["scheduledFlights"]
        assert sorted(int(one["flightNumber"]) for one in found if not one["isCodeshare"]) == sorted(
            int(one.number) for one in flown
        )
        assert sum(one["isCodeshare"] for one in found) == sum(len(one.codeshares) for one in flown)


def test_a_codeshare_names_the_flight_that_it_sells(address: str, world: World) -> None:
    flight = next(one for one in world.flights if one.codeshares and one.days_of_operation[0] == "1")
    found = day(address, flight.origin, flight.destination)["scheduledFlights"]
    (flown,) = [one for one in found if not one["isCodeshare"] and int(one["flightNumber"]) == int(flight.number)]
    sold = [one for one in found if one.get("operator", {}).get("flightNumber") == flown["flightNumber"]]
    assert len(sold) == len(flight.codeshares) == len(flown["codeshares"])
    for one in sold:
        assert (one["departureTime"], one["arrivalTime"]) == (flown["departureTime"], flown["arrivalTime"])
        assert one["operator"]["carrierFsCode"] == flown["carrierFsCode"]
        assert one["codeshares"] == []


def test_a_codeshare_has_the_rating_of_its_flight_with_every_observation_marked(address: str, world: World) -> None:
    flight = with_codeshares(world)
    found = {one["flightNumber"]: one for one in route(address, flight.origin, flight.destination)["ratings"]}
    own, repeat = found[flight.number], found[flight.codeshares[0].number]
    assert repeat["codeshares"] == repeat["observations"] == own["observations"] > own["codeshares"]
    names = {"airlineFsCode", "flightNumber", "codeshares"}
    assert {key: value for key, value in own.items() if key not in names} == {
        key: value for key, value in repeat.items() if key not in names
    }


def test_own_codes_are_explained_by_an_appendix_in_no_order(address: str, world: World) -> None:
    airlines: dict[str, str] = {}
    airports: dict[str, str] = {}
    is_origin_first = set()
    for dep, arr in {(one.origin, one.destination) for one in world.flights}:
        appendix = route(address, dep, arr)["appendix"]
        airlines |= {one["fs"]: one["iata"] for one in appendix["airlines"]}
        airports |= {one["fs"]: one["iata"] for one in appendix["airports"]}
        is_origin_first.add(appendix["airports"][0]["iata"] == dep)
    assert {fs for fs, iata in airlines.items() if fs != iata} == {"UK*", "I5*", "CD", "TRJ"}
    assert 0 < sum(fs != iata for fs, iata in airports.items()) < len(airports) / 2
    assert is_origin_first == {True, False}


def test_what_was_not_measured_is_missing_or_an_empty_list(address: str, world: World) -> None:
    rated = {(one.origin, one.destination) for one in world.flights if one.punctuality}
    coded = [airport.iata for airport in world.airports if airport.iata]
    pairs = [(dep, arr) for dep in coded for arr in coded if dep != arr and (dep, arr) not in rated]
    found = [route(address, *pair) for pair in pairs[:20]]
    assert {"ratings" in one for one in found} == {True, False}
    assert all(one.get("ratings", []) == [] for one in found)


def test_an_error_of_a_success_is_absent_or_null_or_empty(address: str, world: World) -> None:
    pairs = sorted({(one.origin, one.destination) for one in world.flights})
    errors = [route(address, *pair).get("error", "absent") for pair in pairs]
    assert [errors.count(kind) > 0 for kind in SAYS_NOTHING] == [True] * 3


def test_a_number_has_a_rating_for_each_pair_that_it_flies(address: str, world: World) -> None:
    numbers: dict[str, list[TrueFlight]] = {}
    for flight in world.flights:
        numbers.setdefault(flight.flight_number, []).append(flight)
    both = next(some for some in numbers.values() if len(some) > 1 and all(one.punctuality for one in some))
    found = number(address, both[0].carrier, both[0].number)["ratings"]
    assert len(found) == len(both) == 2
    only = number(address, both[0].carrier, both[0].number, departureAirport=both[1].origin)["ratings"]
    assert len(only) == 1


def test_a_failure_is_a_success_with_an_error_in_it(address: str) -> None:
    for document, code in (
        (day(address, "XXX", "BOM"), "BAD_AIRPORT_CODE"),
        (route(address, "BOM", "XXX"), "BAD_AIRPORT_CODE"),
        (number(address, "ZZ", "1"), "BAD_AIRLINE_CODE"),
        (day(address, "NAG", "BOM", "2025/2/30"), "BAD_DATE"),
        (day(address, "NAG", "BOM", extendedOptions="useHttpErrors"), "BAD_REQUEST"),
    ):
        assert (document["error"]["httpStatusCode"], document["error"]["errorCode"]) == (400, code)
        assert document.get("ratings", document.get("scheduledFlights")) == []
    assert get(address, "/schedules/rest/v1/json/from/XXX/to/BOM/departing/2025/11/3").status_code == 200


def test_an_application_that_is_not_known_is_refused_in_words_that_repeat_it(address: str) -> None:
    short = day(address, "NAG", "BOM", appId="short")["error"]
    assert (short["httpStatusCode"], short["errorCode"]) == (403, "AUTH_FAILURE")
    assert short["errorMessage"].endswith('application_not_found:application with id="short" was not found')
    for document in (
        route(address, "NAG", "BOM", appKey="refused-key"),
        number(address, "6E", "1", appKey="refused-key"),
        day(address, "NAG", "BOM", appKey="refused-key"),
    ):
        assert document["error"]["errorCode"] == "AUTH_FAILURE"
        assert "refused-key" in document["error"]["errorMessage"]
        assert document.get("ratings", document.get("scheduledFlights")) == []
    missing = requests.get(f"{address}/flightstats/flex/ratings/rest/v1/json/route/NAG/BOM", timeout=10).json()
    assert missing["error"]["errorCode"] == "AUTH_FAILURE"


def test_a_key_is_never_in_the_address_of_the_echo_nor_in_the_log(address: str) -> None:
    for document in (day(address, "NAG", "BOM"), day(address, "NAG", "BOM", appKey="refused-key")):
        assert document["request"]["url"].startswith("https://api.flightstats.com/flex/schedules/rest/v1/json/from/NAG")
        assert "?" not in document["request"]["url"]
    assert "refused-key" not in requests.get(f"{address}/_log", timeout=10).text


def test_calls_that_come_too_fast_are_refused_and_counted() -> None:
    with running("sample", time_scale=0.01) as slow:
        path = "/ratings/rest/v1/json/route/NAG/BOM"
        answers = [get(slow, path) for _ in range(6)]
        lines = log(slow)
    assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
    assert [line["calls_in_window"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert {(line["limit_calls"], line["limit_seconds"]) for line in lines} == {(4, 1.0)}
