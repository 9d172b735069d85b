"""One exchange with one address over `requests`: checked addresses, a total deadline, a bounded body. No policy here.

Redirects, retries, limits and budgets are decided above; the connection below resolves names itself, so that what was
checked is what is connected to. What the deadline does not reach is the name server, which has limits of its own.
"""

import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from sources.transport.addresses import AddressForbidden, Place, resolve
from sources.transport.deadline import Deadline, current_deadline
from sources.transport.decoding import TooLarge, Undecodable, decode

CONNECT_S = 15.0
ENCODINGS = "gzip"
ALWAYS = 1_000_000
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Call:
    """What is sent, keys included: never to be shown or kept."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)


@dataclass(frozen=True)
class Reply:
    """What came back, unpacked. Header names are in lower case. What is too large has no body."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    is_too_large: bool = False


class Fault(Exception):
    """An exchange that brought no reply. `most_tries` says how often it is worth trying in all; may hold a key."""

    def __init__(self, cause: str, most_tries: int, next_step: str = "try again later") -> None:
        self.cause, self.most_tries, self.next_step = cause, most_tries, next_step
        super().__init__(cause)


class Wire:
    """The one session. Nothing of the environment steers it: no proxy, no netrc, no other certificates; no cookies."""

    def __init__(self, user_agent: str, stand_ins: Iterable[Place]) -> None:
        self._session = _Session()
        self._session.trust_env = False
        self._session.headers.clear()
        self._session.headers.update({"User-Agent": user_agent, "Accept-Encoding": ENCODINGS})
        # One answer must not change the next question.
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self._session.adapters.clear()
        adapter = _adapter(frozenset(stand_ins))
        self._session.mount("https://", adapter)
        self._session.mount("http://", adapter)

    def close(self) -> None:
        """Close all connections."""
        self._session.close()

    def send(self, call: Call, deadline: Deadline, max_bytes: int, *, is_cut: bool = False) -> Reply:
        """Send once and read all of the reply, within the deadline. Raises Fault.

        Of a body above `max_bytes` nothing is kept but that it was too large, or, where `is_cut`, as much as that.
        """
        try:
            return self._exchange(call, deadline, max_bytes, is_cut)
        except AddressForbidden as error:
            fault = Fault(str(error), 1, "look at the address in source.yaml and at the name server")
        except (Undecodable, requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            fault = _fault(error, deadline)
        # Raised outside of the handlers: the errors above name the address with its keys, and would hang on as context.
        raise fault

    def _exchange(self, call: Call, deadline: Deadline, max_bytes: int, is_cut: bool) -> Reply:
        response = self._session.request(
            call.method,
            call.url,
            headers=dict(call.headers),
            data=call.body,
            timeout=(min(CONNECT_S, deadline.remaining()), deadline.remaining()),
            allow_redirects=False,
            stream=True,
        )
        with response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            encoding = headers.get("content-encoding", "").strip().lower()
            try:
                body, is_too_large = decode(_chunks(response), encoding, max_bytes, is_cut=is_cut), False
            except TooLarge:
                body, is_too_large = b"", True
            if deadline.is_over:
                raise TimeoutError
            return Reply(response.status_code, headers, body, is_too_large)


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> None:
        """See no redirects: to prepare for one, `requests` would read its whole body, however large."""


def _chunks(response: requests.Response) -> Iterator[bytes]:
    while chunk := response.raw.read(_CHUNK, decode_content=False):
        yield chunk


def _fault(error: Exception, deadline: Deadline) -> Fault:
    if deadline.is_over or isinstance(error, requests.Timeout | TimeoutError | urllib3.exceptions.TimeoutError):
        # It may have been worked on, and billed, all the time: once more, not five times.
        return Fault(f"no whole answer within {deadline.seconds:.3g} s", 2)
    if isinstance(error, requests.RequestException) and isinstance(error, ValueError):
        # An address or a header that is none; what exactly is left out, as it may be a key.
        return Fault(f"it cannot be sent ({type(error).__name__})", 1, "look at source.yaml, requests.py and the keys")
    if isinstance(error, Undecodable):
        return Fault(f"the body of the answer is broken: {error}", ALWAYS)
    deepest = _deepest(error)
    if isinstance(error, requests.exceptions.SSLError) or isinstance(deepest, ssl.SSLCertVerificationError):
        return Fault(f"its TLS connection cannot be trusted ({deepest})", 1, "do not go on before it is mended")
    return Fault(f"no connection, or one that broke ({type(deepest).__name__}: {deepest})", ALWAYS)


def _deepest(error: BaseException) -> BaseException:
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return error


def _adapter(stand_ins: frozenset[Place]) -> HTTPAdapter:
    """Return an adapter whose connections resolve, check and connect themselves, under the current deadline."""

    class Checked(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return _connect(self, stand_ins)

        def request(self, *args: Any, **kwargs: Any) -> None:
            _watch_reused(self)
            super().request(*args, **kwargs)

    class CheckedTls(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return _connect(self, stand_ins)

        def request(self, *args: Any, **kwargs: Any) -> None:
            _watch_reused(self)
            super().request(*args, **kwargs)

    class Pool(HTTPConnectionPool):
        ConnectionCls = Checked

    class TlsPool(HTTPSConnectionPool):
        ConnectionCls = CheckedTls

    adapter = HTTPAdapter(max_retries=0)
    adapter.poolmanager.pool_classes_by_scheme = {"http": Pool, "https": TlsPool}
    return adapter


def _watch_reused(connection: HTTPConnection) -> None:
    deadline = current_deadline()
    if deadline is not None and connection.sock is not None:
        deadline.watch(connection.sock)


def _connect(connection: HTTPConnection, stand_ins: frozenset[Place]) -> socket.socket:
    place = Place(connection.host.strip("[]").lower(), connection.port or connection.default_port)
    try:
        addresses = resolve(place, next((known for known in stand_ins if known == place), None))
    except socket.gaierror as error:
        raise NameResolutionError(place.host, connection, error) from error
    failure = OSError("no address")
    for address in addresses:
        deadline = current_deadline()
        seconds = CONNECT_S if deadline is None else min(CONNECT_S, deadline.remaining())
        try:
            sock = socket.create_connection((address, place.port), seconds)
        except OSError as error:
            failure = error
            continue
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if deadline is not None:
            deadline.watch(sock)
            sock.settimeout(deadline.remaining())
        return sock
    if isinstance(failure, TimeoutError):
        raise ConnectTimeoutError(connection, f"no connection to {place.host} in time") from failure
    raise NewConnectionError(connection, str(failure)) from failure
