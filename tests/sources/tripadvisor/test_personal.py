"""What is personal never leaves the parser: not in rows, not in refusals, not in what is reported."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sources.tripadvisor.parse import parse
from tests.sources.tripadvisor.answers import COUNTEREXAMPLES, EXAMPLES, of_document, of_file, rows

PERSONAL = frozenset(
    {"description", "descriptions", "email", "phone", "phone_numbers", "official_email", "official", "website", "user",
     "username", "user_location", "author", "title", "text", "caption", "owner_response", "Message", "message",
     "detail", "rejected_value", "trip_type"}
)  # fmt: skip
CANARY = "canary-of-somebody"
ENDPOINT_NAMES = ("terra_search", "terra_nearby", "terra_locations", "details", "search", "nearby", "photos", "reviews")


def planted(value: Any, canary: Any) -> Any:
    """The same with a canary in each personal field."""
    if isinstance(value, dict):
        return {name: canary if name in PERSONAL else planted(below, canary) for name, below in value.items()}
    return [planted(one, canary) for one in value] if isinstance(value, list) else value


def documents() -> Iterator[tuple[Path, Any]]:
    for path in (*EXAMPLES, *COUNTEREXAMPLES):
        if not path.name.endswith("capture.json"):
            try:
                yield path, json.loads(path.read_bytes())
            except ValueError:
                continue


DOCUMENTS = list(documents())


def name_of(path: Path) -> str:
    what = path.name.rpartition("__")[2]
    return next(name for name in ENDPOINT_NAMES if what.startswith(f"{name}_"))


@pytest.mark.parametrize("canary", [CANARY, [CANARY], {"a": CANARY}, {CANARY[:3]: [CANARY]}], ids=str)
@pytest.mark.parametrize(("path", "document"), DOCUMENTS, ids=[path.name for path, _ in DOCUMENTS])
def test_no_personal_field_is_handed_on(path: Path, document: Any, canary: Any) -> None:
    items = list(parse(of_document(name_of(path), planted(document, canary))))
    assert items or not document["data"]
    assert CANARY not in str(items)


@pytest.mark.parametrize(
    "path", [path for path in COUNTEREXAMPLES if "capture" in path.name], ids=lambda path: path.name
)
def test_what_a_failed_answer_says_in_words_is_not_handed_on(path: Path) -> None:
    saved = of_file(path)
    body = (saved.body or b"").replace(b"onstructed", b"onstructed " + CANARY.encode())
    assert CANARY not in str(list(parse(replace(saved, body=body))))


@pytest.mark.parametrize("field", ["name", "rating", "latitude", "web_url", "price_level", "num_reviews", "category"])
def test_a_value_that_is_refused_is_not_quoted(field: str) -> None:
    for name in ("details_hotel", "details_restaurant"):
        (path,) = (path for path in EXAMPLES if path.name == f"{name}.json")
        document = json.loads(path.read_bytes()) | {field: [CANARY]}
        items = list(parse(of_document("details", document)))
        assert CANARY not in str(items)
        # The price level of a hotel is of no table.
        assert bool(rows(items)) is (field == "price_level" and name == "details_hotel")


def test_the_planting_reaches_every_field_that_the_samples_show() -> None:
    seen = {name for _, document in DOCUMENTS for name in PERSONAL if f'"{name}"' in json.dumps(document)}
    assert PERSONAL - seen <= {"detail", "rejected_value"}
