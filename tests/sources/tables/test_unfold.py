"""Records that hold several rows: slots by place, slots by name, and no row lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.tables.grammar import Repeated, Slot
from sources.tables.readers.delimited import read_csv
from sources.tables.readers.records import ReadError
from sources.tables.stage import StageError
from sources.tables.unfold import unfold
from tests.sources.tables.conftest import Load, Stage
from tests.sources.tables.stops import refused, rows

TRAINS = """\
id: trains
table: train_stops
title: Trains
file: trains.csv
format: csv
short_records: filled_up
observed: {at: 2024-03-31}
rows:
  repeat: [n1, code1, arr1, dep1, day1]
columns:
  Train Number: {from: no, parse: text}
  stop_sequence: {from: n1, parse: integer}
  station_code: {from: code1, parse: text}
  arrives: {from: arr1, parse: clock, null: ["--"]}
  departs: {from: dep1, parse: clock, null: ["--"]}
  day: {from: day1, parse: day_of_arrival}
reject:
  - {code: required, null: [station_code, day], message: no code or day}
"""
HEADER = "no,n1,code1,arr1,dep1,day1,n2,code2,arr2,dep2,day2,,,,,\n"
ENDS = """\
id: ends
table: train_stops
title: First and last stops
file: ends.csv
format: csv
observed: {at: 2024-03-31}
rows:
  slots:
    - {columns: {code: From, leaves: Dep}, constants: {number: 1}}
    - {columns: {code: To, comes: Arr}, constants: {number: 2}}
columns:
  Train Number: {from: No, parse: text, zero_pad: 5}
  stop_sequence: {from: number, parse: integer}
  station_code: {from: code, parse: text}
  arrives: {from: comes, parse: clock}
  departs: {from: leaves, parse: clock}
