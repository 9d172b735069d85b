"""What is found in a page, however it is written: scripts, streamed data, title, visible texts."""

import json
from datetime import date
from typing import Any

import pytest

from sources.district.pages import BrokenDataError, documents_in, texts_of, title_of
from sources.district.visible import read_visible

DOCUMENT = {"@type": "Event", "name": "Constructed \u201cNight\u201d \\ </b> \u2028 \U0001f3b5"}


def pushes(*parts: str) -> str:
    return "".join(f"<script>self.__next_f.push([1,{json.dumps(part)}])</script>" for part in parts)


def element(content: str, **more: Any) -> str:
    return json.dumps(["$", "script", None, {"type": "application/ld+json", "children": content, **more}])


@pytest.mark.parametrize(
    "opening",
    [
        '<script type="application/ld+json">',
        "<SCRIPT data-x='1' TYPE='Application/LD+JSON' id=a>",
        "<script\n type=application/ld+json\n>",
    ],
)
def test_a_script_is_found_however_its_tag_is_written(opening: str) -> None:
    document = {"name": "Constructed"}
    assert documents_in(f"<html>{opening}{json.dumps(document)}</Script ></html>") == [document]


def test_other_scripts_are_no_data() -> None:
    assert documents_in("<script>var a = {};</script><script type='application/json'>{}</script>") == []


@pytest.mark.parametrize("size", [1, 2, 7, 50])
def test_streamed_data_is_read_wherever_it_is_cut(size: int) -> None:
    text = json.dumps(DOCUMENT, ensure_ascii=False)
    line = f'1:"$Sreact.fragment"\n2:I[12,["a"],"b"]\n0:{element(text)}\n'
    assert documents_in(pushes(*(line[at : at + size] for at in range(0, len(line), size)))) == [DOCUMENT]


def test_halves_of_a_letter_in_two_pushes_are_one_letter() -> None:
    line = json.dumps(
        ["$", "script", None, {"type": "ld+json", "children": '{"name": "\U0001f3b5"}'}], ensure_ascii=False
    )
    whole = json.dumps(f"0:{line}")[1:-1]
    at = whole.index("\\udfb5")
    scripts = (f'<script>self.__next_f.push([1,"{half}"])</script>' for half in (whole[:at], whole[at:]))
    assert documents_in("".join(scripts)) == [{"name": "\U0001f3b5"}]


def test_a_text_of_a_given_length_may_hold_line_ends_and_looks_like_other_lines() -> None:
    text = json.dumps(DOCUMENT, ensure_ascii=False, indent=1) + '\n3:["ld+json"'
    length = len(json.dumps(DOCUMENT, ensure_ascii=False, indent=1).encode())
    line = f"a:T{length:x},{text[: len(text) - 13]}0:{element('$a')}\n"
    assert documents_in(pushes(line)) == [DOCUMENT]


def test_several_pushes_in_one_script_are_read() -> None:
    line = f"0:{element(json.dumps(DOCUMENT))}\n"
    calls = ";\n".join(f"self.__next_f.push([1,{json.dumps(part)}])" for part in (line[:20], line[20:]))
    assert documents_in(f"<script>{calls};</script>") == [DOCUMENT]
    other = "<script>self.__next_f.push([0])</script><script>self.__next_f.push([2,null])</script>"
    assert documents_in(other + f"<script>{calls}</script>") == [DOCUMENT]


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_text_in_a_text_is_opened_as_often_as_sites_do_it(levels: int) -> None:
    text: Any = DOCUMENT
    for _ in range(levels):
        text = json.dumps(text)
    assert documents_in(f'<script type="application/ld+json">{text}</script>'.replace("</b>", "<\\/b>")) == [DOCUMENT]


def test_code_is_never_run_and_never_taken_for_data() -> None:
    for call in ("self.__next_f.push([1,evil()])", "self.__next_f.push(1)", 'x=1;self.__next_f.push([1,"0:{}"])'):
        assert documents_in(f"<script>{call}</script>") == []
    with pytest.raises(BrokenDataError):
        documents_in("<script>self.__next_f.push([1,`0:ld+json`])</script>")


def test_a_title_is_that_which_a_page_gives_itself() -> None:
    assert title_of('<meta content="A &amp; B" property="og:title">') == "A & B"
    assert title_of("<META property='og:title' content='A'>") == "A"
    assert title_of('<meta property="og:title" content=" "><title>B</title>') is None


def test_visible_texts_are_without_scripts_and_styles() -> None:
    hidden = "<script>var a = '<p>no</p>';</script><style>p{}</style><noscript>no</noscript>"
    assert texts_of(f"{hidden}<p>One &amp; two</p>{hidden}<b> three </b>") == ["One & two", "three"]


@pytest.mark.parametrize(
    "text", ["Fri, 9 Oct 2026, 7:30 PM onwards", "Friday, 9 October 2026", "9 Oct 2026", "9 October, 2026, 7 PM"]
)
def test_a_visible_day_is_read(text: str) -> None:
    found = read_visible(["Constructed", text, "₹1,499 onwards", "1 Constructed Road, Ahmedabad"])
    assert found is not None
    assert (found.day, found.street) == (date(2026, 10, 9), "1 Constructed Road, Ahmedabad")


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["Fri, 9 Oct"],
        ["Thu, 9 Oct 2026"],
        ["9 Oct 2026", "10 Oct 2026"],
        ["32 Oct 2026"],
        ["9 Okt 2026"],
        ["from 9 Oct 2026"],
    ],
)
def test_no_day_is_guessed(texts: list[str]) -> None:
    assert read_visible(texts) is None


def test_an_address_before_the_day_or_without_a_city_is_none() -> None:
    for texts in (["1 Road, Ahmedabad", "9 Oct 2026"], ["9 Oct 2026", "1 Road, Hall"], ["9 Oct 2026", "Ahmedabad"]):
        found = read_visible(texts)
        assert found is not None
        assert found.street is None
