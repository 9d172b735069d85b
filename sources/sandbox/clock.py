"""The time of the sandbox, which may run faster than real time, so that limits are felt and builds stay short."""

import time
from datetime import UTC, date, datetime, timedelta


class Clock:
    """A clock that runs `scale` times as fast as real time; `as_of` is the day of the data that providers hold.

    Answers carry `as_of` and never the running time, so that the same question gets the same bytes in every process
    of a day. A day long past makes providers look like mirrors that stopped to follow.
    """

    def __init__(self, scale: float, as_of: date) -> None:
        self.scale = scale
        self.as_of = as_of
        self._started_at = datetime.now(UTC)
        self._start = time.monotonic()

    def now(self) -> float:
        """Return the scaled seconds since the start."""
        return (time.monotonic() - self._start) * self.scale

    def utc(self, seconds_ahead: float = 0.0) -> datetime:
        """Return the scaled time of day, or what it will be in so many scaled seconds."""
        return self._started_at + timedelta(seconds=self.now() + seconds_ahead)
