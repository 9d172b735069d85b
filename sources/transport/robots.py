"""robots.txt as RFC 9309 has it, on the careful side: what an answer to it allows, and how long that holds. Pure.

Careful: 401, 403 and 429 are a no, though the RFC would read them as "no rules". It is never a licence.
"""

from dataclasses import dataclass
from datetime import timedelta

from protego import Protego

MAX_BYTES = 500 * 1024
FRESH = timedelta(hours=24)

_REFUSING = frozenset({401, 403, 429})


@dataclass(frozen=True)
class Rules:
    """What one origin lets a robot of this name do. `refusal` says why nothing is allowed, None where rules decide."""

    product: str
    parsed: Protego
    refusal: str | None = None

    def allows(self, url: str) -> bool:
        """Say whether an address may be called; the longest matching rule decides."""
        return self.refusal is None and self.parsed.can_fetch(url, self.product)

    @property
    def crawl_delay_s(self) -> float | None:
        """Return the seconds that the origin wants between two calls."""
        delay = self.parsed.crawl_delay(self.product)
        return delay if delay else None


def read_rules(product: str, status: int, body: bytes) -> Rules:
    """Return the rules in an answer to robots.txt; `product` is the name of the robot, without version."""
    if 200 <= status < 300:
        return Rules(product, Protego.parse(_text(body)))
    if 400 <= status < 500 and status not in _REFUSING:
        return Rules(product, Protego.parse(""))
    return closed(product, f"robots.txt was answered with {status}, which counts as a no to everything")


def closed(product: str, refusal: str) -> Rules:
    """Return rules that allow nothing."""
    return Rules(product, Protego.parse(""), refusal)


def _text(body: bytes) -> str:
    if len(body) >= MAX_BYTES:
        # The last line may have been cut, and half of an Allow allows more than the whole.
        body = body[: body.rfind(b"\n") + 1]
    return body.decode("utf-8-sig", "replace")
