"""Whose files these are is not known or reported as restricted: nothing of them may ever stand in a public release."""

from datetime import date

import pytest

from schemas.model import FieldClass
from schemas.publicity import Input, decide
from schemas.terms import GRANTS
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
        ("train_schedule_wide", "terms_unknown"),
        ("train_schedule_wide_alt21", "terms_unknown"),
        ("train_master_list", "terms_unknown"),
        ("humsafar_routes", "terms_unknown"),
        ("rajdhani_routes", "terms_unknown"),
        ("shatabdi_routes", "terms_unknown"),
        ("jan_shatabdi_routes", "terms_unknown"),
        ("etrain_delays_1y", "terms_unknown"),
        ("redbus_2024_07", "terms_unknown"),
        ("redbus_wb", "terms_unknown"),
        ("mapindia_events", "terms_unknown"),
        ("puttingscene_events", "terms_unknown"),
        ("skillboxes_events", "terms_unknown"),
        ("underline_events", "terms_unknown"),
    ],
)
def test_no_value_of_the_file_is_public(mapping_id: str, reason: str) -> None:
    terms = load_mapping(MAPPINGS / f"{mapping_id}.yaml").terms
    classes: tuple[FieldClass, ...] = ("id", "raw", "derived", "text")
    decisions = {klass: decide(klass, [Input(mapping_id, "rating", terms)], date.max) for klass in classes}
    assert decisions["raw"].code == reason
    assert not any(decision.is_public for decision in decisions.values())
    assert not set(GRANTS) & {*terms.may_redistribute.values()}


def test_names_of_hotels_are_to_be_reviewed_and_contacts_dropped() -> None:
    terms = load_mapping(MAPPINGS / "goibibo_hotels.yaml").terms
    assert terms.personal_drop == ("phone", "email")
    assert terms.personal_review == ("name",)
