"""What answers of Numbeo mean: a row of prices in rupees, or a refusal that names what is wrong."""

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from sources.numbeo.parse import parse
from sources.protocol.types import Answer
from tests.sources.numbeo.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    FOLDER,
    SUBJECT,
    answer,
    assert_usable,
    document,
    of_document,
    of_file,
    question_of,
    refusals,
    rows,
    skipped,
    unknown,
)

RETRYABLE = {
    "error_document", "html", "key_refused", "rate_limited", "not_json", "wrong_charset", "duplicate_key", "no_rate",
    "http_status__city_prices",
}  # fmt: skip
# What is wrong with single prices or members costs them alone.
OF_A_MEMBER = {"twice", "out_of_bounds", "bad_id__city_prices.item", "bad_number__city_prices.average",
               "bad_number__city_prices.bound"}  # fmt: skip
RUPEES = document("city_prices.rupees")


def changed(**values: Any) -> Answer:
    return of_document(RUPEES | values)


def with_price(item: int, **values: Any) -> Answer:
    prices = [price | values if price["item_id"] == item else price for price in RUPEES["prices"]]
    return changed(prices=prices)


def only(parsed: Any) -> dict[str, Any]:
    (row,) = rows(parsed)
    return row


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_has_no_fault(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    assert not refusals(items)
    assert not unknown(items)
    assert len(rows(items)) == (question_of(path) == "city_prices")


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_a_counterexample_causes_the_error_that_it_is_named_after(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    (refusal,) = refusals(items)
    assert refusal.code == path.name.partition("__")[0]
    is_of_a_member = any(path.name.startswith(start) for start in OF_A_MEMBER)
    assert len(rows(items)) == is_of_a_member
    assert is_of_a_member or refusal.is_retryable is any(path.name.startswith(start) for start in RETRYABLE)


def test_every_code_of_the_parser_has_a_counterexample() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r'(?:Refusal|_UnfitError|_NotJsonError)\(\s*"(\w+)"', code))
    assert used == {path.name.partition("__")[0] for path in COUNTEREXAMPLES}


def test_the_prices_of_a_city_are_read_as_a_person_reads_them() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "city_prices.rupees.json")))
    assert only(items) == {
        "city_name": "Allahabad",
        "state_name": None,
        "source_id": "900001",
        "provider": "Numbeo",
        "as_of": date(2025, 9, 30),
        "contributors": 27,
        "fx_rate": None,
        "fx_as_of": None,
        "meal_tier1_inr": 200.00000000000003,
        # For two.
        "meal_tier2_inr": 500.0,
        "transit_ticket_inr": 20.0,
        "taxi_start_inr": 50.0,
        "taxi_km_inr": 19.5,
    }
    assert skipped(items) == {
        "a price of an item that has no column": 2,
        "a percentage among the prices, which is no money": 1,
    }


def test_another_currency_is_converted_by_the_dated_rate_that_goes_with_the_question() -> None:
    row = only(parse(of_file(FOLDER / "examples" / "city_prices.dollars.json")))
    assert (row["meal_tier1_inr"], row["meal_tier2_inr"]) == (200.0, 480.0)
    assert (row["fx_rate"], row["fx_as_of"]) == (80.0, date(2026, 7, 13))
    assert row["state_name"] == "Uttar Pradesh"
    assert row["taxi_km_inr"] is None


@pytest.mark.parametrize(
    "rates",
    [
        {},
        {"rupees_for": '{"USD": 80.0}'},
        {"rates_as_of": "2026-07-13"},
        *(
            {"rupees_for": rupees, "rates_as_of": "2026-07-13"}
            for rupees in ("80", '{"USD": "80"}', '{"USD": 0.0}', '{"GBP": 99.0}', "{")
        ),
        {"rupees_for": '{"USD": 80.0}', "rates_as_of": "now"},
    ],
    ids=str,
)
def test_nothing_is_converted_without_a_dated_rate(rates: dict[str, str]) -> None:
    about = {"city": "Allahabad", "country": "India", **rates}
    (refusal,) = refusals(parse(of_file(FOLDER / "examples" / "city_prices.dollars.json", subject=about)))
    assert (refusal.code, refusal.is_retryable) == ("no_rate", True)


def test_items_are_told_by_their_ids_whatever_their_labels_say() -> None:
    row = only(parse(with_price(1, item_name="Mortgage Interest Rate in Percentages, Salaries")))
    assert row["meal_tier1_inr"] == 200.00000000000003
    renamed = [price | {"item_name": "Meal, Inexpensive Restaurant, Restaurants"} for price in RUPEES["prices"]]
    assert only(parse(changed(prices=renamed))) == only(parse(of_document(RUPEES)))


