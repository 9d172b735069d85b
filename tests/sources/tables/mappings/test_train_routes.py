"""Routes written by hand hold no timetable: every record is refused, and says so."""

from pathlib import Path

import pytest

from tests.sources.tables.mappings.hand_read import assert_account, assert_reject, stage_shipped

RECORDS = {"humsafar_routes": 24, "rajdhani_routes": 25, "shatabdi_routes": 21, "jan_shatabdi_routes": 23}


@pytest.mark.parametrize(("mapping_id", "records"), RECORDS.items())
def test_a_pair_of_trains_without_codes_times_and_days_becomes_no_stop(
    mapping_id: str, records: int, shared_data: Path
) -> None:
    built = stage_shipped(mapping_id, shared_data)
    assert_account(built, rows_in=records, kept=0, merged=0, quarantined={"no_timetable": records})
    assert built.notes.unused_columns == ()


@pytest.mark.parametrize(
    ("mapping_id", "number", "pair"),
    [
        ("humsafar_routes", 1, "22867/22868"),
        ("humsafar_routes", 11, "19666/19665"),
        ("rajdhani_routes", 1, "12301/12302"),
        ("rajdhani_routes", 25, "20817/20818"),
        ("shatabdi_routes", 1, "12001/12002"),
        ("jan_shatabdi_routes", 23, "15125/15126"),
    ],
)
def test_the_refusal_shows_the_pair(mapping_id: str, number: int, pair: str, shared_data: Path) -> None:
    built = stage_shipped(mapping_id, shared_data)
    assert_reject(built, number, "no_timetable")
    assert built.quarantine.to_pylist()[number - 1]["value"] == pair
