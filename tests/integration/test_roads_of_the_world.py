"""From matrix jobs over HTTP to `distance_matrix`: what the provider gets wrong at first is right in the table.

The 504 cities are asked for in `tests/scale/test_matrix_scale.py`.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pipeline.flow import Flow
from pipeline.regions import read_region
from pipeline.settings import settings_for
from tests.integration.true_roads import faults_served, fetch_roads, untrue

SAMPLE = read_region("sample")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("roads") / "home"
    fetch_roads("sample", folder)
    return folder


@pytest.fixture(scope="module")
def rows(home: Path) -> Iterator[pa.Table]:
    settings = settings_for("sample", home)
    with settings.home.lock():
        yield Flow(settings.request, settings.home).derived("distance_matrix").part("rows")


def test_every_pair_of_the_sample_is_what_is_true_in_the_world(rows: pa.Table) -> None:
    assert rows.num_rows == 12 * 11
    assert set(rows["source"].to_pylist()) == {"tomtom"}
    assert untrue(rows, SAMPLE) == []


def test_the_answers_were_shuffled_had_failed_and_missing_cells_and_a_job_expired(home: Path) -> None:
    assert faults_served(home) >= Counter({"shuffled": 1, "STOPPED": 4, "missing": 4, "expired job": 1})


def test_a_table_that_differs_from_the_truth_in_one_cell_is_told_from_it(rows: pa.Table) -> None:
    longer = rows["distance_km"].to_pylist()
    longer[7] += 0.001
    place = rows.schema.get_field_index("distance_km")
    (found,) = untrue(rows.set_column(place, "distance_km", pa.array(longer)), SAMPLE)
    assert found.startswith("km: 1, ")
    (*_, feasible) = untrue(rows.filter(pc.not_equal(rows["origin"], "Pune")), SAMPLE)
    assert feasible.startswith("feasible: 11, ")
