"""The one session: whom it trusts, and that many may use it at once."""

import shutil
import ssl
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from sources.transport.addresses import Place
from sources.transport.archive import Archive
from sources.transport.clock import Clock
from sources.transport.deadline import Deadline
from sources.transport.wire import Call, Fault, Wire
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import ask, declare
from tests.sources.transport.stand_in import StandIn, reply


def _send(url: str, *stand_ins: Place) -> None:
    wire = Wire("utp/0.1.0 (+https://contact.example)", stand_ins)
    try:
        with Deadline(5.0) as deadline:
            wire.send(Call("GET", url, {}, None), deadline, 1000)
    finally:
        wire.close()


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("needs the program openssl to make a certificate")
    files = ["-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "certificate")]
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *files, *subject],
        check=True,
        capture_output=True,
    )
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    port = server.server_address[1]
    with pytest.raises(Fault, match=r"TLS connection cannot be trusted .*self-signed") as caught:
        _send(f"https://127.0.0.1:{port}/", Place("127.0.0.1", port))
    assert caught.value.most_tries == 1
    assert not asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433"])
def test_a_name_that_leads_into_this_machine_is_not_even_connected_to(host: str, stand_in: StandIn) -> None:
    stand_in.on("/", reply(200))
    with pytest.raises(Fault, match="is not a public address") as caught:
        _send(f"http://{host}:{stand_in.port}/", Place("127.0.0.1", stand_in.port + 1))
    assert caught.value.most_tries == 1
    assert not stand_in.arrivals


def test_a_name_that_does_not_exist_is_a_broken_connection() -> None:
    with pytest.raises(Fault, match="no connection"):
        _send("https://never.invalid/")


def test_what_no_header_can_hold_is_an_error_at_once(stand_in: StandIn) -> None:
    wire = Wire("utp/0.1.0 (+https://contact.example)", [Place("127.0.0.1", stand_in.port)])
    with Deadline(5.0) as deadline, pytest.raises(Fault, match="cannot be sent") as caught:
        wire.send(Call("GET", stand_in.base, {"X-Api-Key": "a\nb"}, None), deadline, 1000)
    assert caught.value.most_tries == 1
    assert not stand_in.arrivals


def test_threads_may_share_a_transport(stand_in: StandIn, connect: Connect, archive: Archive) -> None:
    stand_in.on("/robots.txt", reply(200, b"User-agent: *\nAllow: /\n"))
    stand_in.on("/acme/v1/stops", reply(200))
    transport = connect(declare(robots="obey"), clock=Clock())
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: transport.fetch(ask(f"city {number}")), range(60)))
    assert len({answer.scope for answer in answers}) == 60
    assert transport.spent("acme").calls == 60
    assert len(stand_in.at("/robots.txt")) == 1
    assert sum(1 for answer in archive.answers("acme", "stops")) == 60