def test_a_percentage_among_the_prices_is_never_money() -> None:
    with_rate = only(parse(of_document(RUPEES)))
    prices = [price for price in RUPEES["prices"] if price["item_id"] != 106]
    assert only(parse(changed(prices=prices))) == with_rate
    assert 8.5 not in with_rate.values()
    in_dollars = only(parse(of_document({**RUPEES, "currency": "USD"})))
    assert 8.5 * 80 not in in_dollars.values()


def test_bug_49_a_row_names_its_provider_and_holds_prices_of_items_alone() -> None:
    """One index, five baskets: indices of several providers in one column cannot be compared."""
    for question in ("indices", "country_indices", "rankings_by_city_current"):
        items = list(parse(of_document({"name": "Allahabad, India", "cpi_index": 24.5, "rent_index": 5.1}, question)))
        assert not rows(items)
        assert skipped(items) == {"an index, which is no price": 1}
    row = only(parse(of_document(RUPEES)))
    assert (row["provider"], row["as_of"]) == ("Numbeo", date(2025, 9, 30))
    # An index that slips in among the prices is of no item, and its member of no column.
    slipped = list(parse(changed(cpi_index=24.5)))
    assert only(slipped) == row
    assert unknown(slipped) == ["cpi_index"]


def test_bounds_and_data_points_may_be_missing_or_null() -> None:
    whole = only(parse(of_document(RUPEES)))
    bare = [{"item_id": price["item_id"], "average_price": price["average_price"]} for price in RUPEES["prices"]]
    assert only(parse(changed(prices=bare))) == whole
    null = [price | {"lowest_price": None, "highest_price": None} for price in RUPEES["prices"]]
    assert only(parse(changed(prices=null))) == whole


def test_a_price_that_nobody_gave_is_null_and_no_fault() -> None:
    items = list(parse(with_price(1, average_price=None)))
    assert only(items)["meal_tier1_inr"] is None
    assert not refusals(items)


def test_a_price_beyond_its_own_bounds_costs_itself_alone() -> None:
    items = list(parse(with_price(18, average_price=20.5)))
    assert only(items) == only(parse(of_document(RUPEES))) | {"transit_ticket_inr": None}
    (refusal,) = refusals(items)
    assert (refusal.code, refusal.where) == ("out_of_bounds", "prices[3].average_price")
    # A bound that differs in the last digit of a division is none that is broken.
    assert not refusals(parse(with_price(18, average_price=20.000000000000004)))


def test_contributors_are_those_of_the_window_and_not_those_of_the_year() -> None:
    # The year may have more, as it is counted by another rule.
    assert only(parse(changed(contributors=564, contributors12months=943)))["contributors"] == 564
    few = {name: value for name, value in RUPEES.items() if not name.startswith("contributors")}
    assert only(parse(of_document(few)))["contributors"] is None


@pytest.mark.parametrize(
    ("month", "year", "as_of"),
    [(2, 2024, date(2024, 2, 29)), (12, 2014, date(2014, 12, 31)), (7, 2026, date(2026, 7, 14)), (None, None, None)],
)
def test_prices_are_dated_to_the_last_day_of_their_month_that_has_been(
    month: int | None, year: int | None, as_of: date | None
) -> None:
    assert only(parse(changed(monthLastUpdate=month, yearLastUpdate=year)))["as_of"] == as_of


def test_a_month_to_come_is_refused_by_the_day_of_the_fetch() -> None:
    september = of_document(RUPEES)
    before = replace(september, fetched_at=datetime(2025, 8, 31, tzinfo=UTC))
    assert [refusal.code for refusal in refusals(parse(before))] == ["bad_date"]


def test_the_documented_slip_in_the_name_of_the_month_is_a_new_field_and_no_date() -> None:
    document = {name: value for name, value in RUPEES.items() if not name.endswith("LastUpdate")}
    items = list(parse(of_document(document | {"monthlyLastUpdate": 9})))
    assert only(items)["as_of"] is None
    assert unknown(items) == ["monthlyLastUpdate"]


@pytest.mark.parametrize(
    ("params", "is_the_city"),
    [
        ({"query": "Allahabad, India"}, True),
        ({"query": "allahabad"}, True),
        ({"query": "Aligarh, India"}, False),
        ({"query": "Allahabad, Pakistan"}, False),
        ({"city": "Allahabad", "country": "India"}, True),
        ({"city": "Agra", "country": "India"}, False),
        ({"city_id": "900001"}, True),
        ({"city_id": "900002"}, False),
        ({}, True),
    ],
    ids=str,
)
def test_a_saved_answer_is_held_against_its_question(params: dict[str, str], is_the_city: bool) -> None:
    items = list(parse(of_document(RUPEES, params=params, subject={})))
    assert len(rows(items)) == is_the_city
    assert [refusal.code for refusal in refusals(items)] == ([] if is_the_city else ["other_city"])


