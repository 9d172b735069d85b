"""The regions under test, read once."""

import pytest

from pipeline.regions import read_region
from schemas.region import Region


@pytest.fixture(scope="session")
def india() -> Region:
    return read_region("india")


@pytest.fixture(scope="session")
def sample() -> Region:
    return read_region("sample")
