"""What `check` shows of a file: first rows, rejects by reason, unused columns, terms without a meaning, nulls."""

from collections.abc import Callable
from pathlib import Path

from sources.tables.grammar import Mapping
from sources.tables.preview import EXAMPLES, FIRST_ROWS, RejectGroup, check

MAPPING = """\
id: stops
table: transit_stops
title: Stops
file: stops.csv
format: csv
observed: {at: 2020-02-29}
constants: {stop_mode: rail}
columns:
  stop_code: {from: code, parse: text}
  stop_name: {from: name, parse: text}
  latitude: {from: lat, parse: number}
  state_name: {from: state, parse: text, map: states}
reject:
  - {code: required, null: [stop_name], message: a stop without a name}
repeats:
  - {rule: same_code, by: [stop_code]}
"""
FILE = """\
code,name,lat,state,zone
A,Abu,24,Orissa,1
A,Abu again,24,Orissa,1
B,,24,Orissa,1
,Bina,north,Orissa,1
,Cuttack,20,Atlantis,1
,Delhi,,,1
,Erode,east,Orissa,1
,Firozpur,west,Orissa,1
,Gaya,south,Orissa,1
"""


def test_a_preview_adds_up_and_shows_examples(load: Callable[[str], Mapping], tmp_path: Path) -> None:
    path = tmp_path / "stops.csv"
    path.write_text(FILE, encoding="utf-8")
    seen = check(load(MAPPING), path)
    assert (seen.mapping_id, seen.table) == ("stops", "transit_stops")
    assert (seen.rows_in, seen.kept, seen.merged, seen.quarantined) == (9, 3, 1, 5)
    assert seen.rejects == (
        RejectGroup(
            "not_a_number",
            "latitude is not a number",
            4,
            (("stops.csv#4", "north"), ("stops.csv#7", "east"), ("stops.csv#8", "west")),
        ),
        RejectGroup("required", "a stop without a name", 1, (("stops.csv#3", None),)),
    )
    assert seen.merges == {"same_code": 1}
    assert seen.unused_columns == ("zone",)
    assert seen.unmapped == {"states": {"Atlantis": 1}}
    assert seen.nulls == {"stop_name": 0, "stop_mode": 0, "latitude": 1, "stop_code": 2, "state_name": 2}
    assert seen.first_rows[0] == {
        "stop_name": "Abu",
        "stop_mode": "rail",
        "latitude": 24.0,
        "stop_code": "A",
        "state_name": "Odisha",
        "source_ref": "stops.csv#1",
    }


def test_a_preview_of_a_long_file_is_short(load: Callable[[str], Mapping], tmp_path: Path) -> None:
    path = tmp_path / "stops.csv"
    path.write_text("code,name,lat,state\n" + "".join(f"S{n},N{n},{n},\n" for n in range(500)), encoding="utf-8")
    seen = check(load(MAPPING), path)
    assert (len(seen.first_rows), len(seen.rejects[0].examples)) == (FIRST_ROWS, EXAMPLES)
    assert seen.kept + seen.quarantined == 500
