"""A region folder is read as text and refused with file, line, cause and next step."""

from datetime import date
from pathlib import Path

import pytest

from schemas.errors import UtpError
from schemas.region import Airport, City, RegionError, StationReview, load_region

YAML = """\
id: tiny
title: A tiny region
country: NO
currency: INR
time_zone: Asia/Kolkata
bbox: {south: 6.5, west: 68, north: 37.5, east: 97.5}
complete: true
dates: {first: 2025-11-01, last: 2025-11-30}
states: [ON, Goa]
floors:
  city_set: {min_rows: 2}
"""
HEADER = "city_id,geonames_id,name,state,latitude,longitude,population,time_zone,aliases,is_uncertainty_city"
FIRST = "in-a,1,Alpha,ON,20.5,80.25,1000,Asia/Kolkata,Älpha|Old Alpha,true"
SECOND = "in-b,2,Beta,Goa,15.0,74.0,500,Asia/Kolkata,,false"
AIRPORTS = "iata,icao,name,latitude,longitude,city_id,rule"
AIRPORT = 'NAN,VANN,"Nan, old",20.0,80.0,in-a,name match'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    write(folder, "region.yaml", *YAML.splitlines())
    write(folder, "cities.csv", HEADER, FIRST, SECOND)
    write(folder, "airports.csv", AIRPORTS, AIRPORT)
    return folder


def write(folder: Path, name: str, *lines: str) -> None:
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def refused(folder: Path) -> str:
    with pytest.raises(RegionError) as caught:
        load_region(folder)
    return str(caught.value)


def test_a_region_reads_as_what_was_written(folder: Path) -> None:
    region = load_region(folder)
    assert (region.id, region.country, region.states) == ("tiny", "NO", ("ON", "Goa"))
    assert region.bbox == (6.5, 68.0, 37.5, 97.5)
    assert region.is_complete is True
    assert region.dates == (date(2025, 11, 1), date(2025, 11, 30))
    assert region.floors == {"city_set": {"min_rows": 2.0}}
    assert region.cities[0] == City(
        "in-a", 1, "Alpha", "ON", 20.5, 80.25, 1000, "Asia/Kolkata", ("Älpha", "Old Alpha"), True
    )
    assert region.cities[1].aliases == ()
    assert region.airports == (Airport("NAN", "VANN", "Nan, old", 20.0, 80.0, "in-a", "name match"),)


def test_a_region_error_is_an_error_of_wrong_usage() -> None:
    assert issubclass(RegionError, UtpError)
    assert RegionError.exit_status == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("in-a,2,Beta,Goa,15.0,74.0,5,Asia/Kolkata,,false", "city_id 'in-a' of Beta is also that of Alpha (line 2)"),
        ("in-b,1,Beta,Goa,15.0,74.0,5,Asia/Kolkata,,false", "geonames_id '1' of Beta is also that of Alpha (line 2)"),
        ("in-b,2,ALPHA,Goa,15.0,74.0,5,Asia/Kolkata,,false", "name 'ALPHA' of ALPHA is also that of Alpha (line 2)"),
        ("in-b,2,Beta,Goa,15.0,74.0,5,Asia/Kolkata,old alpha,false", "name 'old alpha' of Beta is also that of Alpha"),
        ("in-b,2,Beta (Goa),Goa,15.0,74.0,5,Asia/Kolkata,,false", "holds a bracket, comma, semicolon, or the word"),
        ("in-b,2,Way to Goa,Goa,15.0,74.0,5,Asia/Kolkata,,false", "holds a bracket, comma, semicolon, or the word"),
        ("in-b,2,Beta,Goa,5.0,74.0,5,Asia/Kolkata,,false", "Beta at 5.0, 74.0 lies outside the box"),
        ("in-b,2,Beta,Goa,15.0,98.0,5,Asia/Kolkata,,false", "Beta at 15.0, 98.0 lies outside the box"),
        ("in-b,2,Beta,Kerala,15.0,74.0,5,Asia/Kolkata,,false", "the state 'Kerala', which region.yaml does not list"),
        ("in-b,x,Beta,Goa,15.0,74.0,5,Asia/Kolkata,,false", "geonames_id is 'x', not a whole number"),
        ("in-b,2,Beta,Goa,nan,74.0,5,Asia/Kolkata,,false", "Beta at nan, 74.0 lies outside the box"),
        ("in-b,2,Beta,Goa,15.0,74.0,5,Asia/Kolkata,,no", "is_uncertainty_city is 'no', not true or false"),
        ("in-b,2, Beta,Goa,15.0,74.0,5,Asia/Kolkata,,false", "a cell has outer or double blanks"),
        ("in-b,2,Beta,Goa", "4 cells where 10 are wanted"),
    ],
)
def test_a_faulty_city_is_refused_with_its_line(folder: Path, line: str, said: str) -> None:
    write(folder, "cities.csv", HEADER, FIRST, line)
    message = refused(folder)
    assert message.startswith("tiny/cities.csv, line 3: ")
    assert said in message
    assert not message.endswith(said)  # the next step follows


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("NAN,VANN,Nan,20.0,80.0,in-z,name match", "serves 'in-z', which cities.csv does not hold"),
        ("nan,VANN,Nan,20.0,80.0,in-a,name match", "iata is 'nan', not three capital letters"),
        ("NAN,VANN,Nan,20.0,80.0,,", "rule is '', not a text"),
    ],
)
def test_a_faulty_airport_is_refused_with_its_line(folder: Path, line: str, said: str) -> None:
    write(folder, "airports.csv", AIRPORTS, line)
    message = refused(folder)
    assert message.startswith("tiny/airports.csv, line 2: ")
    assert said in message


