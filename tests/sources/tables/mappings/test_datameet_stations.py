"""The DataMeet stations: what rows read by hand from the raw file become, and the account of all rows."""

from pathlib import Path

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
    return stage_shipped("datameet_stations", shared_data)


def test_ordinary_stations_keep_code_name_state_and_point(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {
                "source": "datameet_stations",
                "source_ref": "stations/datameet_stations.geojson#1",
                "source_id": "BDHL",
                "stop_code": "BDHL",
                "stop_name": "Badhal",
                "stop_mode": "rail",
                "stop_lines": None,
                "state_name": "Rajasthan",
                "latitude": 27.2520587,
                "longitude": 75.4516454,
                "value_class": "observed",
            },
            5: {
                "stop_code": "KHH",
                "stop_name": "KICHHA",
                "state_name": "Uttar Pradesh",
                "latitude": 28.913427000000002,
                "longitude": 79.519746,
            },
            1320: {
                "stop_code": "NGP",
                "stop_name": "NAGPUR",
                "state_name": None,
                "latitude": 21.153567,
                "longitude": 79.089004,
            },
            6127: {"stop_code": "X108", "stop_name": "Aman Lodge", "latitude": 18.997761},
        },
    )


def test_codes_that_look_like_other_things_stay_text(built: Built) -> None:
    assert_rows(
        built,
        {
            1119: {"stop_code": "NIL", "stop_name": "Nilambur Road", "longitude": 76.254779},
            2261: {"stop_code": "IB", "stop_name": "IB", "latitude": 21.815777000000002},
            3176: {"stop_code": "NAN", "stop_name": "NANDGAON ROAD", "latitude": 16.387453999999998},
            7385: {"stop_code": "ON", "stop_name": "UNNAO JN", "latitude": 26.548354, "longitude": 80.486199},
        },
    )


def test_the_state_stands_as_the_file_writes_it_and_an_empty_one_is_null(built: Built) -> None:
    assert_rows(
        built,
        {
            225: {"stop_code": "CLDR", "stop_name": "Chilikidara", "state_name": "Orissa"},
            840: {"stop_code": "DEC", "stop_name": "DELHI CANTT", "state_name": "Delhi NCT"},
            1526: {"stop_code": "AMLO", "stop_name": "AMLO", "state_name": None, "latitude": 23.768893},
            1707: {"stop_code": "BBN", "stop_name": "Barbil", "state_name": "Odisha"},
        },
    )


def test_stations_without_geometry_are_kept_without_a_point(built: Built) -> None:
    no_point = {"latitude": None, "longitude": None}
    assert_rows(
        built,
        {
            26: {"stop_code": "BJUP", "stop_name": "BJUP", **no_point},
            2956: {"stop_code": "LPU", "stop_name": "Lakhpuri", "state_name": "Maharashtra", **no_point},
        },
    )


def test_placeholders_and_a_cut_off_name_in_place_of_a_code_are_rejected(built: Built) -> None:
    assert_reject(built, 2, "placeholder_code", "stop_code")  # XX-BECE
    assert_reject(built, 4, "placeholder_code", "stop_code")  # YY-BPLC
    assert_reject(built, 8644, "broken_code", "stop_code")  # YAKUT PUR(YKA


def test_a_row_without_a_name_is_no_station(built: Built) -> None:
    assert_reject(built, 3236, "required", "stop_name")  # code P


def test_stations_of_bangladesh_are_rejected(built: Built) -> None:
    assert_reject(built, 2262, "outside_country", "state_name")  # Darsana Border, no geometry
    assert_reject(built, 6487, "outside_country", "state_name")  # Dhaca Cantt., in the box around India
    assert_reject(built, 5497, "outside_country", "stop_code")  # Darsana, without address


def test_signal_cabins_are_rejected_but_cabins_where_trains_call_are_kept(built: Built) -> None:
    assert_reject(built, 937, "no_passenger_stop", "stop_name")  # TUGLAKABAD EAST CABIN, in Delhi
    assert_reject(built, 5155, "no_passenger_stop", "stop_name")  # Sindri Block Hut
    assert_reject(built, 5878, "no_passenger_stop", "stop_name")  # IBH5
    assert_rows(
        built,
        {
            2240: {"stop_code": "SZB", "stop_name": "SARONA CABIN", "latitude": 21.2532719083},
            6305: {"stop_code": "SGAC", "stop_name": "SOGARIYA CABIN", "latitude": 25.230055},
            7209: {"stop_code": "KIG", "stop_name": "KOLAGHAT GOODS", "longitude": 87.88087399999999},
        },
    )


def test_wrong_points_are_rejected(built: Built) -> None:
    assert_reject(built, 1274, "wrong_point")  # Rairangpur, at Bahalda Road
    assert_reject(built, 4668, "wrong_point")  # Cooch Behar, 21 km east of the town
    assert_reject(built, 7022, "wrong_point")  # Thandla Road, 11 km off by the timetable
    assert_reject(built, 3598, "wrong_point")  # Shankar near Jalandhar, in Delhi
    assert_reject(built, 4720, "wrong_point")  # Fateh Singhwala, at the point of Banwali
    assert_rows(built, {4644: {"stop_code": "BWC", "stop_name": "Banwali", "longitude": 74.029894}})


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(
        built,
        rows_in=8990,
        kept=8833,
        merged=0,
        quarantined={
            "placeholder_code": 23,
            "broken_code": 1,
            "outside_country": 3,
            "no_passenger_stop": 112,
            "wrong_point": 17,
            "required": 1,
        },
    )
    # 293 without geometry, less 23 placeholders, the cut-off name, Darsana Border, Tinsukia Goods and the nameless P.
    assert built.rows.column("latitude").null_count == 293 - 27
    assert built.notes.unused_columns == ()
    assert built.notes.unmapped == {}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("datameet_stations", shared_data))
