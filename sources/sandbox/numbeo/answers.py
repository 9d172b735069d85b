"""The documents of Numbeo's API: keys in no order, numbers as they come out of a division, names with their country."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from sources.sandbox.numbeo.items import ITEMS
from sources.sandbox.prices import MORTGAGE_RATE, RATES, TruePrice, TruePrices

Document = dict[str, Any]
Params = Mapping[str, str]


class Failure(Exception):
    """A question without an answer; the message is what the provider says."""


class Answers:
    """The API over the prices of a world."""

    def __init__(self, prices: tuple[TruePrices, ...], seed: int) -> None:
        self._listed = [city for city in prices if city.trap != "unlisted"]
        self._by_number = {city.number: city for city in self._listed}
        self._seed = seed
        self._questions: dict[str, Callable[[Params], Document]] = {
            "cities": self._cities,
            "items": self._items,
            "currency_exchange_rates": self._rates,
            "city_prices": self._prices,
        }

    def answer(self, question: str, params: Params) -> Document:
        """Answer a question. Raises Failure."""
        if question not in self._questions:
            raise Failure("Unknown method")
        return self._questions[question](params)

    def _cities(self, params: Params) -> Document:
        country = params.get("country", "")
        found = [city for city in self._listed if country.casefold() in ("", "in", city.country.casefold())]
        if not found:
            raise Failure("Unknown country")
        entries = [_entry(city) for city in found]
        # Some names are those of other cities too, far off in the same country.
        entries += [_entry(city) | {"city_id": city.number + 2**30, "latitude": 8.5} for city in found[:3]]
        return {"cities": [_shuffled(entry, f"{self._seed}:{entry['city_id']}") for entry in entries]}

    def _items(self, _: Params) -> Document:
        factors = {"cpi_factor": 5, "rent_factor": 0, "display_order": 1}
        return {
            "items": [
                {"item_id": number, "name": name, "category": category, **factors}
                for number, (name, category) in ITEMS.items()
            ]
        }

    def _rates(self, _: Params) -> Document:
        return {
            "exchange_rates": [
                {
                    "one_usd_to_currency": rate,
                    "one_eur_to_currency": rate / RATES["EUR"],
                    "currency": currency,
                }
                for currency, rate in RATES.items()
            ]
        }

    def _prices(self, params: Params) -> Document:
        asked = self._asked(params)
        city = self._moved(asked)
        currency = params.get("currency", city.currency)
        if currency not in RATES:
            raise Failure("Unknown currency")
        document: Document = {"name": f"{city.name}, {city.country}", "city_id": asked.number, "currency": currency}
        if city.prices:
            factor = RATES[currency] / RATES[city.currency]
            random = Random(f"{self._seed}:numbeo:{city.city_id}")
            document |= {
                "contributors": city.contributors,
                "contributors12months": city.contributors_12_months,
                "monthLastUpdate": city.month,
                "yearLastUpdate": city.year,
                "prices": random.sample([_price(price, factor) for price in city.prices], len(city.prices)),
            }
        elif city.number % 2:
            document["prices"] = []
        return _shuffled(document, f"{self._seed}:{city.city_id}")

    def _asked(self, params: Params) -> TruePrices:
        number = params.get("city_id", "")
        if number:
            known = self._by_number.get(int(number[:12])) if number.isascii() and number.isdigit() else None
        else:
            words = params.get("query") or params.get("city", "")
            wanted = words.partition(",")[0].strip().casefold()
            starts = [city for city in self._listed if wanted and city.name.casefold().startswith(wanted[:3])]
            # Free text meets the name, or else the first one that looks alike.
            known = next((city for city in starts if city.name.casefold() == wanted), next(iter(starts), None))
        if known is None:
            raise Failure("Unknown city")
        return known

    def _moved(self, city: TruePrices) -> TruePrices:
        if city.trap != "moved":
            return city
        others = (other for other in self._listed if other.prices and other.trap is None)
        return next((other for other in others if other.city_id != city.city_id), city)


def _entry(city: TruePrices) -> Document:
    return {
        "country": city.country,
        "city": city.name,
        "latitude": city.latitude,
        "city_id": city.number,
        "longitude": city.longitude,
    }


def _price(price: TruePrice, factor: float) -> Document:
    # A rate in percent is of no currency.
    factor = 1.0 if price.item == MORTGAGE_RATE else factor
    bounds = {"lowest_price": price.lowest, "highest_price": price.highest}
    name, category = ITEMS[price.item]
    return {
        "data_points": price.data_points,
        "item_id": price.item,
        **{key: None if bound is None else _number(bound * factor) for key, bound in bounds.items()},
        "average_price": _number(price.average * factor),
        "item_name": f"{name}, {category}",
    }


def _number(value: float) -> float:
    """Return a number as JSON has it at the provider: whole ones without a point."""
    return int(value) if value == int(value) else value


def _shuffled(document: Document, seed: str) -> Document:
    keys = Random(seed).sample([*document], len(document))
    return {key: document[key] for key in keys}
