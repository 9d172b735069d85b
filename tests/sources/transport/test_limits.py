"""How often is asked: never more than declared in any window, for processes together, through kills and restarts."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sources.protocol.declaration import Rate
from sources.transport.clock import Clock
from sources.transport.days import DayFull, Days
from sources.transport.errors import ProviderStopped
from sources.transport.limits import Limits
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import FakeClock, ask, declare
from tests.sources.transport.stand_in import Script, StandIn, reply, slowly

ROOT = Path(__file__).resolve().parents[3]


@contextmanager
def _asking(
    stand_in: StandIn, home: Path, rate: Rate, first: int, last: int, time_scale: float = 1.0
) -> Iterator[subprocess.Popen[bytes]]:
    """Ask for some scopes in a process of its own, which does not outlive the block."""
    settings = [stand_in.base, str(home), str(rate.calls), str(rate.seconds), str(first), str(last), str(time_scale)]
    command = [sys.executable, "-m", "tests.sources.transport.asking", *settings]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        yield process
    finally:
        process.kill()
        process.wait(10)


def _wait_for_arrivals(stand_in: StandIn, number: int) -> None:
    end = time.monotonic() + 30
    while len(stand_in.arrivals) < number:
        assert time.monotonic() < end, f"only {len(stand_in.arrivals)} of {number} calls arrived"
        time.sleep(0.005)


def _most_in_any_window(stand_in: StandIn, seconds: float) -> int:
    times = sorted(arrival.at for arrival in stand_in.at("/acme/v1/stops"))
    return max(sum(1 for at in times if start <= at <= start + seconds) for start in times)


def _jittery() -> Script:
    """Answer after pauses that differ, so that calls are under way for a different time each."""
    pauses = [0.0, 0.09, 0.02, 0.15, 0.0, 0.05]

    def script(handler: Any) -> None:
        pauses.append(pauses.pop(0))
        slowly(reply(200), pauses[0])(handler)

    return script


class Impatient(Clock):
    """Waits for two seconds and no longer."""

    def __init__(self) -> None:
        self.left_s = 2.0

    def sleep(self, seconds: float) -> None:
        self.left_s -= seconds
        assert self.left_s > 0, "waited too long"
        super().sleep(seconds)


@pytest.mark.parametrize(
    ("rate", "time_scale", "window_s"),
    [(Rate(1, 0.2), 1.0, 0.2), (Rate(4, 0.5), 1.0, 0.5), (Rate(1, 6.0), 60.0, 0.1)],
    ids=["one in a window", "four in a window", "one in a window of a faster world"],
)
def test_two_processes_together_never_exceed_the_limit_in_any_window(
    rate: Rate, time_scale: float, window_s: float, stand_in: StandIn, tmp_path: Path
) -> None:
    stand_in.on("/acme/v1/stops", _jittery())
    with (
        _asking(stand_in, tmp_path, rate, 0, 6, time_scale) as one,
        _asking(stand_in, tmp_path, rate, 100, 106, time_scale) as other,
    ):
        assert (one.wait(60), other.wait(60)) == (0, 0)
    assert len(stand_in.at("/acme/v1/stops")) == 12
    assert _most_in_any_window(stand_in, window_s) <= rate.calls


def test_the_limit_holds_through_a_kill_in_the_middle_of_a_call_and_a_restart(
    stand_in: StandIn, tmp_path: Path
) -> None:
    rate = Rate(1, 0.4)
    stand_in.on("/acme/v1/stops", slowly(reply(200), 0.2))
    for start in (0, 100):
        with _asking(stand_in, tmp_path, rate, start, start + 10) as process:
            _wait_for_arrivals(stand_in, len(stand_in.arrivals) + 2)
            process.send_signal(signal.SIGKILL)
    with _asking(stand_in, tmp_path, rate, 900, 902) as process:
        assert process.wait(60) == 0
    assert len(stand_in.at("/acme/v1/stops")) >= 6
    assert _most_in_any_window(stand_in, rate.seconds) == 1


def test_a_killed_process_does_not_block_the_others(stand_in: StandIn, tmp_path: Path) -> None:
    stand_in.on("/acme/v1/stops", slowly(reply(200), 30.0), reply(200))
    with _asking(stand_in, tmp_path, Rate(1, 0.2), 0, 1) as process:
        _wait_for_arrivals(stand_in, 1)
        process.send_signal(signal.SIGKILL)
    limits = Limits(tmp_path / "limits", Impatient())
    with limits.slot("acme.stops", Rate(1, 0.2)):
        pass
    limits.close()


def test_a_call_counts_until_a_window_after_its_end(tmp_path: Path, clock: FakeClock) -> None:
    limits = Limits(tmp_path, clock)
    with limits.slot("k", Rate(2, 10)):
        clock.sleep(100)
    ended = clock.monotonic()
    with limits.slot("k", Rate(2, 10)):
        pass
    assert clock.monotonic() - ended < 0.1, "two may be asked in a window"
    with limits.slot("k", Rate(2, 10)):
        assert clock.monotonic() - ended > 10


def test_permits_are_spread_over_the_window(tmp_path: Path, clock: FakeClock) -> None:
    limits = Limits(tmp_path, clock)
    times = []
    for _ in range(10):
        with limits.slot("k", Rate(5, 10)):
            times.append(clock.monotonic())
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert all(2 <= gap < 2.2 for gap in gaps), gaps


def test_calls_may_be_under_way_at_the_same_time_where_the_limit_has_room(tmp_path: Path) -> None:
    limits = Limits(tmp_path, Clock())
    together, most = [0], [0]
    lock = threading.Lock()

    def call() -> None:
        with limits.slot("k", Rate(4, 0.2)):
            with lock:
                together[0] += 1
                most[0] = max(most[0], together[0])
            time.sleep(0.5)
            with lock:
                together[0] -= 1

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert most[0] == 4


def test_limits_are_per_key(tmp_path: Path, clock: FakeClock) -> None:
    limits = Limits(tmp_path, clock)
    started = clock.monotonic()
    for key in ("a.stops", "a.routes", "https://a.example:443"):
        with limits.slot(key, Rate(1, 1000)):
            pass
    assert clock.monotonic() == started


def test_a_clock_that_was_set_back_by_a_restart_waits_one_window_and_not_for_ever(tmp_path: Path) -> None:
    late, early = FakeClock(), FakeClock()
    late.sleep(1e6)
    with Limits(tmp_path, late).slot("k", Rate(1, 10)):
        pass
    started = early.monotonic()
    with Limits(tmp_path, early).slot("k", Rate(1, 10)):
        assert 10 < early.monotonic() - started < 11


def test_each_try_needs_a_permit(stand_in: StandIn, connect: Connect, clock: FakeClock) -> None:
    stand_in.on("/acme/v1/stops", reply(503), reply(503), reply(200))
    started = clock.monotonic()
    connect(declare(rate=Rate(1, 100.0))).fetch(ask())
    assert clock.monotonic() - started > 200


def test_the_cap_of_a_day_stops_the_provider_also_after_a_restart(
    stand_in: StandIn, connect: Connect, clock: FakeClock
) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    capped = declare(daily_calls=3)
    connect(capped).fetch(ask("A"))
    second = connect(capped)
    second.fetch(ask("B"))
    second.fetch(ask("C"))
    for transport in (second, connect(capped)):
        with pytest.raises(ProviderStopped, match="3 calls in 24 hours are the cap of stops; go on tomorrow"):
            transport.fetch(ask("D"))
    assert len(stand_in.arrivals) == 3
    clock.sleep(25 * 3600)
    assert connect(capped).fetch(ask("D")).status == 200


def test_no_24_hours_in_a_row_hold_more_than_the_cap_whenever_the_day_begins(tmp_path: Path, clock: FakeClock) -> None:
    days = Days(tmp_path, clock)
    made: list[float] = []
    for _ in range(400):
        clock.sleep(600)
        try:
            days.count("k", 20)
        except DayFull:
            continue
        made.append(clock.monotonic())
    assert len(made) > 40
    assert all(sum(1 for at in made if start <= at < start + 86400) <= 20 for start in made)


def test_a_day_is_shorter_where_time_is_faster(tmp_path: Path, clock: FakeClock) -> None:
    days = Days(tmp_path, clock, time_scale=60.0)
    days.count("k", 1)
    with pytest.raises(DayFull):
        days.count("k", 1)
    days.count("other", 1)
    clock.sleep(25 * 60)
    days.count("k", 1)
