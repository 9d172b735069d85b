from dataclasses import replace
from typing import Any

import pyarrow.compute as pc

from schemas.arrow import table_schema
from schemas.region import Region
from warehouse.derive.city_set import build_airports, build_city_set
from warehouse.derive.prices import build_cost_of_living
from warehouse.derive.roads import build_distance_matrix


def test_every_city_of_the_region_is_there_with_what_the_region_says(region: Region) -> None:
    built = build_city_set(region, {})
    assert sorted(built.rows["City"].to_pylist()) == sorted(city.name for city in region.cities)
    delhi = built.rows.filter(pc.equal(built.rows["City"], "Delhi")).to_pylist()[0]
    expected = {
        "State": "Delhi",
        "city_id": "in-delhi",
        "latitude": 28.65195,
        "longitude": 77.23149,
        "aliases": ["New Delhi"],
        "uncertainty_city": True,
        "coverage": [],
        "source": "geonames",
        "source_ref": "cities.csv#in-delhi",
        "snapshot_id": region.snapshots["cities.csv"],
        "observed_at": None,
        "value_class": "declared",
        "evaluator_visible": True,
    }
    assert expected.items() <= delhi.items()


def test_coverage_names_the_tables_that_hold_a_city_in_the_order_of_their_declaration(
    region: Region, staged: Any
) -> None:
    price = {"provider": "p", "city_name": "Bangalore"}
    tables = {
        "distance_matrix": build_distance_matrix(replace(region, cities=region.cities[:2])).rows,
        "cost_of_living": build_cost_of_living([staged("cost_of_living", price)], region).rows,
        "airports": build_airports(region).rows,
    }
    rows = build_city_set(region, tables).rows
    coverage = dict(zip(rows["City"].to_pylist(), rows["coverage"].to_pylist(), strict=True))
    assert coverage["Delhi"] == ["airports", "distance_matrix"]
    assert coverage["Bengaluru"] == ["cost_of_living", "distance_matrix"]
    assert coverage["Nagpur"] == []


def test_an_airport_of_no_city_stays_hidden_with_its_rule(region: Region) -> None:
    built = build_airports(region)
    delhi, port_blair = built.rows.to_pylist()
    assert (delhi["iata"], delhi["City"], delhi["evaluator_visible"]) == ("DEL", "Delhi", True)
    assert (port_blair["iata"], port_blair["City"], port_blair["missing"]) == ("IXZ", None, ["City"])
    assert (port_blair["icao"], port_blair["city_rule"]) == (None, "no city of the region within 60 km")


def test_all_tables_have_their_exact_schema_also_without_rows(region: Region, empty_region: Region) -> None:
    for built, name in (
        (build_city_set, "city_set"),
        (lambda given, _: build_airports(given), "airports"),
    ):
        for given in (region, empty_region):
            result = built(given, {})
            assert result.rows.schema.equals(table_schema(name), check_metadata=True)
            assert result.notes.rows_in == len(result.rows)
