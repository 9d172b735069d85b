"""JSON Lines: many saved answers in one file, one a line. What was asked for each is read out of the line itself."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from schemas.errors import UtpError
from sources.protocol.types import Answer, Request
from sources.transport.capture.captured import Capture, keeper_of, require_file
from sources.transport.capture.exchange import Unusable
from sources.transport.wire import Reply


def saved_lines(
    file: Path,
    how: Capture,
    request: Request,
    paths: Mapping[str, str],
    *,
    media_type: str,
    fetched_at: datetime,
    status: int,
) -> Iterator[Answer | str]:
    """Yield each line of a file as the answer to a request, or why it cannot be one; an empty line is none.

    `request` holds the parameters that all lines share; `paths` say where a line holds the others:
    `{"dep": "request.departureAirport.requestedCode"}`. A line is kept as it stands, with all that it holds.
    Raises UtpError where the file cannot be read, or `fetched_at` (UTC) is still to come.
    """
    require_file(file)
    keep = keeper_of(how, fetched_at)
    first: dict[str, tuple[int, bytes]] = {}
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                body = line.strip()
                if not body:
                    continue
                try:
                    asked = replace(request, params={**request.params, **_params(body, paths)})
                    known, same = first.setdefault(asked.id, (number, body))
                    if same != body:
                        raise Unusable(f"it answers the question of line {known} in another way")
                    yield keep(asked, Reply(status, {"content-type": media_type} if media_type else {}, body))
                except Unusable as error:
                    yield f"line {number}: {error}"
    except OSError as error:
        raise UtpError(f"{file}: {error.strerror}; name a file of saved answers") from None


def _params(line: bytes, paths: Mapping[str, str]) -> dict[str, str]:
    try:
        document = json.loads(line.decode("utf-8"), parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise Unusable("it is no JSON in UTF-8") from None
    return {name: _text_at(document, path.split(".")) for name, path in paths.items()}


def _text_at(document: Any, path: Sequence[str]) -> str:
    value = document
    for depth, key in enumerate(path):
        if not isinstance(value, dict) or key not in value:
            raise Unusable(f"it has no {'.'.join(path[: depth + 1])}, which would say what was asked")
        value = value[key]
    if not isinstance(value, str) or not value:
        raise Unusable(f"its {'.'.join(path)} is no text or number")
    return value
