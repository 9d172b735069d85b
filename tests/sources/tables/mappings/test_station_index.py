"""The station index: what rows read by hand from the raw file become, and the account of all rows."""

from pathlib import Path

import pyarrow.compute as pc
import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import (
    assert_account,
    assert_equal_built,
    assert_reject,
    assert_rows,
    stage_shipped,
)


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("station_index", shared_data)


def test_ordinary_stations_keep_code_name_and_point(built: Built) -> None:
    assert_rows(
        built,
        {
            17: {
                "source": "station_index",
                "source_ref": "stations/station_index_with_coords.csv#17",
                "source_id": "ABKP",
                "stop_code": "ABKP",
                "stop_name": "AMBIKAPUR",
                "stop_mode": "rail",
                "stop_lines": None,
                "state_name": None,
                "latitude": 23.1368268,
                "longitude": 83.1440122,
                "observed_at": None,
                "value_class": "observed",
            },
            483: {"stop_code": "BDU", "stop_name": "BADNAPUR", "latitude": 19.8748116, "longitude": 75.7230536},
            4723: {"stop_code": "NGP", "stop_name": "NAGPUR", "latitude": 21.1699068, "longitude": 79.1101322},
        },
    )


def test_codes_that_look_like_other_things_stay_text(built: Built) -> None:
    assert_rows(
        built,
        {
            4626: {"stop_code": "NAN", "stop_name": "NANDGAON ROAD", "latitude": 16.3876268, "longitude": 73.7308816},
            4751: {"stop_code": "NIL", "stop_name": "NILAMBUR ROAD", "latitude": 11.2798926, "longitude": 76.253112},
            4992: {"stop_code": "ON", "stop_name": "UNNAO JN", "latitude": 26.5492382, "longitude": 80.4874371},
            7147: {"stop_code": "Y", "stop_name": "YELIYUR", "latitude": 12.5098958, "longitude": 76.8286606},
            5483: {"stop_code": "R", "stop_name": "RAIPUR JN", "latitude": 21.2577979},
        },
    )


def test_double_blanks_in_names_become_one(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {"stop_code": "AADR", "stop_name": "AMB ANDAURA", "latitude": 31.6703546, "longitude": 76.1103728},
            902: {"stop_code": "BPL", "stop_name": "BHOPAL JN", "latitude": 23.2663138, "longitude": 77.4125257},
        },
    )


def test_stations_without_a_code_are_kept_with_their_name(built: Built) -> None:
    no_code = {"stop_code": None, "source_id": None}
    assert_rows(
        built,
        {
            7183: {**no_code, "stop_name": "Hassan Jn", "latitude": 13.0033872, "longitude": 76.1173868},
            7200: {**no_code, "stop_name": "Nagpur Jn", "latitude": 21.1699068, "longitude": 79.1101322},
            7207: {**no_code, "stop_name": "Kayamkulam Jn", "latitude": 9.1810469, "longitude": 76.5112155},
        },
    )


def test_stations_without_coordinates_are_kept_without_a_point(built: Built) -> None:
    no_point = {"latitude": None, "longitude": None}
    assert_rows(
        built,
        {
            5: {"stop_code": "AAM", "stop_name": "ANGADIPPURAM", **no_point},
            3141: {"stop_code": "KGK", "stop_name": "KANKURGACHHI ROAD CABIN", **no_point},
            7157: {"stop_code": "YJUD", "stop_name": "YAMUNANAGAR JUD", **no_point},
        },
    )


def test_signal_cabins_and_block_huts_are_rejected(built: Built) -> None:
    assert_reject(built, 105, "no_passenger_stop", "stop_name")  # ARAKKONAM NORTH CABIN
    assert_reject(built, 5877, "no_passenger_stop", "stop_name")  # SINDRI BLOCK HUT


def test_points_of_other_places_are_rejected(built: Built) -> None:
    assert_reject(built, 1471, "wrong_point", "stop_code")  # CSMT of Mumbai, at 20.55 N 78.84 E
    assert_reject(built, 2236, "wrong_point", "stop_code")  # JNANDAS KANDRA in West Bengal, at a stop of Chennai
    assert_rows(built, {3608: {"stop_code": "KTBR", "stop_name": "KASTURIBAI NAGAR", "latitude": 13.0054822}})


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(
        built,
        rows_in=7207,
        kept=7191,
        merged=0,
        quarantined={"no_passenger_stop": 9, "wrong_point": 7},
    )
    # 1,731 without coordinates, less the rejected CRAE, KLMG, SLJR and SNMY.
    assert built.rows.column("latitude").null_count == 1731 - 4
    assert built.rows.column("stop_code").null_count == 25
    assert not pc.any(pc.match_substring(built.rows.column("stop_name"), "  ")).as_py()
    assert built.notes.unused_columns == ()
    assert built.notes.unmapped == {}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("station_index", shared_data))
