"""What the server says in other forms than JSON: its error pages and its status, worded as the real ones are."""

import html

from sources.sandbox.clock import Clock
from sources.sandbox.limiter import Limiter

NOTICE = "The data included in this document is CONSTRUCTED by a sandbox. None of it is from www.openstreetmap.org."

_DATABASE = "runtime error: open64: 0 Success /osm3s_osm_base Dispatcher_Client::request_read_and_idx"
_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"
    "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
<head>
  <meta http-equiv="content-type" content="text/html; charset=utf-8" lang="en"/>
  <title>OSM3S Response</title>
</head>
<body>

<p>{notice}</p>
<p><strong style="color:#FF0000">Error</strong>: {message} </p>

</body>
</html>
"""
_NOT_ACCEPTABLE = """<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">
<html><head>
<title>406 Not Acceptable</title>
</head><body>
<h1>Not Acceptable</h1>
<p>An appropriate representation of the requested resource could not be found on this server.</p>
</body></html>
"""
_UTC = "%Y-%m-%dT%H:%M:%SZ"


def error(message: str) -> str:
    """Return the page of an error."""
    return _PAGE.format(notice=NOTICE, message=html.escape(message, quote=False))


def rate_limited() -> str:
    """Return the page of a call beyond the limit."""
    return error(f"{_DATABASE}::rate_limited. Please check /api/status for the quota of your IP address.")


def too_busy() -> str:
    """Return the page of a question that is too much for the server."""
    return error(f"{_DATABASE}::timeout. The server is probably too busy to handle your request.")


def not_acceptable() -> str:
    """Return the page of a call that does not say who makes it; the web server in front says this, so it is plain."""
    return _NOT_ACCEPTABLE


def status(limiter: Limiter, clock: Clock) -> str:
    """Return the state of the limit as plain text; no call is running, as each is answered before the next."""
    now = clock.now()
    free = limiter.free(now)
    return "\n".join(
        [
            "Connected as: 1",
            f"Current time: {clock.utc():{_UTC}}",
            "Announced endpoint: constructed.invalid/",
            f"Rate limit: {limiter.limit.calls}",
            *([f"{free} slots available now."] if free else []),
            *(
                f"Slot available after: {clock.utc(wait):{_UTC}}, in {int(wait) + 1} seconds."
                for wait in limiter.waits(now)
            ),
            "Currently running queries (pid, space limit, time limit, start time):",
            "",
        ]
    )
