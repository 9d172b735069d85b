"""Strict reading of YAML written by hand: what is not known is named with its line and the choices."""

from pathlib import Path

import pytest

from schemas.strict import Node, StrictError, choose
from schemas.textyaml import load_text


def test_the_nearest_names_come_before_all_choices() -> None:
    assert choose("nmae", ["longitude", "latitude", "name"]) == (
        "did you mean 'name'? choose one of 'longitude', 'latitude', 'name'"
    )
    assert choose("xyz", ["longitude"]) == "choose one of 'longitude'"
    assert choose("xyz", []) == "there is none to choose"


@pytest.mark.parametrize("value", [None, "text", ["list"]])
def test_what_is_no_mapping_is_refused(value: object) -> None:
    with pytest.raises(StrictError, match="line 7: here must be a mapping of keys"):
        Node(value, "here", 7)


def test_an_error_names_the_line_of_its_key_and_where_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("a: 1\nb:\n  c: [x, '', ]\n  d:\n    - e: inf\n")
    b = Node(load_text(file), "").child("b")
    assert b.texts("c") == ("x", "")
    (item,) = b.children("d")
    with pytest.raises(StrictError, match=r"line 5: d\[1\]: 'e' must be a number, found 'inf'"):
        item.number("e")
    with pytest.raises(StrictError, match="line 3: b: 'c' must be one text, found a list"):
        b.text("c")
    with pytest.raises(StrictError, match="line 4: b: unknown key 'd'"):
        b.allow(["c"])
