"""From raw buses to rows of `buses`.

How long a bus takes follows from its clocks, never from what a page says that it takes: such texts are computed without
the night between, and then rounded. Days of moments are believed unless the arrival would lie before the departure,
which is what a page looks like that stamps the day of departure on everything.
"""

import re
from collections.abc import Iterable, Iterator

from schemas.text import clean, is_placeholder
from schemas.vocab import term_map
from sources.protocol.types import Parsed, Row, Skipped
from sources.tripozo.clocks import Clock, Journey, journey, read_clock, read_day
from sources.tripozo.money import lowest_fare, read_rating
from sources.tripozo.page import Page
from sources.tripozo.raw import RawBus
from sources.tripozo.records import Found, remarks
from sources.tripozo.unfit import UnfitError, shown

TABLE = "buses"

# Behind the name scrapers leave the time of departure.
_OPERATOR = re.compile(r"(.*?)(?:\|[0-9]{1,2}:[0-9]{2})?")
# Without a stated day, an arrival so long after the departure is one that was written a few hours before it.
_LONGEST_INFERRED_MIN = 20 * 60
_MOST_DAYS_LATER = 4


def rows(found: Iterable[Found], page: Page) -> Iterator[Parsed]:
    """Yield the row of each bus, or why it has none."""
    placeholders = 0
    for raw in found:
        if not isinstance(raw, RawBus):
            yield from remarks(raw)
            continue
        try:
            row, has_placeholder = _row(raw, page)
        except UnfitError as error:
            yield error.refusal(TABLE, raw.where, shown(raw.operator or ""))
            continue
        placeholders += has_placeholder
        yield row
    if placeholders:
        yield Skipped("a placeholder in place of a fare; the row stays", placeholders)


def _row(raw: RawBus, page: Page) -> tuple[Row, bool]:
    operator = _OPERATOR.fullmatch(clean(raw.operator or ""))
    if operator is None or is_placeholder(operator[1]):
        raise UnfitError("no_operator", "nothing says who runs the bus", "operator")
    origin, destination = _place(raw.origin, page, "from"), _place(raw.destination, page, "to")
    trip = _trip(read_clock(raw.departs, "departs"), read_clock(raw.arrives, "arrives"), raw.arrival_day)
    fare, has_placeholder = lowest_fare(raw.fares, "fare")
    written = clean(raw.type or "")
    values = {
        "Operator": operator[1].strip(),
        "BusType": _bus_type(written),
        "bus_type_text": None if is_placeholder(written) else written,
        "origin_name": origin,
        "destination_name": destination,
        "origin_state": page.subject.get("origin_state"),
        "destination_state": page.subject.get("destination_state"),
        "DepTime": trip.departs,
        "ArrTime": trip.arrives,
        "arr_day_offset": trip.day_offset,
        "duration_min": trip.duration_min,
        "Price": fare,
        "bus_rating": read_rating(raw.rating, "rating"),
    }
    return Row(TABLE, values), has_placeholder


def _place(text: str | None, page: Page, asked: str) -> str:
    """Return a place as the page writes it, else as it was asked for."""
    for written in (clean(text or ""), clean(page.params.get(asked, ""))):
        if not is_placeholder(written):
            return written
    raise UnfitError("no_place", "nothing says between which places the bus runs", asked)


def _bus_type(text: str) -> str | None:
    tokens = term_map("bus_types").lookup(text)
    return tokens[0] if tokens else None


def _trip(departs: Clock, arrives: Clock, arrival_day: str | None) -> Journey:
    stated = read_day(arrival_day, "arrival_day")
    day = arrives.day if stated is None else stated
    if day is None and departs.on and arrives.on:
        day = (arrives.on - departs.on).days
        # A day that is not later says nothing where the clock goes back.
        day = None if day == 0 and (arrives.minute or 0) <= (departs.minute or 0) else day
    trip = journey(departs, arrives, day, None)
    if trip.day_offset > _MOST_DAYS_LATER or (day is None and trip.duration_min > _LONGEST_INFERRED_MIN):
        message = f"no bus takes {trip.duration_min} minutes; the arrival is written shortly before the departure"
        raise UnfitError("bad_duration", message, "arrives")
    return trip
