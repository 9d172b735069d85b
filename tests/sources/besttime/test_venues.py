"""Whether a venue is the place that was asked about: the rule, case by case."""

from typing import Any

import pytest

from sources.besttime.parse import parse
from sources.protocol.types import Refusal, Row
from tests.sources.besttime.answers import PARAMS, SUBJECT, document, of_document

HERE = (12.9719, 77.5937)
# Some 300 m, 1 km and 3 km to the north.
NEAR, FAR, TOO_FAR = 12.9746, 12.9809, 12.9989
ADDRESS = "1 Constructed Road, Bengaluru, Karnataka, India"
ELSEWHERE = "77 Other Lane, Bengaluru, Karnataka 560002, India"


def is_taken(
    asked: str,
    name: str,
    address: str = ADDRESS,
    latitude: float = HERE[0],
    subject: dict[str, str] = SUBJECT,
    **info: Any,
) -> bool:
    found = document("forecasts_always_open")
    found["venue_info"] |= {"venue_name": name, "venue_address": address, "venue_lat": latitude, **info}
    params = PARAMS | {"venue_name": asked, "venue_address": ADDRESS}
    items = list(parse(of_document(found, params=params, subject=subject)))
    if isinstance(items[0], Refusal):
        assert items[0].code == "other_venue"
    return all(isinstance(item, Row) for item in items)


@pytest.mark.parametrize(
    "name",
    ["Constructed Fort", "The Constructed Fort", "CONSTRUCTED FORT, Bengaluru", "Constru\u0301cted Fort (Karnataka)"],
)
def test_the_same_name_within_half_a_kilometre_is_the_place(name: str) -> None:
    assert is_taken("Constructed Fort", name, ELSEWHERE, NEAR)


def test_the_same_name_farther_off_is_the_place_only_at_the_same_address() -> None:
    assert is_taken("Constructed Fort", "Constructed Fort", ADDRESS, FAR)
    assert not is_taken("Constructed Fort", "Constructed Fort", ELSEWHERE, FAR)


def test_nothing_beyond_two_kilometres_is_the_place() -> None:
    assert not is_taken("Constructed Fort", "Constructed Fort", ADDRESS, TOO_FAR)


def test_a_longer_or_shorter_name_is_the_place_only_at_the_same_address() -> None:
    for asked, name in (("Constructed Cafe", "Constructed Cafe & Bar"), ("Constructed Cafe & Bar", "Constructed Cafe")):
        assert is_taken(asked, name)
        assert not is_taken(asked, name, ELSEWHERE)
        assert not is_taken(asked, name, "Bengaluru, Karnataka, India")


@pytest.mark.parametrize("name", ["Constructed Kitchen", "Constructed Fort 2", "\u0915\u093f\u0932\u093e"])
def test_another_name_is_another_venue_even_at_the_same_door(name: str) -> None:
    assert not is_taken("Constructed Fort 1", name)


def test_a_name_of_nothing_but_the_city_is_compared_as_it_is() -> None:
    assert is_taken("Bengaluru", "Bengaluru")
    assert not is_taken("Bengaluru", "Karnataka")


def test_an_apostrophe_parts_no_word() -> None:
    assert is_taken("Nobody's Table", "Nobodys Table")
    assert is_taken("Nobody's Table", "Nobody\u2019s Table")


def test_a_venue_in_another_time_zone_is_another_and_zones_of_two_names_are_one() -> None:
    assert not is_taken("Constructed Fort", "Constructed Fort", venue_timezone="Asia/Karachi")
    assert is_taken("Constructed Fort", "Constructed Fort", venue_timezone="Asia/Calcutta")
    assert is_taken("Constructed Fort", "Constructed Fort", venue_timezone=None)


def test_of_a_saved_answer_as_much_is_compared_as_is_known() -> None:
    assert is_taken("Constructed Fort", "Constructed Fort", subject={}, latitude=TOO_FAR)
    assert not is_taken("Constructed Fort", "Constructed Kitchen", subject={})
