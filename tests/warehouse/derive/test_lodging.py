"""What is derived of a house from the words of its source, and what is not."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from schemas.region import Region
from schemas.vocab import term_map, vocabulary
from warehouse.derive.lodging import TARGETS, unreviewed, with_lodging
from warehouse.derive.places import build_places

INN = {"name": "Lake Inn", "city_name": "Delhi", "state_name": "Delhi", "latitude": 28.6, "longitude": 77.2}


def _of(staged: Any, *houses: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = with_lodging(staged("accommodations", *houses)).to_pylist()
    return rows


def test_words_lead_to_tokens_and_stay_as_evidence(staged: Any) -> None:
    amenities = ["Laundry Service", "Restaurant", "Non-smoking hotel", "Spa", "Family Rooms", "Room service"]
    house = {"property_type": "Hotel", "source_styles": ["Mid-range"], "source_amenities": amenities}
    (row,) = _of(staged, house)
    expected = {
        "house_type": "Family_Friendly",
        "house_rules": ["No_Smoking"],
        "facilities_amenities": ["Dining_Drinks", "Wellness_Spa"],
        "services": ["Cleaning_Laundry", "Food_Service"],
        "max_occupancy": 4,
    }
    assert expected.items() <= row.items()
    assert row["lodging_evidence"] == [
        "house_type=Family_Friendly: Family Rooms",
        "house_rules=No_Smoking: Non-smoking hotel",
        "facilities_amenities=Dining_Drinks: Restaurant",
        "facilities_amenities=Wellness_Spa: Spa",
        "services=Cleaning_Laundry: Laundry Service",
        "services=Food_Service: Room service",
        "max_occupancy=4: Family Rooms",
    ]


@pytest.mark.parametrize(
    "silence",
    [{}, {"source_amenities": []}, {"source_amenities": ["Pets Allowed", "Levitation"], "property_type": "Inn"}],
)
def test_without_evidence_everything_stays_null_and_no_house_states_that_it_has_no_rules(
    staged: Any, silence: dict[str, Any]
) -> None:
    (row,) = _of(staged, silence)
    assert [row[column] for column in (*TARGETS, "lodging_evidence")] == [None] * 6


def test_what_the_source_says_itself_is_kept_and_needs_no_evidence(staged: Any) -> None:
    said = {"house_type": "Luxury_Boutique", "house_rules": [], "services": ["Entertainment"], "max_occupancy": 1}
    (row,) = _of(staged, {**said, "source_amenities": ["Adults Only", "Laundry", "Family Rooms", "Gym"]})
    assert said.items() <= row.items()
    assert row["facilities_amenities"] == ["Pool_Sports"]
    assert row["lodging_evidence"] == ["facilities_amenities=Pool_Sports: Gym"]


@pytest.mark.parametrize(
    ("house", "house_type", "word"),
    [
        ({"property_type": "Resort", "source_styles": ["Luxury"]}, "Resort_Beach", "Resort"),
        ({"source_styles": ["Family"], "source_amenities": ["Beachfront"]}, "Family_Friendly", "Family"),
        ({"source_styles": ["Family", "Beach", "Luxury"]}, "Luxury_Boutique", "Luxury"),
        ({"property_type": "Family Resort"}, "Resort_Beach", "Family Resort"),
    ],
)
def test_of_several_types_the_property_type_decides_then_the_styles_then_the_order_of_the_vocabulary(
    staged: Any, house: dict[str, Any], house_type: str, word: str
) -> None:
    (row,) = _of(staged, house)
    assert row["house_type"] == house_type
    assert [line for line in row["lodging_evidence"] if line.startswith("house_type")] == [
        f"house_type={house_type}: {word}"
    ]


def test_all_words_that_speak_for_the_type_are_kept(staged: Any) -> None:
    (row,) = _of(staged, {"property_type": "Beach Hut", "source_styles": ["Beach", "Family"]})
    assert row["lodging_evidence"] == ["house_type=Resort_Beach: Beach Hut", "house_type=Resort_Beach: Beach"]


@pytest.mark.parametrize(
    ("house", "people"),
    [
        ({"property_type": "hotel"}, 2),
        ({"property_type": "Hotel", "source_amenities": ["Suites"]}, 3),
        ({"property_type": "Hotel", "source_amenities": ["Suites", "Family Rooms"]}, 4),
        ({"property_type": "Homestay"}, None),
    ],
)
def test_a_house_holds_what_its_largest_kind_of_room_holds(
    staged: Any, house: dict[str, Any], people: int | None
) -> None:
    (row,) = _of(staged, house)
    assert row["max_occupancy"] == people


def test_each_house_is_judged_by_its_own_words_alone(staged: Any) -> None:
    rows = _of(staged, {"source_styles": ["Luxury"]}, {}, {"source_amenities": ["Spa", "SPA", " Spa"]})
    assert [row["house_type"] for row in rows] == ["Luxury_Boutique", None, None]
    assert [row["facilities_amenities"] for row in rows] == [None, None, ["Wellness_Spa"]]


def test_words_that_nobody_has_reviewed_are_counted(staged: Any) -> None:
    words = {
        "source_amenities": ["Levitation", "Pool", "English"],
        "source_styles": ["Haunted"],
        "property_type": "Ark",
    }
    rows = staged("accommodations", words, {"source_amenities": ["Levitation"]})
    assert unreviewed(rows) == {"Levitation": 2, "Ark": 1, "Haunted": 1}


def test_a_derived_value_makes_a_row_complete_and_so_the_one_that_stays(region: Region, staged: Any) -> None:
    told = {**INN, "source_id": "1", "source_amenities": ["Family Rooms", "No Pets"]}
    built = build_places("accommodations", [staged("accommodations", {**INN, "source_id": "1"}, told)], region)
    (row,) = built.rows.to_pylist()
    assert (row["source_ref"], row["missing"]) == ("one.csv#2", ["price_per_night", "rating"])


def test_a_house_in_a_recorded_answer_gets_what_its_amenities_say(staged: Any, shared_data: Path) -> None:
    file = shared_data.parent / "contracts" / "samples" / "tripadvisor" / "location_details_hotel.json"
    if not file.is_file():
        pytest.skip(f"there is no {file}")
    answer = json.loads(file.read_text(encoding="utf-8"))
    house = {
        "source_amenities": answer["amenities"],
        "source_styles": answer["styles"],
        "property_type": answer["category"]["localized_name"],
    }
    rows = staged("accommodations", house)
    assert unreviewed(rows) == {}
    (row,) = with_lodging(rows).to_pylist()
    assert (row["house_type"], row["max_occupancy"]) == ("Family_Friendly", 4)
    assert row["house_rules"] == ["No_Smoking", "Checkin_Checkout"]


def test_every_map_leads_to_the_vocabulary_of_its_column() -> None:
    from schemas.fields import FIELDS

    for column, name in TARGETS.items():
        assert term_map(name).vocabulary == (FIELDS[column].vocabulary or "room_kinds")
    assert all(vocabulary("room_kinds").number(token, "people") >= 1 for token in vocabulary("room_kinds").tokens)


def test_no_rows_have_the_columns_all_the_same(staged: Any) -> None:
    rows = with_lodging(staged("accommodations"))
    assert rows.num_rows == 0
    assert rows.schema.field("lodging_evidence").type == pa.list_(pa.string())
