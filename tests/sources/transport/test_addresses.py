"""Which addresses may be called: by name before, by number when the name is resolved."""

import ipaddress

import pytest

from sources.transport.addresses import AddressForbidden, Place, Reach, is_public, reach, resolve, stand_in_reach
from sources.transport.errors import TransportSettingError

HOSTS = ("api.acme.example", "files.acme.example")


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1"])
def test_an_address_of_the_open_internet_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::1",
        "2001:0:808:808::1",
    ],
)  # fmt: skip
def test_any_other_address_is_not_whatever_it_is_wrapped_in(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "::1", "10.0.0.1"])
def test_a_name_that_leads_into_this_machine_or_network_is_forbidden(host: str) -> None:
    with pytest.raises(AddressForbidden, match="not a public address"):
        resolve(Place(host, 443), None)


def test_the_stand_in_is_the_one_exception_with_exactly_its_name_and_port() -> None:
    stand_in = Place("127.0.0.1", 8080)
    assert resolve(Place("127.0.0.1", 8080), stand_in) == ["127.0.0.1"]
    for other in (Place("127.0.0.1", 8081), Place("localhost", 8080), Place("127.0.0.2", 8080)):
        with pytest.raises(AddressForbidden):
            resolve(other, stand_in)


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("https://api.acme.example/v2", True),
        ("https://API.acme.example:443/v2", True),
        ("https://files.acme.example/x?y=1", True),
        ("http://api.acme.example/v1", False),
        ("https://api.acme.example:8443/", False),
        ("https://acme.example/", False),
        ("https://evil.api.acme.example/", False),
        ("https://api.acme.example.evil.example/", False),
        ("https://api.acme.example@evil.example/", False),
        ("https://user@api.acme.example/", False),
        ("https://127.0.0.1/", False),
        ("ftp://api.acme.example/", False),
        ("file:///etc/passwd", False),
        ("https://api.acme.example:99999/", False),
        ("https://[::1/", False),
        ("", False),
    ],
)
def test_only_declared_hosts_are_called_and_only_over_tls(url: str, is_allowed: bool) -> None:
    found = reach(["https://api.acme.example/v1"], HOSTS)
    assert (found.refusal(url) is None) == is_allowed


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("http://127.0.0.1:8080/anything", True),
        ("https://127.0.0.1:8080/", False),
        ("http://127.0.0.1:8081/", False),
        ("http://localhost:8080/", False),
        ("https://api.acme.example/v1", False),
    ],
)
def test_where_a_stand_in_is_called_nobody_else_is(url: str, is_allowed: bool) -> None:
    found = stand_in_reach("acme", "http://127.0.0.1:8080/acme")
    assert found == Reach((), frozenset({8080}), Place("127.0.0.1", 8080))
    assert (found.refusal(url) is None) == is_allowed


@pytest.mark.parametrize("base", ["http://localhost:1", "http://127.1.2.3:1", "http://[::1]:1"])
def test_a_stand_in_lives_on_loopback(base: str) -> None:
    assert stand_in_reach("acme", base).stand_in is not None


@pytest.mark.parametrize(
    "root",
    ["http://10.0.0.1", "http://localhost.evil.example", "https://localhost", "https://api.acme.example/v1", "/v1", ""],
)
def test_nothing_else_stands_in(root: str) -> None:
    with pytest.raises(TransportSettingError, match="acme: "):
        stand_in_reach("acme", root)


def test_a_port_is_called_where_a_base_address_declares_it() -> None:
    found = reach(["https://api.acme.example/v1", "https://files.acme.example:8443/x"], HOSTS)
    assert found.refusal("https://api.acme.example:8443/") is None
    assert found.refusal("https://api.acme.example:8444/") is not None
