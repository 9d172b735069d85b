"""From answers of OpenStreetMap to the table: what the map holds twice is one stop, what has no name is hidden."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from schemas.arrow import staged_schema
from schemas.region import Region, load_region
from sources.osm.parse import parse
from sources.protocol.types import Answer
from tests.sources.osm.answers import FOLDER, of_file, rows
from warehouse.derive.stops import build_transit_stops

Doubles = set[tuple[str, str, str]]


@pytest.fixture(scope="module")
def region() -> Region:
    return load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")


def staged(*answers: Answer) -> pa.Table:
    marks = {"source": "osm", "snapshot_id": "0" * 16, "value_class": "observed"}
    records: list[dict[str, Any]] = [
        {**marks, "source_ref": f"{place}#{row['source_id']}", **row}
        for place, answer in enumerate(answers)
        for row in rows(parse(answer))
    ]
    return pa.Table.from_pylist(records, schema=staged_schema("transit_stops"))


def doubles(merges: pa.Table) -> Doubles:
    return {tuple(row[name] for name in ("source_ref", "into_ref", "rule")) for row in merges.to_pylist()}  # type: ignore[misc]


def test_nodes_ways_and_stop_positions_of_one_stop_are_one_and_nameless_ones_stay_hidden(region: Region) -> None:
    built = build_transit_stops([staged(of_file(FOLDER / "examples" / "one_box.json"))], region)
    first = 9_000_000_000
    assert doubles(built.merges) == {
        (f"0#way/{first + 2}", f"0#node/{first + 1}", "same_name_nearby"),
        (f"0#node/{first + 4}", f"0#node/{first + 3}", "same_name_nearby"),
    }
    hidden = built.rows.filter(pa.compute.invert(built.rows["evaluator_visible"]))
    assert {tuple(names) for names in hidden["missing"].to_pylist()} == {("stop_name",)}
    assert set(hidden["stop_id"].to_pylist()) == {f"osm:node/{first + number}" for number in (5, 7, 8)}
    assert (len(built.rows), len(built.quarantine)) == (11, 0)
    assert "rail:CNHT" in built.rows["stop_id"].to_pylist()


def test_an_element_that_two_boxes_hold_is_one_stop(region: Region) -> None:
    one = of_file(FOLDER / "examples" / "one_box.json")
    alone, twice = (build_transit_stops([staged(*answers)], region) for answers in ((one,), (one, one)))
    names = [name for name in alone.rows.column_names if name != "source_ref"]
    assert alone.rows.select(names).equals(twice.rows.select(names))


def test_the_doubles_of_the_sample_are_merged(region: Region, shared: Path) -> None:
    path = shared / "contracts" / "samples" / "osm" / "overpass_transit_bengaluru.json"
    built = build_transit_stops([staged(of_file(path))], region)
    assert doubles(built.merges) == {
        ("0#way/900000001", "0#node/246397026", "same_name_nearby"),
        ("0#node/900000003", "0#node/900000002", "same_name_nearby"),
    }
    assert sorted(built.rows["stop_id"].to_pylist()) == ["osm:node/900000002", "osm:node/900000004", "rail:BNC"]
