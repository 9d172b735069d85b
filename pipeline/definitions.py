"""The composition root: everything Dagster knows, put together in one place.

`build_defs(settings)` is what `utp build` and tests call. The module's own `defs` is what Dagster's page loads; it
takes home, region and tables folder from the environment that `utp ui` sets.
"""

import os
from pathlib import Path

import dagster as dg

from pipeline.defs.assets import all_assets
from pipeline.defs.checks import candidate_checks
from pipeline.defs.jobs import build_release
from pipeline.defs.resources import flow_resource
from pipeline.settings import Settings, settings_for


def settings_from_environment() -> Settings:
    """Return the settings that `utp ui` left in UTP_REGION, UTP_HOME and UTP_TABLES_DIR."""
    home, tables_dir = os.environ.get("UTP_HOME"), os.environ.get("UTP_TABLES_DIR")
    return settings_for(
        os.environ.get("UTP_REGION", "india"),
        Path(home) if home else None,
        Path(tables_dir) if tables_dir else None,
        profile="sandbox" if os.environ.get("UTP_PROFILE") == "sandbox" else "replay",
    )


def build_defs(settings: Settings) -> dg.Definitions:
    """Return assets, checks, job and resources for one kind of build."""
    return dg.Definitions(
        assets=all_assets(list(settings.request.mappings.values()), list(settings.request.sources.values())),
        asset_checks=[candidate_checks],
        jobs=[build_release],
        resources={"flow": flow_resource(settings)},
    )


@dg.definitions
def defs() -> dg.Definitions:
    return build_defs(settings_from_environment())
