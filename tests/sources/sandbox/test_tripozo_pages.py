"""What is served in Tripozo's name has the shape of the samples, and no page comes faster than the limit."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import requests

from sources.sandbox.process import running
from tests.sources.sandbox.asking import log
from tests.sources.sandbox.test_tripadvisor_shapes import types

FLIGHTS = {
    "adult": "1", "child": "0", "class": "1", "destination": "PNQ", "fareType": "Regular", "from": "2025-11-12",
    "infant": "0", "origin": "BOM", "tripType": "oneWay",
}  # fmt: skip


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "tripozo"


def _get(address: str, path: str, **params: str) -> requests.Response:
    got = requests.get(f"{address}/tripozo/{path}", params=params, timeout=10)
    assert got.status_code == 200
    return got


def _classes(page: str) -> set[str]:
    return {name for names in re.findall(r'class="([^"]*)"', page) for name in names.split()}


def _flights(address: str, **changed: str) -> str:
    return _get(address, "flight/results", **{**FLIGHTS, **changed}).text


def test_cards_of_flights_have_the_classes_of_the_sample(address: str, samples: Path) -> None:
    genuine = _classes((samples / "flight_results_01.html").read_text(encoding="utf-8"))
    pages = [_flights(address, origin=one, destination=other) for one in ("BOM", "MAA") for other in ("LKO", "JAI")]
    ours = {name for page in pages for name in _classes(page)}
    assert genuine <= ours
    assert ours - genuine <= {"sold", "ant-empty", "ant-empty-description"}


def test_a_connection_that_is_sold_out_stands_before_cards_with_fares(address: str) -> None:
    page = _flights(address, origin="BOM", destination="MAA")
    cards = page.split('class="flight-card"')[1:]
    assert "Sold Out" in cards[0]
    assert "flight-price-number" not in cards[0]
    assert all("flight-price-number" in card for card in cards[1:])


def test_a_pair_without_flights_has_a_page_that_says_so(address: str) -> None:
    page = _flights(address)
    assert "ant-empty" in page
    assert "airline-code" not in page


def test_a_page_is_not_drawn_where_something_of_the_question_is_missing(address: str) -> None:
    page = _flights(address, tripType="")
    assert "<script" in page
    assert _classes(page) == set()


def test_timetables_have_the_classes_of_the_sample(address: str, samples: Path, world: Any) -> None:
    genuine = (samples / "train_schedule_01.html").read_text(encoding="utf-8")
    ours = [_get(address, f"train/{train.number}/schedule").text for train in world.trains]
    assert all(_classes(page) == _classes(genuine) for page in ours)
    assert any("24:00 (Day" in page for page in ours)
    assert any("Source (Day 1)" in page and "Destination (Day 3)" in page for page in ours)


def test_lists_of_trains_have_the_fields_of_the_samples(address: str, samples: Path) -> None:
    genuine = (samples / "trains_between_01.html").read_text(encoding="utf-8")
    page = _get(address, "train/list", city="Mumbai", state="Maharashtra").text
    records = [json.loads(text.replace("&quot;", '"')) for text in re.findall(r'data-train="([^"]*)"', page)]
    assert types(records) == types([json.loads(re.findall(r"data-train='([^']*)'", genuine)[0])])
    assert _classes(page) <= _classes(genuine)

    saved = json.loads((samples / "capture_trains_constructed.json").read_text(encoding="utf-8"))["trains"]
    ours = _get(address, "train/list", city="Nagpur", state="Maharashtra").json()["trains"]
    assert {key for train in ours for key in train} == {key for train in saved for key in train} | {"trainType"}


def test_buses_have_the_fields_of_the_samples(address: str, samples: Path) -> None:
    search = json.loads((samples / "bus_search_api_shape.json").read_text(encoding="utf-8"))
    saved = json.loads((samples / "capture_buses_constructed.json").read_text(encoding="utf-8"))
    found = [
        _get(address, "bus/results", **{"from": one, "to": other, "date": "2025-11-12"}).json()
        for one in ("Mumbai", "Pune", "Nagpur", "Agra", "Jaipur", "Lucknow")
        for other in ("Nashik", "Udaipur", "Varanasi")
    ]
    dated = [one for one in found if "inv" in one]
    assert {key for one in dated for bus in one["inv"] for key in bus} == set(search["inv"][0])
    assert {key for one in dated for key in one} == set(search)
    named = [bus for one in found if "buses" in one for bus in one["buses"]]
    assert {key for bus in named for key in bus} == {key for bus in saved["buses"] for key in bus} - {"seatFares"}
    # Among them are broken ones: an arrival before the departure, with a duration that says so.
    assert any(bus["Duration"] < 0 for one in dated for bus in one["inv"])


def test_one_page_of_a_kind_comes_in_three_seconds_and_each_call_is_counted() -> None:
    with running("sample", time_scale=1.0) as where:
        statuses = [
            requests.get(f"{where}/tripozo/{path}", timeout=10).status_code
            for path in ("train/12429/schedule", "train/12429/schedule", "flight/results", "train/1/schedule")
        ]
        calls = [(line["calls_in_window"], line["limit_calls"], line["limit_seconds"]) for line in log(where)]
    assert statuses == [200, 429, 200, 429]
    assert calls == [(1, 1, 3.0), (2, 1, 3.0), (1, 1, 3.0), (3, 1, 3.0)]
