"""Asking all providers of a build: the transport for its profile, and the gate before each provider.

A provider that may not be asked, or that stops answering, leaves the others alone.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import UTC, date, datetime
from functools import partial

from pipeline.asking import Asked, ask
from pipeline.home import Home
from pipeline.settings import OnAnswer, Profile, nobody_counts
from schemas.errors import UtpError
from schemas.permits import may_call
from schemas.region import Region
from sources.protocol.discovery import Source
from sources.sandbox.process import running
from sources.transport.archive import Archive
from sources.transport.session import Transport

AGENT = "utp/0.1.0"

# A contact is demanded of whoever asks; the stand-in has nobody who would write to it.
STAND_IN_CONTACT = "stand-in"

# So many times faster than time the stand-in and the limits kept towards it run.
TIME_SCALE = 200.0


def fetch(
    sources: Iterable[Source], region: Region, home: Home, profile: Profile, on_answer: OnAnswer = nobody_counts
) -> dict[str, Asked]:
    """Ask providers for all that is still open, as far as the archive; return how it ended for each."""
    archive = Archive(home.raw)
    outcome: dict[str, Asked] = {}
    chosen = {source.declaration.id: source for source in sources}
    for name, reason in blocked(chosen, profile).items():
        outcome[name] = Asked(0, stopped=reason)
    allowed = {name: source for name, source in chosen.items() if name not in outcome}
    if allowed:
        with _transport(allowed, archive, home, region.id, profile) as transport:
            for name, source in allowed.items():
                outcome[name] = ask(source, region, transport, archive, datetime.now(UTC), partial(on_answer, name))
        archive.seal()
    return outcome


def blocked(sources: Mapping[str, Source], profile: str) -> dict[str, str]:
    """Return the providers that may not be asked live, and why: who has to sign what. A stand-in is asked freely."""
    if profile != "live":
        return {}
    reasons = {name: may_call(source.declaration.terms, date.today()) for name, source in sources.items()}
    return {name: reason for name, reason in reasons.items() if reason is not None}


@contextmanager
def _transport(
    sources: Mapping[str, Source], archive: Archive, home: Home, region_id: str, profile: Profile
) -> Iterator[Transport]:
    """Open a transport to the real providers, or to a stand-in that lives as long as it.

    UTP_SANDBOX names a stand-in that runs already (`utp sandbox serve`), at the time scale that is kept here.
    """
    declarations = {name: source.declaration for name, source in sources.items()}
    limits = home.folder / "limits"
    if profile == "sandbox":
        running_one = os.environ.get("UTP_SANDBOX", "")
        with (
            nullcontext(running_one) if running_one else running(region_id, time_scale=TIME_SCALE) as address,
            Transport(
                declarations,
                archive,
                agent=AGENT,
                contact=STAND_IN_CONTACT,
                origin="sandbox",
                limits_folder=limits,
                environment=os.environ,
                bases={name: f"{address}/{name}/api" for name in declarations},
                time_scale=TIME_SCALE,
            ) as transport,
        ):
            yield transport
        return
    contact = os.environ.get("UTP_CONTACT", "")
    if not contact:
        raise UtpError("set UTP_CONTACT to an address under which a provider finds you; nobody is asked without one")
    with Transport(
        declarations,
        archive,
        agent=AGENT,
        contact=contact,
        origin="live",
        limits_folder=limits,
        environment=os.environ,
    ) as transport:
        yield transport
