"""The Delhi metro: what rows read by hand from the raw file become, and the account of all rows."""

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

# Each checked by hand against its neighbours: Noida Sectors 34 to 62 stand in Gurugram, Sarai and South Extension at
# one point of central Delhi, the two Uttam Nagars have each other's point, and so on.
OFF_THE_LINE = {
    *(2, 4, 7, 8),  # Red: Hindon River, Mohan Nagar, Raj Bagh, Shaheed Nagar
    *(78, 79, 111, 112, 113, 114, 115),  # Blue: Uttam Nagar West and East, Noida Sectors 34 to 62
    *(165, 182, 183, 185, 187),  # Violet: Janpath, Sarai, N.H.P.C. Chowk, Sector 28 Faridabad, Old Faridabad
    198,  # Magenta: Terminal 1, at the point of the station before
    *(220, 228, 234, 255),  # Pink: Shalimar Bagh, Delhi Cantt, South Extension, Shiv Vihar
    *(257, 260, 264, 266, 267, 268, 269, 270),  # Aqua: Noida Sectors 50, 81, 142, 144 to 148
    277,  # Gray: Dwarka
}
SHARED_POINT = {*range(148, 159), 274, 275, 276}


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("delhi_metro", shared_data)


def test_ordinary_stations_keep_name_line_and_point(built: Built) -> None:
    assert_rows(
        built,
        {
            3: {
                "source": "delhi_metro",
                "source_ref": "transit/delhi_metro_stations.csv#3",
                "source_id": "3",
                "stop_code": None,
                "stop_name": "Arthala",
                "stop_mode": "metro",
                "stop_lines": ["Red line"],
                "state_name": None,
                "latitude": 28.676999,
                "longitude": 77.3918919,
                "observed_at": None,
                "value_class": "observed",
            },
            39: {"stop_name": "Vidhan Sabha", "stop_lines": ["Yellow line"], "latitude": 28.68802},
            212: {"stop_name": "JAMIA MILLIA ISLAMIA", "latitude": 28.55849025, "longitude": 77.28116474},
        },
    )


def test_words_about_the_line_are_no_part_of_the_name(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {"stop_name": "Shaheed Sthal", "latitude": 28.6706109, "longitude": 77.4155822},
            13: {"stop_name": "Welcome", "latitude": 28.6718, "longitude": 77.27756},
            29: {"stop_name": "Rithala", "latitude": 28.72072, "longitude": 77.10713},
            67: {"stop_name": "Dwarka Sector 21", "latitude": 28.55226, "longitude": 77.05828},
            98: {"stop_name": "Supreme Court (Pragati Maidan)"},
            132: {"stop_name": "Paschim Vihar (East)", "stop_lines": ["Green line"]},
            280: {"stop_name": "New Delhi-Airport Express", "stop_lines": ["Orange line"]},
        },
    )


def test_a_station_of_several_lines_has_a_row_for_each_of_them(built: Built) -> None:
    kashmere_gate = {"stop_name": "Kashmere Gate", "latitude": 28.6675, "longitude": 77.22817}
    assert_rows(
        built,
        {
            16: {**kashmere_gate, "stop_lines": ["Red line"]},
            41: {**kashmere_gate, "stop_lines": ["Yellow line"]},
            159: {**kashmere_gate, "stop_lines": ["Voilet line"]},
            97: {"stop_name": "Mandi House", "stop_lines": ["Blue line"], "latitude": 28.62588, "longitude": 77.2341},
            164: {"stop_name": "Mandi House", "stop_lines": ["Voilet line"], "latitude": 28.6255556},
            127: {"stop_name": "Inderlok", "stop_lines": ["Green line"], "latitude": 28.67319, "longitude": 77.16994},
        },
    )


def test_points_outside_the_area_are_rejected(built: Built) -> None:
    assert_reject(built, 5, "outside_area")  # Shyam park: the latitude is copied into the longitude
    assert_reject(built, 160, "outside_area")  # Lal Quila, 80 km off


def test_points_that_do_not_fit_the_distances_of_their_line_are_rejected_and_no_others(built: Built) -> None:
    assert _rejected(built, "off_the_line") == OFF_THE_LINE


def test_points_given_for_several_stations_of_a_line_are_rejected(built: Built) -> None:
    assert _rejected(built, "shared_point") == SHARED_POINT


def test_a_second_entry_a_kilometre_from_the_first_is_rejected(built: Built) -> None:
    assert_reject(built, 124, "wrong_point", "source_id")  # Ashok Park Main, near Punjabi Bagh
    assert_reject(built, 225, "wrong_point", "source_id")  # Rajouri Garden, 1 km south-west of itself
    assert_rows(
        built,
        {
            85: {
                "stop_name": "Rajouri Garden",
                "stop_lines": ["Blue line"],
                "latitude": 28.64902,
                "longitude": 77.1227,
            },
            128: {"stop_name": "Ashok Park Main", "latitude": 28.67153, "longitude": 77.15527},
        },
    )


def test_a_station_between_wrong_ones_is_kept(built: Built) -> None:
    assert_rows(
        built,
        {
            6: {"stop_name": "Major Mohit Sharma", "latitude": 28.6776112, "longitude": 77.3581426},
            184: {"stop_name": "Mewala Maharajpur", "latitude": 28.4418747, "longitude": 77.3023001},
            186: {"stop_name": "Badkal Mor", "latitude": 28.422814, "longitude": 77.310278},
            265: {"stop_name": "Noida Sector 143", "latitude": 28.50266325, "longitude": 77.42625566},
        },
    )


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(
        built,
        rows_in=285,
        kept=237,
        merged=0,
        quarantined={"outside_area": 2, "shared_point": 14, "wrong_point": 2, "off_the_line": 30},
    )
    assert built.rows.column("latitude").null_count == 0
    assert built.notes.unused_columns == ()
    assert built.notes.unmapped == {}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("delhi_metro", shared_data))


def _rejected(built: Built, code: str) -> set[int]:
    rows = built.quarantine.to_pylist()
    return {int(row["source_ref"].rsplit("#", 1)[1]) for row in rows if row["code"] == code}
