"""What source.yaml says of a provider: address, endpoints with limits and prices, secrets by name, terms, floors.

Everything that can be known without asking the provider is checked here. Nothing here holds a secret: only the names
of the environment variables that do. Which providers exist stands in `discovery`.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple, cast
from urllib.parse import urlsplit

from schemas.errors import UtpError
from schemas.strict import Node, StrictError, choose
from schemas.tables import TABLES
from schemas.terms import ROBOTS, Terms, parse_terms
from schemas.textyaml import TextYamlError, load_text
from sources.protocol.types import Account

Method = Literal["GET", "POST"]
ParamsIn = Literal["query", "form", "json"]
SecretPlace = Literal["query", "header"]

METHODS = ("GET", "POST")
PARAMS_IN = ("query", "form", "json")
SECRET_PLACES = ("query", "header")
FLOORS = ("min_rows", "min_cities")

_REQUIRED = ("id", "title", "base", "hosts", "robots", "endpoints", "terms")
_KEYS = (*_REQUIRED, "secrets", "floors", "accounts", "stand_in_account", "needs")
_ENDPOINT_REQUIRED = (
    "method", "path", "params_in", "scope", "is_static", "rate", "unit", "price", "days_valid", "timeout_s",
    "max_bytes", "media_types",
)  # fmt: skip
_ENDPOINT_KEYS = (
    *_ENDPOINT_REQUIRED, "base", "secret_in", "daily_calls", "quota_marks", "rate_marks", "repeat", "follows",
)  # fmt: skip
_BOOLEANS = {"true": True, "false": False}
_ONLY_ACCOUNT = "standard"
_NOT_KNOWN = "unknown"


class DeclarationError(UtpError, ValueError):
    """A source.yaml that cannot be used; the message names file, line, cause and choices."""


class Secret(NamedTuple):
    """A key that a request carries: where, under which name, and the environment variable that holds it."""

    place: SecretPlace
    name: str
    variable: str


class Rate(NamedTuple):
    """At most `calls` in any `seconds`, bursts included."""

    calls: int
    seconds: float


class Price(NamedTuple):
    """What one unit costs, None where that is not known; currency is an ISO 4217 code."""

    amount: float | None
    currency: str


class Repeat(NamedTuple):
    """The same request may be made `most` times in one run, `every_s` seconds apart: to poll, or to begin anew."""

    most: int
    every_s: float


class Follows(NamedTuple):
    """For each request of another endpoint there come `least` to `most` of this one."""

    endpoint: str
    least: int
    most: int


ONCE = Repeat(1, 0.0)


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One kind of question. `scope` says what one request is about (a city, an area).

    `base` is its own canonical address, where that is not the provider's. `path` goes behind it; `{name}` in it takes
    the parameter of that name, which then stands nowhere else. With `params_in: json` each value is a JSON text and
    the body the object of these values. `is_static`: all requests are known before any answer. `unit` is what is
    billed, at `price` each. An answer older than `days_valid` is due. `timeout_s` is the total deadline of one try. A
    short answer with one of `quota_marks` in its body or its headers, whatever its status, says that nothing more will
    be answered for now; one with one of `rate_marks` says that calls come too fast, as status 429 does. What it
    `follows` is for the plan alone; a request that may `repeat` counts as one there, its times as most.
    """

    name: str
    method: Method
    path: str
    params_in: ParamsIn
    secrets: tuple[Secret, ...]
    scope: str
    is_static: bool
    rate: Rate
    daily_calls: int | None
    unit: str
    price: Price
    days_valid: float
    timeout_s: float
    max_bytes: int
    media_types: tuple[str, ...]
    quota_marks: tuple[str, ...] = ()
    rate_marks: tuple[str, ...] = ()
    base: str | None = None
    repeat: Repeat = ONCE
    follows: Follows | None = None

    @property
    def path_params(self) -> tuple[str, ...]:
        """The names of the parameters that go into the path."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """One provider. `base` is the canonical address, without a slash at its end; `hosts` may be redirected to.

    `secrets` leads from the name in a request to an environment variable. `floors` gives per table the fewest rows (and
    the like) that a whole region brings, e.g. `floors["transit_stops"]["min_rows"]`. `accounts` are the kinds of
    customers and their limits, the usual one first; as `stand_in_account` a stand-in is asked. `needs` are the tables
    of others without whose rows it is not known what to ask. `sha256` is that of the file.
    """

    id: str
    title: str
    base: str
    hosts: tuple[str, ...]
    secrets: Mapping[str, str]
    endpoints: Mapping[str, Endpoint]
    terms: Terms
    floors: Mapping[str, Mapping[str, float]]
    accounts: Mapping[str, Account]
    stand_in_account: str
    sha256: str
    needs: tuple[str, ...] = ()

    @property
    def robots(self) -> str:
        """Whether robots.txt is obeyed: `obey` or `not_applicable`."""
        return self.terms.robots

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that the provider brings rows for, which are those with floors."""
        return tuple(sorted(self.floors))

    def base_of(self, endpoint: Endpoint) -> str:
        """Return the canonical address below which an endpoint lies."""
        return endpoint.base or self.base


