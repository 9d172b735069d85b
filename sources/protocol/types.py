"""Requests, answers, and what parsing makes of them. Nothing here asks anybody anything."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

Origin = Literal["live", "capture", "sandbox"]


@dataclass(frozen=True)
class Request:
    """One question to a provider, without address and without keys: those the transport adds.

    `scope` says to people what is asked about (a city id, an area), `units` what the provider bills for it. `subject`
    says to whoever parses the answer what it will be about, where the question itself does not: which cities a job was
    about, in which city a place was looked for. It is kept with the answer and never sent. Requests that ask the same
    have the same id, whoever asks, when and through which address.
    """

    provider: str
    endpoint: str
    scope: str
    params: Mapping[str, str] = field(default_factory=dict)
    units: float = 1.0
    subject: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The SHA-256 over provider, endpoint and parameters, as 64 hex digits; nothing else counts."""
        canonical = json.dumps([self.provider, self.endpoint, dict(sorted(self.params.items()))], ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """What came back, exactly as it came, but for keys, which are redacted. `body` is None when it has expired.

    `url` is the redacted canonical address, `headers` are the few that are kept, in lower case. `fetched_at` is UTC.
    """

    request_id: str
    provider: str
    endpoint: str
    scope: str
    params: Mapping[str, str]
    url: str
    status: int
    headers: Mapping[str, str]
    media_type: str
    fetched_at: datetime
    body: bytes | None
    body_sha256: str
    origin: Origin
    subject: Mapping[str, str] = field(default_factory=dict)


class Row(NamedTuple):
    """One staged row in the making: its table, and its values by staged column."""

    table: str
    values: Mapping[str, Any]


class Refusal(NamedTuple):
    """Something in an answer that cannot be used. `where` is a path within the answer; `is_retryable`: ask again.

    `is_split`: it is a whole answer, and what it was to tell is asked for in parts.
    """

    code: str
    message: str
    where: str = ""
    is_retryable: bool = False
    table: str | None = None
    value: str | None = None
    is_split: bool = False


class Unknown(NamedTuple):
    """A field that the parser does not know, as a path with `[]` for any member: the world has changed."""

    path: str


class Skipped(NamedTuple):
    """How often something in an answer is right but meant for no table, for a reason: an airport among the stops."""

    reason: str
    times: int


Parsed = Row | Refusal | Unknown | Skipped


class Account(NamedTuple):
    """As which kind of customer a provider is asked, and the limits that source.yaml gives for it."""

    name: str
    limits: Mapping[str, float]


class Known(Protocol):
    """The answers that are already archived, as `requests(region, known)` sees them."""

    @property
    def account(self) -> Account:
        """Return the account that is asked with."""

    def rows(self, table: str) -> Sequence[Mapping[str, Any]]:
        """Return the rows of a table that source.yaml `needs`, as they were derived; none where there is no such table.

        Columns that are laid in when all providers have answered (crowd) are not there yet. Raises KeyError for a table
        that is not needed.
        """

    def answer(self, request: Request) -> Answer | None:
        """Return the latest answer to a request, whatever its outcome."""

    def answers(self, endpoint: str) -> Iterable[Answer]:
        """Return the latest answer to each request of an endpoint, in order of request id."""
