"""How often a provider was asked in the last 24 hours, kept on disk, and the cap on it.

Counted by the hour: the provider's day may begin at any hour, and no 24 hours in a row may hold more than the cap.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sources.transport.clock import Clock

_HOUR_S = 3600.0
_HOURS = 24


class DayFull(Exception):
    """The calls of the last 24 hours are the cap."""


class Days:
    """Counts of calls by key and hour in one file that processes share. An hour is `time_scale` times as short."""

    def __init__(self, folder: Path, clock: Clock, time_scale: float = 1.0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path, self._clock, self._hour_s = folder / "days.sqlite", clock, _HOUR_S / time_scale
        with self._changing() as connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS calls (key TEXT, hour_at REAL, calls INTEGER, PRIMARY KEY (key, hour_at))"
            )

    def count(self, key: str, cap: int) -> None:
        """Count one call. Raises DayFull, without counting, when it would be above the cap."""
        now = self._clock.now().timestamp()
        hour_at = now // self._hour_s * self._hour_s
        oldest = hour_at - _HOURS * self._hour_s
        with self._changing() as connection:
            connection.execute("DELETE FROM calls WHERE key = ? AND hour_at < ?", (key, oldest))
            (calls,) = connection.execute("SELECT coalesce(sum(calls), 0) FROM calls WHERE key = ?", (key,)).fetchone()
            if calls >= cap:
                raise DayFull
            connection.execute(
                "INSERT INTO calls VALUES (?, ?, 1) ON CONFLICT (key, hour_at) DO UPDATE SET calls = calls + 1",
                (key, hour_at),
            )

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._path, timeout=60, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        finally:
            connection.close()