def load_declaration(path: Path) -> Declaration:
    """Read one source.yaml; its folder must have the name of the provider. Raises DeclarationError."""
    where = f"{path.parent.name}/{path.name}"
    try:
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        return _declaration(Node(load_text(path), ""), path.parent.name, sha256)
    except OSError as error:
        raise DeclarationError(f"{path}: {error.strerror}; write the file, or remove its folder") from None
    except (TextYamlError, StrictError) as error:
        raise DeclarationError(f"{where}, {str(error).removeprefix(f'{path.name}, ')}") from None


def _declaration(node: Node, folder: str, sha256: str) -> Declaration:
    node.allow(_KEYS, _REQUIRED)
    hosts = node.texts("hosts")
    base = _base(node, hosts)
    secrets = _secrets(node)
    declared = node.child("endpoints")
    endpoints = {name: _endpoint(declared.child(name), name, secrets, hosts) for name in declared.value}
    if not endpoints:
        raise node.error("endpoints", "'endpoints' is empty; a provider has at least one")
    _check_order(declared, endpoints)
    accounts = _accounts(node)
    for name in secrets:
        if all(name != secret.name for endpoint in endpoints.values() for secret in endpoint.secrets):
            raise node.child("secrets").error(name, f"no endpoint uses {name!r}; name it under its 'secret_in'")
    return Declaration(
        id=_id(node, folder),
        title=node.needed("title"),
        base=base,
        hosts=hosts,
        secrets=secrets,
        endpoints=endpoints,
        terms=_terms(node),
        floors=_floors(node),
        accounts=accounts,
        stand_in_account=_stand_in_account(node, accounts),
        needs=_needs(node),
        sha256=sha256,
    )


def _id(node: Node, folder: str) -> str:
    name = node.needed("id")
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise node.error("id", f"'id' may hold a-z, 0-9 and _, a letter first; found {name!r}")
    if name != folder:
        raise node.error("id", f"'id' is {name!r} but the folder is called {folder!r}; make them the same")
    return name


def _base(node: Node, hosts: tuple[str, ...]) -> str:
    base = node.needed("base").rstrip("/")
    try:
        parts = urlsplit(base)
        host, is_bare = parts.hostname, not (parts.query or parts.fragment or parts.username or parts.password)
    except ValueError:
        host, is_bare = None, False
    if not host or not is_bare or parts.scheme != "https":
        raise node.error("base", f"'base' must be an https address without query and user, found {base!r}")
    if host not in hosts:
        raise node.error("hosts" if node.has("hosts") else "base", f"'hosts' must list {host!r}, the host of 'base'")
    return base


def _secrets(node: Node) -> dict[str, str]:
    if not node.has("secrets"):
        return {}
    secrets = node.child("secrets")
    for name in secrets.value:
        if not re.fullmatch("[A-Z][A-Z0-9_]*", secrets.needed(name)):
            raise secrets.error(name, f"{name!r} must name an environment variable such as UTP_X_KEY, never hold a key")
    return {name: secrets.needed(name) for name in secrets.value}


def _accounts(node: Node) -> dict[str, Account]:
    if not node.has("accounts"):
        return {_ONLY_ACCOUNT: Account(_ONLY_ACCOUNT, {})}
    declared = node.child("accounts")
    if not declared.value:
        raise node.error("accounts", "'accounts' is empty; list at least one, or leave it out")
    limits = {name: declared.child(name) for name in declared.value}
    return {name: Account(name, {limit: _positive(one, limit) for limit in one.value}) for name, one in limits.items()}


def _stand_in_account(node: Node, accounts: Mapping[str, Account]) -> str:
    if not node.has("stand_in_account"):
        return next(iter(accounts))
    return node.choice("stand_in_account", accounts)


def _needs(node: Node) -> tuple[str, ...]:
    for table in node.texts("needs"):
        if table not in TABLES or node.child("floors").has(table):
            others = [name for name in sorted(TABLES) if not node.child("floors").has(name)]
            raise node.error("needs", f"'needs' holds {table!r}, no table of others; {choose(table, others)}")
    return node.texts("needs")


def _repeat(node: Node) -> Repeat:
    if not node.has("repeat"):
        return ONCE
    repeat = node.child("repeat")
    repeat.allow(("most", "every_s"), ("most", "every_s"))
    return Repeat(_count(repeat, "most"), _positive(repeat, "every_s"))


def _follows(node: Node) -> Follows | None:
    if not node.has("follows"):
        return None
    follows = node.child("follows")
    follows.allow(("endpoint", "least", "most"), ("endpoint", "least", "most"))
    least, most = follows.number("least"), _count(follows, "most")
    if least != int(least) or not 0 <= least <= most:
        raise follows.error("least", f"'least' must be a whole number from 0 to 'most', found {least:g}")
    return Follows(follows.needed("endpoint"), int(least), most)


