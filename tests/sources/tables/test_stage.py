"""Staging: each record leaves by one of three doors, right but incomplete rows stay, and nothing is guessed."""

import datetime as dt
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from schemas.arrow import staged_schema
from schemas.rows import MERGES_SCHEMA, QUARANTINE_SCHEMA, Built
from schemas.tables import TABLES
from sources.tables.grammar import Mapping
from sources.tables.stage import StageError, stage

Stage = Callable[[str, str | bytes], Built]

HEAD = """\
id: stops
table: transit_stops
title: Stops
file: rail/stops.csv
format: csv
observed: {at: 2020-02-29}
"""
STOPS = (
    HEAD
    + """\
constants: {stop_mode: rail}
columns:
  stop_code: {from: code, parse: text}
  stop_name: {from: name, parse: text}
  latitude: {from: lat, parse: number, null: ["0"]}
  longitude: {from: lon, parse: number, null: ["0"]}
"""
)
EATING = """\
id: food
table: restaurants
title: Food
file: food.csv
format: csv
observed: {at: , note: no date}
columns:
  name: {from: name, parse: text}
  rating: {from: rating, parse: number}
  website: {from: site, parse: text, null: [none]}
"""


def rows(built: Built, *columns: str) -> list[tuple[object, ...]]:
    return list(zip(*(built.rows.column(name).to_pylist() for name in columns), strict=True))


def refused(built: Built) -> list[tuple[str, str, str | None, str | None]]:
    table = built.quarantine.to_pylist()
    return [(row["source_ref"].split("#")[1], row["code"], row["column"], row["value"]) for row in table]


def merged(built: Built) -> list[tuple[str, str, str]]:
    return [(row["source_ref"], row["into_ref"], row["rule"]) for row in built.merges.to_pylist()]


def test_rows_have_the_staged_schema_and_tell_where_they_came_from(stage_text: Stage) -> None:
    data = "code,name,lat,lon\nNGP,Nagpur Jn,21.15,79.08\nON,Oran,23.1,72.2\n"
    built = stage_text(STOPS, data)
    assert built.rows.schema.equals(staged_schema("transit_stops"), check_metadata=True)
    assert built.rows.select(["source", "source_ref", "snapshot_id", "observed_at", "value_class"]).to_pylist() == [
        {
            "source": "stops",
            "source_ref": f"rail/stops.csv#{number}",
            "snapshot_id": hashlib.sha256(data.encode()).hexdigest()[:16],
            "observed_at": dt.date(2020, 2, 29),
            "value_class": "observed",
        }
        for number in (1, 2)
    ]
    assert built.notes.rows_in == 2


def test_columns_that_the_mapping_does_not_fill_are_null(stage_text: Stage) -> None:
    built = stage_text(STOPS, "code,name,lat,lon\nNGP,Nagpur Jn,21.15,79.08\n")
    assert rows(built, "state_name", "stop_lines", "source_id") == [(None, None, None)]


@pytest.mark.parametrize("code", ["01064", "NAN", "NIL", "ON", "E", "NULL", "None", "null", "1e5", "TRUE", "00", "-"])
def test_text_stays_text(stage_text: Stage, code: str) -> None:
    built = stage_text(STOPS, f"code,name,lat,lon\n{code},{code},21,79\n")
    assert rows(built, "stop_code", "stop_name") == [(code, code)]


def test_empty_and_declared_texts_are_null_and_the_row_stays(stage_text: Stage) -> None:
    built = stage_text(STOPS, "code,name,lat,lon\n , Agra  Cantt ,0,\nAGC,Agra,27.1, 0 \n")
    assert rows(built, "stop_code", "stop_name", "latitude", "longitude") == [
        (None, "Agra Cantt", None, None),
        ("AGC", "Agra", 27.1, None),
    ]
    assert len(built.quarantine) == 0


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("nan", "not_a_number"),
        ("inf", "not_a_number"),
        ("north", "not_a_number"),
        ("1e999", "not_a_number"),
        ("90.1", "out_of_range"),
        ("-91", "out_of_range"),
    ],
)
def test_a_bad_value_where_the_row_needs_one_refuses_the_row(stage_text: Stage, cell: str, code: str) -> None:
    built = stage_text(STOPS, f"code,name,lat,lon\nA,Abu,{cell},79\nB,Bina,24,78\n")
    assert refused(built) == [("1", code, "latitude", cell)]
    assert rows(built, "stop_name") == [("Bina",)]
    assert built.notes.unmapped == {}


def test_a_bad_value_elsewhere_becomes_null_and_is_counted_with_its_text(stage_text: Stage) -> None:
    accommodation = EATING.replace("restaurants", "accommodations").replace(
        "  website:", "  star_rating: {from: stars, parse: number}\n  website:"
    )
    built = stage_text(accommodation, "name,rating,site,stars\nA,4,x,3\nB,4,x,nine\nC,4,x,9\nD,4,x,nine\n")
    assert rows(built, "name", "star_rating") == [("A", 3.0), ("B", None), ("C", None), ("D", None)]
    assert built.notes.unmapped == {
        "cells:star_rating:not_a_number": {"nine": 2},
        "cells:star_rating:out_of_range": {"9": 1},
    }


def test_only_rows_that_stay_are_counted(stage_text: Stage) -> None:
    accommodation = EATING.replace("restaurants", "accommodations").replace(
        "  website:", "  star_rating: {from: stars, parse: number}\n  website:"
    )
    built = stage_text(accommodation, "name,rating,site,stars\nA,bad,x,nine\n")
    assert (len(built.rows), built.notes.unmapped) == (0, {})


def test_a_value_without_the_form_of_its_column_is_refused(stage_text: Stage) -> None:
    built = stage_text(EATING, "name,rating,site\nA; B,4,x\nC,4,none\n")
    assert refused(built) == [("1", "pattern", "name", "A; B")]
    assert rows(built, "name", "website") == [("C", None)]


