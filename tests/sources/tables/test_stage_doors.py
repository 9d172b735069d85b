"""Staged rows: each record leaves by one of three doors, whatever the file and its format."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from schemas.arrow import staged_schema
from schemas.rows import MERGES_SCHEMA, QUARANTINE_SCHEMA
from sources.tables.grammar import Mapping
from sources.tables.stage import StageError, stage
from tests.sources.tables.stops import STOPS, Stage, merged, refused, rows

RULES = (
    STOPS
    + """\
reject:
  - {code: placeholder, column: stop_code, matches: "^XX-", message: no station}
  - {code: foreign, from: country, matches: "^(?!India$)", message: abroad}
  - {code: outside_area, outside: [6, 68, 37, 98], message: not in India}
  - {code: required, null: [stop_name, stop_code], message: no name or code}
"""
)


def test_rules_refuse_rows_in_order_and_the_first_hit_wins(stage_text: Stage) -> None:
    data = """\
code,name,lat,lon,country
XX-A,Nowhere,80,79,Mars
A,Paris,48,2,France
B,Blank,24,78,
C,Kabul,34,60,India
D,,,,India
E,Half,38,,India
NGP,Nagpur,21,79, India
F,Edge,6,98,India
"""
    built = stage_text(RULES, data)
    assert refused(built) == [
        ("1", "placeholder", "stop_code", "XX-A"),
        ("2", "foreign", None, "France"),
        ("3", "foreign", None, ""),
        ("4", "outside_area", "latitude", "34, 60"),
        ("5", "required", None, None),
        ("6", "outside_area", "latitude", "38, unknown"),
    ]
    assert built.quarantine.column("message").to_pylist()[0] == "no station"
    assert rows(built, "stop_code") == [("NGP",), ("F",)]
    assert built.quarantine.schema.equals(QUARANTINE_SCHEMA)


def test_a_long_value_at_fault_is_cut_in_quarantine(stage_text: Stage) -> None:
    built = stage_text(STOPS, f"code,name,lat,lon\nA,Abu,{'x' * 1000},79\n")
    assert refused(built) == [("1", "not_a_number", "latitude", "x" * 200)]


def test_repeats_are_merged_into_the_first_row_that_stays(stage_text: Stage) -> None:
    yaml = RULES + "repeats:\n  - {rule: same_code, by: [stop_code]}\n"
    data = """\
