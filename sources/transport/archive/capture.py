"""Answers that a person saved: a file becomes an answer of origin `capture`, which goes with live ones."""

import hashlib
from datetime import datetime
from pathlib import Path

from sources.protocol.types import Answer, Request
from sources.transport.archive.errors import ArchiveError


def capture(
    file: Path, request: Request, *, url: str, media_type: str, fetched_at: datetime, status: int = 200
) -> Answer:
    """Return the content of a saved file as the answer to a request. Raises ArchiveError when it cannot be read.

    `url` is the redacted canonical address. `fetched_at` (UTC) has no default: a file's own time is that of its last
    copy, and would make old values look fresh. Keys in the file are redacted by the caller.
    """
    try:
        body = file.read_bytes()
    except OSError as error:
        raise ArchiveError(f"{file}: {error.strerror}; name a saved answer of {request.provider}") from None
    return Answer(
        request_id=request.id,
        provider=request.provider,
        endpoint=request.endpoint,
        scope=request.scope,
        params=dict(request.params),
        url=url,
        status=status,
        headers={},
        media_type=media_type,
        fetched_at=fetched_at,
        body=body,
        body_sha256=hashlib.sha256(body).hexdigest(),
        origin="capture",
    )
