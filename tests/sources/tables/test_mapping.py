"""Mappings: the whole grammar is read, and every mistake is named with file, line and choices."""

import datetime as dt
import hashlib
from pathlib import Path

import pytest

from schemas.errors import UtpError
from schemas.publicity import Input, decide
from sources.tables.grammar import Mapping, Matches, NullIn, Outside, Rate, RawMatches, Track
from sources.tables.mapping import SHIPPED, MappingError, find_mappings, load_mapping

STOPS = """\
id: stops
table: transit_stops
title: Stops
file: rail/stops.csv
format: csv
encoding: latin-1
delimiter: ";"
observed: {at: 2020-02-29, note: a leap day}
constants: {stop_mode: rail}
columns:
  stop_code: {from: code, parse: text, null: ["-", nil]}
  stop_name: {from: name, parse: text, repair: [mojibake, html], extract: "^([^(]*)"}
  latitude: {from: lat, parse: number}
  longitude: {from: lon, parse: number}
  stop_lines: {from: lines, parse: list, separator: ","}
ignore: {zone: not needed, "": the row number}
reject:
  - {code: placeholder, column: stop_code, matches: "^(XX|YY)-", message: no station}
  - {code: closed, from: status, matches: "^closed$", message: closed}
  - {code: outside_area, outside: [6, 68, 37.5, 98], message: not in India}
  - {code: required, null: [stop_name], message: no name}
  - {code: off_the_line, track: {line: lines, km: chainage, slack_km: 1.5}, message: too far}
repeats:
  - {rule: same_code, by: [stop_code]}
  - {rule: same_record, by: all, except: [""]}
"""
PRICES = """\
id: prices
table: cost_of_living
title: Prices
file: prices.csv
format: csv
observed: {at: , note: the file tells no date}
rates:
  USD: {inr: 81.43, as_of: 2022-12-31, source: a bank}
constants: {provider: Somebody, as_of: 2022-12-31}
columns:
  city_name: {from: city, parse: text}
  meal_tier1_inr: {from: meal, parse: number, null: [nan], times: 0.5, currency: USD}
  contributors: {from: people, parse: integer}
  fx_rate: {rate: USD}
  fx_as_of: {rate: USD}
"""


def load(folder: Path, text: str, name: str | None = None) -> Mapping:
    path = folder / (name or text.split("\n")[0].removeprefix("id: ") + ".yaml")
    path.write_text(text, encoding="utf-8")
    return load_mapping(path)


def test_the_whole_grammar_is_read(tmp_path: Path) -> None:
    mapping = load(tmp_path, STOPS)
    assert (mapping.id, mapping.table, mapping.file, mapping.format) == (
        "stops",
        "transit_stops",
        "rail/stops.csv",
        "csv",
    )
    assert (mapping.encoding, mapping.delimiter) == ("iso8859-1", ";")
    assert (mapping.observed_at, mapping.observed_note) == (dt.date(2020, 2, 29), "a leap day")
    assert mapping.constants == {"stop_mode": "rail"}
    assert mapping.ignore == {"zone": "not needed", "": "the row number"}
    code, name, *_, lines = mapping.columns
    assert (code.name, code.raw, code.parse, code.nulls) == ("stop_code", "code", "text", frozenset({"-", "nil"}))
    assert name.extract is not None
    assert (name.repair, name.extract.pattern) == (("mojibake", "html"), "^([^(]*)")
    assert (lines.parse, lines.separator) == ("list", ",")
    tests = [rule.test for rule in mapping.rejects]
    assert [type(test) for test in tests] == [Matches, RawMatches, Outside, NullIn, Track]
    assert tests[2:] == [Outside(6, 68, 37.5, 98), NullIn(("stop_name",)), Track("lines", "chainage", 1.5)]
    assert [(rule.rule, rule.by, rule.without) for rule in mapping.repeats] == [
        ("same_code", ("stop_code",), ()),
        ("same_record", None, ("",)),
    ]


