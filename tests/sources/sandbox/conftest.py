"""A small region, its world, and a sandbox that serves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.region import Region, load_region
from sources.sandbox.process import running
from sources.sandbox.world import World, build_world

SAMPLE = Path(__file__).resolve().parents[3] / "pipeline" / "regions" / "sample"
INDIA = SAMPLE.parent / "india"


@pytest.fixture(scope="session")
def region() -> Region:
    return load_region(SAMPLE)


@pytest.fixture(scope="session")
def india() -> Region:
    """A region with an island, a city off the road and pairs of every kind."""
    return load_region(INDIA)


@pytest.fixture(scope="session")
def world(region: Region) -> World:
    return build_world(region, seed=1)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A sandbox so much faster than time that no test here feels its limits."""
    with running("sample", time_scale=1e6) as where:
        yield where


@pytest.fixture(scope="session")
def india_address() -> Iterator[str]:
    """As `address`, for the large region."""
    with running("india", time_scale=1e6) as where:
        yield where
