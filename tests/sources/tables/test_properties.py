"""Whatever the file: every record is accounted for once, and no input makes anything but a StageError."""

import contextlib
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.arrow import staged_schema
from schemas.rows import Built
from sources.tables.grammar import Mapping
from sources.tables.mapping import load_mapping
from sources.tables.stage import StageError, stage

MAPPING = """\
id: stops
table: transit_stops
title: Stops
file: stops.csv
format: csv
observed: {at: 2020-02-29}
constants: {stop_mode: rail}
columns:
  stop_code: {from: code, parse: text, null: ["-"]}
  stop_name: {from: name, parse: text, repair: [mojibake, html], extract: "^([^#]*)"}
  latitude: {from: lat, parse: number, null: [nan]}
  longitude: {from: lon, parse: number}
  stop_lines: {from: line, parse: list, separator: "/"}
  state_name: {from: state, parse: text, map: states}
reject:
  - {code: placeholder, column: stop_code, matches: "^X", message: no station}
  - {code: outside_area, outside: [6, 68, 37, 98], message: not in India}
  - {code: off_the_line, track: {line: line, km: km, slack_km: 1}, message: too far}
  - {code: required, null: [stop_name], message: no name}
repeats:
  - {rule: same_code, by: [stop_code]}
  - {rule: same_point, by: [latitude, longitude]}
  - {rule: same_record, by: all}
"""
HEADER = "code,name,lat,lon,line,state,km"


def loaded() -> Mapping:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stops.yaml"
        path.write_text(MAPPING, encoding="utf-8")
        return load_mapping(path)


STOPS = loaded()


def staged(data: bytes) -> Built:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stops.csv"
        path.write_bytes(data)
        return stage(STOPS, path)


def refs(built: Built) -> list[str]:
    return [
        ref for part in (built.rows, built.quarantine, built.merges) for ref in part.column("source_ref").to_pylist()
    ]


_CELLS = st.tuples(
    st.sampled_from(["A", "B", "X1", "-", "", "NAN"]),
    st.sampled_from(["Agra", "Agra#1", "", " ", "Caf\u00c3\u00a9", "#"]),
    st.sampled_from(["21", "27.5", "nan", "95", "north", "50", ""]),
    st.sampled_from(["79", "72.25", "1e400", "", "10"]),
    st.sampled_from(["red", "red/blue", "", "/"]),
    st.sampled_from(["Orissa", "Atlantis", ""]),
    st.sampled_from(["0", "1000", "x", ""]),
)
_RECORDS = st.lists(_CELLS.map(",".join) | st.sampled_from(["torn", "too,many" + "," * 9]), max_size=25)


@given(_RECORDS)
def test_every_record_leaves_by_exactly_one_of_three_doors(records: list[str]) -> None:
    built = staged("\n".join([HEADER, *records]).encode())
    assert built.notes.rows_in == len(records)
    assert sorted(refs(built)) == sorted(f"stops.csv#{number}" for number in range(1, len(records) + 1))
    assert built.rows.schema.equals(staged_schema("transit_stops"))


@given(_RECORDS)
def test_rows_come_in_the_order_of_the_file_and_merge_into_rows_that_stay_and_stand_earlier(records: list[str]) -> None:
    built = staged("\n".join([HEADER, *records]).encode())

    def numbers(refs: list[str]) -> list[int]:
        return [int(ref.split("#")[1]) for ref in refs]

    for part in (built.rows, built.quarantine, built.merges):
        order = numbers(part.column("source_ref").to_pylist())
        assert order == sorted(order)
    into = numbers(built.merges.column("into_ref").to_pylist())
    away = numbers(built.merges.column("source_ref").to_pylist())
    assert all(first < later for first, later in zip(into, away, strict=True))
    quarantined = set(numbers(built.quarantine.column("source_ref").to_pylist()))
    assert not quarantined & set(into)


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_no_bytes_make_anything_but_rows_or_a_stage_error(data: bytes) -> None:
    with contextlib.suppress(StageError):
        built = staged(HEADER.encode() + b"\n" + data)
        assert len(refs(built)) == len(set(refs(built))) == built.notes.rows_in
