"""Fifty kills at random moments of fetch and build, ten for each of five homes: the same release, and what is lost.

What an answer costs is paid once: only the one that was on its way at a kill may be asked for again.
"""

from pathlib import Path

import pytest

from sources.sandbox.faults import PROFILES
from tests.pipeline.killing import asked_again, disturbed, undisturbed

HOMES = 5
KILLS = 10


@pytest.mark.scale
@pytest.mark.parametrize("faults", PROFILES)
def test_fetch_and_build_survive_fifty_kills(faults: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = undisturbed(tmp_path / "undisturbed", monkeypatch)
    lost, submitted_again = 0, 0
    for number in range(HOMES):
        outcome = disturbed(tmp_path / f"killed-{number}", KILLS, number, expected, monkeypatch, faults)
        assert outcome.values == expected.values
        is_same = outcome.content_hash == expected.content_hash
        assert is_same or outcome.submissions > expected.submissions
        submitted_again += outcome.submissions - expected.submissions
        again, unfounded = asked_again(outcome, expected)
        assert unfounded == []
        lost += again
    assert lost <= HOMES * KILLS
    print(
        f"\n{HOMES * KILLS} kills with faults {faults!r}: same values, {lost} answers lost in flight and asked again, "
        f"{submitted_again} jobs submitted again"
    )
