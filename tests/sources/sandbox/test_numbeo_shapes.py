"""What is served in Numbeo's name has the shape of the documented answers, field by field."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sources.sandbox.world import World
from tests.sources.sandbox.asking_numbeo import told


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "numbeo"


def _read(samples: Path, name: str) -> Any:
    return json.loads((samples / f"{name}.json").read_text(encoding="utf-8"))


def fields(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and kind of each value; whole and other numbers are both numbers."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from fields(member, f"{path}.{key}")
    elif isinstance(value, list):
        for member in value:
            yield from fields(member, f"{path}[]")
    else:
        yield path, "number" if type(value) in (int, float) else type(value).__name__


def types(document: Any) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path, kind in fields(document):
        found.setdefault(path, set()).add(kind)
    return found


@pytest.mark.parametrize("name", ["cities", "currency_exchange_rates"])
def test_a_list_has_the_fields_of_the_documented_one(address: str, samples: Path, name: str) -> None:
    assert types(told(address, name)) == types(_read(samples, name))


def test_items_have_the_documented_fields_and_the_order_that_came_since(address: str, samples: Path) -> None:
    new = {".items[].display_order": {"number"}}
    assert types(told(address, "items")) == types(_read(samples, "items")) | new


def test_prices_have_the_documented_fields_and_bounds_that_may_be_null(
    address: str, samples: Path, world: World
) -> None:
    nullable = {f".prices[].{bound}_price": {"number", "NoneType"} for bound in ("lowest", "highest")}
    genuine = types(_read(samples, "city_prices_london"))
    for prices in world.prices:
        if prices.trap is None:
            ours = types(told(address, "city_prices", city_id=prices.number))
            assert ours == genuine | nullable


def test_labels_end_with_their_category_as_documented_ones(address: str, samples: Path, world: World) -> None:
    categories = {item["category"] for item in _read(samples, "items")["items"]}
    labels = [price["item_name"] for price in _read(samples, "city_prices_london")["prices"]]
    assert all(label.rpartition(", ")[2] in categories for label in labels)
    known = {item["item_id"]: item for item in told(address, "items")["items"]}
    number = next(prices.number for prices in world.prices if prices.trap is None)
    document = told(address, "city_prices", city_id=number)
    for price in document["prices"]:
        item = known[price["item_id"]]
        assert price["item_name"] == f"{item['name']}, {item['category']}"
    # Keys come in no order.
    assert [*document] != [*_read(samples, "city_prices_london")]
