"""What the stand-in for FlightStats serves has the shape of genuine answers, field by field."""

import json
from pathlib import Path
from typing import Any

import pytest

from sources.sandbox.world import World
from tests.sources.sandbox.flights_asking import day, number, route
from tests.sources.sandbox.test_osm_shapes import shape

# Fields that only airports of some countries, or some exports, have.
_AT_TIMES = {
    "faa",
    "street1",
    "street2",
    "stateCode",
    "postalCode",
    "weatherZone",
    "departureTerminal",
    "arrivalTerminal",
}
_STATISTICS = {"ontimePercent", "delayMean", "delayStandardDeviation"} | {
    f"all{name}" for name in ("OntimeCumulative", "OntimeStars", "DelayCumulative", "DelayStars", "Stars")
}


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "flightstats"


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _without(record: dict[str, Any]) -> Any:
    return shape({key: value for key, value in record.items() if key not in _AT_TIMES})


def _rating(record: dict[str, Any]) -> Any:
    """The shape of a rating, in which genuine exports write whole statistics as `0` or as `0.0`."""
    return [(key, "number" if key in _STATISTICS else kind) for key, kind in shape(record)]


def _appendix(document: dict[str, Any]) -> Any:
    appendix = document["appendix"]
    airports = {str(_offset_is_a_number(one)) for one in appendix["airports"]}
    others = {name: {str(shape(one)) for one in appendix[name]} for name in appendix if name != "airports"}
    return list(appendix), airports, others


def _offset_is_a_number(airport: dict[str, Any]) -> Any:
    kept = {key: value for key, value in airport.items() if key not in _AT_TIMES}
    return shape(kept | {"utcOffsetHours": float(kept["utcOffsetHours"])})


def _said(document: dict[str, Any]) -> dict[str, Any]:
    """A document without an error that says nothing."""
    return {key: value for key, value in document.items() if key != "error"}


def test_a_day_is_a_genuine_one_but_for_its_values(address: str, world: World, samples: Path) -> None:
    genuine = _read(samples / "schedules_route_IXB_GAU.json")
    plain = next(one for one in world.flights if not one.codeshares and one.days_of_operation[0] == "1")
    ours = _said(day(address, plain.origin, plain.destination))
    assert list(ours) == list(genuine)
    assert shape(ours["request"]) == shape(genuine["request"])
    (flight,) = [one for one in ours["scheduledFlights"] if int(one["flightNumber"]) == int(plain.number)]
    assert {str(_without(one)) for one in genuine["scheduledFlights"]} == {str(_without(flight))}
    assert _appendix(ours) == _appendix(genuine)


def test_the_ratings_of_a_route_are_genuine_ones_but_for_their_values(
    address: str, world: World, samples: Path
) -> None:
    genuine = _read(samples / "ratings_route_BOM_LHR.json")
    for flight in [one for one in world.flights if one.punctuality][:10]:
        ours = _said(route(address, flight.origin, flight.destination))
        assert list(ours) == list(genuine)
        assert shape(ours["request"]) == shape(genuine["request"])
        assert {str(_rating(one)) for one in ours["ratings"]} == {str(_rating(one)) for one in genuine["ratings"]}
        assert [*_appendix(ours)][::2] == [*_appendix(genuine)][::2]


def test_the_rating_of_a_number_is_a_genuine_one_but_for_its_values(address: str, world: World, samples: Path) -> None:
    genuine = _read(samples / "ratings_flight_AA1295.json")
    flight = next(one for one in world.flights if one.punctuality)
    ours = _said(number(address, flight.carrier, flight.number, departureAirport=flight.origin))
    assert list(ours) == list(genuine)
    assert shape(ours["request"]) == shape(genuine["request"])
    assert {str(_rating(one)) for one in ours["ratings"]} == {str(_rating(one)) for one in genuine["ratings"]}
    assert _appendix(ours) == _appendix(genuine)


def test_an_airport_with_all_its_fields_is_a_genuine_one(address: str, world: World, samples: Path) -> None:
    genuine = _read(samples / "ratings_flight_AA1295.json")["appendix"]["airports"][0]
    coded = [airport.iata for airport in world.airports if airport.iata]
    forms = {
        str(shape(one))
        for arr in coded[1:]
        for one in route(address, coded[0], arr)["appendix"]["airports"]
    }  # fmt: skip
    assert str(shape(genuine)) in forms
    assert len(forms) == 3


def test_single_precision_shows_in_shares_and_stars_as_in_genuine_ones(address: str, world: World) -> None:
    numbers = {
        str(rating[name])
        for flight in world.flights[:40]
        for rating in route(address, flight.origin, flight.destination).get("ratings", [])
        for name in _STATISTICS
    }
    assert {len(number.replace(".", "").lstrip("0")) for number in numbers} >= {1, 2, 8}
    assert any(number.endswith(("00001", "99998", "99999")) for number in numbers)


def test_a_key_that_is_refused_gets_the_document_of_a_genuine_answer(address: str, samples: Path) -> None:
    genuine = _read(samples / "error_auth_failure.http200.json")
    ours = day(address, "NAG", "BOM", appId="appid")
    assert list(ours)[:3] == list(genuine)[:3]
    assert [ours[list(ours)[-1]], genuine[list(genuine)[-1]]] == [[], []]
    assert ours["appendix"] == genuine["appendix"]
    assert shape(ours["error"]) == shape(genuine["error"])
    assert {**ours["error"], "errorId": ""} == {**genuine["error"], "errorId": ""}
