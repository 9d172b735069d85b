"""The Kochi metro: what rows read by hand from the raw file become, and the account of all rows."""

from pathlib import Path

import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import assert_account, assert_equal_built, assert_rows, stage_shipped

# Record: stop_id, stop_name, stop_lat, stop_lon.
READ_BY_HAND = {
    1: ("ALVA", "Aluva", 10.1099, 76.3495),
    2: ("PNCU", "Pulinchodu", 10.0951, 76.3466),
    3: ("CPPY", "Companypady", 10.0873, 76.3428),
    6: ("KLMT", "Kalamassery", 10.0586, 76.322),
    7: ("CCUV", "Cochin University", 10.0467, 76.3182),
    8: ("PDPM", "Pathadipalam", 10.0361, 76.3144),
    9: ("EDAP", "Edapally", 10.0251, 76.3083),
    11: ("PARV", "Palarivattom", 10.0064, 76.3048),
    13: ("KALR", "Kaloor", 9.9943, 76.2914),
    14: ("TNHL", "Town Hall", 9.9913775, 76.2883601),
    15: ("MGRD", "MG Road", 9.9834, 76.2823),
    16: ("MACE", "Maharajas College", 9.9732, 76.2851),
    17: ("ERSH", "Ernakulam South", 9.9686042, 76.2895744),
    18: ("KVTR", "Kadavanthra", 9.9665809, 76.2981877),
    19: ("EMKM", "Elamkulam", 9.9671248, 76.3084899),
    20: ("VYTA", "Vyttila", 9.9675457, 76.3203664),
    22: ("PETT", "Pettah", 9.9524842, 76.3302101),
    23: ("VAKK", "Vadakkekotta", 9.952838, 76.3394827),
    24: ("SNJN", "SN Junction", 9.9547532, 76.3458505),
    25: ("TPHT", "Tripunithura", 9.95078, 76.35183),
}


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("kochi_metro", shared_data)


def test_stations_keep_code_english_name_and_point(built: Built) -> None:
    columns = ("stop_code", "stop_name", "latitude", "longitude")
    assert_rows(built, {record: dict(zip(columns, row, strict=True)) for record, row in READ_BY_HAND.items()})


def test_a_staged_row_says_where_it_comes_from_and_what_the_file_leaves_open(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {
                "source": "kochi_metro",
                "source_ref": "transit/kochi_metro_gtfs_json/stops.json#1",
                "source_id": "ALVA",
                "stop_mode": "metro",
                "stop_lines": None,
                "state_name": None,
                "observed_at": None,
                "value_class": "observed",
            }
        },
    )


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=25, kept=25, merged=0, quarantined={})
    assert built.rows.column("latitude").null_count == 0
    assert built.notes.unused_columns == ()
    assert built.notes.unmapped == {}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("kochi_metro", shared_data))