def test_money_in_another_currency_is_read_with_its_dated_rate(tmp_path: Path) -> None:
    mapping = load(tmp_path, PRICES)
    assert mapping.rates == {"USD": Rate(81.43, dt.date(2022, 12, 31), "a bank")}
    assert (mapping.columns[1].times, mapping.columns[1].currency) == (0.5, "USD")
    assert mapping.rate_columns == {"fx_rate": "USD", "fx_as_of": "USD"}
    assert mapping.observed_at is None


def test_a_mapping_without_terms_is_never_public(tmp_path: Path) -> None:
    terms = load(tmp_path, STOPS).terms
    assert decide("raw", [Input("stops", "stop_name", terms)], dt.date.min).code == "terms_unknown"


def test_a_mapping_carries_the_hash_of_its_file_and_the_names_of_its_maps(tmp_path: Path) -> None:
    text = PRICES.replace("parse: text}", "parse: text, map: states}")
    mapping = load(tmp_path, text)
    assert mapping.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert mapping.maps == ("states",)
    assert load(tmp_path, PRICES).maps == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("title: Stops", "titel: Stops", 3, ["unknown key 'titel'", "did you mean 'title'"]),
        ("title: Stops\n", "", 1, ["'title' missing"]),
        ("title: Stops", "title:", 3, ["'title' is empty"]),
        ("id: stops", "id: Stops!", 1, ["a-z, 0-9 and _"]),
        ("id: stops", "id: halts", 1, ["'halts'", "'stops'", "make them the same"]),
        ("table: transit_stops", "table: transit_stop", 2, ["did you mean 'transit_stops'", "'restaurants'"]),
        ("file: rail/stops.csv", "file: ../stops.csv", 4, ["below the tables folder"]),
        ("file: rail/stops.csv", "file: /stops.csv", 4, ["below the tables folder"]),
        ("format: csv", "format: xlsx", 5, ["'xlsx'", "'csv'", "'json'", "'geojson'"]),
        ("format: csv", "format: json", 6, ["'encoding' means nothing for the format 'json'"]),
        ("format: csv", "format: csv\nrecords: stops", 6, ["'records' means nothing for the format 'csv'"]),
        ("encoding: latin-1", "short_records: padded", 6, ["'padded'", "'filled_up'"]),
        ("encoding: latin-1", "encoding: klingon", 6, ["unknown encoding 'klingon'"]),
        ("encoding: latin-1", "encoding: hex", 6, ["unknown encoding 'hex'"]),
        ('delimiter: ";"', 'delimiter: ";;"', 7, ["one ASCII character"]),
        ("at: 2020-02-29", "at: 2021-02-29", 8, ["'2021-02-29'"]),
        ("{at: 2020-02-29, note: a leap day}", "{at: null}", 8, ["'note' must say why"]),
        ("{at: 2020-02-29, note: a leap day}", "2020-02-29", 8, ["mapping of keys"]),
        ("stop_mode: rail", "stop_mode: train", 9, ["'train'", "not in the vocabulary"]),
        ("stop_mode: rail", "stop_mode: ", 9, ["empty"]),
        ("stop_mode: rail", "mode: rail", 9, ["'mode' is no staged column of 'transit_stops'", "'stop_mode'"]),
        ("stop_mode: rail", "source: me", 9, ["'source' is no staged column"]),
        ("stop_mode: rail", "stop_id: a", 9, ["'stop_id' is no staged column"]),
        ("stop_mode: rail", "stop_code: rail", 9, ["'stop_code' stands under 'columns', too"]),
        ("  stop_code: {", "  stop_kode: {", 11, ["did you mean", "'stop_code'"]),
        ("{from: code, parse: text", "{from: code, parse: txt", 11, ["'txt'", "did you mean 'text'"]),
        ("{from: code, parse: text", "{parse: text", 11, ["'from' missing"]),
        ("{from: code, parse: text", "{from: code", 11, ["'parse'", "'number'"]),
        ("{from: code, parse: text", "{from: code, parse: number", 11, ["'number' gives no string", "'text'"]),
        ("{from: code, parse: text", "{from: code, times: 2, parse: text", 11, ["unknown key 'times'"]),
        ("null: [\"-\", nil]", "null: nil", 11, ["list of texts"]),
        ("null: [\"-\", nil]", "map: stations", 11, ["no map 'stations'", "states"]),
        ("null: [\"-\", nil]", "rate: USD", 11, ["unknown key 'from'"]),
        ("repair: [mojibake, html]", "repair: [mojibaked]", 12, ["did you mean 'mojibake'"]),
        ('extract: "^([^(]*)"', 'extract: "^("', 12, ["no regular expression"]),
        ('extract: "^([^(]*)"', 'extract: "^[^(]*"', 12, ["must have 1 group"]),
        ("lat, parse: number", "lat, parse: number, times: 0", 13, ["above 0"]),
        ("lat, parse: number", "lat, parse: number, times: nan", 13, ["must be a number"]),
        ("lat, parse: number", "lat, parse: number, currency: USD", 13, ["no amount of money"]),
        ('separator: ","', 'separator: ""', 15, ["'separator' is empty"]),
        ("lines, parse: list", "lines, parse: text", 15, ["'text' gives no list<string>", "'list'"]),
        ("zone: not needed", "zone: ", 16, ["'zone' is empty"]),
        ("zone: not needed", "code: not needed", 16, ["'code' is read by column 'stop_code'"]),
        ("zone: not needed", "status: not needed", 16, ["'status' is read by reject rule 'closed'"]),
        ("column: stop_code, matches", "column: stop_cod, matches", 18, ["did you mean 'stop_code'"]),
        ("column: stop_code, matches", "column: latitude, matches", 18, ["'stop_code'"]),
        ("column: stop_code, matches", "matches", 18, ["either 'column', a staged column, or 'from'"]),
        ("column: stop_code, matches", "column: stop_code, match", 18, ["did you mean 'matches'"]),
        ('"^(XX|YY)-"', '"^(XX"', 18, ["no regular expression"]),
        ("code: placeholder,", "code: Place holder,", 18, ["a-z, 0-9 and _"]),
        ("message: no station", "massage: no station", 18, ["did you mean 'message'"]),
        ("outside: [6, 68, 37.5, 98]", "outside: [6, 68, 37.5]", 20, ["[south, west, north, east]"]),
        ("outside: [6, 68, 37.5, 98]", "outside: [37.5, 68, 6, 98]", 20, ["south < north"]),
        ("outside: [6, 68, 37.5, 98]", "outside: [6, 68, 37.5, 198]", 20, ["south < north"]),
        ("outside: [6, 68, 37.5, 98]", "outside: [nan, 68, 37.5, 98]", 20, ["south < north"]),
        ("null: [stop_name]", "null: [name]", 21, ["'name' is not filled", "'stop_name'"]),
        ("null: [stop_name]", "null: []", 21, ["names no column"]),
        ("null: [stop_name]", "null: [stop_name], outside: [6, 68, 37.5, 98]", 21, ["exactly one of"]),
        ("null: [stop_name]", "null: [stop_name], column: stop_code", 21, ["go with 'matches' alone"]),
        ("slack_km: 1.5", "slack: 1.5", 22, ["did you mean 'slack_km'"]),
        ("slack_km: 1.5", "slack_km: -1", 22, ["not be below 0"]),
        ("by: [stop_code]", "by: [stop_lines]", 24, ["'stop_lines' is not filled by this mapping"]),
        ("by: [stop_code]", "by: [stop_code], except: [x]", 24, ["'except' goes with 'by: all'"]),
        ("by: [stop_code]", "by: stop_code", 24, ["list of texts"]),
        ("rule: same_code,", "", 24, ["'rule' missing"]),
        ("id: stops", "- id: stops", 0, []),
        ("title: Stops", "title: Stops\ntitle: Again", 4, ["'title' stands twice"]),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_file_line_and_choices(
    tmp_path: Path, old: str, new: str, line: int, words: list[str]
) -> None:
    assert STOPS.count(old) >= 1, old
    text = STOPS.replace(old, new, 1)
    with pytest.raises(MappingError) as caught:
        load(tmp_path, text, "stops.yaml")
    message = str(caught.value)
    assert message.startswith(f"stops.yaml, line {line}: " if line else "stops.yaml"), message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("inr: 81.43", "inr: 0", 8, ["above 0"]),
        ("inr: 81.43", "inr: many", 8, ["'many'"]),
        ("as_of: 2022-12-31, source: a bank", "as_of: , source: a bank", 8, ["has a day"]),
        (", source: a bank", "", 8, ["'source' missing"]),
        ("source: a bank", "source: ", 8, ["'source' is empty"]),
        ("as_of: 2022-12-31}\n", "as_of: soon}\n", 9, ["'soon'", "not a date"]),
        ("currency: USD", "currency: EUR", 12, ["'EUR'", "'USD'"]),
        ("people, parse: integer", "people, parse: number", 13, ["'number' gives no int32", "'integer'"]),
        ("fx_rate: {rate: USD}", "fx_rate: {rate: INR}", 14, ["'INR'", "'USD'"]),
        ("  city_name: {", "  source_id: {rate: USD}\n  city_name: {", 11, ["a number or a date"]),
    ],
)
def test_a_mistake_about_money_is_named_with_file_line_and_choices(
    tmp_path: Path, old: str, new: str, line: int, words: list[str]
) -> None:
    assert PRICES.count(old) == 1
    with pytest.raises(MappingError) as caught:
        load(tmp_path, PRICES.replace(old, new), "prices.yaml")
    assert str(caught.value).startswith(f"prices.yaml, line {line}: "), caught.value
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("date_format", ["%d/%m", "%Y", "%H:%M", "day", "%d %b"])
def test_a_date_format_that_does_not_give_a_whole_day_is_refused(tmp_path: Path, date_format: str) -> None:
    text = EVENTS.replace("%d/%m/%Y", date_format)
    with pytest.raises(MappingError, match=r"events\.yaml, line 9: .*day, month and year"):
        load(tmp_path, text)


