"""What the stand-in for etrain serves has the form of the known pages, sign by sign but for names and numbers."""

import re
from pathlib import Path

import pytest
import requests

from sources.sandbox.world import World

_VALUES = (
    (r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-\d{5}(?=/history)", "SLUG"),
    (r"new Date\(\d+,\d+,\d+\)", "DAY"),
    (r"#[0-9A-F]{6}", lambda found: found[0]),
    (r"(?<=href=\"#)[A-Z]+|(?<=\()[A-Z]+(?=\))|(?<=')[A-Z]{1,5}(?=')", "CODE"),
    (r"\b(?:[A-Z0-9]+(?: [A-Z0-9]+)+|[A-Z0-9]{3,})(?= \(| to |</span>)", "NAME"),
    (r"(?<= to )[A-Z0-9 ]+(?=<)", "NAME"),
    (r"-?\d+\.\d+%", "SHARE"),
    (r"\(\d{5}\)", "(NUMBER)"),
    (r"-?\d+ Min's", "N Min's"),
)


def form(page: str) -> list[str]:
    """The lines of a page with words in place of its values, each as often as it comes once."""
    for pattern, word in _VALUES:
        page = re.sub(pattern, word, page)
    page = re.sub(r"(?<=[\[, ])(?:-?\d+(?:\.\d+)?|null)(?=[,\]])", "N", page)
    page = re.sub(r"(?:,\{'type':'number','label':'CODE'\})+", ",LABELS", page)
    page = re.sub(r"DAY(?:,N)+", "DAY,N", page)
    return list(dict.fromkeys(page.splitlines()))


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "train_delays"


def page_of(address: str, world: World, tracking: str, window: str) -> str:
    train = next(train for train in world.trains if train.tracking == tracking and train.days_of_operation == "1" * 7)
    path = f"/train/{train.name.replace(' ', '-')}-{train.number}/history?d={window}"
    while (answer := requests.get(f"{address}/etrain{path}", timeout=10)).status_code == 429:
        pass
    return answer.content.decode()


def test_a_history_is_a_known_one_but_for_its_values(address: str, world: World, samples: Path) -> None:
    known = form((samples / "etrain_history_1w.html").read_bytes().decode())
    assert form(page_of(address, world, "whole", "1w")) == known


def test_a_history_of_a_year_is_a_known_one_but_for_its_blank_averages(
    address: str, world: World, samples: Path
) -> None:
    known = form((samples / "etrain_history_1y.html").read_bytes().decode())
    assert set(form(page_of(address, world, "whole", "1y"))) == set(known) - {"\t\t\t\t"}


def test_a_page_without_runs_is_a_known_one_but_for_its_values(address: str, world: World, samples: Path) -> None:
    known = form((samples / "etrain_history_no_runs.html").read_bytes().decode())
    train = next(train for train in world.trains if train.tracking == "seasonal")
    path = f"/train/{train.name.replace(' ', '-')}-{train.number}/history?d=3m"
    while (answer := requests.get(f"{address}/etrain{path}", timeout=10)).status_code == 429:
        pass
    assert form(answer.content.decode()) == known
