"""Delays over a year: what rows read by hand from the raw file become, and the account of all rows."""

import datetime as dt
from pathlib import Path

import pytest

from schemas.rows import Built
from tests.sources.tables.mappings.hand_read import (
    assert_account,
    assert_equal_built,
    assert_merged,
    assert_rows,
    stage_shipped,
)

COLUMNS = (
    "Train Number",
    "station_code",
    "station_name",
    "avg_delay_min",
    "runs_right_time",
    "runs_slight",
    "runs_significant",
    "runs_unknown",
)

READ_BY_HAND = {
    1: ("12673", "MAS", "CHENNAI CENTRAL", 2, 98.9, 0.27, 0, 0.83),
    3: ("12673", "AJJ", "ARAKKONAM", 16, 55.34, 44.38, 0.27, 0.01),
    4: ("12673", "KPD", "KATPADI JN", 17, 48.49, 49.86, 1.64, 0.01),
    13: ("12681", "KPD", "KATPADI JN", 11, 80, 20, 0, 0),
    20: ("12682", "TUP", "TIRUPPUR", 16, 40, 60, 0, 0),
    439: ("12839", "BHC", "BHADRAKH", 81, 16.67, 40, 43.33, 0),
    442: ("12839", "BBS", "BHUBANESWAR", 111, 0, 26.67, 73.33, 0),
    444: ("12839", "BALU", "BALUGAN", None, 0, 16.67, 83.33, 0),
    455: ("12839", "AKP", "ANAKAPALLE", 106, 10, 30, 60, 0),
    991: ("12261", "TATA", "TATANAGAR JN", 530, 0.48, 0, 99.04, 0.48),
    992: ("12261", "HWH", "HOWRAH JN", 586, 0.48, 0, 99.04, 0.48),
    999: ("12262", "KYN", "KALYAN JN", 482, 6.25, 0, 93.75, 0),
    1000: ("12262", "CSMT", "C SHIVAJI TERM MUMBAI", 468, 6.25, 0, 93.75, 0),
    1263: ("12202", "LTT", "LOKMANYATILAK T", 17, 55.56, 33.33, 11.11, 0),
}
# From 90 % of unknown runs on, whatever the mean says.
HARDLY_KNOWN = {
    2: ("12673", "AVD", "AVADI", None, 0.27, 0, 0, 99.73),  # mean 0
    176: ("12841", "SHM", "SHALIMAR", None, 10, 0, 0, 90),  # blank
    209: ("12842", "SHM", "SHALIMAR", None, 3.33, 0, 6.67, 90),  # mean 53
    517: ("12925", "SMVJ", "SHRI MAHAVEERJI", None, 1.64, 0.55, 0, 97.81),  # blank
    527: ("12925", "BDMJ", "BHODWAL MAJRI", None, 2.19, 6.03, 0.55, 91.23),  # mean 35
    988: ("12261", "AK", "AKOLA JN", None, 0.96, 0.96, 4.31, 93.77),  # mean 448
}


@pytest.fixture(scope="module")
def built(shared_data: Path) -> Built:
    return stage_shipped("etrain_delays_1y", shared_data)


def test_a_row_keeps_its_mean_and_the_shares_of_its_runs(built: Built) -> None:
    assert_rows(built, {number: dict(zip(COLUMNS, row, strict=True)) for number, row in READ_BY_HAND.items()})


def test_57_a_mean_over_hardly_any_known_run_is_null_and_never_zero(built: Built) -> None:
    assert_rows(built, {number: dict(zip(COLUMNS, row, strict=True)) for number, row in HARDLY_KNOWN.items()})


def test_a_row_says_over_which_time_in_which_unit_and_when_it_was_read(built: Built) -> None:
    assert_rows(
        built,
        {
            1: {
                "source": "etrain_delays_1y",
                "source_ref": "delays/etrain_delays_1y.csv#1",
                "horizon": "1year",
                "runs_unit": "percent",
                "delay_basis": "given",
                "observed_at": dt.date(2025, 9, 27),
                "value_class": "observed",
            }
        },
    )


def test_of_a_train_read_twice_the_later_reading_stays(built: Built) -> None:
    assert_merged(built, 107, 439, "read_again")
    assert_merged(built, 110, 442, "read_again")
    assert_merged(built, 112, 444, "read_again")


def test_every_row_is_accounted_for(built: Built) -> None:
    assert_account(built, rows_in=1263, kept=1228, merged=35, quarantined={})
    means = built.rows["avg_delay_min"].to_pylist()
    unknown = built.rows["runs_unknown"].to_pylist()
    assert [mean for mean, share in zip(means, unknown, strict=True) if share >= 90] == [None] * 8
    # 174 blank ones, of which one of a repeated train went and two are hardly known; six more of these had a mean.
    assert means.count(None) == 179
    assert built.notes.unused_columns == ()
    assert built.notes.unmapped == {}


def test_a_second_run_gives_the_same(built: Built, shared_data: Path) -> None:
    assert_equal_built(built, stage_shipped("etrain_delays_1y", shared_data))
