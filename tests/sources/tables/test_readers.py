"""Readers: every cell as text, every record accounted for, whatever the file looks like."""

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.tables.readers.delimited import read_csv
from sources.tables.readers.documents import read_geojson, read_json
from sources.tables.readers.records import ReadError, Records, unique_names


def rows(records: Records) -> list[tuple[int, dict[str, str | None]]]:
    """Record number and cells of each row."""
    columns = {name: values.to_pylist() for name, values in records.columns.items()}
    return [
        (int(number), {name: values[place] for name, values in columns.items()})
        for place, number in enumerate(records.numbers)
    ]


def faults(records: Records) -> list[tuple[int, str]]:
    return [(fault.number, fault.code) for fault in records.faults]


@pytest.mark.parametrize(
    ("what", "data", "cells"),
    [
        ("plain", b"a,b\n1,2\n", [("1", "2")]),
        ("no line end at the end", b"a,b\n1,2", [("1", "2")]),
        ("byte order mark", b"\xef\xbb\xbfa,b\n1,2\n", [("1", "2")]),
        ("carriage returns", b"a,b\r\n1,2\r\n", [("1", "2")]),
        ("carriage returns alone", b"a,b\r1,2\r3,4\r", [("1", "2"), ("3", "4")]),
        ("empty lines", b"\na,b\n\n1,2\n\n\n3,4\n", [("1", "2"), ("3", "4")]),
        ("quoted separators", b'a,b\n"1,5","say ""hi"""\n', [("1,5", 'say "hi"')]),
        ("line ends in quotes", b'a,b\n"1\r\n5",2\n', [("1\r\n5", "2")]),
        ("quotes inside a word", b'a,b\n5" disk,x"y\n', [('5" disk', 'x"y')]),
        ("empty cells", b'a,b\n,""\n', [("", "")]),
        ("blanks are kept", b"a,b\n 1 ,\t\n", [(" 1 ", "\t")]),
        ("words that look like nulls", b"a,b\nNAN,NIL\nNA,NULL\nnull,#N/A\n", [("NAN", "NIL"), ("NA", "NULL"), ("null", "#N/A")]),  # noqa: E501
        ("words that look like booleans", b"a,b\nON,true\nE,1e5\n", [("ON", "true"), ("E", "1e5")]),
        ("leading zeros and long numbers", b"a,b\n01064,%s\n" % (b"9" * 400), [("01064", "9" * 400)]),
        ("accents", "a,b\né,मुंबई\n".encode(), [("é", "मुंबई")]),
        ("a zero byte", b"a,b\n\x00,2\n", [("\x00", "2")]),
        ("header only", b"a,b\n", []),
        ("header without line end", b"a,b", []),
        ("quoted header", b'"a","b"\n1,2\n', [("1", "2")]),
    ],
)  # fmt: skip
def test_csv_cells_come_as_they_stand_in_the_file(what: str, data: bytes, cells: list[tuple[str, str]]) -> None:
    records = read_csv(data)
    assert [tuple(row.values()) for _, row in rows(records)] == cells, what
    assert list(records.columns) == ["a", "b"]
    assert records.faults == ()
    assert records.rows_in == len(cells)


def test_csv_records_with_more_or_fewer_cells_than_the_header_are_torn_and_the_rest_goes_on() -> None:
    records = read_csv(b"a,b\n1,2\n3\n\n4,5,6\n7,8\n9\n")
    assert rows(records) == [(1, {"a": "1", "b": "2"}), (4, {"a": "7", "b": "8"})]
    assert faults(records) == [(2, "torn_row"), (3, "torn_row"), (5, "torn_row")]
    assert records.faults[1].message == "the header has 2 cells, the record has 3"
    assert records.faults[1].value == "4,5,6"


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'a,b\n1,"2\n3,4\n5,6\n', "record 1"),
        (b'a,b\n1,2\ntorn\n"3,4', "record 3"),
        (b'a,b\n"', "record 1"),
        (b'a\n1\n"2\n', "record 2"),
        (b'"a,b\n1,2\n', "the header"),
    ],
)
def test_csv_a_quote_that_nobody_closes_never_swallows_records_in_silence(data: bytes, where: str) -> None:
    with pytest.raises(ReadError, match=rf"{where} .*quote"):
        read_csv(data)


