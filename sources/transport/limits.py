"""How often may be asked, held by all processes of a machine together, through kills and restarts.

A call counts against its limit from its permit until a whole window after its **end**. The provider counts it somewhere
between the two, so whatever delays a call on its way, the provider never sees more than the limit in any window.
Besides, permits are spread over the window, so that the whole of it is never spent in one burst.

The counting is pyrate-limiter's, on SQLite under a file lock. Two things are added to its log of calls: a call under
way counts as made now, and a call whose process died counts as ended when that was noticed. A process is alive as long
as the kernel holds a lock for it. Times are those since the start of the machine; after a restart of it old ones can
only look younger than they are, or lie in the future, and then count as now.
"""

import fcntl
import math
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TextIO

from pyrate_limiter import Rate, RateItem, SQLiteBucket

from sources.transport.clock import Clock

_LOOK_AGAIN = 20


class Allowance(Protocol):
    """So many `calls` in any `seconds`."""

    @property
    def calls(self) -> int: ...
    @property
    def seconds(self) -> float: ...


class Limits:
    """Permits to call, by key (no quotes in it); all processes that share `folder` share the limits, threads too.

    A stand-in whose clock runs `time_scale` times as fast as ours is asked as many times as often.
    """

    def __init__(self, folder: Path, clock: Clock, time_scale: float = 1.0) -> None:
        self._folder, self._clock, self._time_scale = folder, clock, time_scale
        self._holders = folder / "holders"
        self._holders.mkdir(parents=True, exist_ok=True)
        self._name = secrets.token_hex(8)
        self._sign_of_life = (self._holders / self._name).open("w")
        fcntl.flock(self._sign_of_life, fcntl.LOCK_EX)
        self._windows: dict[tuple[str, int, float], _Window] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Let go of everything; calls still under way count as ended now."""
        (self._holders / self._name).unlink(missing_ok=True)
        self._sign_of_life.close()
        for window in self._windows.values():
            window.close()

    @contextmanager
    def slot(self, key: str, rate: Allowance) -> Iterator[None]:
        """Wait until a call is permitted, and count it until a window after the end of the block."""
        window = self._of(key, rate)
        call = f"{self._name}:{secrets.token_hex(8)}"
        while (wait_ms := self._enter(window, call)) > 0:
            self._clock.sleep(wait_ms / 1000)
        try:
            yield
        finally:
            window.calls.settle(call, self._now_ms())

    def _of(self, key: str, rate: Allowance) -> "_Window":
        with self._lock:
            known = (key, rate.calls, rate.seconds)
            if known not in self._windows:
                self._windows[known] = self._window(key, rate)
            return self._windows[known]

    def _window(self, key: str, rate: Allowance) -> "_Window":
        ms = rate.seconds * 1000 / self._time_scale
        spacing_ms = int(ms / rate.calls)
        return _Window(
            calls=_bucket(self._folder / "calls.sqlite", key, Rate(rate.calls, max(1, math.ceil(ms)))),
            # One call in the window is spaced by the window itself.
            starts=_bucket(self._folder / "starts.sqlite", key, Rate(1, spacing_ms))
            if rate.calls > 1 and spacing_ms > 0
            else None,
            look_again_ms=max(1, math.ceil(ms / _LOOK_AGAIN)),
        )

    def _enter(self, window: "_Window", call: str) -> int:
        """Take a permit and return 0, or return the milliseconds after which to try again."""
        with window.calls.lock:
            now = self._now_ms()
            is_any_under_way = window.calls.refresh(now, self._is_alive)
            if window.starts is not None and (wait := window.starts.take("", now)):
                return wait
            wait = window.calls.take(call, now)
            # The end of a call under way is not known, so its window cannot be waited for in one go.
            return min(wait, window.look_again_ms) if is_any_under_way else wait

    def _now_ms(self) -> int:
        return int(self._clock.monotonic() * 1000)

    def _is_alive(self, name: str) -> bool:
        if name == self._name:
            return True
        path = self._holders / name
        try:
            holder: TextIO = path.open("r+")
        except FileNotFoundError:
            return False
        with holder:
            try:
                fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
            path.unlink(missing_ok=True)
            return False


class _Log(SQLiteBucket):
    """A log of calls in which those under way are named `<process>:<call>` and those that ended have no name."""

    def take(self, name: str, now: int) -> int:
        """Log a call and return 0, or return the milliseconds until there may be room."""
        with self.lock:
            self.leak(now)
            self._pull_back(now)
            item = RateItem(name, now)
            return 0 if self.put(item) else max(1, int(self.waiting(item)))  # type: ignore[arg-type]

    def settle(self, call: str, now: int) -> None:
        """Note the end of a call."""
        with self.lock:
            self._run("UPDATE '{table}' SET item_timestamp = ?, name = '' WHERE name = ?", now, call)

    def refresh(self, now: int, is_alive: "_IsAlive") -> bool:
        """Bring the calls under way up to `now`, end those of dead processes; say whether any is under way."""
        with self.lock:
            rows = self.conn.execute(f"SELECT DISTINCT name FROM '{self.table}' WHERE name <> ''").fetchall()
            is_under_way = False
            for (call,) in rows:
                if is_alive(call.partition(":")[0]):
                    is_under_way = True
                    self._run("UPDATE '{table}' SET item_timestamp = ? WHERE name = ?", now, call)
                else:
                    self.settle(call, now)
            return is_under_way

    def _pull_back(self, now: int) -> None:
        self._run("UPDATE '{table}' SET item_timestamp = ? WHERE item_timestamp > ?", now, now)

    def _run(self, statement: str, *values: int | str) -> None:
        self.conn.execute(statement.format(table=self.table), values)
        self.conn.commit()


class _IsAlive(Protocol):
    def __call__(self, name: str, /) -> bool: ...


class _Window:
    def __init__(self, calls: _Log, starts: _Log | None, look_again_ms: int) -> None:
        self.calls, self.starts, self.look_again_ms = calls, starts, look_again_ms

    def close(self) -> None:
        for log in (self.calls, self.starts):
            if log is not None:
                log.conn.close()


def _bucket(path: Path, key: str, rate: Rate) -> _Log:
    bucket = _Log.init_from_file([rate], table=key, db_path=str(path), use_file_lock=True)
    assert isinstance(bucket, _Log)
    return bucket
