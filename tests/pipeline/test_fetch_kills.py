"""A few kills at random moments of fetch and build; fifty are in `tests/scale/test_fetch_kills_scale.py`."""

from pathlib import Path

import pytest

from tests.pipeline.killing import asked_again, disturbed, undisturbed

KILLS = 4


def test_kills_change_no_value_and_nothing_answered_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = undisturbed(tmp_path / "undisturbed", monkeypatch)
    outcome = disturbed(tmp_path / "killed", KILLS, 20261130, expected, monkeypatch)
    assert outcome.values == expected.values
    assert outcome.content_hash == expected.content_hash or outcome.submissions > expected.submissions
    lost, unfounded = asked_again(outcome, expected)
    assert unfounded == []
    assert lost <= KILLS