def test_csv_records_with_bytes_that_are_no_text_are_faults_and_the_rest_goes_on() -> None:
    records = read_csv(b"a,b\n1,caf\xe9\n2,ok\n\xff\xfe,\xed\xa0\x80\n4,\xc3\xa9\n5,\xff,torn\n")
    assert rows(records) == [(2, {"a": "2", "b": "ok"}), (4, {"a": "4", "b": "é"})]
    assert sorted(faults(records)) == [(1, "undecodable"), (3, "undecodable"), (5, "torn_row")]
    first = next(fault for fault in records.faults if fault.number == 1)
    assert (first.value, "'b'" in first.message) == ("caf<e9>", True)


def test_csv_is_read_in_its_declared_encoding() -> None:
    assert rows(read_csv("a;b\n1;€\n".encode("cp1252"), "cp1252", ";")) == [(1, {"a": "1", "b": "€"})]
    assert rows(read_csv("a,b\n1,é\n".encode("utf-16"), "utf-16")) == [(1, {"a": "1", "b": "é"})]


def test_csv_bytes_without_meaning_in_the_declared_encoding_are_faults() -> None:
    records = read_csv(b"a,b\n1,\x81\n2,\x80\n", "cp1252")
    assert rows(records) == [(2, {"a": "2", "b": "€"})]
    assert faults(records) == [(1, "undecodable")]
    assert faults(read_csv("a,b\n1,é\n".encode(), "ascii")) == [(1, "undecodable")]


def test_csv_columns_of_the_same_or_of_no_name_are_told_apart() -> None:
    records = read_csv(b",x,x,,x#2\n1,2,3,4,5\n")
    assert rows(records) == [(1, {"": "1", "x": "2", "x#3": "3", "#2": "4", "x#2": "5"})]


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n\r\n", b"caf\xe9,b\n1,2\n"])
def test_csv_without_a_readable_header_is_refused(data: bytes) -> None:
    with pytest.raises(ReadError, match="header"):
        read_csv(data)


