"""What a page means: rows of `flights`, `train_stops` or `buses`, or the reason why there are none.

The layout of a page is known by what it shows, so that a saved page needs no word about where it is from.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from sources.protocol.types import Answer, Parsed, Refusal
from sources.tripozo import buses, flights, lists, timetables
from sources.tripozo.layouts import layout_of
from sources.tripozo.page import Page, open_page
from sources.tripozo.records import Found

_NORMALISERS: Mapping[str, Callable[[Iterable[Found], Page], Iterator[Parsed]]] = {
    "flights": flights.rows,
    "trains": lists.rows,
    "train": timetables.rows,
    "buses": buses.rows,
}
_TABLES = {"flights": flights.TABLE, "trains": timetables.TABLE, "train": timetables.TABLE, "buses": buses.TABLE}
# A page that is still to be drawn says little besides its title.
_LEAST_TEXT = 500


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield what a page holds. Never raises."""
    page = open_page(answer)
    if isinstance(page, Refusal):
        yield page._replace(table=_TABLES.get(answer.endpoint))
        return
    found = read_page(page)
    if isinstance(found, Refusal):
        yield found._replace(table=_TABLES[page.endpoint])
        return
    yield from _NORMALISERS[page.endpoint](found, page)


def read_page(page: Page) -> Iterable[Found] | Refusal:
    """Return the raw rows of a page, or why none can be read from it."""
    layout = layout_of(page)
    if layout is None:
        return _unknown(page)
    if layout.endpoint != page.endpoint:
        return Refusal("wrong_page", f"this is a page of {layout.endpoint}, not of {page.endpoint}")
    return layout.read(page)


def _unknown(page: Page) -> Refusal:
    if isinstance(page.document, dict) and "scheduledFlights" in page.document:
        return Refusal("other_provider", "schedules by airport pair are answers of the provider flightstats")
    if page.root is not None:
        seen = page.root.text()
        if "captcha" in page.text.lower():
            return Refusal("captcha", "the site wants to see a person; a person may save the page", is_retryable=True)
        if page.root.tags("script") and len(seen) < _LEAST_TEXT:
            message = "the page draws its results by JavaScript; save it from a browser when they are there"
            return Refusal("needs_browser", message)
    return Refusal("unknown_layout", "no layout of `sources/tripozo/layouts` knows this page; write one for it")
