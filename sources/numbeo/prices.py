"""From the prices of one city to its row of `cost_of_living`, in rupees.

Items are told by their ids: labels change every few years. The columns take what they take of the file of 2022
(`numbeo_2023_in.yaml`): tiers 1 and 2 of a meal are items 1 and half of 2, the combo meal (3) is no restaurant meal,
and no item is a price of tier 3 or 4. The nightly baseline stays null: Numbeo lists no hotel, and what a rent says of
one is not for a parser to choose.
"""

import calendar
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from schemas.text import clean, fold
from sources.numbeo.cities import TABLE
from sources.numbeo.envelope import Document, is_number, shown, unknown_fields
from sources.numbeo.rates import RUPEE, Rate, rate_of
from sources.protocol.types import Answer, Parsed, Refusal, Row, Skipped

PROVIDER = "Numbeo"

# Item -> column, and how many units of the item the column is.
_COLUMNS = {
    1: ("meal_tier1_inr", 1.0),
    2: ("meal_tier2_inr", 0.5),
    18: ("transit_ticket_inr", 1.0),
    107: ("taxi_start_inr", 1.0),
    108: ("taxi_km_inr", 1.0),
}
_MORTGAGE_RATE = 106
# Rows hold no country, so an answer that nobody asked for here must be of the country of the regions.
_COUNTRY = "India"

_FIELDS = frozenset(
    {"name", "currency", "contributors", "contributors12months", "monthLastUpdate", "yearLastUpdate", "city_id"}
    | {"prices"}
)
_PRICE_FIELDS = frozenset({"item_id", "item_name", "lowest_price", "average_price", "highest_price", "data_points"})
_FIRST_YEAR = 2009
_MOST = 1e9
_ROUNDING = 1 + 1e-9


class _Name(NamedTuple):
    city: str
    state: str | None
    country: str


class _UnfitError(ValueError):
    """Something that costs the whole answer; holds its refusal."""

    def __init__(self, code: str, message: str, where: str, value: object = None, is_retryable: bool = False) -> None:
        super().__init__(message)
        self.refusal = Refusal(code, message, where, is_retryable, TABLE, None if value is None else shown(value))


def prices_of(document: Document | list[Any], answer: Answer) -> Iterator[Parsed]:
    """Yield the row of a city, and what is wrong with single prices; or why there is no row. Never raises."""
    if not isinstance(document, dict):
        yield Refusal("bad_type", "prices must come in an object", table=TABLE)
        return
    try:
        name = _name(document)
        _check_city(document, name, answer)
        members = _prices(document)
        rate = _rate(document, answer)
        row = {
            "city_name": name.city,
            "state_name": name.state,
            "source_id": _source_id(document),
            "provider": PROVIDER,
            "as_of": _as_of(document, answer),
            "contributors": _contributors(document),
            "fx_rate": rate.rupees if rate else None,
            "fx_as_of": rate.as_of if rate else None,
        }
    except _UnfitError as error:
        yield error.refusal
        return
    values, remarks = _values(members, rate.rupees if rate else 1.0)
    yield from remarks
    if any(value is not None for value in values.values()):
        yield Row(TABLE, row | values)
    else:
        yield Refusal("no_prices", "none of the prices is one of the table", "prices", table=TABLE)
    yield from unknown_fields(document, _FIELDS)
    for member in members:
        if isinstance(member, dict):
            yield from unknown_fields(member, _PRICE_FIELDS, "prices[].")


def _prices(document: Document) -> list[Any]:
    prices = document.get("prices")
    if prices is None or prices == []:
        raise _UnfitError("no_prices", "Numbeo has no prices for this city", "prices")
    if not isinstance(prices, list):
        raise _UnfitError("bad_type", "prices must be a list", "prices", prices)
    return prices


def _name(document: Document) -> _Name:
    """Return the parts of `City, Country` or `City, State, Country`."""
    text = document.get("name")
    parts = [clean(part) for part in text.split(",")] if isinstance(text, str) else []
    if len(parts) not in (2, 3) or not all(parts) or any("\ud800" <= letter <= "\udfff" for letter in str(text)):
        raise _UnfitError("bad_name", "the answer must name a city and its country", "name", text)
    return _Name(parts[0], parts[1] if len(parts) == 3 else None, parts[-1])


def _check_city(document: Document, name: _Name, answer: Answer) -> None:
    """Free text leads to another city at times, and an id may have been given to another one."""
    if fold(name.country) != fold(answer.subject.get("country", _COUNTRY)):
        raise _UnfitError("other_country", "a namesake in another country is another city", "name", name.country)
    asked = answer.params.get("city_id")
    if asked is not None and document.get("city_id") is not None and str(document["city_id"]) != asked:
        raise _UnfitError("other_city", f"city {asked} was asked for", "city_id", document["city_id"])
    for wanted, country in _wanted(answer.params, answer.subject):
        is_same_country = country is None or fold(country) == fold(name.country)
        if fold(wanted) != fold(name.city) or not is_same_country:
            shown_name = shown(", ".join(filter(None, name)))
            raise _UnfitError("other_city", f"{shown(wanted)} was asked for", "name", shown_name)


