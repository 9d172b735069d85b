"""Which request of a provider an exchange answers, by host, path, method and parameters; keys are left out. Pure."""

import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from sources.protocol.declaration import Declaration, Endpoint
from sources.protocol.types import Request
from sources.transport.addresses import place_of
from sources.transport.capture.exchange import Asked, Unusable
from sources.transport.redaction import SHORTEST

_PART = "([^/]+)"
_LOGINS = ("authorization", "proxy-authorization")


def match(declaration: Declaration, asked: Asked, scope: str, only: str | None = None) -> tuple[Endpoint, Request]:
    """Return the endpoint that was asked, and the request. Raises Unusable when there is none.

    `only` is the one endpoint that is meant; without it all are tried, one without a parameter in its path first.
    """
    names = declaration.endpoints if only is None else [only]
    endpoints = sorted((declaration.endpoints[name] for name in names), key=lambda one: len(one.path_params))
    for endpoint in endpoints:
        parts = _parts(declaration, endpoint, asked)
        if parts is not None:
            return endpoint, Request(declaration.id, endpoint.name, scope, parts | _params(endpoint, asked))
    raise Unusable(f"no endpoint of {declaration.id} lies there, asked by {asked.method}")


def keys_in(declaration: Declaration, asked: Asked) -> Iterator[str]:
    """Yield the keys that a question to a provider carries, wherever they may be found once more.

    Whoever saved the file may have used other keys than those in the environment here. What goes to others is not of
    interest: a word that is a key to them may be data here.
    """
    if not _is_of(declaration, asked):
        return
    places = {(secret.place, secret.name.lower()) for one in declaration.endpoints.values() for secret in one.secrets}
    values = [value for name, value in _query(asked.url) if ("query", name.lower()) in places]
    for name, value in asked.headers.items():
        if ("header", name.lower()) in places or name.lower() in _LOGINS:
            values += [value, value.partition(" ")[2]]
    yield from (value.strip() for value in values if len(value.strip()) >= SHORTEST)


def _is_of(declaration: Declaration, asked: Asked) -> bool:
    parts = _split(asked.url)
    return parts is not None and (parts.hostname or "") in _hosts(declaration)


def _parts(declaration: Declaration, endpoint: Endpoint, asked: Asked) -> dict[str, str] | None:
    """Return the parameters of the path where an address is one of an endpoint, else None."""
    parts, base = _split(asked.url), urlsplit(declaration.base_of(endpoint))
    place = place_of(parts) if parts else None
    if parts is None or place is None or asked.method != endpoint.method or parts.scheme != "https":
        return None
    hosts = {base.hostname} if endpoint.base else _hosts(declaration)
    if place.host not in hosts or place.port not in (443, base.port):
        return None
    literals = re.split(r"\{\w+\}", endpoint.path)
    pattern = re.escape(base.path.rstrip("/")) + _PART.join(map(re.escape, literals))
    found = re.fullmatch(pattern, parts.path)
    return dict(zip(endpoint.path_params, map(unquote, found.groups()), strict=True)) if found else None


def _params(endpoint: Endpoint, asked: Asked) -> dict[str, str]:
    keys = {secret.name for secret in endpoint.secrets if secret.place == "query"}
    query = [(name, value) for name, value in _query(asked.url) if name not in keys]
    if endpoint.params_in == "query":
        return _once(query)
    if query:
        raise Unusable(f"its address holds {query[0][0]!r}, and {endpoint.name} takes its parameters in the body")
    text = _text(asked.body)
    if endpoint.params_in == "form":
        return _once(parse_qsl(text, keep_blank_values=True))
    return _json_texts(text)


def _once(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise Unusable(f"its parameter {name!r} stands twice")
        found[name] = value
    return found


def _json_texts(text: str) -> dict[str, str]:
    """Return each value of a JSON object as the text that it was sent in."""
    decoder, found, at = json.JSONDecoder(), dict[str, str](), _after(text, 0, "{")
    while text[at : at + 1] != "}" or found:
        try:
            name, at = decoder.raw_decode(text, at)
            start = _after(text, at, ":")
            _, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            raise Unusable("its body is no JSON") from None
        if not isinstance(name, str) or name in found:
            raise Unusable("a name in its body is none, or stands twice")
        found[name] = text[start:at]
        if text[_blank(text, at) :].startswith("}"):
            at = _blank(text, at)
            break
        at = _after(text, at, ",")
    if text[at + 1 :].strip():
        raise Unusable("its body is no JSON")
    return found


def _after(text: str, at: int, mark: str) -> int:
    at = _blank(text, at)
    if text[at : at + 1] != mark:
        raise Unusable("its body is no JSON object")
    return _blank(text, at + 1)


def _blank(text: str, at: int) -> int:
    while text[at : at + 1] in (" ", "\t", "\r", "\n"):
        at += 1
    return at


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise Unusable("what was sent is no text in UTF-8") from None


def _query(url: str) -> list[tuple[str, str]]:
    parts = _split(url)
    return parse_qsl(parts.query, keep_blank_values=True) if parts else []


def _hosts(declaration: Declaration) -> set[str]:
    return {host.lower() for host in declaration.hosts}


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def shown_address(asked: Asked) -> str:
    """Return method and address without what may hold a key, for people."""
    parts = _split(asked.url)
    if parts is None:
        return asked.method
    return f"{asked.method} {parts.scheme}://{parts.hostname or ''}{parts.path}"
