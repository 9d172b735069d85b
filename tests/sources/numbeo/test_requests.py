"""What is asked next, given what is known: cities and rates at first, then the prices of cities that Numbeo lists."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from schemas.region import City, Region, load_region
from sources.numbeo.cities import Entry, entry_of
from sources.numbeo.parse import parse
from sources.numbeo.requests import requests
from sources.protocol.types import Account, Answer, Request
from tests.sources.numbeo.answers import FOLDER, NOON, SUBJECT, answer, document, rows

SAMPLE = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")
CITY = {city.name: city for city in SAMPLE.cities}
INR_80 = document("currency_exchange_rates.three")


class Archive:
    """Answers by request, as a fetch leaves them. Implements `Known`."""

    account = Account("standard", {})

    def __init__(self) -> None:
        self.held: dict[str, Answer] = {}

    def rows(self, table: str) -> Sequence[Mapping[str, Any]]:
        raise KeyError(table)

    def answer(self, request: Request) -> Answer | None:
        return self.held.get(request.id)

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return [self.held[key] for key in sorted(self.held) if self.held[key].endpoint == endpoint]

    def keep(self, request: Request, found: Any, status: int = 200) -> None:
        body = json.dumps(found).encode()
        self.held[request.id] = answer(
            body, request.endpoint, params=request.params, subject=request.subject, status=status
        )  # fmt: skip


def listed(city: City, number: int, /, **changed: Any) -> dict[str, Any]:
    entry = {"city_id": number, "city": city.name, "country": "India", "latitude": city.latitude}
    return {**entry, "longitude": city.longitude, **changed}


def after(cities: Any, rates: Any = INR_80, region: Region = SAMPLE) -> tuple[Archive, list[Request]]:
    archive = Archive()
    first, second = requests(region, archive)
    archive.keep(first, cities)
    archive.keep(second, rates)
    return archive, list(requests(region, archive))


def test_at_first_the_cities_of_the_country_and_the_rates_are_asked_for() -> None:
    asked = list(requests(SAMPLE, Archive()))
    assert [(request.endpoint, dict(request.params)) for request in asked] == [
        ("cities", {"country": "India"}),
        ("currency_exchange_rates", {}),
    ]


def test_prices_are_asked_for_by_id_when_both_are_known() -> None:
    archive, asked = after({"cities": [listed(CITY["Agra"], 5), listed(CITY["Pune"], 6, city="Poona")]})
    assert [(request.endpoint, dict(request.params), request.scope) for request in asked] == [
        ("city_prices", {"city_id": "6"}, "in-pune"),
        ("city_prices", {"city_id": "5"}, "in-agra"),
    ]
    assert asked[0].subject == {
        "city_id": "in-pune",
        "city": "Poona",
        "country": "India",
        "rupees_for": json.dumps({"GBP": 100.0, "INR": 1.0, "USD": 80.0}),
        "rates_as_of": NOON.date().isoformat(),
    }
    for request in asked:
        archive.keep(request, {"error": "Constructed"})
    assert list(requests(SAMPLE, archive)) == []


def test_a_price_in_dollars_is_converted_by_what_its_question_brings_along() -> None:
    archive, (request,) = after({"cities": [listed(CITY["Prayagraj"], 900001, city="Allahabad")]})
    archive.keep(request, document("city_prices.dollars"))
    (row,) = rows(parse(archive.held[request.id]))
    assert (row["meal_tier1_inr"], row["fx_rate"], row["fx_as_of"]) == (200.0, 80.0, NOON.date())


def test_prices_wait_for_the_rates_and_go_without_those_that_failed() -> None:
    archive = Archive()
    first, second = requests(SAMPLE, archive)
    archive.keep(first, {"cities": [listed(CITY["Agra"], 5)]})
    assert list(requests(SAMPLE, archive)) == [second]
    archive.keep(second, {"error": "Constructed"})
    (request,) = requests(SAMPLE, archive)
    assert set(request.subject) == {"city_id", "city", "country"}


def test_rates_that_contradict_each_other_or_lack_the_rupee_convert_nothing() -> None:
    cities = {"cities": [listed(CITY["Agra"], 5)]}
    dollar, pound = ({"currency": code, "one_usd_to_currency": 1} for code in ("USD", "GBP"))
    _, (request,) = after(cities, {"exchange_rates": [dollar]})
    assert "rupees_for" not in request.subject
    rupee = {"currency": "INR", "one_usd_to_currency": 80}
    _, (request,) = after(cities, {"exchange_rates": [rupee, dollar, pound, {**pound, "one_usd_to_currency": 2}]})
    assert json.loads(request.subject["rupees_for"]) == {"INR": 1.0, "USD": 80.0}


def test_only_cities_whose_costs_are_collected_are_asked_about() -> None:
    quiet = replace(
        SAMPLE, cities=tuple(replace(city, is_uncertainty_city=city.name == "Agra") for city in SAMPLE.cities)
    )
    _, asked = after({"cities": [listed(city, place + 1) for place, city in enumerate(SAMPLE.cities)]}, region=quiet)
    assert [request.scope for request in asked] == ["in-agra"]


def test_a_city_that_numbeo_lacks_is_not_asked_for() -> None:
    _, asked = after({"cities": []})
    assert asked == []
    _, asked = after({"error": "Constructed"})
    assert asked == []


def entry(number: int, name: str, country: str = "India", point: tuple[float, float] | None = None) -> Entry:
    return Entry(number, name, country, point)


def test_spellings_lead_to_a_city_and_its_own_name_before_its_aliases() -> None:
    prayagraj = CITY["Prayagraj"]
    old, new = entry(1, "ALLAHABAD"), entry(2, "Prayagraj")
    assert entry_of(prayagraj, "India", [old]) == old
    assert entry_of(prayagraj, "India", [old, new]) == new
    assert entry_of(CITY["Agra"], "India", [old, new]) is None


def test_a_namesake_far_off_or_abroad_is_another_city() -> None:
    udaipur = CITY["Udaipur"]
    # There is an Udaipur in Tripura, too.
    far, near = entry(1, "Udaipur", point=(23.53, 91.48)), entry(2, "Udaipur", point=(24.57, 73.69))
    assert entry_of(udaipur, "India", [far]) is None
    assert entry_of(udaipur, "India", [far, near]) == near
    assert entry_of(udaipur, "India", [entry(3, "Udaipur", "Nepal")]) is None
    assert entry_of(udaipur, "India", [entry(4, "Udaipur")]) == entry(4, "Udaipur")


def test_the_subject_of_the_tests_is_that_of_the_requests() -> None:
    _, (request,) = after({"cities": [listed(CITY["Prayagraj"], 900001, city="Allahabad")]})
    assert set(request.subject) == set(SUBJECT)
