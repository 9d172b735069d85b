"""Answers to questions that are never asked here: what they are, and why no row comes of them.

An index is no price: it compares a basket of its own with New York, and the index of another provider compares another
basket. None ever stands in a column of `cost_of_living`, which holds prices of items alone.
"""

from collections.abc import Iterator
from typing import Any

from sources.numbeo.cities import TABLE
from sources.numbeo.envelope import Document, shown
from sources.protocol.types import Answer, Parsed, Refusal, Skipped

_COUNTRY = "prices of a country, which are not those of a city"
_PAST = "a price of the past, of a series"
_INDEX = "an index, which is no price"
_SURVEY = "a survey, which holds no prices"
_LIST = "a member of a list, which holds no prices"

# Question -> the member that holds its records (None: the document is the record), and why they are of no table.
_QUESTIONS: dict[str, tuple[str | None, str]] = {
    "items": ("items", _LIST),
    "close_cities_with_prices": ("cities", _LIST),
    "country_prices": (None, _COUNTRY),
    "administrative_unit_prices": (None, _COUNTRY),
    "city_prices_raw": (None, "single entries of a city, which are no averages"),
    "city_cost_estimator": (None, "an estimate of expenses, which holds no prices"),
    "historical_city_prices": ("entry", _PAST),
    "historical_city_prices_monthly": ("entry", _PAST),
    "historical_country_prices": ("entry", _PAST),
    "historical_country_prices_monthly": ("entry", _PAST),
    "historical_currency_exchange_rates": ("exchange_rates", "an exchange rate of the past"),
    "indices": (None, _INDEX),
    "country_indices": (None, _INDEX),
    "rankings_by_city_current": (None, _INDEX),
    "rankings_by_city_historical": (None, _INDEX),
    "rankings_by_country_historical": (None, _INDEX),
    **{
        f"{area}_{survey}": (None, _SURVEY)
        for area in ("city", "country")
        for survey in ("crime", "healthcare", "pollution", "traffic")
    },
}
# The one question that is answered with a bare list.
_UNITS = "country_administrative_units"


def skip_other(document: Document | list[Any], answer: Answer) -> Iterator[Parsed]:
    """Yield how many records are dropped and why, or a refusal where the question or the form is not known."""
    question = answer.params.get("question", "")
    if question == _UNITS:
        records: Any = document
        reason = _LIST
    elif question in _QUESTIONS:
        member, reason = _QUESTIONS[question]
        records = [document] if member is None else document.get(member) if isinstance(document, dict) else None
    else:
        yield Refusal("unknown_endpoint", f"no parser for the question {shown(question)!r}", table=TABLE)
        return
    if not isinstance(records, list):
        yield Refusal("bad_type", f"no list of records in the answer to {question}", table=TABLE)
    elif records:
        yield Skipped(reason, len(records))
