"""Answers to archive, made up from a number."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sources.protocol.types import Answer, Origin, Request

START = datetime(2025, 3, 1, 12, tzinfo=UTC)


def request(number: int, endpoint: str = "stops", provider: str = "osm") -> Request:
    return Request(provider, endpoint, f"city-{number}", {"q": str(number), "bbox": "1,2"})


def answer(
    number: int,
    body: bytes = b"[]",
    *,
    seconds: int = 0,
    status: int = 200,
    endpoint: str = "stops",
    origin: Origin = "sandbox",
    provider: str = "osm",
) -> Answer:
    """Return an answer to request `number`, fetched some seconds after START."""
    asked = request(number, endpoint, provider)
    return Answer(
        request_id=asked.id,
        provider=provider,
        endpoint=endpoint,
        scope=asked.scope,
        params=asked.params,
        url=f"https://provider.example/api/{endpoint}?q={number}",
        status=status,
        headers={"etag": f'"{number}"', "age": "0"},
        media_type="application/json",
        fetched_at=START + timedelta(seconds=seconds),
        body=body,
        body_sha256=hashlib.sha256(body).hexdigest(),
        origin=origin,
    )


def after(days: float) -> Callable[[datetime], datetime]:
    """Return ends so many days after an answer was fetched."""
    return lambda fetched_at: fetched_at + timedelta(days=days)


def numbered_body(number: int) -> bytes:
    """Return a body that tells its number and cannot be compressed away: 1 to 20 kB."""
    seed = hashlib.sha256(str(number).encode()).digest()
    return f"{number}:".encode() + hashlib.shake_128(seed).digest(1000 + number * 977 % 19_000)
