"""What to ask District: the sitemap, then the page of each event that may fall on the days of the region."""

from collections.abc import Iterable
from datetime import timedelta

from schemas.region import Region
from sources.district.envelope import open_answer
from sources.district.jsonld import MOST_DAYS
from sources.district.sitemap import Page, addresses_in, page_of
from sources.protocol.types import Known, Refusal, Request

PROVIDER = "district"


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield what nobody has an answer to. Pages of other cities are among them: few addresses name their city.

    A page is left out where the day in its address is too far off. Most addresses name none, and are asked.
    """
    sitemap = Request(PROVIDER, "sitemap", "all events")
    answer = known.answer(sitemap)
    if answer is None:
        yield sitemap
        return
    text = open_answer(answer)
    addresses = None if isinstance(text, Refusal) else addresses_in(text)
    pages = dict.fromkeys(page for address in addresses or () if (page := page_of(address)))
    first, last = region.dates
    subject = {"first_day": first.isoformat(), "last_day": last.isoformat()}
    earliest = first - timedelta(days=MOST_DAYS)
    for page in pages:
        if page.day is None or earliest <= page.day <= last:
            request = page_request(page, subject)
            if known.answer(request) is None:
                yield request


def page_request(page: Page, subject: dict[str, str]) -> Request:
    """Return the request for the page of an event."""
    return Request(PROVIDER, page.form, page.slug, {"slug": page.slug}, subject=subject)
