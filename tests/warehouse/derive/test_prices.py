from datetime import date
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.arrow import table_schema
from schemas.region import Region
from warehouse.derive.prices import build_cost_of_living

BANGALORE = {"provider": "p", "city_name": "Bangalore", "as_of": date(2023, 1, 1), "meal_tier1_inr": 200.0}


def test_prices_of_a_city_are_visible_and_those_of_none_stay_hidden(region: Region, staged: Any) -> None:
    rows = staged("cost_of_living", BANGALORE, {**BANGALORE, "city_name": "Paris"})
    built = build_cost_of_living([rows], region)
    cities = dict(zip(built.rows["city_name"].to_pylist(), built.rows["City"].to_pylist(), strict=True))
    assert cities == {"Bangalore": "Bengaluru", "Paris": None}
    assert built.rows["evaluator_visible"].to_pylist() == [True, False]
    assert built.notes.unmapped == {"cities": {"Paris": 1}}


def test_of_two_spellings_the_one_of_the_region_stays(region: Region, staged: Any) -> None:
    rows = staged("cost_of_living", {**BANGALORE, "taxi_km_inr": 20.0}, {**BANGALORE, "city_name": "Bengaluru"})
    built = build_cost_of_living([rows], region)
    assert built.rows["city_name"].to_pylist() == ["Bengaluru"]
    assert built.merges.select(["source_ref", "into_ref", "rule"]).to_pylist() == [
        {"source_ref": "one.csv#1", "into_ref": "one.csv#2", "rule": "same_city"}
    ]


def test_else_the_row_with_more_values_stays_and_then_the_earlier(region: Region, staged: Any) -> None:
    rows = [BANGALORE, {**BANGALORE, "taxi_km_inr": 20.0}, {**BANGALORE, "taxi_km_inr": 30.0}]
    built = build_cost_of_living([staged("cost_of_living", *rows)], region)
    assert built.rows["taxi_km_inr"].to_pylist() == [20.0]


def test_a_newer_price_goes_before_a_better_spelled_one(region: Region, staged: Any) -> None:
    old = {**BANGALORE, "city_name": "Bengaluru"}
    undated = {**old, "as_of": None}
    newer = {**BANGALORE, "as_of": date(2024, 1, 1), "meal_tier1_inr": 250.0}
    built = build_cost_of_living([staged("cost_of_living", undated, old, newer)], region)
    assert built.rows["meal_tier1_inr"].to_pylist() == [250.0]


def test_two_providers_are_not_one(region: Region, staged: Any) -> None:
    rows = staged("cost_of_living", BANGALORE, {**BANGALORE, "provider": "q"})
    assert len(build_cost_of_living([rows], region).rows) == 2


def test_one_city_name_of_two_states_is_told_apart_so_that_the_key_holds(region: Region, staged: Any) -> None:
    rows = [{**BANGALORE, "city_name": "Aurangabad", "state_name": state} for state in ("Bihar", "Maharashtra")]
    built = build_cost_of_living([staged("cost_of_living", *rows)], region)
    names = dict(zip(built.rows["city_name"].to_pylist(), built.rows["City"].to_pylist(), strict=True))
    assert names == {
        "Aurangabad, Bihar": "Aurangabad Bihar",
        "Aurangabad, Maharashtra": "Chhatrapati Sambhajinagar",
    }


def test_a_row_without_provider_or_city_name_is_quarantined(region: Region, staged: Any) -> None:
    rows = staged("cost_of_living", {**BANGALORE, "provider": None}, {**BANGALORE, "city_name": None})
    built = build_cost_of_living([rows], region)
    assert built.quarantine.select(["code", "column"]).to_pylist() == [
        {"code": "required", "column": "provider"},
        {"code": "required", "column": "city_name"},
    ]


def test_no_rows_make_an_empty_table_of_the_exact_schema(region: Region, staged: Any) -> None:
    for parts in ([], [staged("cost_of_living")]):
        built = build_cost_of_living(parts, region)
        assert built.rows.schema.equals(table_schema("cost_of_living"), check_metadata=True)
        assert (len(built.rows), built.notes.rows_in) == (0, 0)


ANY_ROW = st.fixed_dictionaries(
    {
        "provider": st.sampled_from(["p", "q", None]),
        "city_name": st.sampled_from(["Bangalore", "Bengaluru", "Aurangabad", "Paris", "PARIS", None]),
        "state_name": st.sampled_from(["Bihar", "Maharashtra", None]),
        "as_of": st.sampled_from([date(2023, 1, 1), date(2024, 1, 1), None]),
        "taxi_km_inr": st.sampled_from([20.0, None]),
    }
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(ANY_ROW, max_size=15))
def test_every_row_leaves_by_one_door_and_both_keys_hold(region: Region, staged: Any, rows: list[Any]) -> None:
    built = build_cost_of_living([staged("cost_of_living", *rows)], region)
    refs = [ref for door in (built.rows, built.merges, built.quarantine) for ref in door["source_ref"].to_pylist()]
    assert built.notes.rows_in == len(rows) == len(refs) == len(set(refs))
    kept = built.rows.to_pylist()
    assert len({(row["provider"], row["city_name"]) for row in kept}) == len(kept)
    placed = [(row["provider"], row["City"]) for row in kept if row["City"]]
    assert len(set(placed)) == len(placed)
