"""An empty archive."""

from pathlib import Path

import pytest

from sources.transport.archive import Archive


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "raw")
