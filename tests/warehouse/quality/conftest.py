"""One good candidate for all tests that only read it."""

import pytest

from tests.warehouse.quality.good_candidate import write_candidate
from warehouse.quality.candidate import Candidate


@pytest.fixture(scope="session")
def good(tmp_path_factory: pytest.TempPathFactory) -> Candidate:
    """A candidate that passes every check; do not write into its folder."""
    return write_candidate(tmp_path_factory.mktemp("good"))
