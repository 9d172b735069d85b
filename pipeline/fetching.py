"""Asking all providers of a build: the transport for its profile, and the gate before each provider.

A provider that may not be asked, or that stops answering, leaves the others alone.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from pipeline.allowances import Allowances
from pipeline.asking import Asked, Needed, ask
from pipeline.home import Home
from pipeline.settings import OnAnswer, OnEnd, Profile, nobody_counts, nobody_minds
from schemas.errors import StorageError, UtpError
from schemas.permits import may_call
from schemas.region import Region
from sources.protocol.declaration import Declaration
from sources.protocol.discovery import Source
from sources.sandbox.process import running
from sources.transport.archive import Archive
from sources.transport.budget import Budget
from sources.transport.session import Transport

AGENT = "utp/0.1.0"

# A contact is demanded of whoever asks; the stand-in has nobody who would write to it.
STAND_IN_CONTACT = "stand-in"

# So many times faster than time the stand-in and the limits kept towards it run.
TIME_SCALE = 200.0


def fetch(
    sources: Iterable[Source],
    region: Region,
    home: Home,
    profile: Profile,
    allowances: Allowances,
    needed: Callable[[Source], Needed],
    on_answer: OnAnswer = nobody_counts,
    on_end: OnEnd = nobody_minds,
) -> dict[str, Asked]:
    """Ask providers for all that is still open, as far as the archive; return how it ended for each.

    One that needs the tables of others is asked after them; `needed` is called for it then, when they have answered.
    """
    archive = Archive(home.raw)
    outcome: dict[str, Asked] = {}
    chosen = {source.declaration.id: source for source in sources}
    for name, reason in blocked(chosen, profile).items():
        outcome[name] = Asked(0, stopped=reason)
    allowed = {name: source for name, source in chosen.items() if name not in outcome}
    if allowed:
        scale = TIME_SCALE if profile == "sandbox" else 1.0
        with _transport(allowed, archive, home, region.id, profile, allowances.budget) as transport:
            for source in in_order(allowed.values()):
                name = source.declaration.id
                account, heard = allowances.accounts[name], partial(on_answer, name)
                now, rows = datetime.now(UTC), needed(source)
                outcome[name] = ask(source, region, transport, archive, account, now, rows, heard, scale)
        archive.seal()
    for name, asked in outcome.items():
        on_end(name, asked)
    return outcome


def in_order(sources: Iterable[Source]) -> list[Source]:
    """Return providers, each after those that bring a table which it needs. Raises UtpError for a circle."""
    waiting, ordered = list(sources), list[Source]()
    while waiting:
        brought = {table for source in waiting for table in source.declaration.tables}
        ready = [source for source in waiting if brought.isdisjoint(source.declaration.needs)]
        if not ready:
            names = ", ".join(source.declaration.id for source in waiting)
            raise UtpError(f"{names} wait for each other; take a table out of 'needs' in one source.yaml")
        ordered += ready
        waiting = [source for source in waiting if source not in ready]
    return ordered


def blocked(sources: Mapping[str, Source], profile: str) -> dict[str, str]:
    """Return the providers that may not be asked live, and why: who has to sign what. A stand-in is asked freely."""
    if profile != "live":
        return {}
    reasons = {name: may_call(source.declaration.terms, date.today()) for name, source in sources.items()}
    return {name: reason for name, reason in reasons.items() if reason is not None}


@contextmanager
def _transport(
    sources: Mapping[str, Source], archive: Archive, home: Home, region_id: str, profile: Profile, budget: Budget
) -> Iterator[Transport]:
    """Open a transport to the real providers, or to a stand-in that lives as long as it.

    UTP_SANDBOX names a stand-in that runs already (`utp sandbox serve`), at the time scale that is kept here.
    """
    declarations = {name: source.declaration for name, source in sources.items()}
    if profile == "sandbox":
        running_one = os.environ.get("UTP_SANDBOX", "")
        # Nobody else asks the stand-in that is ours alone.
        limits = _shared_limits(urlsplit(running_one).netloc) if running_one else home.folder / "limits"
        with (
            nullcontext(running_one) if running_one else running(region_id, time_scale=TIME_SCALE) as address,
            Transport(
                declarations,
                archive,
                agent=AGENT,
                contact=STAND_IN_CONTACT,
                origin="sandbox",
                limits_folder=limits,
                environment=_stand_in_keys(declarations.values()) | os.environ,
                budget=budget,
                bases={name: f"{address}/{name}" for name in declarations},
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
        limits_folder=_shared_limits("live"),
        environment=os.environ,
        budget=budget,
    ) as transport:
        yield transport


def _shared_limits(whose: str) -> Path:
    """Return where all fetches of this user keep their calls to the same providers, whatever their homes.

    UTP_LIMITS names the folder, which is else one in the user's folder of states. Providers count by account and
    machine, so homes that kept limits each for itself would exceed them together. Raises StorageError.
    """
    states = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = Path(os.environ.get("UTP_LIMITS") or Path(states) / "utp" / "limits").absolute() / whose
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"limits folder {folder}: {error.strerror}; set UTP_LIMITS to one that all your fetches share"
        ) from None
    return folder


def _stand_in_keys(declarations: Iterable[Declaration]) -> dict[str, str]:
    """Return keys for a stand-in, which takes any: nobody needs a real one to see a build."""
    return {variable: f"constructed-{variable.lower()}" for one in declarations for variable in one.secrets.values()}
