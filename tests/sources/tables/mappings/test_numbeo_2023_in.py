"""Prices on Numbeo: what rows read by hand from the raw file become, the account of all rows, and the rate's evidence.

A price in rupees is that of the file times 81.42, worked out by hand; the meal for two is halved.
"""

import csv
import datetime as dt
import math
from pathlib import Path

import pytest

from schemas.rows import Built
from sources.tables.mapping import load_mapping
from tests.sources.tables.mappings.hand_read import (
    MAPPINGS,
    assert_account,
    assert_equal_built,
    assert_rows,
    stage_shipped,
)


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("numbeo_2023_in", shared_data)


def prices(city: str, *rupees: float | None) -> dict[str, object]:
    columns = ("meal_tier1_inr", "meal_tier2_inr", "transit_ticket_inr", "taxi_km_inr")
    worked_out = (None if price is None else pytest.approx(price, rel=1e-12) for price in rupees)
    return {"city_name": city, **dict(zip(columns, worked_out, strict=True))}


def test_prices_in_dollars_become_rupees_of_the_declared_rate(built: Built) -> None:
    assert_rows(
        built,
        {
            1: prices("Agartala", 249.9594, 350.106, 14.6556, 17.0982)
            | {
                "provider": "Numbeo",
                "as_of": dt.date(2022, 12, 31),
                "observed_at": dt.date(2022, 12, 31),
                "fx_rate": 81.42,
                "fx_as_of": dt.date(2022, 12, 31),
                "meal_tier3_inr": None,
                "meal_tier4_inr": None,
                "taxi_start_inr": None,
                "accommodation_baseline_inr": None,
                "contributors": None,
                "state_name": None,
                "source_id": None,
            },
            4: prices("Aizawl", 200.2932, 1249.797, 20.355, 29.3112),
            8: prices("Allahabad", 149.8128, 249.9594, 49.6662, 14.6556),
            15: prices("Bangalore", 249.9594, 749.8782, 49.6662, 30.1254),
            # The meal for one of two in a better restaurant costs less than in a cheap one; so the file says.
            26: prices("Bhilai", 450.2526, 249.9594, 14.6556, 26.0544),
            44: prices("Delhi", 399.7722, 900.0981, 39.8958, 17.9124),
            49: prices("Dispur", 100.1466, 400.1793, 100.1466, 39.8958),
            53: prices("Erode", 49.6662, 225.1263, 7.3278, 20.355),
            58: prices("Ghaziabad", 299.6256, 1249.797, 49.6662, 13.8414),
            88: prices("Kochi", 149.8128, 324.8658, 20.355, 30.1254),
            # A price without decimals.
            90: prices("Kolkata", 162.84, 600.0654, 16.284, 25.2402),
            105: prices("Mumbai", 299.6256, 749.8782, 20.355, 25.2402),
            150: prices("Thane", 474.6786, 600.0654, 32.568, 25.2402),
            165: prices("Vishakhapatnam", 200.2932, 425.0124, 25.2402, 12.213),
        },
    )


def test_the_text_nan_is_no_price(built: Built) -> None:
    assert_rows(
        built,
        {
            2: prices("Agra", 200.2932, 300.0327, None, 13.0272),
            5: prices("Ajmer", 70.0212, 249.9594, 20.355, None),
            18: prices("Barasat", 249.9594, None, None, 30.1254),
            47: prices("Dhulia", None, 249.9594, None, 25.2402),
            66: prices("Hanumangarh", None, None, 9.7704, None),
            81: prices("Kakinada", 114.8022, 249.9594, None, None),
            143: prices("Silvassa", None, None, 49.6662, None),
            156: prices("Titagarh", None, 699.8049, None, None),
        },
    )


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=167, kept=167, merged=0, quarantined={})
    assert built.notes.unmapped == {}
    assert built.notes.unused_columns == ()


def test_what_rows_miss_is_counted_column_by_column(built: Built) -> None:
    columns = ("city_name", "meal_tier1_inr", "meal_tier2_inr", "transit_ticket_inr", "taxi_km_inr", "fx_rate")
    assert {name: built.rows.column(name).null_count for name in columns} == {
        "city_name": 0,
        "meal_tier1_inr": 11,
        "meal_tier2_inr": 7,
        "transit_ticket_inr": 29,
        "taxi_km_inr": 17,
        "fx_rate": 0,
    }


def test_the_rate_is_the_one_that_turns_most_prices_into_round_rupees(shared_data: Path) -> None:
    with (shared_data / "cost_of_living" / "numbeo_2023_named_IN.csv").open(encoding="utf-8", newline="") as stream:
        cells = [cell for row in list(csv.reader(stream))[1:] for cell in row[2:] if cell != "nan"]
    dollars = [price for price in map(float, cells) if price >= 5]
    shares = {hundredth / 100: share_of_round_prices(dollars, hundredth / 100) for hundredth in range(7500, 9000)}
    declared = load_mapping(MAPPINGS / "numbeo_2023_in.yaml").rates["USD"].inr
    assert max(shares, key=shares.__getitem__) == declared == 81.42
    assert shares.pop(declared) == pytest.approx(267 / 322)
    assert max(shares.values()) < 0.75


def share_of_round_prices(dollars: list[float], rate: float) -> float:
    """Share of prices that may have been multiples of 50 rupees before they were rounded to cents."""
    steps = [((price - 0.005) * rate / 50, (price + 0.005) * rate / 50) for price in dollars]
    return sum(math.ceil(low - 1e-9) <= math.floor(high + 1e-9) for low, high in steps) / len(steps)


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("numbeo_2023_in", shared_data))
