"""The part of Overpass QL that is read, and how what is not read is refused."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.sandbox.osm.query import EVERYWHERE, Box, QueryError, parse_query
from tests.sources.sandbox.asking import EVERY_STOP


def test_the_box_of_the_settings_is_south_west_north_east_and_holds_for_all_selections() -> None:
    query = parse_query(EVERY_STOP.format(box="12.75,77.5,13.25,78"))
    assert {selection.box for selection in query.selections} == {Box(12.75, 77.5, 13.25, 78.0)}
    assert (len(query.selections), query.timeout_s, query.line) == (5, 180, 2)


def test_a_selection_may_bring_its_own_box() -> None:
    query = parse_query('[out:json][bbox:1,2,3,4];(node["a"](5,6,7,8);way["a"];);out tags center;')
    assert [selection.box for selection in query.selections] == [Box(5, 6, 7, 8), Box(1, 2, 3, 4)]


def test_without_a_box_the_whole_world_is_meant() -> None:
    assert parse_query("[out:json];node[highway=bus_stop];out center tags qt;").selections[0].box == EVERYWHERE


@pytest.mark.parametrize(
    ("demand", "is_met"),
    [
        ('["railway"~"^(station|halt)$"]', True),
        ('["railway"~"^(statio|halt)$"]', False),
        ('["railway"~"tat"]', True),
        ('["railway"="station"]', True),
        ("['railway'='stat']", False),
        ("[railway]", True),
        ("[highway]", False),
        ('["railway"]["name"="A \\"B\\""]', True),
        ('["railway"]["name"="C"]', False),
    ],
)
def test_a_demand_on_a_tag_is_met_as_the_language_says(demand: str, is_met: bool) -> None:
    query = parse_query(f"[out:json];node{demand};out tags center;")
    tags = {"railway": "station", "name": 'A "B"'}
    assert all(wanted.holds(tags) for wanted in query.selections[0].filters) == is_met


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "encoding error: Your input contains only whitespace."),
        ("[out:json];\nnode[a]\nout tags center;", "line 3: parse error: ';' expected - 'out' found."),
        ("[out:json];\nnod[a];out tags center;", 'line 2: parse error: Unknown type "nod"'),
        ("[out:json];node[a];", 'line 1: parse error: Unknown type "end of input"'),
        ("[out:json][bbox:3,2,1,4];node[a];out tags center;", "line 1: static error: A box is south,west,north,east"),
        ("[out:json][bbox:1,2,3];node[a];out tags center;", "line 1: parse error: ',' expected - ']' found."),
        ("[out:json][bbox:1,200,3,201];node[a];out tags center;", "line 1: static error: A box"),
        ('[out:json];node[a~"("];out tags center;', 'line 1: static error: Invalid regular expression: "("'),
        ("node[a];out tags center;", "line 1: static error: The sandbox answers in JSON alone"),
        ("[out:json]node[a];out tags center;", "line 1: parse error: ';' expected - 'node' found."),
        ("[out:xml];node[a];out tags center;", "line 1: static error: The sandbox answers in JSON alone"),
        ("[out:json];node[a];out geom;", "line 1: static error: The sandbox writes 'out tags center' alone."),
        ("[out:json];node[a];out tags center;node[b];", "line 1: static error: The sandbox ends with 'out'"),
        ("[out:json][date:1];node[a];out tags center;", "line 1: parse error: Unknown setting 'date'."),
        ("[out:json];area[a];out tags center;", 'line 1: parse error: Unknown type "area"'),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(QueryError) as refused:
        parse_query(text)
    assert str(refused.value).startswith(message)


@given(st.text(alphabet="[]();:,~=\"'\\ \nnodewayutjsbx019.-/*", max_size=60))
def test_no_text_brings_the_reader_down(text: str) -> None:
    for question in (text, f"[out:json];node{text};out tags center;"):
        with suppress(QueryError):
            parse_query(question)
