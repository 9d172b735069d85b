"""Which addresses may be called: public ones over TLS, at declared hosts; and one loopback stand-in where it is set.

A host name is resolved here and every address behind it is looked at, so that no name leads into a private network.
"""

import ipaddress
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from sources.transport.errors import TransportSettingError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_PORTS = {"http": 80, "https": 443}


class AddressForbidden(Exception):
    """A host behind which stands an address that must not be called."""


@dataclass(frozen=True)
class Place:
    """A host name and a port."""

    host: str
    port: int


@dataclass(frozen=True)
class Reach:
    """Where the calls of one provider may go: `stand_in` alone where there is one, else TLS at its `hosts`."""

    hosts: tuple[str, ...]
    ports: frozenset[int]
    stand_in: Place | None

    def refusal(self, url: str) -> str | None:
        """Say why `url` may not be called; None where it may, as far as can be seen before its name is resolved."""
        parts = _split(url)
        place = None if parts is None else place_of(parts)
        if parts is None or place is None:
            return "it is not an http address"
        if parts.username is not None or parts.password is not None:
            return "it holds a user name"
        if self.stand_in is not None:
            is_there = parts.scheme == "http" and place == self.stand_in
            return None if is_there else f"only the stand-in at {self.stand_in.host}:{self.stand_in.port} may be asked"
        if parts.scheme != "https":
            return "it is not https"
        if place.host not in self.hosts:
            return f"{place.host} is not among the declared hosts"
        if place.port not in self.ports:
            return f"port {place.port} is not declared"
        return None


def reach(bases: Iterable[str], hosts: Sequence[str]) -> Reach:
    """Return where a provider may be called that lies at some canonical addresses and may redirect to some hosts."""
    places = (place_of(urlsplit(base)) for base in bases)
    return Reach(
        tuple(host.lower() for host in hosts), frozenset({443, *(place.port for place in places if place)}), None
    )


def stand_in_reach(provider: str, root: str) -> Reach:
    """Return where a provider may be called for which a stand-in answers below `root`, an http address on loopback.

    Raises TransportSettingError for any other address.
    """
    parts = _split(root)
    place = None if parts is None else place_of(parts)
    if parts is None or place is None or parts.username is not None or parts.query or parts.fragment:
        raise TransportSettingError(
            f"{provider}: {root!r} is no address; give one like http://127.0.0.1:8123/{provider}"
        )
    if parts.scheme != "http" or not is_loopback_name(place.host):
        raise TransportSettingError(f"{provider}: {root} may not be asked: a stand-in lives at http on loopback")
    return Reach((), frozenset({place.port}), place)


def resolve(place: Place, stand_in: Place | None) -> list[str]:
    """Return the addresses of a host; AddressForbidden if one is not public (for the stand-in: not loopback).

    Raises OSError where the name cannot be resolved.
    """
    found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    texts = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    for text in texts:
        address = ipaddress.ip_address(text)
        is_fine = address.is_loopback if place == stand_in else is_public(address)
        if not is_fine:
            raise AddressForbidden(f"{place.host} leads to {text}, which is not a public address")
    return texts


def is_public(address: Address) -> bool:
    """Say whether an address is one of the open internet, whatever it is wrapped in."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address.teredo is not None or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def is_loopback_name(host: str) -> bool:
    """Say whether a host is this machine by its spelling: `localhost`, 127.x.y.z or ::1."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def place_of(parts: SplitResult) -> Place | None:
    """Return host (lower case) and port of an address; None where it has none."""
    try:
        port = parts.port or _PORTS[parts.scheme]
    except (KeyError, ValueError):
        return None
    return Place(parts.hostname, port) if parts.hostname else None


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address that may be called as one text, without a port that is understood."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None
