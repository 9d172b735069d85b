"""The regions that exist: one folder each, with region.yaml, selection.yaml and the files made from them."""

from pathlib import Path

from schemas.region import Region, RegionError, load_region

_HOME = Path(__file__).parent

# Title, file and terms of the open data that the files of every region are made from.
ORIGINS = _HOME / "origins.yaml"


def region_ids() -> tuple[str, ...]:
    """The ids of all regions, sorted; a region is a folder here with a region.yaml."""
    return tuple(sorted(path.parent.name for path in _HOME.glob("*/region.yaml")))


def region_folder(region_id: str) -> Path:
    """The folder of a region; an unknown id is a RegionError that lists the choices."""
    if region_id not in region_ids():
        raise RegionError(f"there is no region {region_id!r}. Choose one of: {', '.join(region_ids())}")
    return _HOME / region_id


def read_region(region_id: str) -> Region:
    """Read and check a region by its id; raises RegionError."""
    return load_region(region_folder(region_id))