code,name,lat,lon,country
A,One,50,79,India
A,Two,21,79,India
B,X,21,79,India
A,Three,22,79,India
A,Four,,,India
"""
    built = stage_text(yaml, data)
    assert refused(built)[0][:2] == ("1", "outside_area")
    assert merged(built) == [
        ("rail/stops.csv#4", "rail/stops.csv#2", "same_code"),
        ("rail/stops.csv#5", "rail/stops.csv#2", "same_code"),
    ]
    assert rows(built, "stop_name") == [("Two",), ("X",)]
    assert built.merges.schema.equals(MERGES_SCHEMA)


def test_null_is_never_a_repeat_of_null(stage_text: Stage) -> None:
    yaml = STOPS + "repeats:\n  - {rule: same, by: [stop_code, latitude]}\n"
    built = stage_text(yaml, "code,name,lat,lon\n,A,21,79\n,B,21,79\nC,D,0,79\nC,E,0,79\nF,G,1,2\nF,H,1.0,3\n")
    assert merged(built) == [("rail/stops.csv#6", "rail/stops.csv#5", "same")]


def test_whole_records_are_compared_as_they_stand_but_for_the_named_columns(stage_text: Stage) -> None:
    yaml = STOPS + "ignore: {n: row number, '': nothing}\nrepeats:\n  - {rule: same_record, by: all, except: [n]}\n"
    built = stage_text(yaml, "n,code,name,lat,lon,\n1,A,B,,3,\n2,A,B,,3,\n3,A,b,,3,\n4,A,B,,3.0,\n5,A,B,,3,x\n")
    assert merged(built) == [("rail/stops.csv#2", "rail/stops.csv#1", "same_record")]


def test_a_column_that_is_neither_read_nor_ignored_is_reported(stage_text: Stage) -> None:
    yaml = STOPS + "ignore: {zone: not needed}\n"
    built = stage_text(yaml, "code,name,lat,lon,zone,zone,\nA,B,1,2,3,4,5\n")
    assert built.notes.unused_columns == ("zone#2", "")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            "stop_code: {from: code",
            ["stops.yaml, column 'stop_code' (line 9)", "no column 'kode'", "did you mean 'code'"],
        ),
        ("ignore", ["stops.yaml, ignore", "no column 'zone'", "'lat'"]),
        ("except", ["stops.yaml, repeat rule 'same'", "no column 'nmae'", "did you mean 'name'"]),
        ("track", ["stops.yaml, reject rule 'off_the_line'", "no column 'km'"]),
        ("from", ["stops.yaml, reject rule 'foreign'", "no column 'nation'"]),
    ],
)
def test_a_raw_column_that_the_file_does_not_have_is_named_with_the_nearest(
    stage_text: Stage, change: str, words: list[str]
) -> None:
    added = {
        "ignore": "ignore: {zone: not needed}\n",
        "except": "repeats:\n  - {rule: same, by: all, except: [nmae]}\n",
        "track": "reject:\n  - {code: off_the_line, track: {line: name, km: km, slack_km: 1}, message: m}\n",
        "from": "reject:\n  - {code: foreign, from: nation, matches: x, message: m}\n",
    }
    yaml = STOPS + added[change] if change in added else STOPS.replace(change, "stop_code: {from: kode")
    with pytest.raises(StageError) as caught:
        stage_text(yaml, "code,name,lat,lon\nA,B,1,2\n")
    for word in words:
        assert word in str(caught.value)


def test_a_file_that_is_missing_or_holds_no_table_is_one_line(
    load: Callable[[str], Mapping], tmp_path: Path, stage_text: Stage
) -> None:
    with pytest.raises(StageError, match=r"absent\.csv: no such file.*mapping 'stops'"):
        stage(load(STOPS), tmp_path / "absent.csv")
    with pytest.raises(StageError, match="not a regular file"):
        stage(load(STOPS), tmp_path)
    with pytest.raises(StageError, match=r"stops\.csv \(mapping 'stops'\): the file has no header"):
        stage_text(STOPS, "")
    with pytest.raises(StageError, match="no column 'code'"):
        stage_text(STOPS, b"PK\x03\x04\x00\x00\n\x00\n")


def test_a_file_with_a_header_only_gives_no_rows_and_no_error(stage_text: Stage) -> None:
    rules = RULES + "  - {code: off, track: {line: name, km: lat, slack_km: 1}, message: m}\n"
    built = stage_text(rules + "repeats:\n  - {rule: a, by: [stop_code]}\n  - {rule: b, by: all}\n",
                       "code,name,lat,lon,country\n")  # fmt: skip
    assert (built.notes.rows_in, len(built.rows), len(built.quarantine), len(built.merges)) == (0, 0, 0, 0)
    assert built.rows.schema.equals(staged_schema("transit_stops"))


JSON_STOPS = STOPS.replace("stops.csv", "stops.json").replace("format: csv", "format: json\nrecords: stops")


def test_json_records_are_staged_with_numbers_as_numbers_or_texts(stage_text: Stage) -> None:
    stops = [
        {"code": "ALVA", "name": "Aluva", "lat": 10.1099, "lon": "76.3495"},
        {"code": 7, "name": "Seven", "lat": None},
        "no record",
        {"name": "x", "lat": float("inf")},
    ]
    built = stage_text(JSON_STOPS, json.dumps({"stops": stops}))
    assert rows(built, "stop_code", "latitude", "longitude") == [("ALVA", 10.1099, 76.3495), ("7", None, None)]
    assert refused(built) == [
        ("3", "torn_row", None, "no record"),
        ("4", "not_a_number", "latitude", "Infinity"),
    ]
    assert built.rows.column("source_ref").to_pylist() == ["rail/stops.json#1", "rail/stops.json#2"]


def test_an_empty_list_of_json_records_gives_no_rows_and_no_error(stage_text: Stage) -> None:
    built = stage_text(JSON_STOPS + "repeats:\n  - {rule: b, by: all, except: [x]}\n", '{"stops": []}')
    assert (built.notes.rows_in, len(built.rows)) == (0, 0)


def test_geojson_features_are_staged_and_a_missing_geometry_is_an_incomplete_row(stage_text: Stage) -> None:
    yaml = (
        STOPS.replace("stops.csv", "stops.geojson")
        .replace("format: csv", "format: geojson")
        .replace("from: code", "from: properties.code")
        .replace("from: name", "from: properties.name")
        .replace("from: lat", "from: geometry.latitude")
        .replace("from: lon", "from: geometry.longitude")
    )
    point = {"type": "Point", "coordinates": [75.45, 27.25]}
    features = [
        {"type": "Feature", "geometry": point, "properties": {"code": "BDHL", "name": "Badhal"}},
        {"type": "Feature", "geometry": None, "properties": {"code": "NIL", "name": "Nilaj"}},
        {"type": "Feature", "geometry": {"type": "LineString", "coordinates": []}, "properties": {"name": "Line"}},
    ]
    built = stage_text(yaml, json.dumps({"type": "FeatureCollection", "features": features}))
    assert rows(built, "stop_code", "latitude", "longitude") == [("BDHL", 27.25, 75.45), ("NIL", None, None)]
    assert refused(built) == [("3", "not_a_number", "latitude", "LineString")]


def test_torn_and_undecodable_records_are_refused_and_the_rest_goes_on(stage_text: Stage) -> None:
    built = stage_text(STOPS, b"code,name,lat,lon\nA,Abu\nB,Bin\xe9,24,78\nC,Cuttack,20,85\n")
    assert refused(built) == [("1", "torn_row", None, "A,Abu"), ("2", "undecodable", None, "Bin<e9>")]
    assert rows(built, "stop_code", "source_ref") == [("C", "rail/stops.csv#3")]
    assert built.notes.rows_in == 3


def test_the_same_file_and_mapping_give_the_same_result(stage_text: Stage) -> None:
    yaml = RULES + "repeats:\n  - {rule: same_code, by: [stop_code]}\n"
    data = "code,name,lat,lon,country\n" + "".join(f"S{n % 40},N{n},{n % 50},{70 + n % 9},India\n" for n in range(200))
    one, other = stage_text(yaml, data), stage_text(yaml, data)
    assert one.notes == other.notes
    for left, right in ((one.rows, other.rows), (one.quarantine, other.quarantine), (one.merges, other.merges)):
        assert left.equals(right)
