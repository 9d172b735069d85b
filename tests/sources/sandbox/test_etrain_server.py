"""The stand-in for etrain: addresses, redirects, limits, and what is not there."""

import re
import time

import pytest
import requests

from sources.sandbox.process import running
from sources.sandbox.trains import TrueTrain
from sources.sandbox.world import World
from tests.sources.sandbox.asking import log


def get(address: str, path: str) -> requests.Response:
    time.sleep(0.001)
    return requests.get(f"{address}/etrain{path}", timeout=10, allow_redirects=False)


def slug(train: TrueTrain) -> str:
    return f"{train.name.replace(' ', '-')}-{train.number}"


def some(world: World, tracking: str) -> TrueTrain:
    return next(train for train in world.trains if train.tracking == tracking)


def title(answer: requests.Response) -> str:
    (found,) = re.findall("<title>(.*)</title>", answer.text)
    return str(found)


@pytest.mark.parametrize(
    ("window", "words"),
    [
        ("?d=1w", "last week"),
        ("?d=1m", "this month"),
        ("?d=3m", "last 3 months"),
        ("?d=6m", "last 6 months"),
        ("?d=1y", "last year"),
        ("", "this month"),
    ],
)
def test_a_title_says_the_train_and_the_window(address: str, world: World, window: str, words: str) -> None:
    train = some(world, "whole")
    answer = get(address, f"/train/{slug(train)}/history{window}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert title(answer) == f"Running History of {train.name.upper()} ({train.number}) for {words}"


@pytest.mark.parametrize("window", ["", "?d=1y"])
def test_a_number_is_sent_on_to_the_slug_and_its_window_is_lost(address: str, world: World, window: str) -> None:
    train = some(world, "whole")
    for asked in (train.number, f"Another-Name-{train.number}"):
        answer = get(address, f"/train/{asked}/history{window}")
        where = f"/etrain/train/{slug(train)}/history"
        assert (answer.status_code, answer.headers["location"]) == (301, where)
    landed = requests.get(f"{address}/etrain/train/{train.number}/history{window}", timeout=10)
    if landed.status_code == 200:
        assert title(landed).endswith("for this month")


def test_a_train_that_is_not_listed_and_one_that_does_not_exist_are_not_found(address: str, world: World) -> None:
    for number in (some(world, "unlisted").number, "00000", "x"):
        assert get(address, f"/train/{number}/history").status_code == 404


def test_a_train_without_runs_has_a_page_with_links_that_says_so(address: str, world: World) -> None:
    for tracking, window in (("none", "1y"), ("seasonal", "3m")):
        train = some(world, tracking)
        page = get(address, f"/train/{slug(train)}/history?d={window}").text
        assert "Historical running data of queried train for selected duration is not available." in page
        assert f'href="/train/{slug(train)}/history?d=1y"' in page
        assert "rsStat" not in page


def test_the_sitemap_lists_every_train_that_has_a_page(address: str, world: World) -> None:
    answer = get(address, "/sitemap-dynamic.xml")
    assert answer.headers["content-type"].startswith("application/xml")
    listed = re.findall(r"<loc>https://etrain\.info/train/(.*?)/history</loc>", answer.text)
    assert listed == [slug(train) for train in world.trains if train.tracking != "unlisted"]


def test_one_call_in_three_seconds_is_taken_and_a_redirect_is_a_call(world: World) -> None:
    train = some(world, "whole")
    with running("sample", time_scale=0.01) as slow:
        assert [get(slow, f"/train/{train.number}/history").status_code for _ in range(3)] == [301, 429, 429]
        lines = log(slow)
    assert [(line["calls_in_window"], line["limit_calls"], line["limit_seconds"]) for line in lines] == [
        (1, 1, 3.0), (2, 1, 3.0), (3, 1, 3.0),
    ]  # fmt: skip
    with running("sample", time_scale=10) as fast:
        assert get(fast, f"/train/{train.number}/history").status_code == 301
        time.sleep(0.3)
        assert get(fast, f"/train/{train.number}/history").status_code == 301