def _wanted(params: Mapping[str, str], subject: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """Yield city and country of what was asked for, as often as the question says it."""
    if "city" in subject:
        yield subject["city"], subject.get("country")
    if "city" in params:
        yield params["city"].partition(",")[0], params.get("country")
    if "query" in params:
        parts = params["query"].split(",")
        yield parts[0], parts[-1] if len(parts) > 1 else None


def _source_id(document: Document) -> str | None:
    number = document.get("city_id")
    if number is None:
        return None
    if type(number) is not int or not 0 < number < 2**31:
        raise _UnfitError("bad_id", "the id of a city must be a number", "city_id", number)
    return str(number)


def _rate(document: Document, answer: Answer) -> Rate | None:
    """Return what converts the prices, None for rupees. Without a dated rate nothing is converted."""
    currency = document.get("currency")
    if not isinstance(currency, str) or not clean(currency):
        raise _UnfitError("bad_currency", "the answer must say its currency", "currency", currency)
    if currency == RUPEE:
        return None
    rate = rate_of(currency, answer.subject)
    if rate is None:
        message = "no dated rate leads from this currency to rupees; fetch the exchange rates first"
        raise _UnfitError("no_rate", message, "currency", currency, is_retryable=True)
    return rate


def _as_of(document: Document, answer: Answer) -> date | None:
    """Return the last day of the month in which the prices were brought up to date, or today if that is to come."""
    month: Any = document.get("monthLastUpdate")
    year: Any = document.get("yearLastUpdate")
    if month is None and year is None:
        return None
    today = answer.fetched_at.date()
    is_month = type(month) is int and 1 <= month <= 12
    if not is_month or type(year) is not int or not (_FIRST_YEAR, 1) <= (year, month) <= (today.year, today.month):
        raise _UnfitError("bad_date", "no month of the past", "monthLastUpdate", f"{shown(month)}/{shown(year)}")
    return min(date(year, month, calendar.monthrange(year, month)[1]), today)


def _contributors(document: Document) -> int | None:
    """Return all contributors of the window; those of the last year are counted otherwise, and may be more."""
    people = document.get("contributors")
    if people is not None and (type(people) is not int or not 0 <= people < 2**31):
        raise _UnfitError("bad_number", "no number of people", "contributors", people)
    return people


def _values(members: list[Any], rupees: float) -> tuple[dict[str, float | None], list[Parsed]]:
    """Return the columns of prices in rupees, and what there is to say of the members."""
    values: dict[str, float | None] = {column: None for column, _ in _COLUMNS.values()}
    remarks: list[Parsed] = []
    seen: set[int] = set()
    other = percentages = 0
    for place, member in enumerate(members):
        where = f"prices[{place}]"
        item = member.get("item_id") if isinstance(member, dict) else None
        if type(item) is not int:
            remarks.append(Refusal("bad_id", "a price needs the number of its item", where, table=TABLE))
        elif item == _MORTGAGE_RATE:
            percentages += 1
        elif item not in _COLUMNS:
            other += 1
        else:
            column, units = _COLUMNS[item]
            price = _price(member, where)
            if item in seen:
                values[column] = None
                remarks.append(Refusal("twice", f"item {item} has several prices", where, table=TABLE))
            elif isinstance(price, Refusal):
                remarks.append(price)
            elif price is not None:
                values[column] = price * units * rupees
            seen.add(item)
    if other:
        remarks.append(Skipped("a price of an item that has no column", other))
    if percentages:
        remarks.append(Skipped("a percentage among the prices, which is no money", percentages))
    return values, remarks


def _price(member: Document, where: str) -> float | Refusal | None:
    """Return the average price, None where nobody gave one. The bounds may be missing, but not contradict it."""
    numbers: list[float | None] = []
    for field in ("lowest_price", "average_price", "highest_price"):
        value = member.get(field)
        if value is not None and not is_number(value, _MOST):
            return Refusal("bad_number", "no price", f"{where}.{field}", False, TABLE, shown(value))
        numbers.append(None if value is None else float(value))
    lowest, average, highest = numbers
    if average is None:
        return None
    if average <= 0:
        return Refusal("bad_number", "a price is above 0", f"{where}.average_price", False, TABLE, shown(average))
    is_low = lowest is not None and average * _ROUNDING < lowest
    is_high = highest is not None and average > highest * _ROUNDING
    if is_low or is_high:
        message = "the average does not lie between the lowest and the highest price"
        return Refusal("out_of_bounds", message, f"{where}.average_price", False, TABLE, shown(average))
    return average
