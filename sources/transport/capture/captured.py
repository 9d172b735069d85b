"""From a saved file to answers of a provider, keys taken out, and to what could not be taken, with reasons."""

import stat
from collections.abc import Callable, Iterator, Mapping
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
    require_file(file)
    keep = keeper_of(how, fetched_at)
    try:
        body = file.read_bytes()
    except OSError as error:
        raise UtpError(f"{file}: {error.strerror}; name a saved answer of {request.provider}") from None
    try:
        return keep(request, Reply(status, {"content-type": media_type} if media_type else {}, body))
    except Unusable as error:
        raise UtpError(f"{file}: {error}") from None


def require_file(file: Path) -> None:
    """Raise UtpError for what is no regular file: a pipe keeps its reader waiting, and is read only once."""
    try:
        is_regular = stat.S_ISREG(file.stat().st_mode)
    except OSError as error:
        raise UtpError(f"{file}: {error.strerror}; name a saved answer, a HAR or a WARC") from None
    if not is_regular:
        raise UtpError(f"{file} is no regular file; save what it holds in one, and name that")


def keeper_of(how: Capture, fetched_at: datetime) -> Callable[[Request, Reply], Answer]:
    """Return what makes an answer of a request and its reply, saved at `fetched_at`; it raises Unusable.

    Raises UtpError where that time is still to come.
    """
    if fetched_at > how.now + _AHEAD:
        raise UtpError(f"{fetched_at.isoformat()} is still to come; give the time at which the answer was saved")
    redactor = Redactor(all_keys([how.declaration], how.environment))

    def keep(request: Request, reply: Reply) -> Answer:
        _require_text(request, reply)
        if _holds_key(redactor, request):
            raise Unusable("the parameters hold a key; leave it out, it is no part of the question")
        try:
            address = canonical_address(how.declaration, how.declaration.endpoints[request.endpoint], request)
        except UnfitParameters as error:
            raise Unusable(f"{error}; give it with --param") from None
        return answer_of(request, address, reply, redactor, "capture", fetched_at)

    return keep


def _exchanges(file: Path) -> Iterator[Exchange | Passed] | None:
    require_file(file)
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
    reply = Reply(exchange.status, exchange.headers, exchange.body)
    _require_text(request, reply)
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
    return answer_of(request, address, reply, redactor, "capture", exchange.at)


def _require_text(request: Request, reply: Reply) -> None:
    """Raise Unusable for halves of characters, as JSON can write them and a command line of other bytes has them."""
    texts = (request.scope, *request.params, *request.params.values(), *reply.headers.values())
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise Unusable("what was asked, or a header, is no text in Unicode") from None


def _holds_key(redactor: Redactor, request: Request) -> bool:
    return any(redactor.finds(text) for text in (request.scope, *request.params, *request.params.values()))
