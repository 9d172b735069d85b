"""Dagster's definitions as a whole: what they are, and how fast and light they load."""

import json
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from pipeline.definitions import build_defs
from pipeline.settings import settings_for
from schemas.tables import TABLES
from warehouse.quality.checks import check_specs

SNAPSHOT = Path(__file__).parent / "asset_specs.json"


@pytest.fixture(scope="module")
def defs(tmp_path_factory: pytest.TempPathFactory) -> dg.Definitions:
    return build_defs(settings_for("india", tmp_path_factory.mktemp("home")))


def _specs(defs: dg.Definitions) -> dict[str, dict[str, object]]:
    return {
        spec.key.to_user_string(): {
            "deps": sorted(dep.asset_key.to_user_string() for dep in spec.deps),
            "group": spec.group_name,
            "kinds": sorted(spec.kinds),
            "owners": list(spec.owners),
            "description": spec.description,
        }
        for spec in defs.resolve_all_asset_specs()
    }


def test_the_assets_are_those_of_the_snapshot(defs: dg.Definitions) -> None:
    """After a wanted change: python -m tests.pipeline.test_definitions, and look at the difference."""
    assert _specs(defs) == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


def test_every_table_shows_the_columns_that_are_declared(defs: dg.Definitions) -> None:
    for name, declared in TABLES.items():
        spec = next(one for one in defs.resolve_all_asset_specs() if one.key == dg.AssetKey(["tables", name]))
        schema = spec.metadata["dagster/column_schema"]
        columns = (schema.value if isinstance(schema, dg.MetadataValue) else schema).columns
        assert [column.name for column in columns] == list(declared.columns)
        assert all(column.description for column in columns)


def test_every_blocking_check_stands_before_the_release(defs: dg.Definitions) -> None:
    graph = defs.resolve_asset_graph()
    before_release = graph.get(dg.AssetKey("release")).parent_keys
    for name in TABLES:
        key = dg.AssetKey(["tables", name])
        assert key in before_release
        for spec in check_specs(name):
            assert graph.get(dg.AssetCheckKey(key, spec.name)).blocking == spec.is_blocking


def test_loading_the_definitions_leaves_slow_libraries_alone(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from pipeline.definitions import build_defs; from pipeline.settings import settings_for;"
        "build_defs(settings_for('india', Path(sys.argv[1]))).resolve_job_def('build_release');"
        "print([name for name in ('great_expectations', 'osmnx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


if __name__ == "__main__":
    text = json.dumps(_specs(build_defs(settings_for("india", Path("data/india")))), indent=1, sort_keys=True)
    SNAPSHOT.write_text(text + "\n", encoding="utf-8")