"""


def test_later_slots_go_by_place_whatever_they_are_called(stage_text: Stage) -> None:
    line = "10101,1,A,--,09:00,1,3,ON,10:00,10:05,1,4,NIL,00:10,--,2\n"
    built = stage_text(TRAINS, HEADER + line + "10102,1,B,--,23:00,1,2,NAN,01:00,--,2\n")
    assert rows(built, "source_ref", "Train Number", "stop_sequence", "station_code", "arrives", "departs", "day") == [
        ("trains.csv#1.1", "10101", 1, "A", None, "09:00", 1),
        ("trains.csv#1.2", "10101", 3, "ON", "10:00", "10:05", 1),
        ("trains.csv#1.3", "10101", 4, "NIL", "00:10", None, 2),
        ("trains.csv#2.1", "10102", 1, "B", None, "23:00", 1),
        ("trains.csv#2.2", "10102", 2, "NAN", "01:00", None, 2),
    ]
    assert built.notes.rows_in == 5


def test_an_empty_slot_is_no_row_and_a_record_without_any_is_refused(stage_text: Stage) -> None:
    built = stage_text(TRAINS, HEADER + "10101\n10102,1,A,--,09:00,1,,,,,,4,B,09:10,--,1\n10103, ,,,,\n")
    assert rows(built, "source_ref") == [("trains.csv#2.1",), ("trains.csv#2.3",)]
    assert refused(built) == [("1", "no_rows", None, None), ("3", "no_rows", None, None)]
    assert built.notes.rows_in == 4


def test_a_slot_cut_in_the_middle_is_refused_and_the_others_stay(stage_text: Stage) -> None:
    built = stage_text(TRAINS, HEADER + "10101,1,A,--,09:00,1,2,B,09:10\n")
    assert rows(built, "source_ref") == [("trains.csv#1.1",)]
    assert refused(built) == [("1.2", "required", None, None)]


def test_rejects_of_one_record_come_in_the_order_of_its_slots(stage_text: Stage) -> None:
    built = stage_text(TRAINS, HEADER + "10101,x,A,--,09:00,1,2,,10:00,10:05,1,y,B,11:00,--,1\n")
    assert [row[:2] for row in refused(built)] == [
        ("1.1", "not_an_integer"),
        ("1.2", "required"),
        ("1.3", "not_an_integer"),
    ]


def test_a_record_with_more_cells_than_the_header_is_torn(stage_text: Stage) -> None:
    built = stage_text(TRAINS, HEADER + "10101" + ",1" * 16 + "\n10102,1,A,--,09:00,1\n")
    assert [row[:2] for row in refused(built)] == [("1", "torn_row")]
    assert rows(built, "source_ref") == [("trains.csv#2.1",)]


def test_named_slots_take_columns_and_constants(stage_text: Stage) -> None:
    built = stage_text(ENDS, "No,From,Dep,To,Arr\n1431,HDP,07:05,GCT,20:15\n")
    assert rows(built, "source_ref", "Train Number", "stop_sequence", "station_code", "arrives", "departs") == [
        ("ends.csv#1.1", "01431", 1, "HDP", None, "07:05"),
        ("ends.csv#1.2", "01431", 2, "GCT", "20:15", None),
    ]
    assert built.notes.unused_columns == ()


@pytest.mark.parametrize(
    ("yaml", "header", "words"),
    [
        (TRAINS, "no,n1,code1,dep1,arr1,day1", "the first slot has the columns"),
        (TRAINS, "no,n,code1,arr1,dep1,day1", "no column 'n1', where the slots begin"),
        (TRAINS, HEADER.strip() + ",", "16 columns from 'n1' on are no slots of 5"),
        (ENDS, "No,From,Dep,To,Arrival", "no column 'Arr', which 'rows' names; did you mean 'Arrival'"),
        (ENDS, "No,From,Dep,To,Arr,code", "'code', a column of 'rows', is a column of the file, too"),
    ],
)
def test_a_file_without_the_columns_of_its_slots_is_named(
    stage_text: Stage, yaml: str, header: str, words: str
) -> None:
    with pytest.raises(StageError, match=words):
        stage_text(yaml, f"{header}\n1,2\n")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("{}", "either 'repeat'"),
        ("{repeat: [a], slots: []}", "either 'repeat'"),
        ("{repeat: []}", "each once"),
        ("{repeat: [a, a]}", "each once"),
        ("{slots: []}", "names no slot"),
        ("{slots: [{constants: {a: 1}}]}", "'columns' missing"),
        ("{slots: [{columns: {a: x}, constants: {a: 1}}]}", "'a' stands under 'constants', too"),
    ],
)
def test_a_mistake_in_rows_is_named(load: Load, rule: str, words: str) -> None:
    yaml = TRAINS.replace("rows:\n  repeat: [n1, code1, arr1, dep1, day1]\n", f"rows: {rule}\n")
    with pytest.raises(ValueError, match=words):
        load(yaml)


_CELL = st.sampled_from(["", "a", "b", " "])
_RECORD = st.lists(_CELL, min_size=1, max_size=7)


@given(st.lists(_RECORD, max_size=8))
def test_every_text_of_a_slot_comes_out_once_in_its_place(records: list[list[str]]) -> None:
    # A key that is set keeps a record from being an empty line.
    data = "\n".join(["key,x,y,x2,y2,x3,y3,,", *(",".join([f"k{n}", *cells]) for n, cells in enumerate(records))])
    found = unfold(read_csv(data.encode(), is_trimmed=True), Repeated(("x", "y")))
    expected: dict[tuple[int, int], tuple[str, ...]] = {}
    for number, cells in enumerate(records, 1):
        whole = [*cells, *[""] * (8 - len(cells))]
        slots = {(number, place): tuple(whole[2 * place - 2 : 2 * place]) for place in range(1, 5)}
        expected |= {name: slot for name, slot in slots.items() if any(cell.strip() for cell in slot)}
    assert found.slots is not None
    names = list(zip(found.numbers.tolist(), found.slots.tolist(), strict=True))
    pairs = list(zip(found.columns["x"].to_pylist(), found.columns["y"].to_pylist(), strict=True))
    assert names == sorted(expected)
    assert dict(zip(names, pairs, strict=True)) == expected
    assert found.columns["key"].to_pylist() == [f"k{number - 1}" for number, _ in names]
    assert {fault.number for fault in found.faults} == {*range(1, len(records) + 1)} - {number for number, _ in names}


def test_a_named_slot_without_any_text_is_no_row() -> None:
    records = read_csv(b"a,b\n1,\n,2\n,\n")
    found = unfold(records, (Slot({"x": "a"}, {"n": "1"}), Slot({"x": "b"}, {"n": "2"})))
    assert list(zip(found.columns["x"].to_pylist(), found.columns["n"].to_pylist(), strict=True)) == [
        ("1", "1"),
        ("2", "2"),
    ]
    assert [fault.number for fault in found.faults] == [3]


def test_a_quote_that_nobody_closes_is_found_in_a_trimmed_file_too() -> None:
    with pytest.raises(ReadError, match="nobody closes"):
        read_csv(b'a,b\n1,"2\n3\n', is_trimmed=True)


def test_a_short_record_keeps_quotes_and_line_ends_within_its_cells() -> None:
    records = read_csv(b'a,b,c\r\n1,"x\r\ny, z"\r\n\r\n2\n"3",4,5', is_trimmed=True)
    assert [values.to_pylist() for values in records.columns.values()] == [
        ["1", "2", "3"],
        ["x\r\ny, z", "", "4"],
        ["", "", "5"],
    ]
