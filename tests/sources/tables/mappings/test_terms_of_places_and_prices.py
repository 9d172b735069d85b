"""Whose files these are is not known or reported as restricted: nothing of them may ever stand in a public release."""

import pytest

from schemas.terms import CLASSES
from sources.tables.mapping import load_mapping
from tests.sources.tables.mappings.hand_read import MAPPINGS


@pytest.mark.parametrize(
    ("mapping_id", "reason"),
    [
        ("zomato_india", "terms_unknown"),
        ("zomato_bengaluru", "terms_unknown"),
        ("top_indian_places", "terms_unknown"),
        ("goibibo_hotels", "terms_unknown"),
        ("numbeo_2023_in", "terms_barred"),
    ],
)
def test_no_value_of_the_file_is_public(mapping_id: str, reason: str) -> None:
    terms = load_mapping(MAPPINGS / f"{mapping_id}.yaml").terms
    assert terms.public_raw() == (False, reason)
    assert not {"free", "notice", "share_alike"} & {terms.may_redistribute[name] for name in CLASSES}


def test_names_of_hotels_are_to_be_reviewed_and_contacts_dropped() -> None:
    terms = load_mapping(MAPPINGS / "goibibo_hotels.yaml").terms
    assert terms.personal_drop == ("phone", "email")
    assert terms.personal_review == ("name",)
