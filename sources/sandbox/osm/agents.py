"""Who may ask: since April 2026 the real server turns away clients that do not say what they are."""

from starlette.datastructures import Headers

_STOCK = (
    "python-requests/", "python-urllib", "python/", "python-httpx/", "aiohttp/", "curl/", "wget/", "java/", "okhttp/",
    "go-http-client/", "axios/", "node-fetch/", "undici", "libwww-perl", "postmanruntime/", "apache-httpclient/",
)  # fmt: skip


def is_identifying(headers: Headers) -> bool:
    """Return whether a call says who makes it: neither no agent nor that of a library, nor a browser without a page."""
    agent = headers.get("user-agent", "").strip().lower()
    if agent.startswith("mozilla/"):
        return "referer" in headers
    return bool(agent) and not agent.startswith(_STOCK)
