"""Administrative boundaries of an extract, and what they say of the cities of a region."""

from pathlib import Path

import pytest

from sources.osm.boundaries import boundaries_of_extract
from sources.osm.extract import ExtractError
from tests.pipeline.command import utp
from tests.sources.osm.test_extract import node, way

# Mumbai lies in the box of way 1, Chennai in that of way 2, which says that it is Kerala; no other city in either.
CORNERS = [
    *(node(number, lat, lon) for number, (lat, lon) in enumerate([(18, 72), (18, 73.2), (20, 73.2), (20, 72)], 1)),
    *(node(number, lat, lon) for number, (lat, lon) in enumerate([(12, 79), (12, 81), (14, 81), (14, 79)], 11)),
]
STATE = {"boundary": "administrative", "admin_level": "4"}
WAYS = [
    way(1, [1, 2, 3, 4, 1], **STATE, name="महाराष्ट्र", **{"name:en": "Maharashtra"}),
    way(2, [11, 12, 13, 14, 11], **STATE, name="Kerala"),
    way(3, [11, 12, 13, 14, 11], boundary="administrative", admin_level="6", name="Constructed District"),
    way(4, [11, 12, 13, 14, 11], **STATE),
    way(5, [1, 2, 3], **STATE, name="A line that is not closed"),
]


@pytest.fixture
def extract(tmp_path: Path) -> Path:
    path = tmp_path / "states.osm"
    path.write_text(f'<osm version="0.6">{"".join(CORNERS + WAYS)}</osm>', encoding="utf-8")
    return path


def test_named_closed_areas_are_read_with_their_level_and_english_name(extract: Path) -> None:
    found = boundaries_of_extract(extract)
    assert [(one.level, one.name) for one in found] == [(4, "Kerala"), (4, "Maharashtra"), (6, "Constructed District")]
    maharashtra = found[1]
    assert maharashtra.holds(19.07, 72.88)
    assert not maharashtra.holds(13.08, 80.27)


def test_a_city_in_another_state_is_named(extract: Path) -> None:
    done = utp("region", "check", "sample", "--boundaries", extract, "--json")
    assert done.status == 1
    assert done.document == {
        "region": "sample",
        "states": 2,
        "not_judged": 10,
        "astray": [{"city": "Chennai", "state": "Tamil Nadu", "lies_in": ["Kerala"]}],
    }


@pytest.mark.parametrize("content", [b"", b"text", b"<osm><node"])
def test_what_is_no_extract_is_refused_with_its_cause(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.osm"
    path.write_bytes(content)
    with pytest.raises(ExtractError, match=r"broken\.osm: no whole OSM XML file"):
        boundaries_of_extract(path)


def test_a_file_without_states_says_so(tmp_path: Path) -> None:
    path = tmp_path / "none.osm"
    path.write_text(f'<osm version="0.6">{CORNERS[0]}</osm>', encoding="utf-8")
    done = utp("region", "check", "sample", "--boundaries", path)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "admin_level 4" in done.err
