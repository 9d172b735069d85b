"""From a request to the call that is sent, with keys, and to the address that is kept, without them. Pure."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from sources.protocol.declaration import Declaration, Endpoint
from sources.protocol.types import Request
from sources.transport.errors import SecretMissing
from sources.transport.redaction import MASK, SHORTEST
from sources.transport.wire import Call

_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"


class UnfitParameters(Exception):
    """Parameters from which no address can be made; the text says which."""


@dataclass(frozen=True)
class Keys:
    """The keys of one endpoint, by name, for the address and for the headers."""

    query: Mapping[str, str]
    headers: Mapping[str, str]


def keys_of(declaration: Declaration, endpoint: Endpoint, environment: Mapping[str, str]) -> Keys:
    """Return the keys that an endpoint needs. Raises SecretMissing, naming every variable that is wrong."""
    variables = sorted({secret.variable for secret in endpoint.secrets})
    missing = [name for name in variables if not environment.get(name, "").strip()]
    if missing:
        raise SecretMissing(
            f"{declaration.id}, {endpoint.name}: {' and '.join(missing)} not set; put the key into the environment "
            f"under this name, or leave {declaration.id} out"
        )
    short = [name for name in variables if len(environment[name].strip()) < SHORTEST]
    if short:
        raise SecretMissing(
            f"{declaration.id}, {endpoint.name}: {' and '.join(short)} is shorter than {SHORTEST} characters, which "
            "could not be kept out of logs and archive; use a real key"
        )
    values = {
        place: {s.name: environment[s.variable].strip() for s in endpoint.secrets if s.place == place}
        for place in ("query", "header")
    }
    return Keys(values["query"], values["header"])


def all_keys(declarations: Iterable[Declaration], environment: Mapping[str, str]) -> set[str]:
    """Return every key in the environment that some provider may use."""
    values = {environment.get(name, "").strip() for known in declarations for name in known.secrets.values()}
    return {value for value in values if len(value) >= SHORTEST}


def build_call(endpoint: Endpoint, request: Request, base: str, keys: Keys) -> Call:
    """Return what is sent for a request to the address that is actually called. Raises UnfitParameters."""
    rest = {name: value for name, value in request.params.items() if name not in endpoint.path_params}
    headers = {"Accept": ", ".join(endpoint.media_types), **keys.headers}
    body = None
    if endpoint.params_in == "form":
        headers["Content-Type"], body = _FORM, urlencode(sorted(rest.items())).encode()
    elif endpoint.params_in == "json":
        headers["Content-Type"], body = _JSON, _json_object(rest).encode()
    return Call(endpoint.method, _address(endpoint, request, base, keys.query), headers, body)


def canonical_address(declaration: Declaration, endpoint: Endpoint, request: Request) -> str:
    """Return the address that is kept: at the canonical base, with a mask for each key. Raises UnfitParameters."""
    masks = {secret.name: MASK for secret in endpoint.secrets if secret.place == "query"}
    return _address(endpoint, request, declaration.base_of(endpoint), masks)


def _json_object(texts: Mapping[str, str]) -> str:
    """Return the object of values that are JSON texts already, which are sent exactly as they are."""
    for name, text in texts.items():
        try:
            json.loads(text, parse_constant=_no_number)
        except ValueError as error:
            raise UnfitParameters(f"{name}={text[:80]!r} is no JSON text ({error}), and the body is JSON") from None
    return "{" + ", ".join(f"{json.dumps(name)}: {text}" for name, text in sorted(texts.items())) + "}"


def _no_number(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _address(endpoint: Endpoint, request: Request, base: str, keys: Mapping[str, str]) -> str:
    missing = [name for name in endpoint.path_params if name not in request.params]
    if missing:
        raise UnfitParameters(f"the path needs {missing[0]!r}, which the request does not have")
    parts = {name: request.params[name] for name in endpoint.path_params}
    for name, value in parts.items():
        # Dots are resolved on the way, into another path than the one that was meant.
        if value in ("", ".", ".."):
            raise UnfitParameters(f"{name}={value!r} cannot stand in a path")
    path = endpoint.path.format_map({name: quote(value, safe="") for name, value in parts.items()})
    query = dict(keys)
    if endpoint.params_in == "query":
        clash = keys.keys() & request.params.keys()
        if clash:
            raise UnfitParameters(f"{min(clash)!r} is the name of a key; requests carry no keys")
        query |= {name: value for name, value in request.params.items() if name not in parts}
    return f"{base.rstrip('/')}{path}" + (f"?{urlencode(sorted(query.items()))}" if query else "")
