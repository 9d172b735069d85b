"""The limit: a sliding window that counts every call and admits only so many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.sandbox.limiter import Limit, Limiter


@pytest.fixture
def limiter() -> Limiter:
    return Limiter(Limit(calls=2, seconds=10.0))


def test_calls_beyond_the_limit_are_refused_until_the_window_has_moved_on(limiter: Limiter) -> None:
    assert [limiter.admit(now) for now in (0.0, 1.0, 9.9, 10.0, 10.5, 11.0)] == [True, True, False, True, False, True]


def test_calls_exactly_a_window_apart_share_none(limiter: Limiter) -> None:
    assert [limiter.seen(now) for now in (0.0, 5.0, 10.0, 20.0)] == [1, 2, 2, 1]


def test_refused_calls_are_counted_and_use_nothing_up(limiter: Limiter) -> None:
    for now in (0.0, 0.1, 0.2, 0.3):
        counted = limiter.seen(now)
        limiter.admit(now)
    assert counted == 4
    assert limiter.free(10.05) == 1


def test_what_is_free_and_when_more_will_be_add_up_to_the_limit(limiter: Limiter) -> None:
    limiter.admit(0.0)
    limiter.admit(4.0)
    assert (limiter.free(5.0), limiter.waits(5.0)) == (0, [5.0, 9.0])
    assert (limiter.free(10.0), limiter.waits(10.0)) == (1, [4.0])


@given(st.lists(st.floats(0, 100), max_size=60).map(sorted))
def test_no_window_ever_holds_more_admitted_calls_than_the_limit(times: list[float]) -> None:
    limiter = Limiter(Limit(calls=3, seconds=7.0))
    admitted = [now for now in times if limiter.admit(now)]
    assert all(sum(now - 7.0 < other <= now for other in admitted) <= 3 for now in admitted)