def _check_order(declared: Node, endpoints: Mapping[str, Endpoint]) -> None:
    """Refuse an endpoint that follows one that is not above it; so none ever follows itself."""
    above: list[str] = []
    for name, endpoint in endpoints.items():
        if endpoint.follows and endpoint.follows.endpoint not in above:
            follows, other = declared.child(name).child("follows"), endpoint.follows.endpoint
            raise follows.error(
                "endpoint", f"{name!r} follows {other!r}, which is none above it; {choose(other, above)}"
            )
        above.append(name)


def _endpoint(node: Node, name: str, secrets: Mapping[str, str], hosts: tuple[str, ...]) -> Endpoint:
    node.allow(_ENDPOINT_KEYS, _ENDPOINT_REQUIRED)
    method = cast(Method, node.choice("method", METHODS))
    params_in = cast(ParamsIn, node.choice("params_in", PARAMS_IN))
    if method == "GET" and params_in != "query":
        raise node.error("params_in", f"a GET has no body for {params_in!r}; write 'query', or method POST")
    path = node.text("path")
    if path and not re.fullmatch(r"/(?:[\w.~/-]|\{\w+\})*", path, re.ASCII):
        raise node.error("path", f"'path' begins with / and holds no query and no blank; found {path!r}")
    media_types = node.texts("media_types")
    if not media_types:
        raise node.error("media_types", "'media_types' is empty; list what a good answer is sent as")
    rate, price = node.child("rate"), node.child("price")
    rate.allow(("calls", "seconds"), ("calls", "seconds"))
    price.allow(("amount", "currency"), ("amount", "currency"))
    return Endpoint(
        name=name,
        base=_base(node, hosts) if node.has("base") else None,
        method=method,
        path=path,
        params_in=params_in,
        secrets=_secrets_in(node, secrets),
        scope=node.needed("scope"),
        is_static=_BOOLEANS[node.choice("is_static", _BOOLEANS)],
        rate=Rate(_count(rate, "calls"), _positive(rate, "seconds")),
        daily_calls=_count(node, "daily_calls") if node.has("daily_calls") else None,
        unit=node.needed("unit"),
        price=Price(_amount(price), _currency(price)),
        days_valid=_positive(node, "days_valid"),
        timeout_s=_positive(node, "timeout_s"),
        max_bytes=_count(node, "max_bytes"),
        media_types=media_types,
        quota_marks=_marks(node, "quota_marks"),
        rate_marks=_marks(node, "rate_marks"),
        repeat=_repeat(node),
        follows=_follows(node),
    )


def _marks(node: Node, key: str) -> tuple[str, ...]:
    marks = node.texts(key)
    if "" in marks:
        raise node.error(key, f"{key!r} holds an empty text, which stands in every answer")
    return marks


def _secrets_in(node: Node, secrets: Mapping[str, str]) -> tuple[Secret, ...]:
    if not node.has("secret_in"):
        return ()
    places = node.child("secret_in")
    places.allow(SECRET_PLACES)
    found = []
    for place in places.value:
        names = places.texts(place) if isinstance(places.value[place], list) else (places.needed(place),)
        for name in names:
            if name not in secrets:
                raise places.error(place, f"{name!r} does not stand under 'secrets'; {choose(name, secrets)}")
            found.append(Secret(cast(SecretPlace, place), name, secrets[name]))
    return tuple(found)


def _terms(node: Node) -> Terms:
    robots = node.choice("robots", ROBOTS)
    terms = parse_terms(node.value["terms"], node.line("terms"))
    if "robots" in node.value["terms"] and terms.robots != robots:
        raise node.child("terms").error("robots", f"'robots' is {terms.robots!r} here and {robots!r} above; keep one")
    return replace(terms, robots=robots)


def _floors(node: Node) -> dict[str, dict[str, float]]:
    if not node.has("floors"):
        return {}
    floors = node.child("floors")
    floors.allow(sorted(TABLES))
    return {table: _limits(floors.child(table)) for table in floors.value}


def _limits(node: Node) -> dict[str, float]:
    node.allow(FLOORS)
    return {floor: _count(node, floor) for floor in node.value}


def _positive(node: Node, key: str) -> float:
    number = node.number(key)
    if number <= 0:
        raise node.error(key, f"{key!r} must be above 0, found {number:g}")
    return number


def _count(node: Node, key: str) -> int:
    number = _positive(node, key)
    if number != int(number):
        raise node.error(key, f"{key!r} must be a whole number, found {number:g}")
    return int(number)


def _amount(price: Node) -> float | None:
    if price.text("amount") == _NOT_KNOWN:
        return None
    amount = price.number("amount")
    if amount < 0:
        raise price.error("amount", f"'amount' is {amount:g}; a price is never below 0")
    return amount


def _currency(price: Node) -> str:
    currency = price.needed("currency")
    if not re.fullmatch("[A-Z]{3}", currency):
        raise price.error("currency", f"'currency' must be three letters like USD, found {currency!r}")
    return currency
