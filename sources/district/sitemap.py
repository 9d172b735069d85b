"""The sitemap: which addresses are pages of events. It holds events of years, and collections, which are no events."""

import html
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from sources.district.envelope import TABLE
from sources.protocol.types import Parsed, Refusal, Skipped

HOST = "www.district.in"

Form = Literal["event_page", "older_event_page"]

# Form of a page -> the path of its address, around the slug.
_PATHS: dict[str, tuple[str, str]] = {"event_page": ("/events/", ""), "older_event_page": ("/", "/event")}
_HOSTS = frozenset({HOST, "district.in"})
_LOCATION = re.compile(r"<loc>([^<]{1,2000})</loc>")
_COLLECTION = ("-book-tickets", "-ticket-booking")
_SLUG = re.compile(r"[\w.~!'()*-]{1,300}")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY = re.compile(rf"-({'|'.join(_MONTHS)})(\d{{1,2}})-(\d{{4}})(?:-buy-tickets)?", re.ASCII)


class Page(NamedTuple):
    """The page of an event: the form of its address, and what stands in it for the event."""

    form: Form
    slug: str

    @property
    def url(self) -> str:
        """The canonical address."""
        before, after = _PATHS[self.form]
        return f"https://{HOST}{before}{quote(self.slug)}{after}"

    @property
    def day(self) -> date | None:
        """The day that ends the slug (`-sep12-2026`), None without one; a bare number there is no year."""
        found = _DAY.search(self.slug[-40:])
        if found is None or not (self.slug.endswith(found[0])):
            return None
        try:
            return date(int(found[3]), _MONTHS.index(found[1]) + 1, int(found[2]))
        except ValueError:
            return None


def page_of(address: str) -> Page | None:
    """Return the event page that an address leads to, None where it leads elsewhere."""
    try:
        parts = urlsplit(address.strip())
        host, path = parts.hostname, unquote(parts.path.rstrip("/"))
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or host not in _HOSTS:
        return None
    for form, (before, after) in _PATHS.items():
        slug = path[len(before) : len(path) - len(after)]
        is_form = path.startswith(before) and path.endswith(after) and _SLUG.fullmatch(slug)
        if is_form and not slug.endswith(_COLLECTION):
            return Page(form, slug)  # type: ignore[arg-type]
    return None


def addresses_in(text: str) -> list[str] | None:
    """Return the addresses of a sitemap in their order, each once; None for what is no sitemap of pages."""
    if "<urlset" not in text[:2000]:
        return None
    return list(dict.fromkeys(html.unescape(found).strip() for found in _LOCATION.findall(text)))


def parse_sitemap(text: str) -> Iterator[Parsed]:
    """Yield how many addresses lead to events and how many elsewhere; they hold no rows themselves."""
    addresses = addresses_in(text)
    if addresses is None:
        yield Refusal("not_sitemap", "the answer is no sitemap of pages", is_retryable=True, table=TABLE)
        return
    if not addresses:
        yield Refusal("empty_sitemap", "a sitemap without an address, which was never seen", "", True, TABLE)
        return
    counts = Counter(page_of(address) is not None for address in addresses)
    reasons = {True: "the address of an event, whose page tells more", False: "the address of something else"}
    for is_event, reason in reasons.items():
        if counts[is_event]:
            yield Skipped(reason, counts[is_event])