def test_an_airport_that_stands_twice_is_refused(folder: Path) -> None:
    write(folder, "airports.csv", AIRPORTS, AIRPORT, AIRPORT)
    assert refused(folder).startswith("tiny/airports.csv, line 3: airport NAN stands twice")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("complete: true", "complete: yes", 7, "'complete' is 'yes'"),
        ("first: 2025-11-01", "first: 2025-12-01", 8, "stands after the last"),
        ("first: 2025-11-01", "first: ''", 8, "'first' is empty"),
        ("south: 6.5", "south: low", 6, "'south' must be a number"),
        ("states: [ON, Goa]", "states: [ON, ON]", 9, "names a state twice"),
        ("min_rows: 2", "min_rows: many", 11, "'min_rows' must be a number"),
        ("currency: INR", "curency: INR", 4, "unknown key 'curency'"),
    ],
)
def test_a_faulty_region_file_is_refused_with_its_line(folder: Path, old: str, new: str, line: int, said: str) -> None:
    write(folder, "region.yaml", *YAML.replace(old, new).splitlines())
    message = refused(folder)
    assert message.startswith(f"tiny/region.yaml, line {line}: ")
    assert said in message


@pytest.mark.parametrize("name", ["region.yaml", "cities.csv", "airports.csv"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert f"tiny/{name}" in refused(folder)


def test_a_wrong_header_is_refused(folder: Path) -> None:
    write(folder, "cities.csv", HEADER.replace("state,", ""), FIRST)
    assert refused(folder).startswith("tiny/cities.csv, line 1: the columns are ")


STATIONS = "station_code,city_id,reason"


def test_reviews_of_stations_are_read_where_there_are_any(folder: Path) -> None:
    assert load_region(folder).stations == ()
    write(folder, "stations.csv", STATIONS, "ON,in-a,its only station", "NIL,,a yard")
    assert load_region(folder).stations == (
        StationReview("ON", "in-a", "its only station"),
        StationReview("NIL", "", "a yard"),
    )


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (("ON,in-z,why",), "line 2: station ON is given to 'in-z', which cities.csv does not hold"),
        (("ON,in-a,why", "ON,in-b,why"), "line 3: station ON stands twice"),
        (("on,in-a,why",), "line 2: station_code is 'on', not the code of a station"),
        (("ON,in-a,",), "line 2: reason is '', not a text"),
    ],
)
def test_a_review_that_means_nothing_is_refused(folder: Path, rows: tuple[str, ...], says: str) -> None:
    write(folder, "stations.csv", STATIONS, *rows)
    assert f"tiny/stations.csv, {says}" in refused(folder)
