"""A process that asks the stand-in for some scopes: `asking BASE HOME CALLS SECONDS FIRST LAST TIME_SCALE`."""

import sys
from pathlib import Path

from sources.protocol.declaration import Rate
from sources.transport.archive import Archive
from sources.transport.session import Transport
from tests.sources.transport.provider import ask, declare


def main() -> None:
    base, home, calls, seconds, first, last, time_scale = sys.argv[1:]
    with Transport(
        {"acme": declare(rate=Rate(int(calls), float(seconds)), timeout_s=60.0)},
        Archive(Path(home) / "raw"),
        agent="utp/0.1.0",
        contact="https://contact.example",
        origin="sandbox",
        limits_folder=Path(home) / "limits",
        environment={},
        bases={"acme": f"{base}/acme"},
        time_scale=float(time_scale),
    ) as transport:
        for number in range(int(first), int(last)):
            transport.fetch(ask(f"city {number}"))


if __name__ == "__main__":
    main()
