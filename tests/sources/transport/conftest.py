"""A stand-in on loopback, an archive, and a transport between them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from sources.protocol.declaration import Declaration
from sources.transport.archive import Archive
from sources.transport.session import Transport
from tests.sources.transport.provider import FakeClock, declare
from tests.sources.transport.stand_in import StandIn, standing_in

Connect = Callable[..., Transport]


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with standing_in() as server:
        yield server


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "raw")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def connect(tmp_path: Path, archive: Archive, stand_in: StandIn, clock: FakeClock) -> Iterator[Connect]:
    """Make a transport to the stand-in for some declarations; settings may be replaced."""
    with ExitStack() as stack:

        def make(*declarations: Declaration, **settings: Any) -> Transport:
            known = {declaration.id: declaration for declaration in declarations or (declare(),)}
            defaults = {
                "agent": "utp/0.1.0",
                "contact": "https://contact.example",
                "origin": "sandbox",
                "limits_folder": tmp_path / "limits",
                "environment": {},
                "bases": {name: f"{stand_in.base}/{name}" for name in known},
                "clock": clock,
            }
            return stack.enter_context(Transport(known, archive, **{**defaults, **settings}))

        yield make
