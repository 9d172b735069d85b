"""The Frictionless descriptor: version 2, of the files that are there."""

from typing import Any

import pytest

from schemas.datapackage import (
    PackageFile,
    PackageSource,
    descriptor,
    field_descriptor,
    schema_descriptor,
    schema_version,
)
from schemas.tables import TABLES, UnknownTable

FILE = PackageFile("tables/x.parquet", "ab" * 32, 10, 3, (PackageSource("Stops", "https://example.org", "CC0-1.0"),))


def _package(*tables: str) -> dict[str, Any]:
    return descriptor("toy-1", "Toy", "1", "2026-03-14T09:30:00+00:00", dict.fromkeys(tables, FILE))


def test_a_package_names_its_profile_and_holds_the_tables_that_are_there() -> None:
    package = _package("transit_stops", "city_set")
    assert package["$schema"] == "https://datapackage.org/profiles/2.0/datapackage.json"
    assert [resource["name"] for resource in package["resources"]] == ["city_set", "transit_stops"]
    resource = package["resources"][1]
    assert (resource["type"], resource["path"], resource["bytes"]) == ("table", "tables/x.parquet", 10)
    assert resource["hash"] == f"sha256:{'ab' * 32}"
    assert resource["sources"] == [{"title": "Stops", "path": "https://example.org", "license": "CC0-1.0"}]


def test_an_undeclared_table_is_an_error() -> None:
    with pytest.raises(UnknownTable, match="moons"):
        _package("moons")


def test_a_reference_leads_only_to_a_table_of_the_package() -> None:
    alone = schema_descriptor("poi_nearest_stops", ("poi_nearest_stops",))
    assert "foreignKeys" not in alone
    both = schema_descriptor("poi_nearest_stops", ("poi_nearest_stops", "transit_stops"))
    assert both["foreignKeys"] == [
        {"fields": ["nearest_stop_id"], "reference": {"resource": "transit_stops", "fields": ["stop_id"]}}
    ]


def test_a_key_that_may_hold_null_is_unique_but_not_primary() -> None:
    assert schema_descriptor("city_set", ())["primaryKey"] == ["city_id"]
    flights = schema_descriptor("flights", ())
    assert "primaryKey" not in flights
    assert flights["uniqueKeys"] == [list(TABLES["flights"].key)]


def test_bounds_patterns_and_members_are_said_in_the_standards_words() -> None:
    assert field_descriptor("avg_cost", nullable=True)["constraints"] == {"exclusiveMinimum": 0}
    assert field_descriptor("rating", nullable=False)["constraints"] == {"required": True, "minimum": 0, "maximum": 5}
    assert field_descriptor("iata", nullable=True)["constraints"] == {"pattern": "^(?:[A-Z]{3})$"}
    rules = field_descriptor("house_rules", nullable=True)
    assert rules["type"] == "array"
    assert "No_Pets" in rules["arrayItem"]["constraints"]["enum"]
    assert "constraints" not in field_descriptor("website", nullable=True)


def test_the_version_of_the_declarations_stays_while_they_stay() -> None:
    assert schema_version() == schema_version()
    assert len(schema_version()) == 16
