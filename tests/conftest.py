"""Fixtures for all tests."""

import os
from pathlib import Path

import pytest

_DEFAULT = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real files and worked numbers beside the checkout; UTP_SHARED names another one."""
    folder = Path(os.environ.get("UTP_SHARED", _DEFAULT))
    if not folder.is_dir():
        pytest.skip(f"needs real files that are not part of the project; none at {folder} (set UTP_SHARED)")
    return folder


@pytest.fixture(scope="session")
def shared_data(shared: Path) -> Path:
    """Real public files about India, for tests only."""
    return shared / "data"
