"""The composition root: everything Dagster knows, put together in one place.

`build_defs(settings)` is what `utp build` and tests call. The module's own `defs` is what Dagster's page loads; it takes
home, region and tables folder from the environment that `utp ui` sets.
"""

import os
from pathlib import Path

import dagster as dg

from pipeline.defs.assets import all_assets
from pipeline.defs.checks import candidate_checks
from pipeline.defs.jobs import build_release
from pipeline.defs.resources import Settings, flow_resource
from pipeline.flow import Audience, OnStep, Request, nobody_listens
from pipeline.home import Home, default_home
from pipeline.origins import read_origins
from pipeline.regions import read_region
from sources.tables.mapping import SHIPPED, find_mappings


def settings_for(
    region_id: str,
    home: Path | None = None,
    tables_dir: Path | None = None,
    audience: Audience = "internal",
    on_step: OnStep = nobody_listens,
) -> Settings:
    """Return the settings of a build; a region or mapping that is wrong raises at once.

    Mappings are those that come with the project and any `*.mapping.yaml` below the tables folder.
    """
    mappings = find_mappings(SHIPPED, *([tables_dir] if tables_dir else []))
    request = Request(read_region(region_id), read_origins(region_id), mappings, tables_dir, audience)
    return Settings(request, Home(home or default_home(region_id)), on_step)


def settings_from_environment() -> Settings:
    """Return the settings that `utp ui` left in UTP_REGION, UTP_HOME and UTP_TABLES_DIR."""
    home, tables_dir = os.environ.get("UTP_HOME"), os.environ.get("UTP_TABLES_DIR")
    return settings_for(
        os.environ.get("UTP_REGION", "india"), Path(home) if home else None, Path(tables_dir) if tables_dir else None
    )


def build_defs(settings: Settings) -> dg.Definitions:
    """Return assets, checks, job and resources for one kind of build."""
    return dg.Definitions(
        assets=all_assets(list(settings.request.mappings.values())),
        asset_checks=[candidate_checks],
        jobs=[build_release],
        resources={"flow": flow_resource(settings)},
    )


@dg.definitions
def defs() -> dg.Definitions:
    return build_defs(settings_from_environment())
