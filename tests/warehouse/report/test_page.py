"""The page: what it says, that nothing put into it can break it, and that it needs nothing from outside."""

import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from schemas.tables import TABLES
from tests.warehouse import world
from warehouse.release.publish import publish
from warehouse.report.html import el, join, outside_link

_VOID = {"meta", "link", "br", "circle", "rect", "path", "line"}


class _Page(HTMLParser):
    """Reads a page: its tags, its text, and whether each tag is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


def _publish(folder: Path, **changes: object) -> tuple[str, dict[str, object]]:
    release = publish(folder / "releases", world.draft(folder / "candidate", **changes))
    report = json.loads((release.folder / "report" / "report.json").read_text())
    return (release.folder / "report" / "index.html").read_text(), report


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, object]]:
    return _publish(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def page(published: tuple[str, dict[str, object]]) -> _Page:
    return _Page(published[0])


def test_the_headline_says_release_region_origin_audience_and_when(page: _Page) -> None:
    for said in ("Release toy-20260314-", "region toy", "origin files", "audience internal", "2026-03-14 09:30"):
        assert said in page.text


def test_for_each_file_rows_in_are_kept_and_merged_and_quarantined(page: _Page) -> None:
    assert "11 rows in = 7 kept + 1 merged + 3 quarantined" in page.text
    for said in (
        "restaurants/eateries.csv",
        "torn_row 2",
        "not_a_number 1",
        "restaurants.csv#8 : record 8",
        "avg_cost",
    ):
        assert said in page.text
    assert "Without a place in cuisines: terms 2, rows 4" in page.text
    assert "Columns nobody reads (1): Has <Table> booking" in page.text
    assert "One remark." in page.text


def test_for_each_table_rows_by_what_became_of_them(page: _Page) -> None:
    row = page.text[page.text.index("restaurants Restaurants") :]
    assert row.startswith(
        "restaurants Restaurants 7 5 2 rating 2, City 1, avg_cost 1 torn_row 2, not_a_number 1 1 2 "
        "2018-01-01 to 2018-01-07"
    )


def test_absent_tables_and_checks_that_failed_are_named(page: _Page) -> None:
    assert f"{len(TABLES) - len(world.TABLES_HELD)} tables are absent" in page.text
    assert "no mapping brings flights" in page.text
    assert "0 failed, 1 warning, 0 not run, 1 passed" in page.text
    assert "1 name in another" in page.text


def test_cities_stand_on_a_map_and_are_counted_by_table(page: _Page) -> None:
    assert page.tags["circle"] == 5 + 5
    assert ("svg", "aria-label", "Map of 5 cities; 2 have data") in page.attributes
    assert "Delhi, Delhi: restaurants, poi_nearest_stops" in page.text
    assert "Cities with data, of 5." in page.text


def test_terms_say_what_is_not_public_and_why(page: _Page) -> None:
    assert "CC-BY-4.0 unknown unknown no (terms_unknown) Eateries" in page.text


def test_nothing_that_was_put_in_is_taken_for_html(page: _Page, published: tuple[str, dict[str, object]]) -> None:
    assert page.tags["script"] == page.tags["i"] == page.tags["img"] == 0
    assert "<b>cheap</b>" in page.text
    assert "<i>Lunar</i> 3" in page.text
    assert "javascript:" not in published[0]


def test_a_hostile_name_is_shown_wherever_it_turns_up(tmp_path: Path) -> None:
    hostile = world.HOSTILE
    brought = replace(
        world.contribution(),
        title=hostile,
        file=hostile,
        unmapped={hostile: {hostile: 1}},
        unused_columns=(hostile,),
        remarks=(hostile,),
    )
    check = world.check(
        name=hostile, summary=hostile, passed=False, is_blocking=False, failing_rows=1, examples=[{"name": hostile}]
    )
    text, _ = _publish(tmp_path, contributions=(brought,), checks=(check,), code_version=hostile)
    page = _Page(text)
    assert page.tags["script"] == 0
    assert page.text.count("<script>alert('x')</script> & \"Sons\"") >= 8


def test_the_page_loads_nothing_and_runs_nothing(page: _Page) -> None:
    links = [value for _, name, value in page.attributes if name in ("href", "src")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    policy = [value for tag, name, value in page.attributes if (tag, name) == ("meta", "content")]
    assert "default-src 'none'; style-src 'unsafe-inline'" in policy


def test_the_page_can_be_read_on_a_phone_and_by_keyboard(page: _Page, published: tuple[str, dict[str, object]]) -> None:
    assert ("meta", "content", "width=device-width, initial-scale=1") in page.attributes
    assert ("html", "lang", "en") in page.attributes
    ids = {value for _, name, value in page.attributes if name == "id"}
    assert {value[1:] for _, name, value in page.attributes if name == "href"} <= ids
    scrolling = [place for place in page.attributes if place == ("div", "class", "scroll")]
    assert len(scrolling) == len([place for place in page.attributes if place == ("div", "tabindex", "0")]) > 0
    for needed in ("prefers-color-scheme: dark", "@media (max-width", ":focus-visible"):
        assert needed in published[0]


def test_the_report_for_programs_says_the_same(published: tuple[str, dict[str, object]]) -> None:
    report = published[1]
    assert report["region"] == "toy"
    source = report["sources"][0]  # type: ignore[index]
    assert source["contribution"]["rows_in"] == 11
    assert [group["rows"] for group in source["rejects"]] == [1, 2]
    tables = {table["name"]: table for table in report["tables"]}  # type: ignore[attr-defined]
    assert tables["restaurants"]["hidden_by"] == {"rating": 2, "City": 1, "avg_cost": 1}
    assert len(report["cities"]) == 5  # type: ignore[arg-type]


def test_text_becomes_html_only_through_escaping() -> None:
    assert el("p", "<b>", el("b", "&"), None, 1234, title='"') == '<p title="&quot;">&lt;b&gt;<b>&amp;</b>1,234</p>'
    assert join("<", ["<", ("<",)]) == "&lt;&lt;&lt;"
    assert outside_link("javascript:alert(1)", "x") == "x"
    assert outside_link("https://example.org/?a=1&b=2", "x").startswith('<a href="https://example.org/?a=1&amp;b=2"')