def test_the_answer_of_another_city_is_refused_under_the_id_of_this_one() -> None:
    moved = RUPEES | {"name": "Agra, India"}
    (refusal,) = refusals(parse(of_document(moved)))
    assert (refusal.code, refusal.value) == ("other_city", "Agra, India")
    assert not refusals(parse(of_document(moved, subject=SUBJECT | {"city": "Agra"})))


def test_a_namesake_abroad_is_never_taken_for_a_city_of_the_region() -> None:
    for params in ({}, {"query": "Kochi"}, {"query": "Kochi, Japan"}, {"city_id": "900001"}):
        (refusal,) = refusals(parse(of_document(RUPEES | {"name": "Kochi, Japan"}, params=params, subject={})))
        assert refusal.code == "other_country"


def test_what_it_says_of_a_failure_is_handed_on_as_nobody_knows_its_words() -> None:
    (refusal,) = refusals(parse(answer(b'{"error": "Constructed words", "name": "Agra, India", "prices": []}')))
    assert (refusal.code, refusal.is_retryable) == ("error_document", True)
    assert "Constructed words" in refusal.message


def sample(shared: Path, name: str) -> bytes:
    return (shared / "contracts" / "samples" / "numbeo" / f"{name}.json").read_bytes()


def test_the_sample_of_london_is_a_row_where_london_was_asked_for(shared: Path) -> None:
    about = {"city": "London", "country": "United Kingdom", "rupees_for": '{"GBP": 110.0}', "rates_as_of": "2022-04-30"}
    items = list(parse(answer(sample(shared, "city_prices_london"), params={"city_id": "6512"}, subject=about)))
    row = only(items)
    assert (row["meal_tier1_inr"], row["as_of"], row["contributors"]) == (1650.0, date(2022, 4, 30), 564)
    assert row["meal_tier2_inr"] is None
    assert not refusals(items)
    assert not unknown(items)


LIST = "a member of a list, which holds no prices"
INDEX = "an index, which is no price"
SURVEY = "a survey, which holds no prices"
COUNTRY = "prices of a country, which are not those of a city"
PAST = "a price of the past, of a series"


@pytest.mark.parametrize(
    ("name", "question", "reason", "times"),
    [
        ("cities", "cities", "a city in the list of cities, which holds no prices", 3),
        ("currency_exchange_rates", "currency_exchange_rates", "an exchange rate, which is no price", 3),
        ("items", "items", LIST, 4),
        ("city_cost_estimator_london", "city_cost_estimator", "an estimate of expenses, which holds no prices", 1),
        ("city_crime", "city_crime", SURVEY, 1),
        ("city_healthcare", "city_healthcare", SURVEY, 1),
        ("city_pollution", "city_pollution", SURVEY, 1),
        ("city_traffic", "city_traffic", SURVEY, 1),
        ("close_cities_with_prices", "close_cities_with_prices", LIST, 8),
        ("country_administrative_units", "country_administrative_units", LIST, 13),
        ("country_indices_sweden", "country_indices", INDEX, 1),
        ("country_prices_kuwait", "country_prices", COUNTRY, 1),
        ("country_prices_united_states_2023_excerpt", "country_prices", COUNTRY, 1),
        ("historical_city_prices", "historical_city_prices", PAST, 1),
        ("historical_country_prices_monthly", "historical_country_prices_monthly", PAST, 1),
        ("indices_london", "indices", INDEX, 1),
        ("indices_stockholm", "indices", INDEX, 1),
    ],
)
def test_a_sample_of_another_question_is_counted_and_dropped(
    shared: Path, name: str, question: str, reason: str, times: int
) -> None:
    items = list(parse(answer(sample(shared, name), question)))
    assert skipped(items) == {reason: times}
    assert len(items) == 1


def test_the_sample_of_a_failure_with_status_200_is_a_failure(shared: Path) -> None:
    items = list(parse(answer(sample(shared, "error_http200.constructed"))))
    assert [refusal.code for refusal in refusals(items)] == ["error_document"]
    assert len(items) == 1


def test_every_sample_is_looked_at(shared: Path) -> None:
    names = {path.stem for path in (shared / "contracts" / "samples" / "numbeo").glob("*.json")}
    text = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{name}"' in text for name in names)


def test_a_new_field_is_told_and_costs_nothing() -> None:
    items = list(parse(of_document(json.loads(json.dumps(RUPEES)) | {"median": 1})))
    assert unknown(items) == ["median"]
    assert rows(items)