EVENTS = """\
id: events
table: events
title: Events
file: events.csv
format: csv
observed: {at: 2020-01-01}
columns:
  name: {from: name, parse: text}
  event_date: {from: day, parse: date, format: "%d/%m/%Y"}
"""


def test_a_map_must_lead_to_the_vocabulary_of_its_column(tmp_path: Path) -> None:
    text = STOPS.replace("constants: {stop_mode: rail}\n", "").replace(
        "  stop_code: {from: code", "  stop_mode: {from: mode, parse: text, map: states}\n  stop_code: {from: code"
    )
    with pytest.raises(MappingError, match="map 'states' leads to 'states', but 'stop_mode' takes 'stop_modes'"):
        load(tmp_path, text)


def test_an_unknown_term_word_is_named_with_its_line_in_the_mapping(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match=r"stops\.yaml, line 27: terms: 'family' is 'free'"):
        load(tmp_path, STOPS + "terms:\n  family: free\n")


@pytest.mark.parametrize("content", [b"", b"- a\n", b"a: [\n", b"\xff\n", b"columns: !!int 3\n", b"id: {}\n"])
def test_a_file_that_is_no_mapping_is_one_line_and_no_trace(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(content)
    with pytest.raises(MappingError, match=r"^x\.yaml") as caught:
        load_mapping(path)
    assert "\n" not in str(caught.value)


def test_a_mapping_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match=r"nowhere\.yaml: no such file"):
        load_mapping(tmp_path / "nowhere.yaml")


def test_errors_are_of_the_kind_that_ends_the_command_line_with_status_2(tmp_path: Path) -> None:
    with pytest.raises(UtpError) as caught:
        load(tmp_path, "id: x")
    assert isinstance(caught.value, ValueError)
    assert caught.value.exit_status == 2


def test_mappings_of_people_lie_anywhere_below_their_tables(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    load(tmp_path / "deep" / "er", STOPS, "stops.mapping.yaml")
    load(tmp_path, PRICES, "prices.mapping.yaml")
    (tmp_path / "other.yaml").write_text("no: mapping\n")
    assert list(find_mappings(tmp_path)) == ["prices", "stops"]


def test_an_id_that_stands_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        load(tmp_path / name, STOPS, "stops.mapping.yaml")
    with pytest.raises(MappingError, match=r"two.*'stops' stands already in .*one"):
        find_mappings(tmp_path)


def test_the_shipped_mappings_can_be_loaded() -> None:
    assert {mapping.format for mapping in find_mappings(SHIPPED).values()} == {"csv", "json", "geojson", "events"}
