"""Fixtures for all tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

_DEFAULT = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the state of whoever runs the tests out of them, such as what their fetches have asked lately."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("state")
        patch.setenv("XDG_STATE_HOME", str(folder))
        yield folder


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
