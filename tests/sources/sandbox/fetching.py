"""How the tests fetch from a stand-in: through the real transport and archive, in rounds, as a build does."""

from pathlib import Path

import pytest

from pipeline.allowances import read_allowances
from pipeline.asking import Asked
from pipeline.fetching import fetch
from pipeline.home import Home
from pipeline.provider_rows import stage_answers
from schemas.region import Region
from schemas.rows import Built
from sources.protocol.discovery import load_source
from sources.transport.archive import Archive

SOURCES = Path(__file__).resolve().parents[3] / "sources"


def fetched(
    name: str, region: Region, address: str, folder: Path, patch: pytest.MonkeyPatch
) -> tuple[Asked, dict[str, Built]]:
    """Ask a provider that needs no tables of others for all there is; return how that ended, and what was staged."""
    patch.setenv("UTP_SANDBOX", address)
    source, home = load_source(SOURCES / name), Home(folder)
    home.folder.mkdir(parents=True, exist_ok=True)
    allowances = read_allowances(home.folder, [source.declaration], of_stand_ins=True)
    asked = fetch([source], region, home, "sandbox", allowances, lambda _: {})[name]
    return asked, stage_answers(source, Archive(home.raw).answers(name))
