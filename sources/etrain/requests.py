"""What to ask etrain: for each train the page of its number, which tells its slug, and then the page of its year."""

from collections.abc import Iterable

from schemas.region import Region
from sources.etrain.page import open_answer, slug_of
from sources.protocol.types import Known, Refusal, Request

# The page of a year lists its runs, so that it tells of the shorter horizons too: one page in place of five.
_WINDOW = "1y"


def requests(_region: Region, known: Known) -> Iterable[Request]:
    """Yield the pages that nobody has fetched, of each train of the timetables.

    Any answer settles its request: whether a failure is asked again, or an old answer anew, is decided by who fills
    `known`. A train that the site does not know is asked about once.
    """
    for number in sorted({str(row["Train Number"]) for row in known.rows("train_stops")}):
        first = bare_request(number)
        answer = known.answer(first)
        if answer is None:
            yield first
            continue
        page = open_answer(answer)
        slug = None if isinstance(page, Refusal) else slug_of(page)
        if slug is not None:
            year = year_request(number, slug)
            if known.answer(year) is None:
                yield year


def bare_request(number: str) -> Request:
    """Return the request for the page of a train by its number alone, which is the one of this month."""
    return Request("etrain", "history", number, {"train": number})


def year_request(number: str, slug: str) -> Request:
    """Return the request for the page of a year; asked by its number the site would give the one of a month."""
    return Request("etrain", "history", f"{number} {_WINDOW}", {"train": slug, "d": _WINDOW})
