"""Staged values: text stays text, nothing is guessed, and a bad value refuses the row only where the row needs one."""

import datetime as dt
import hashlib

import pyarrow as pa
import pytest

from schemas.arrow import staged_schema
from schemas.tables import TABLES
from tests.sources.tables.stops import EATING, HEAD, STOPS, Stage, refused, rows


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


@pytest.mark.parametrize("code", ["01064", "NAN", "NIL", "ON", "E", "NULL", "None", "null", "1e5", "TRUE", "00"])
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


def test_a_word_for_nothing_is_no_name_and_no_value(stage_text: Stage) -> None:
    built = stage_text(STOPS, "code,name,lat,lon\nNGP,-,21.15,79.08\n-,Nagpur Jn,21.15,79.08\n")
    assert built.quarantine.select(["source_ref", "code", "column"]).to_pylist() == [
        {"source_ref": "rail/stops.csv#1", "code": "placeholder", "column": "stop_name"}
    ]
    assert rows(built, "stop_code", "stop_name") == [(None, "Nagpur Jn")]
    assert built.notes.unmapped == {"cells:stop_code:placeholder": {"-": 1}}
