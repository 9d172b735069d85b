"""A fetch against the stand-in brings the prices that are true in the constructed world, in rupees."""

import calendar
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from schemas.region import Region
from sources.sandbox.prices import RATES, RUPEE, TruePrices
from sources.sandbox.world import World
from tests.sources.sandbox.fetching import fetched

BY_ITEM = {"meal_tier1_inr": 1, "transit_ticket_inr": 18, "taxi_start_inr": 107, "taxi_km_inr": 108}


def _half(price: float | None) -> float | None:
    return None if price is None else price / 2


def _row(prices: TruePrices, today: date) -> dict[str, Any]:
    is_converted = prices.currency != RUPEE
    return {
        "city_name": prices.name,
        "provider": "Numbeo",
        "source_id": str(prices.number),
        "as_of": date(prices.year, prices.month, calendar.monthrange(prices.year, prices.month)[1]),
        "contributors": prices.contributors,
        "fx_rate": RATES[RUPEE] / RATES[prices.currency] if is_converted else None,
        "fx_as_of": today if is_converted else None,
        "meal_tier2_inr": _half(prices.rupees(2)),
        **{column: prices.rupees(item) for column, item in BY_ITEM.items()},
        **dict.fromkeys(("state_name", "meal_tier3_inr", "meal_tier4_inr", "accommodation_baseline_inr")),
    }


def test_a_fetch_brings_the_true_prices_of_each_city_that_has_some(
    region: Region, world: World, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = datetime.now(UTC).date()
    asked, staged = fetched("numbeo", region, address, tmp_path / "home", monkeypatch)
    assert (asked.stopped, asked.failed) == (None, ())
    listed = [prices for prices in world.prices if prices.trap != "unlisted"]
    # The cities, the rates, and each city that is listed.
    assert asked.done == 2 + len(listed)

    built = staged["cost_of_living"]
    expected = [_row(prices, today) for prices in listed if prices.prices and prices.trap != "moved"]
    found = [{name: row[name] for name in expected[0]} for row in built.rows.to_pylist()]
    assert sorted(map(_rounded, found), key=str) == sorted(map(_rounded, expected), key=str)
    assert set(built.rows["value_class"].to_pylist()) == {"constructed"}

    quarantined = sorted(built.quarantine["code"].to_pylist())
    traps = [prices.trap for prices in listed]
    assert quarantined == ["no_prices"] * traps.count("without_prices") + ["other_city"] * traps.count("moved")
    assert built.notes.unmapped == {}


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()}
