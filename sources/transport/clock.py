"""The clocks of the transport, in one place so that a test can turn them."""

import time
from datetime import UTC, datetime


class Clock:
    """The real time. Every process of a machine sees the same `monotonic`, which is what limits are shared by."""

    def now(self) -> datetime:
        """Return the time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds since the machine started."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
