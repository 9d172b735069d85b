"""From a saved file to answers of a provider, keys taken out, and to what could not be taken, with reasons."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from schemas.errors import UtpError
from sources.protocol.declaration import Declaration
from sources.protocol.types import Answer, Request
from sources.transport.calls import UnfitParameters, all_keys, canonical_address
from sources.transport.capture.exchange import CaptureError, Exchange, Passed, Unusable
from sources.transport.capture.har import har_entries, read_har
from sources.transport.capture.matching import keys_in, match, shown_address
from sources.transport.capture.warc import is_warc, read_warc
from sources.transport.keeping import answer_of
from sources.transport.redaction import Redactor
from sources.transport.wire import Reply

# A clock may be a little ahead; an answer from the days to come would pass for the newest for ever.
_AHEAD = timedelta(hours=1)


@dataclass(frozen=True)
class Capture:
    """How a file is read: whose answers, to which endpoint alone, what is said to have been asked about, and when."""

    declaration: Declaration
    environment: Mapping[str, str]
    now: datetime
    scope: str
    endpoint: str | None = None


def captured(file: Path, how: Capture) -> Iterator[Answer | str] | None:
    """Yield the answers in a HAR or a WARC and, for the rest, why nothing is taken; None for a file of another form.

    Raises CaptureError for a file that by its name is one of the two, and is not.
    """
    exchanges = _exchanges(file)
    if exchanges is None:
        return None
    # Twice, so that a key is known wherever in the file it stands; bodies are not held meanwhile.
    redactor = Redactor(_keys(how, exchanges))
    again = _exchanges(file)
    return (_taken(how, redactor, one) for one in again or ())


def saved(file: Path, how: Capture, request: Request, *, media_type: str, fetched_at: datetime, status: int) -> Answer:
    """Return the content of a file as the answer to a request. Raises UtpError when it cannot be one.

    `fetched_at` (UTC) has no default: a file's own time is that of its last copy, and would make old values look fresh.
    """
    endpoint = how.declaration.endpoints[request.endpoint]
    if fetched_at > how.now + _AHEAD:
        raise UtpError(f"{fetched_at.isoformat()} is still to come; give the time at which {file} was saved")
    redactor = Redactor(all_keys([how.declaration], how.environment))
    if _holds_key(redactor, request):
        raise UtpError(f"{file}: the parameters hold a key; leave it out, it is no part of the question")
    try:
        address = canonical_address(how.declaration, endpoint, request)
        body = file.read_bytes()
    except UnfitParameters as error:
        raise UtpError(f"{file}: {error}; give it with --param") from None
    except OSError as error:
        raise UtpError(f"{file}: {error.strerror}; name a saved answer of {request.provider}") from None
    reply = Reply(status, {"content-type": media_type} if media_type else {}, body)
    return answer_of(request, address, reply, redactor, "capture", fetched_at)


def _exchanges(file: Path) -> Iterator[Exchange | Passed] | None:
    try:
        if is_warc(file):
            return read_warc(file)
        # Of a large file that is no WARC, a HAR is the one form that is worth being read as a whole.
        entries = har_entries(file.read_bytes())
    except OSError as error:
        raise UtpError(f"{file}: {error.strerror}; name a saved answer, a HAR or a WARC") from None
    if entries is not None:
        return read_har(entries)
    if file.name.lower().endswith((".har", ".warc", ".warc.gz")):
        raise CaptureError(f"{file} is not what its name says; save it anew, or give it the name of what it is")
    return None


def _keys(how: Capture, exchanges: Iterator[Exchange | Passed]) -> set[str]:
    asked = (one.asked for one in exchanges)
    found = {key for one in asked if one is not None for key in keys_in(how.declaration, one)}
    return found | all_keys([how.declaration], how.environment)


def _taken(how: Capture, redactor: Redactor, one: Exchange | Passed) -> Answer | str:
    try:
        if isinstance(one, Passed):
            raise Unusable(one.reason)
        return _answer(how, redactor, one)
    except Unusable as error:
        address = "" if one.asked is None else f", {shown_address(one.asked)}"
        return redactor.text(f"{one.where}{address}: {error}")


def _answer(how: Capture, redactor: Redactor, exchange: Exchange) -> Answer:
    endpoint, request = match(how.declaration, exchange.asked, how.scope, how.endpoint)
    if _holds_key(redactor, request):
        raise Unusable("a key stands among its parameters")
    if len(exchange.body) > endpoint.max_bytes:
        raise Unusable(f"its body is larger than {endpoint.max_bytes} bytes, the most for {endpoint.name}")
    if exchange.at > how.now + _AHEAD:
        raise Unusable(f"its time {exchange.at.isoformat()} is still to come")
    try:
        address = canonical_address(how.declaration, endpoint, request)
    except UnfitParameters as error:
        raise Unusable(str(error)) from None
    reply = Reply(exchange.status, exchange.headers, exchange.body)
    return answer_of(request, address, reply, redactor, "capture", exchange.at)


def _holds_key(redactor: Redactor, request: Request) -> bool:
    return any(redactor.finds(text) for text in (request.scope, *request.params, *request.params.values()))
