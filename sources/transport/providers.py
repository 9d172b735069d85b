"""Declared providers as they are called in one run, and whether the run may call them at all."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sources.protocol.declaration import Declaration
from sources.protocol.types import Origin
from sources.transport.addresses import Reach, reach
from sources.transport.errors import TransportSettingError


@dataclass(frozen=True)
class Provider:
    """A declaration, the address that is called for it, and where its calls may go."""

    declaration: Declaration
    base: str
    reach: Reach

    def check_origin(self, origin: Origin) -> None:
        """Raise TransportSettingError if answers of this origin cannot come from the address that is called."""
        if (origin == "sandbox") != (self.reach.stand_in is not None):
            raise TransportSettingError(
                f"{self.declaration.id}: origin {origin!r} cannot come from {self.base}; "
                "constructed answers come from a stand-in on loopback, and live ones never do"
            )


def providers_of(declarations: Mapping[str, Declaration], bases: Mapping[str, str]) -> dict[str, Provider]:
    """Return the providers by id; `bases` are called in place of their own addresses. Raises TransportSettingError."""
    strangers = sorted(bases.keys() - declarations.keys())
    if strangers:
        raise TransportSettingError(
            f"an address is given for {strangers[0]!r}, which is not declared; see `utp source list`"
        )
    found = {}
    for name, declaration in declarations.items():
        called = bases.get(name, declaration.base).rstrip("/")
        found[name] = Provider(declaration, called, reach(name, declaration.base, called, declaration.hosts))
    return found


def check_settings(agent: str, contact: str, origin: Origin, time_scale: float) -> None:
    """Raise TransportSettingError for a run that must not ask anybody."""
    if not re.fullmatch(r"[A-Za-z_-]+/[\w.+-]+", agent, re.ASCII) or not re.fullmatch(r"[!-~]+", contact):
        raise TransportSettingError(
            f"agent {agent!r} with contact {contact!r} does not identify us; "
            "give the agent as name/version, and a contact under which a provider finds a person"
        )
    if origin == "capture":
        raise TransportSettingError("captured answers come from files, nobody is asked for them; use `utp capture`")
    if time_scale < 1 or (time_scale > 1 and origin != "sandbox"):
        raise TransportSettingError(
            f"time_scale {time_scale:g}: time runs faster for a stand-in only, and never slower"
        )
