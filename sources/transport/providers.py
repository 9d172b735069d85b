"""Declared providers as they are called in one run, and whether the run may call them at all."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from sources.protocol.declaration import Declaration, Endpoint
from sources.protocol.types import Origin
from sources.transport.addresses import Reach, reach, stand_in_reach
from sources.transport.errors import TransportSettingError


@dataclass(frozen=True)
class Provider:
    """A declaration, the address of its stand-in where there is one, and where its calls may go."""

    declaration: Declaration
    stand_in: str | None
    reach: Reach

    def base(self, endpoint: Endpoint) -> str:
        """Return the base address that is called for an endpoint: its own, or its path below the stand-in's."""
        canonical = self.declaration.base_of(endpoint)
        return canonical if self.stand_in is None else self.stand_in + urlsplit(canonical).path

    def check_origin(self, origin: Origin) -> None:
        """Raise TransportSettingError if answers of this origin cannot come from the address that is called."""
        if (origin == "sandbox") != (self.reach.stand_in is not None):
            raise TransportSettingError(
                f"{self.declaration.id}: origin {origin!r} cannot come from {self.stand_in or self.declaration.base}; "
                "constructed answers come from a stand-in on loopback, and live ones never do"
            )


def providers_of(declarations: Mapping[str, Declaration], stand_ins: Mapping[str, str]) -> dict[str, Provider]:
    """Return the providers by id; those with a stand-in are called there alone. Raises TransportSettingError."""
    strangers = sorted(stand_ins.keys() - declarations.keys())
    if strangers:
        raise TransportSettingError(
            f"an address is given for {strangers[0]!r}, which is not declared; see `utp source list`"
        )
    return {name: _provider(declaration, stand_ins.get(name)) for name, declaration in declarations.items()}


def _provider(declaration: Declaration, stand_in: str | None) -> Provider:
    if stand_in is not None:
        return Provider(declaration, stand_in.rstrip("/"), stand_in_reach(declaration.id, stand_in))
    bases = {declaration.base_of(endpoint) for endpoint in declaration.endpoints.values()}
    return Provider(declaration, None, reach(bases, declaration.hosts))


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
