"""What a ticket costs, in the many forms of offers. No table has a column for it, so only oddities are told. Pure.

Free is 0 and needs no currency: a seller prints USD on free Indian events. What is missing is unknown and not free.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

RUPEE = "INR"

_PRICE = re.compile(r"(?:₹|Rs\.?)? ?(\d{1,3}(?:,\d{2,3})+|\d{1,9})(\.\d{1,2})?(?: onwards)?", re.ASCII)
_MOST = 1e8
_SOLD_OUT = "SoldOut"


class Price(NamedTuple):
    """The lowest and the highest price of what is on sale, or of everything where nothing is left."""

    lowest: float
    highest: float
    currency: str | None
    is_sold_out: bool


class UnfitPriceError(ValueError):
    """An offer whose price cannot be read, or contradicts itself."""


def price_of(event: Mapping[str, Any]) -> Price | None:
    """Return what an event costs, None where it does not say so. Raises UnfitPriceError."""
    members = event.get("offers")
    offers = [one for one in (members if isinstance(members, list) else [members]) if isinstance(one, Mapping)]
    priced = [(offer, _amounts(offer)) for offer in offers]
    priced = [(offer, amounts) for offer, amounts in priced if amounts]
    if not priced:
        return Price(0, 0, None, False) if event.get("isAccessibleForFree") is True else None
    on_sale = [pair for pair in priced if last_word(pair[0].get("availability")) != _SOLD_OUT]
    counted = on_sale or priced
    amounts = [amount for _, found in counted for amount in found]
    told = [offer.get("priceCurrency") for offer, found in counted if any(found)]
    currencies = [currency for currency in told if currency is not None]
    if any(currency != currencies[0] or not isinstance(currency, str) for currency in currencies):
        raise UnfitPriceError
    return Price(min(amounts), max(amounts), currencies[0] if currencies else None, not on_sale)


def price_remark(event: Mapping[str, Any]) -> str | None:
    """Return what is odd about the price of an event, None where nothing is."""
    try:
        price = price_of(event)
    except UnfitPriceError:
        return "a price that cannot be read; its row stays"
    if price is not None and price.currency not in (None, RUPEE):
        return "a price in another currency than rupees, which is not converted; its row stays"
    return None


def last_word(value: Any) -> str | None:
    """Return the word of schema.org that a value is, bare or as the end of an address."""
    return value.rstrip("/").rpartition("/")[2] if isinstance(value, str) else None


def _amounts(offer: Mapping[str, Any]) -> list[float]:
    given = [offer.get(field) for field in ("price", "lowPrice", "highPrice")]
    amounts = [_amount(value) for value in given if value not in (None, "")]
    if len(amounts) > 1 and offer.get("price") in (None, "") and amounts[0] > amounts[1]:
        raise UnfitPriceError
    return amounts


def _amount(value: Any) -> float:
    if type(value) in (int, float) and 0 <= value <= _MOST:
        return float(value)
    text = value.strip() if isinstance(value, str) and len(value) < 40 else ""
    if text.casefold() == "free":
        return 0.0
    found = _PRICE.fullmatch(text)
    if found is None:
        raise UnfitPriceError
    return float(found[1].replace(",", "") + (found[2] or ""))
