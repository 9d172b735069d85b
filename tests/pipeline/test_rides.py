"""Trains from files to the release form: timetables and stations make them, delays complete them, books are kept."""

from collections.abc import Callable
from pathlib import Path

from pipeline.accounts import accounts_of
from pipeline.flow import Flow
from pipeline.settings import Step
from warehouse.quality.candidate import Account

STOPS_MAPPING = """\
id: constructed_timetables
table: train_stops
title: Constructed timetables
file: timetables.csv
format: csv
observed: {at: 2026-01-01, note: constructed}
columns:
  Train Number: {from: number, parse: text}
  Train Name: {from: name, parse: text}
  stop_sequence: {from: stop, parse: integer}
  station_code: {from: code, parse: text}
  station_name: {from: station, parse: text}
  arrives: {from: arr, parse: clock}
  departs: {from: dep, parse: clock}
  day: {from: day, parse: day_of_arrival}
"""
TIMETABLES = """\
number,name,stop,code,station,arr,dep,day
01064,Constructed Express,1,ON,Constructed Junction,,23:00,1
01064,Constructed Express,2,NIL,Constructed Halt,02:30,,2
"""
DELAYS_MAPPING = """\
id: constructed_delays
table: train_delays
title: Constructed delays
file: delays.csv
format: csv
observed: {at: 2026-01-01, note: constructed}
constants: {horizon: 1year, delay_basis: given}
columns:
  Train Number: {from: number, parse: text}
  station_code: {from: code, parse: text}
  avg_delay_min: {from: mean, parse: number}
"""
DELAYS = "number,code,mean\n01064,NIL,12.5\n01064,ON,3\n"


def test_trains_are_made_of_timetables_and_stations_and_have_the_delays_of_their_destination(
    new_flow: Callable[[], tuple[Flow, list[Step]]], tables_dir: Path
) -> None:
    for name, text in (
        ("constructed_timetables.mapping.yaml", STOPS_MAPPING),
        ("timetables.csv", TIMETABLES),
        ("constructed_delays.mapping.yaml", DELAYS_MAPPING),
        ("delays.csv", DELAYS),
    ):
        (tables_dir / name).write_text(text, encoding="utf-8")
    flow, _ = new_flow()
    (train,) = flow.tables["trains"].part("rows").to_pylist()
    expected = {
        "Train Number": "01064",
        "OriginCityName": "Mumbai",
        "DestCityName": "Pune",
        "DepTime": "23:00",
        "ArrTime": "02:30",
        "arr_day_offset": 1,
        "duration_min": 210,
        "avg_delay_1year": 12.5,
        "avg_delay_1week": None,
        "evaluator_visible": True,
        "source": "constructed_timetables",
    }
    assert expected.items() <= train.items()
    # Published tables have the delays; whoever asks for the delays needs the rows before.
    assert flow.derived("trains").part("rows")["avg_delay_1year"].to_pylist() == [None]
    assert {one.source: one.rows_in for one in accounts_of(flow.contributions) if one.table == "trains"} == {
        "constructed_timetables": 1
    }
    assert Account("train_stops", "constructed_timetables", 2, 2, 0, 0) in accounts_of(flow.contributions)
    cities = {row["City"]: row["coverage"] for row in flow.tables["city_set"].part("rows").to_pylist()}
    assert "trains" in cities["Pune"]
    faults = [verdict.summary for verdict in flow.verdicts if verdict.is_blocking and not verdict.passed]
    assert [one for one in faults if not one.startswith("city_set: floors")] == []


def test_without_timetables_there_are_stations_and_no_trains(
    new_flow: Callable[[], tuple[Flow, list[Step]]],
) -> None:
    flow, _ = new_flow()
    found = {row["station_code"]: row["City"] for row in flow.tables["stations"].part("rows").to_pylist()}
    assert found == {"ON": "Mumbai", "NIL": "Pune"}
    assert flow.tables["trains"].absent == "needs train_stops, which is absent"
