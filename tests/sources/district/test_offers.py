"""Prices in the forms of offers: texts, lists, ranges, free ones; unknown is not free."""

from typing import Any

import pytest

from sources.district.offers import Price, UnfitPriceError, price_of


@pytest.mark.parametrize(
    ("event", "price"),
    [
        ({"offers": {"price": "1,499", "priceCurrency": "INR"}}, Price(1499, 1499, "INR", False)),
        ({"offers": {"price": "1599.00"}}, Price(1599, 1599, None, False)),
        ({"offers": {"price": "1,00,000"}}, Price(100_000, 100_000, None, False)),
        ({"offers": {"price": "₹1,499 onwards"}}, Price(1499, 1499, None, False)),
        ({"offers": {"price": 499.5}}, Price(499.5, 499.5, None, False)),
        ({"offers": {"lowPrice": "300", "highPrice": "900", "priceCurrency": "INR"}}, Price(300, 900, "INR", False)),
        ({"offers": {"lowPrice": "0.00", "highPrice": "0.00", "priceCurrency": "USD"}}, Price(0, 0, None, False)),
        ({"offers": {"price": "Free"}}, Price(0, 0, None, False)),
        ({"isAccessibleForFree": True}, Price(0, 0, None, False)),
        ({"isAccessibleForFree": False}, None),
        ({"isAccessibleForFree": "true"}, None),
        ({"offers": []}, None),
        ({"offers": {"availability": "InStock"}}, None),
        ({"offers": "ask"}, None),
        ({}, None),
    ],
    ids=str,
)
def test_a_price_is_read_in_any_form(event: dict[str, Any], price: Price | None) -> None:
    assert price_of(event) == price


def test_prices_are_those_of_what_is_on_sale_or_of_everything_where_nothing_is() -> None:
    gone = {"price": "100", "availability": "https://schema.org/SoldOut"}
    left = {"price": "300", "availability": "http://schema.org/InStock"}
    assert price_of({"offers": [gone, left, {"name": "without a price"}]}) == Price(300, 300, None, False)
    assert price_of({"offers": [gone, {**gone, "price": "200", "availability": "SoldOut"}]}) == Price(
        100, 200, None, True
    )


@pytest.mark.parametrize(
    "offers",
    [
        {"price": "many"}, {"price": "1.2.3"}, {"price": -1}, {"price": True}, {"price": [5]}, {"price": "1e999"},
        {"lowPrice": "900", "highPrice": "300"}, {"price": 10**400}, {"price": 5, "priceCurrency": 5},
        [{"price": 5, "priceCurrency": "INR"}, {"price": 5, "priceCurrency": "USD"}],
    ],
    ids=lambda offers: str(offers)[:40],
)  # fmt: skip
def test_what_cannot_be_read_is_an_error_and_never_free(offers: Any) -> None:
    with pytest.raises(UnfitPriceError):
        price_of({"offers": offers})
