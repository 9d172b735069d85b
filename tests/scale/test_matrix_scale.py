"""All roads between the 504 cities of `india`, as the constructed world serves them: true to the last pair.

How long it takes from archived answers to a checked table, and in how much memory, is printed and not judged. The
normal run has the 12 cities of the sample (`tests/integration/test_roads_of_the_world.py`).
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.regions import read_region
from tests.integration.true_roads import faults_served, fetch_roads, untrue
from tests.pipeline.command import ROOT

CONTRACTED_KEY = "constructed-contracted"
# A process of its own, so that what it needs is what the work needs.
CHECKED = """
import time
began = time.perf_counter()
import resource, shutil, sys
from pathlib import Path
from pipeline.flow import Flow
from pipeline.settings import settings_for

settings = settings_for("india", Path(sys.argv[1]))
with settings.home.lock():
    flow = Flow(settings.request, settings.home)
    flow.derived("distance_matrix")
    derived = time.perf_counter()
    wrong = [one for one in flow.verdicts if one.table == "distance_matrix" and one.is_blocking and not one.passed]
    assert wrong == [], wrong
    shutil.copyfile(flow.derived("distance_matrix").rows_path, sys.argv[2])
used = resource.getrusage(resource.RUSAGE_SELF)
seconds, of_a_core = time.perf_counter() - began, used.ru_utime + used.ru_stime
print(f"{seconds:.1f} s ({derived - began:.1f} s to the table, {of_a_core:.1f} s of a core)", end=", ")
print(f"peak memory {used.ru_maxrss / 1024:,.0f} MB")
"""


@pytest.mark.scale
@pytest.mark.parametrize("account", ["standard", "contracted"])
def test_all_roads_between_504_cities_are_what_is_true_in_the_world(
    account: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home, table = tmp_path / "home", tmp_path / "distance_matrix.parquet"
    home.mkdir()
    (home / "accounts.yaml").write_text(f"tomtom: {account}\n")
    if account == "contracted":
        monkeypatch.setenv("UTP_TOMTOM_KEY", CONTRACTED_KEY)
    fetch_roads("india", home)
    served = faults_served(home)
    assert served >= Counter({"shuffled": 1, "STOPPED": 4, "missing": 4, "expired job": 1, "NO_ROUTE_FOUND": 1_000})

    done = subprocess.run(
        [sys.executable, "-c", CHECKED, home, table], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with capsys.disabled():
        print(f"\nmatrix of 504 cities, account {account}: {dict(served)}")
        print(f"from archive to checked table {done.stdout.strip()}")
    rows = pq.read_table(table)
    assert rows.num_rows == 253_512
    assert untrue(rows, read_region("india")) == []
