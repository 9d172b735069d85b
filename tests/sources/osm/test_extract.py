"""An extract in OSM XML gives the rows that Overpass gives for the same data."""

import bz2
import gzip
import os
from datetime import date
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest

from schemas.errors import UtpError
from sources.osm.extract import stops_of_extract
from sources.osm.parse import parse
from sources.protocol.types import Skipped
from tests.sources.osm.answers import assert_usable, of_elements, refusals, rows

META = '<meta osm_base="2026-07-14T11:59:00Z"/>'
Tags = dict[str, str]


def _tags(tags: Tags) -> str:
    return "".join(f"<tag k={quoteattr(key)} v={quoteattr(value)}/>" for key, value in tags.items())


def node(number: int, lat: float, lon: float, **tags: str) -> str:
    return f'<node id="{number}" lat="{lat}" lon="{lon}" version="1" uid="7" user="nobody">{_tags(tags)}</node>'


def way(number: int, nodes: list[int], **tags: str) -> str:
    return f'<way id="{number}">{"".join(f"<nd ref={quoteattr(str(one))}/>" for one in nodes)}{_tags(tags)}</way>'


STATION = {"railway": "station", "network": "IR", "ref": "CNHT", "name": "Constructed & Halt"}
BUILDING = {"railway": "station", "building": "train_station", "name": "Constructed & Halt"}
PLATFORM = {"public_transport": "platform", "highway": "platform", "name": "Constructed Market", "route_ref": "1;2"}
AREA = {"amenity": "bus_station", "name": "निर्मित", "name:en": "Constructed Stand"}
LATER = {"railway": "halt", "name": "Constructed Next Year", "start_date": "2027-03"}
CORNERS = [node(11, 21.10, 79.00), node(12, 21.10, 79.04), node(13, 21.12, 79.0412346), node(14, 21.12, 79.00)]
RELATION = (
    '<relation id="41"><member type="way" ref="33" role="outer"/>'
    + _tags({"type": "multipolygon", "amenity": "bus_station", "name": "Constructed Square"})
    + "</relation>"
)
BODY = [
    node(1, 21.15, 79.08, **STATION),
    node(2, 21.151, 79.081, highway="bus_stop"),
    node(3, 21.152, 79.082, **LATER),
    node(4, 21.153, 79.083, tourism="zoo", name="Constructed Zoo"),
    *CORNERS,
    way(31, [11, 12, 13, 14, 11], **BUILDING),
    way(32, [11, 13], **PLATFORM),
    way(33, [11, 12, 13, 14, 11], **AREA),
    way(34, [11, 99], railway="halt", name="Constructed Nowhere"),
    RELATION,
]
CENTER = {"lat": 21.11, "lon": 79.0206173}
OVERPASS: list[dict[str, Any]] = [
    {"type": "node", "id": 1, "lat": 21.15, "lon": 79.08, "tags": STATION},
    {"type": "node", "id": 2, "lat": 21.151, "lon": 79.081, "tags": {"highway": "bus_stop"}},
    {"type": "node", "id": 3, "lat": 21.152, "lon": 79.082, "tags": LATER},
    {"type": "way", "id": 31, "center": CENTER, "tags": BUILDING},
    {"type": "way", "id": 32, "center": CENTER, "tags": PLATFORM},
    {"type": "way", "id": 33, "center": CENTER, "tags": AREA},
    {
        "type": "relation",
        "id": 41,
        "center": CENTER,
        "tags": {"type": "multipolygon", "amenity": "bus_station", "name": "Constructed Square"},
    },
]


def text(*body: str, head: str = META, root: str = "osm") -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} version="0.6">{head}{"".join(body)}</{root}>\n'


def write(folder: Path, content: str, name: str = "town.osm") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_an_extract_gives_the_rows_of_the_same_data_from_overpass(tmp_path: Path) -> None:
    items = list(stops_of_extract(write(tmp_path, text(*BODY))))
    assert_usable(items)
    assert rows(items) == rows(parse(of_elements(*OVERPASS)))
    assert len(rows(items)) == 6
    assert [item for item in items if isinstance(item, Skipped)] == [Skipped("not_yet_open", 1)]
    assert "nobody" not in str(items)


def test_an_element_that_stands_twice_is_one(tmp_path: Path) -> None:
    found = rows(stops_of_extract(write(tmp_path, text(*BODY, BODY[0]))))
    assert [row["source_id"] for row in found].count("node/1") == 1


def test_packed_extracts_are_read_too(tmp_path: Path) -> None:
    content = text(*BODY).encode()
    plain = write(tmp_path, text(*BODY))
    (tmp_path / "a.osm.gz").write_bytes(gzip.compress(content))
    (tmp_path / "a.osm.bz2").write_bytes(bz2.compress(content))
    for name in ("a.osm.gz", "a.osm.bz2"):
        assert list(stops_of_extract(tmp_path / name)) == list(stops_of_extract(plain))


@pytest.mark.parametrize(
    ("head", "day"), [(META, date(2026, 7, 14)), ("<note>Constructed</note>", None)]
)  # fmt: skip
def test_rows_are_as_old_as_the_file_says_and_of_no_known_day_where_it_says_nothing(
    tmp_path: Path, head: str, day: date | None
) -> None:
    found = rows(stops_of_extract(write(tmp_path, text(*BODY, head=head))))
    assert {row["observed_at"] for row in found} == {day}
    assert ("node/3" in {row["source_id"] for row in found}) is (day is None)


def test_an_extract_without_stops_is_no_failure(tmp_path: Path) -> None:
    for body in ([], [node(4, 21.1, 79.1, tourism="zoo")], [node(4, 21.1, 79.1)]):
        assert list(stops_of_extract(write(tmp_path, text(*body)))) == []


@pytest.mark.parametrize(
    "content",
    [
        "",
        "not xml",
        text(*BODY)[:900],
        text(root="gpx"),
        "<html><body>Error</body></html>",
        text('<tag k="a" v="b"/>'),
        text('<node id="x" lat="1" lon="2"><tag k="railway" v="halt"/></node>'),
        text('<node id="1"><tag k="railway" v="halt"/></node>'),
        text(head='<meta osm_base="yesterday"/>'),
        text(node(1, 1, 2, railway="halt", id="x"), node(2, 1, 2, railway="halt")),
    ],
)
def test_what_is_no_whole_extract_is_refused(tmp_path: Path, content: str) -> None:
    items = list(stops_of_extract(write(tmp_path, content)))
    assert [item.code for item in refusals(items)] == ["not_osm_xml"]
    assert len(items) == 1


def test_broken_packing_and_other_charsets_are_refused(tmp_path: Path) -> None:
    packed = gzip.compress(text(*BODY).encode())
    for name, content in (
        ("cut.osm.gz", packed[: len(packed) // 2]),
        ("no.osm.gz", b"<osm/>"),
        ("no.osm.bz2", b"<osm/>"),
        ("latin.osm", text(node(1, 1, 2, railway="halt", name="Construé")).encode("latin-1")),
    ):
        (tmp_path / name).write_bytes(content)
        assert [item.code for item in refusals(stops_of_extract(tmp_path / name))] == ["not_osm_xml"], name


def test_a_missing_file_is_an_error_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(UtpError, match=r"none\.osm: No such file"):
        list(stops_of_extract(tmp_path / "none.osm"))


def test_nothing_is_written_beside_the_extract(tmp_path: Path) -> None:
    path = write(tmp_path, text(*BODY))
    list(stops_of_extract(path))
    assert os.listdir(tmp_path) == ["town.osm"]  # noqa: PTH208
