"""What is served in BestTime's name has the shape of genuine answers, field by field."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sources.sandbox.world import World
from tests.sources.sandbox.asking_besttime import Document, ask, ask_about

# Documented, but newer than the recorded forecasts.
_NEWER = (".venue_info.rating", ".venue_info.reviews", ".venue_info.price_level",
          ".analysis[].day_info.venue_open_close_v2", ".analysis[].day_info.note", ".analysis[].day_info.status",
          ".analysis[].peak_hours[].peak_status")  # fmt: skip


@pytest.fixture(scope="module")
def samples(shared: Path) -> Path:
    return shared / "contracts" / "samples" / "besttime"


@pytest.fixture(scope="module")
def forecasts(address: str, world: World) -> list[Document]:
    told = {one.place_id for one in world.crowd if one.days}
    return [ask_about(address, place).json() for place in world.places if place.id in told]


def read(samples: Path, name: str) -> Any:
    return json.loads((samples / f"{name}.json").read_text(encoding="utf-8"))


def fields(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and type of each value; members of a list share a path."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from fields(member, f"{path}.{key}")
    elif isinstance(value, list):
        yield path, "list"
        for member in value:
            yield from fields(member, f"{path}[]")
    else:
        yield path, type(value).__name__


def types(documents: Iterable[Any]) -> dict[str, set[str]]:
    known: dict[str, set[str]] = {}
    for document in documents:
        for path, kind in fields(document):
            known.setdefault(path, set()).add(kind)
    return known


def genuine_forecasts(samples: Path) -> list[Document]:
    found = [read(samples, f"forecast_new_ok_{name}") for name in ("closed_days", "open_all_week")]
    return [one | {"api_key_private": "pri"} for one in found]


def test_forecasts_have_the_fields_and_types_of_genuine_ones(forecasts: list[Document], samples: Path) -> None:
    genuine, ours = types(genuine_forecasts(samples)), types(forecasts)
    assert {path for path in ours if not path.startswith(_NEWER)} == set(genuine)
    # The documents give the sign for closed as a number; the recorded one is a text.
    for path, kinds in genuine.items():
        assert ours[path] == kinds, path


def test_both_signs_for_closed_are_written(forecasts: list[Document]) -> None:
    signs = {
        json.dumps(entry["intensity_nr"])
        for document in forecasts
        for day in document["analysis"]
        for entry in day["hour_analysis"]
        if entry["intensity_txt"] == "Closed"
    }
    assert signs == {'"999"', "999", '"N/A"'}


def test_keys_of_a_forecast_stand_in_the_order_of_genuine_ones(forecasts: list[Document], samples: Path) -> None:
    (genuine, _) = genuine_forecasts(samples)
    assert all([*one] == [*genuine] for one in forecasts)
    assert all([*one["venue_info"]][:12] == [*genuine["venue_info"]] for one in forecasts)
    assert [*forecasts[0]["analysis"][0]] == [*genuine["analysis"][0]]


def test_hours_are_listed_from_six_to_five(forecasts: list[Document], samples: Path) -> None:
    (genuine, _) = genuine_forecasts(samples)
    order = [entry["hour"] for entry in genuine["analysis"][0]["hour_analysis"]]
    for document in forecasts:
        assert [day["day_info"]["day_int"] for day in document["analysis"]] == [*range(7)]
        assert all([entry["hour"] for entry in day["hour_analysis"]] == order for day in document["analysis"])


def test_periods_have_the_fields_of_the_documents_in_each_of_their_ages(
    forecasts: list[Document], samples: Path
) -> None:
    forms = [
        form
        for document in forecasts
        for day in document["analysis"]
        if (form := day["day_info"].get("venue_open_close_v2"))
    ]
    shapes = {(frozenset(form), frozenset(form["24h"][0])) for form in forms if form["24h"]}
    documented = read(samples, "query_peaks")["analysis"]["day_info"]["venue_open_close_v2"]["24h"][0]
    latest = read(samples, "forecast_live")["venue_info"]["venue_open_close_v2"]
    assert shapes == {
        (frozenset({"12h", "24h"}), frozenset({"opens", "closes"})),
        (frozenset({"12h", "24h"}), frozenset(documented)),
        (frozenset(latest) - {"day_int", "day_text"}, frozenset(latest["24h"][0])),
    }
    assert any("\u2013" in form["12h"][0] for form in forms)


@pytest.mark.parametrize(("trap", "name"), [("too_few_visitors", "no_volume"), ("unlisted", "not_found")])
def test_failures_are_those_that_were_recorded(address: str, world: World, samples: Path, trap: str, name: str) -> None:
    failed = {one.place_id for one in world.crowd if one.trap == trap}
    genuine = read(samples, f"forecast_new_error_{name}")
    answers = [ask_about(address, place) for place in world.places if place.id in failed]
    assert types(answer.json() for answer in answers) == types([genuine])
    assert {answer.json()["message"] for answer in answers} == {genuine["message"]}
    assert {answer.status_code for answer in answers} == {404}


def test_a_question_without_name_and_a_wrong_key_are_refused_as_recorded(address: str, samples: Path) -> None:
    assert ask(address).json() == read(samples, "forecast_new_error_missing_params")
    assert ask(address, key="refused").json() == read(samples, "error_bad_key.constructed")