@given(st.lists(st.tuples(st.text(), st.text()), max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_csv_gives_back_whatever_was_written(cells: list[tuple[str, str]], end: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator=end, quoting=csv.QUOTE_ALL).writerows([("a", "b"), *cells])
    records = read_csv(file.getvalue().encode("utf-8"))
    assert [tuple(row.values()) for _, row in rows(records)] == cells


@given(st.binary(max_size=200))
def test_csv_any_bytes_are_read_or_refused_and_every_record_is_numbered_once(data: bytes) -> None:
    try:
        records = read_csv(b"a,b\n" + data)
    except ReadError:
        return
    numbers = [*records.numbers.tolist(), *(fault.number for fault in records.faults)]
    assert sorted(numbers) == list(range(1, records.rows_in + 1))
    assert all(len(values) == len(records.numbers) for values in records.columns.values())


@given(st.lists(st.sampled_from(["x", "x#2", "", "#2"])))
def test_unique_names_stand_once_and_a_name_given_once_is_kept(names: list[str]) -> None:
    unique = unique_names(names)
    assert len(set(unique)) == len(unique) == len(names)
    assert all(new == old for new, old in zip(unique, names, strict=True) if names.count(old) == 1)


def test_json_paths_become_columns_and_numbers_keep_their_digits() -> None:
    text = '[{"a": 1.50, "b": {"c": "x", "d": {"e": true}}}, {"b": {"c": null}}, {"a": "01064", "f": [1, "y"]}]'
    assert rows(read_json(text.encode())) == [
        (1, {"a": "1.50", "b.c": "x", "b.d.e": "true", "f": None}),
        (2, {"a": None, "b.c": None, "b.d.e": None, "f": None}),
        (3, {"a": "01064", "b.c": None, "b.d.e": None, "f": '["1", "y"]'}),
    ]


def test_json_numbers_that_are_none_come_as_words() -> None:
    (row,) = rows(read_json(b'[{"a": NaN, "b": -Infinity, "c": 1e999, "d": %s}]' % (b"9" * 5000)))
    assert row[1] == {"a": "NaN", "b": "-Infinity", "c": "1e999", "d": "9" * 5000}


def test_json_records_that_are_no_objects_are_faults_and_the_rest_goes_on() -> None:
    records = read_json(b'[{"a": 1}, 7, null, [1], {"a": 2}]')
    assert rows(records) == [(1, {"a": "1"}), (5, {"a": "2"})]
    assert faults(records) == [(2, "torn_row"), (3, "torn_row"), (4, "torn_row")]


def test_json_a_value_that_is_sometimes_an_object_is_both() -> None:
    assert rows(read_json(b'[{"a": "x"}, {"a": {"b": "y"}}, {"a": {}}]')) == [
        (1, {"a": "x", "a.b": None}),
        (2, {"a": None, "a.b": "y"}),
        (3, {"a": "{}", "a.b": None}),
    ]


def test_json_a_key_that_stands_twice_and_a_key_that_looks_like_a_path_are_told_apart() -> None:
    assert rows(read_json(b'[{"a": 1, "a": 2, "b.c": 3, "b": {"c": 4}}]')) == [
        (1, {"a": "1", "a#2": "2", "b.c": "3", "b.c#2": "4"})
    ]


@pytest.mark.parametrize("name", [b'"\\ud800"', b'"caf\xe9"'])
def test_json_texts_that_are_no_unicode_are_faults_and_the_rest_goes_on(name: bytes) -> None:
    records = read_json(b'[{"a": "x"}, {"a": %s}, {"a": "\xc3\xa9"}]' % name)
    assert rows(records) == [(1, {"a": "x"}), (3, {"a": "é"})]
    assert faults(records) == [(2, "undecodable")]


def test_json_a_key_that_is_no_unicode_can_still_be_printed() -> None:
    (name,) = read_json(b'[{"caf\xe9": 1}]').columns
    assert name.encode("utf-8")


def test_json_records_are_found_under_their_path() -> None:
    assert rows(read_json(b'{"x": {"stops": [{"a": 1}]}}', ("x", "stops"))) == [(1, {"a": "1"})]


@pytest.mark.parametrize(
    ("data", "path", "message"),
    [
        (b'{"stops": []}', (), "'stops'"),
        (b'{"stops": []}', ("stop",), "'stops'"),
        (b'{"x": {"y": []}}', ("x", "z"), "x has no 'z'"),
        (b"[1, 2", (), "line 1, column"),
        (b"", (), "no JSON"),
        (b"7", (), "no list of records"),
        (b'{"a": %s1%s}' % (b"[" * 100_000, b"]" * 100_000), (), "nested too deeply"),
    ],
)
def test_json_without_a_list_of_records_is_refused_with_the_cause(
    data: bytes, path: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ReadError) as caught:
        read_json(data, path)
    assert message in str(caught.value)


@pytest.mark.parametrize("depth", [2, 100_000])
def test_json_objects_nested_too_deeply_are_refused_and_others_read(depth: int) -> None:
    data = b"[" + b'{"k":' * depth + b"1" + b"}" * depth + b"]"
    if depth > 100:
        with pytest.raises(ReadError, match="nested too deeply"):
            read_json(data)
    else:
        assert rows(read_json(data)) == [(1, {"k.k": "1"})]


def test_json_an_empty_list_has_no_records_and_tells_no_columns() -> None:
    records = read_json(b"[]")
    assert (records.rows_in, records.knows_columns) == (0, False)


def feature(geometry: Any, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def collection(*features: Any) -> bytes:
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def test_geojson_points_become_longitude_and_latitude_in_that_order() -> None:
    point = {"type": "Point", "coordinates": [75.4516454, 27.2520587, 12]}
    assert rows(read_geojson(collection(feature(point, code="BDHL")))) == [
        (1, {"geometry.longitude": "75.4516454", "geometry.latitude": "27.2520587", "properties.code": "BDHL"})
    ]


@pytest.mark.parametrize(
    ("geometry", "cell"),
    [
        (None, None),
        ({"type": "Polygon", "coordinates": [[[1, 2]]]}, "Polygon"),
        ({"type": "Point", "coordinates": []}, "[]"),
        ({"type": "Point", "coordinates": "here"}, "here"),
        ({"type": "Point"}, None),
        ("nowhere", "nowhere"),
    ],
)
def test_geojson_what_is_no_point_never_becomes_a_number(geometry: Any, cell: str | None) -> None:
    ((_, row),) = rows(read_geojson(collection(feature(geometry, a="b"))))
    assert (row["geometry.longitude"], row["geometry.latitude"]) == (cell, cell)


def test_geojson_features_that_are_none_and_absent_properties_are_no_error() -> None:
    records = read_geojson(collection({"type": "Feature", "id": 7}, "x", feature(None, a="b")))
    assert [number for number, _ in rows(records)] == [1, 3]
    assert faults(records) == [(2, "torn_row")]


@pytest.mark.parametrize("data", [b"[]", b"{}", b'{"type": "Feature"}', b'{"features": {}}', b"nothing"])
def test_geojson_without_features_is_refused(data: bytes) -> None:
    with pytest.raises(ReadError):
        read_geojson(data)
