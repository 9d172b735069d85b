"""The roads of the constructed world: fetched as a build fetches them, and held against what is true in it.

How a truth becomes a value of the table is said here anew, as the contract says it, and not with the code under test.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from pipeline.flow import Flow
from pipeline.settings import settings_for
from schemas.region import Region
from sources.sandbox.roads import Roads
from sources.transport.archive import Archive

SEED = 1


def fetch_roads(region_id: str, home: Path) -> None:
    """Ask a stand-in for all roads of a region, as far as the archive."""
    settings = settings_for(region_id, home, profile="sandbox")
    settings.home.prepare()
    with settings.home.lock():
        asked = Flow(settings.request, settings.home).ask(["tomtom"])["tomtom"]
    assert (asked.failed, asked.stopped) == ((), None)


def untrue(rows: pa.Table, region: Region) -> list[str]:
    """Return in what a `distance_matrix` differs from the truth, with the first pairs that do."""
    truth = _truth(region)
    built = rows.to_pandas().rename(columns={"road_status": "status", "road_feasible": "feasible"})
    both = truth.merge(built, "outer", on=["origin", "destination"], suffixes=("", "_built"), validate="1:1")
    wrong = {
        "pairs": both["status"].isna() | both["status_built"].isna(),
        "status": both["status"] != both["status_built"],
        "km": ~_same(both["km"], both["distance_km"]),
        "minutes": ~_same(both["minutes"], both["duration_min"]),
        "feasible": both["feasible"] != both["feasible_built"],
    }
    return [
        f"{what}: {int(mask.sum())}, first {both[mask].iloc[0].to_dict()}" for what, mask in wrong.items() if mask.any()
    ]


def faults_served(home: Path) -> Counter[str]:
    """Count what was wrong with the answers of matrix jobs: `shuffled` results, failed and `missing` cells, jobs."""
    found: Counter[str] = Counter()
    archive = Archive(home / "raw")
    for answer in archive.answers("tomtom", "matrix_status"):
        found["expired job"] += answer.status == 404
    for answer in archive.answers("tomtom", "matrix_result"):
        cells = json.loads(answer.body or b"")["data"]
        sides = [len(json.loads(answer.subject[side])) for side in ("origins", "destinations")]
        places = [(cell["originIndex"], cell["destinationIndex"]) for cell in cells]
        found["shuffled"] += places != sorted(places)
        found["missing"] += sides[0] * sides[1] - len(cells)
        for cell in cells:
            error = cell.get("detailedError")
            if error is not None:
                inner = error.get("innerError", error)
                found["STOPPED" if "STOPPED" in inner["message"] else inner["code"]] += 1
    return +found


def _truth(region: Region) -> pd.DataFrame:
    truth = Roads(SEED, region.cities).pairs().to_pandas()
    names = {city.city_id: city.name for city in region.cities}
    minutes = np.maximum(1, np.floor(truth["seconds"] / 60 + 0.5))
    return pd.DataFrame(
        {
            "origin": truth["origin_city_id"].map(names),
            "destination": truth["destination_city_id"].map(names),
            "status": truth["status"],
            "km": truth["metres"] / 1000,
            "minutes": minutes,
            "feasible": minutes <= 24 * 60,
        }
    )


def _same(one: "pd.Series[float]", other: "pd.Series[float]") -> "pd.Series[bool]":
    return (one == other) | (one.isna() & other.isna())
