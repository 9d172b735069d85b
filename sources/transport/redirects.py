"""Where a redirect leads, if it may be followed: a call in, the next call out. Pure."""

from collections.abc import Collection
from dataclasses import replace
from urllib.parse import urldefrag, urljoin

from sources.transport.addresses import Reach, origin_of
from sources.transport.redaction import Redactor
from sources.transport.wire import Call, Reply

MAX_HOPS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class RedirectRefused(Exception):
    """A redirect that is not followed; the text says why."""


def is_redirect(reply: Reply) -> bool:
    """Say whether a reply leads elsewhere."""
    return reply.status in _REDIRECTS and "location" in reply.headers


def next_call(call: Call, reply: Reply, reach: Reach, key_headers: Collection[str], redactor: Redactor) -> Call:
    """Return the call that a redirect asks for. Raises RedirectRefused.

    Method and body stay (but 303 asks for the result by GET), so that a question never loses its words on the way.
    Keys go to no other origin: headers with keys stay behind, an address with a key in it is refused.
    """
    try:
        url = urldefrag(urljoin(call.url, reply.headers["location"])).url
    except ValueError:
        raise RedirectRefused("the provider redirects to what is no address") from None
    refusal = reach.refusal(url)
    if refusal:
        raise RedirectRefused(f"the provider redirects to an address that may not be called: {refusal}")
    headers = dict(call.headers)
    if origin_of(url) != origin_of(call.url):
        if redactor.finds(url):
            raise RedirectRefused("the provider redirects to another host with a key in the address")
        headers = {name: value for name, value in headers.items() if name not in key_headers}
    if reply.status == 303 and call.method != "GET":
        headers.pop("Content-Type", None)
        return Call("GET", url, headers, None)
    return replace(call, url=url, headers=headers)
