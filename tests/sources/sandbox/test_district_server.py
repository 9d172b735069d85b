"""District's stand-in as it behaves: a sitemap that leads to more than events, pages in three forms, and its limit."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from sources.sandbox.district import LIMIT
from sources.sandbox.district.pages import COLLECTIONS, event_page
from sources.sandbox.happenings import TrueHappening
from sources.sandbox.process import running
from sources.sandbox.world import World
from tests.sources.sandbox.asking import log

_SCRIPT = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)


def get(address: str, path: str) -> requests.Response:
    return requests.get(f"{address}/district{path}", timeout=10)


def _pages(address: str, world: World, form: str) -> Iterator[tuple[TrueHappening, str]]:
    for happening in world.happenings:
        if happening.form == form and happening.trap != "gone":
            answer = get(address, event_page(happening).path)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
            yield happening, answer.text


def test_the_sitemap_leads_to_every_event_and_to_more(address: str, world: World, shared: Path) -> None:
    answer = get(address, "/sitemap/event-detail-pages.xml")
    assert answer.headers["content-type"] == "application/xml"
    found = re.findall(r"<loc>https://www\.district\.in([^<]*)</loc>", answer.text)
    paths = [event_page(happening).path for happening in world.happenings]
    assert set(paths) < set(found)
    assert set(COLLECTIONS) < set(found)
    assert {path.startswith("/events/") for path in paths} == {True, False}
    genuine = (shared / "contracts" / "samples" / "district" / "sitemap_event_detail.xml").read_text(encoding="utf-8")
    assert re.sub("<loc>[^<]*", "<loc>", genuine.partition("</url>")[0]) in re.sub("<loc>[^<]*", "<loc>", answer.text)


def test_a_page_of_scripts_tells_the_truth_about_its_event(address: str, world: World) -> None:
    for happening, page in _pages(address, world, "plain"):
        documents = [json.loads(text) for text in _SCRIPT.findall(page)]
        assert documents
        assert happening.name in json.dumps(documents, ensure_ascii=False)
        assert "performer" in json.dumps(documents)


def test_streamed_pages_hold_no_script_of_data_and_their_data_is_escaped(address: str, world: World) -> None:
    texts = [page for _, page in _pages(address, world, "streamed")]
    assert texts
    assert not any(_SCRIPT.search(page) for page in texts)
    assert all("self.__next_f.push([1," in page for page in texts)
    # A JSON text within a JSON text within a string.
    assert any('\\\\\\"startDate' in page for page in texts)
    assert any(re.search(r":T[0-9a-f]+,", page) for page in texts)


def test_pages_without_data_show_day_and_address(address: str, world: World) -> None:
    for happening, page in _pages(address, world, "visible"):
        assert "ld+json" not in page
        assert f"{happening.street}, {happening.city_name}, {happening.state_name}, 990001, India" in page


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {*value, *(key for member in value.values() for key in _keys(member))}
    return {key for member in value for key in _keys(member)} if isinstance(value, list) else set()


def test_records_have_the_fields_of_genuine_ones_and_those_that_collectors_report(
    address: str, world: World, shared: Path
) -> None:
    folder = shared / "contracts" / "samples" / "district"
    samples = [json.loads((folder / "event_jsonld_genuine.json").read_text(encoding="utf-8"))]
    for name in ("event_itemlist_genuine.html", "event_page_plain_jsonld.html"):
        scripts = re.findall(
            r'<script type="application/ld\+json">(.*?)</script>', (folder / name).read_text(), re.DOTALL
        )
        samples += [json.loads(text) for text in scripts]
    reported = {"performer", "previousStartDate", "typicalAgeRange", "language", "@graph"}
    ours = {
        key
        for _, page in _pages(address, world, "plain")
        for text in _SCRIPT.findall(page)
        for key in _keys(json.loads(text))
    }
    assert ours <= _keys(samples) | reported
    assert {"startDate", "endDate", "location", "offers", "eventStatus", "itemListElement", "lowPrice"} <= ours


def test_pages_that_are_gone_or_never_were_are_not_found(address: str, world: World) -> None:
    gone = next(happening for happening in world.happenings if happening.trap == "gone")
    for path in (event_page(gone).path, "/events/never-was-buy-tickets"):
        assert get(address, path).status_code == 404


def test_a_collection_is_a_page_without_an_event(address: str) -> None:
    for path in COLLECTIONS:
        assert "ld+json" not in get(address, path).text


def test_robots_may_read_the_pages(address: str) -> None:
    rules = requests.get(f"{address}/robots.txt", timeout=10).text
    assert "/district" not in rules


def test_calls_beyond_the_limit_are_refused_and_counted() -> None:
    with running("sample", time_scale=0.01) as address:
        statuses = [get(address, COLLECTIONS[0]).status_code for _ in range(2)]
        windows = [line["calls_in_window"] for line in log(address) if "district" in line["path"]]
    assert (statuses, windows) == ([200, 429], [1, 2])
    assert (LIMIT.calls, LIMIT.seconds) == (1, 1.0)


@pytest.mark.parametrize("form", ["plain", "streamed", "visible"])
def test_a_page_is_the_same_each_time(address: str, world: World, form: str) -> None:
    happening = next(one for one in world.happenings if one.form == form and one.trap != "gone")
    one, other = (get(address, event_page(happening).path) for _ in range(2))
    assert one.content == other.content
    assert one.headers["x-constructed"] == "yes"