def test_a_value_outside_the_vocabulary_is_refused(stage_text: Stage) -> None:
    yaml = STOPS.replace("constants: {stop_mode: rail}\n", "").replace(
        "columns:\n", "columns:\n  stop_mode: {from: mode, parse: text}\n"
    )
    built = stage_text(yaml, "code,name,lat,lon,mode\nA,Abu,24,72,rail\nB,Bina,24,78,Rail\n")
    assert refused(built) == [("2", "not_in_vocabulary", "stop_mode", "Rail")]


def test_mapped_terms_lead_to_tokens_in_vocabulary_order_and_others_are_counted(stage_text: Stage) -> None:
    yaml = EATING + "  cuisines: {from: kitchen, parse: list, separator: ',', map: cuisines}\n"
    cells = ["Mughlai, north  indian, Chinese", "Chinese, Martian", "Martian, Martian", "", "Venusian"]
    table = "name,rating,site,kitchen\n" + "".join(f'R{n},4,x,"{cell}"\n' for n, cell in enumerate(cells))
    built = stage_text(yaml, table)
    first, second, *others = built.rows.column("cuisines").to_pylist()
    assert len(first) == len(set(first)) >= 2
    assert len(second) == 1
    assert second[0] in first
    assert others == [None, None, None]
    assert built.notes.unmapped == {"cuisines": {"Martian": 2, "Venusian": 1}}


def test_a_mapped_text_takes_the_one_token_of_its_term(stage_text: Stage) -> None:
    yaml = STOPS + "  state_name: {from: state, parse: text, map: states}\n"
    built = stage_text(yaml, "code,name,lat,lon,state\nA,Abu,24,72,ORISSA\nB,Bina,24,78,Atlantis\n")
    assert rows(built, "state_name") == [("Odisha",), (None,)]
    assert built.notes.unmapped == {"states": {"Atlantis": 1}}


def test_a_mapped_text_whose_term_leads_to_several_tokens_takes_none_and_is_counted(stage_text: Stage) -> None:
    yaml = EATING + "  locality: {from: kitchen, parse: text, map: cuisines}\n"
    built = stage_text(yaml, "name,rating,site,kitchen\nA,4,x,Tex-Mex\nB,4,x,Mughlai\n")
    (several,), (one,) = rows(built, "locality")
    assert several is None
    assert one is not None
    assert built.notes.unmapped == {"cuisines": {"Tex-Mex": 1}}


def test_money_is_halved_changed_and_dated(stage_text: Stage) -> None:
    yaml = """\
id: prices
table: cost_of_living
title: Prices
file: prices.csv
format: csv
observed: {at: , note: no date}
rates: {USD: {inr: 80, as_of: 2022-12-31, source: a bank}}
constants: {provider: Somebody, as_of: 2022-12-30}
columns:
  city_name: {from: city, parse: text}
  meal_tier2_inr: {from: two, parse: number, null: [nan], times: 0.5, currency: USD}
  contributors: {from: people, parse: integer}
  fx_rate: {rate: USD}
  fx_as_of: {rate: USD}
"""
    built = stage_text(yaml, "city,two,people\nAgra,7.5,12\nAjmer,nan,99999999999\nAkola,0,1.5\n")
    assert rows(built, "city_name", "meal_tier2_inr", "contributors", "fx_rate", "fx_as_of", "as_of") == [
        ("Agra", 300.0, 12, 80.0, dt.date(2022, 12, 31), dt.date(2022, 12, 30)),
        ("Ajmer", None, None, 80.0, dt.date(2022, 12, 31), dt.date(2022, 12, 30)),
        ("Akola", None, None, 80.0, dt.date(2022, 12, 31), dt.date(2022, 12, 30)),
    ]
    assert built.notes.unmapped == {
        "cells:meal_tier2_inr:out_of_range": {"0": 1},
        "cells:contributors:out_of_range": {"99999999999": 1},
        "cells:contributors:not_an_integer": {"1.5": 1},
    }


def test_text_is_extracted_repaired_and_then_cleaned(stage_text: Stage) -> None:
    yaml = EATING.replace(
        "{from: name, parse: text}", "{from: name, parse: text, repair: [mojibake], extract: '^\"(.*)\"'}"
    )
    damaged = "Chez  à".encode().decode("latin-1")
    built = stage_text(yaml, f'name,rating,site\n"""{damaged}"" x",4,x\nno quotes,4,y\n')
    assert rows(built, "name", "website") == [("Chez à", "x"), (None, "y")]


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
        ("stop_code: {from: code", ["stops.yaml, column 'stop_code'", "no column 'kode'", "did you mean 'code'"]),
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
    with pytest.raises(StageError, match=r"absent\.csv: No such file.*mapping 'stops'"):
        stage(load(STOPS), tmp_path / "absent.csv")
    with pytest.raises(StageError, match="Is a directory"):
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


@pytest.mark.parametrize("table", sorted(TABLES))
def test_no_staged_value_is_ever_nan_or_infinite_whatever_the_table(table: str, stage_text: Stage) -> None:
    doubles = [field.name for field in staged_schema(table) if pa.types.is_float64(field.type)]
    if not doubles:
        return
    yaml = HEAD.replace("transit_stops", table) + "columns:\n"
    yaml += "".join(f"  {name}: {{from: x, parse: number, times: 1.5}}\n" for name in doubles)
    built = stage_text(yaml, "x\nnan\ninf\n-inf\n1.7e308\n1e400\n2\n")
    values = [value for name in doubles for value in built.rows.column(name).to_pylist() if value is not None]
    assert all(abs(value) < 1e308 for value in values)
