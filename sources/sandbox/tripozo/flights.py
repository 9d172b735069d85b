"""Results for flights: a card for each that leaves on the day, and at times one for a connection that is sold out.

A flight at midnight is shown on the evening before, as leaving at 24:00.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from html import escape
from zlib import crc32

from sources.sandbox.flights import TrueFlight
from sources.sandbox.tripozo.markup import HTML, grouped, minutes, page

_ASKED = ("adult", "child", "class", "destination", "fareType", "from", "infant", "origin", "tripType")
_MIDNIGHT = "00:00"
_TITLE = "Flight results"
_BEFORE_DRAWN = (
    '<noscript>You need to enable JavaScript.</noscript><div id="root"></div><script src="/main.js"></script>'
)
_NOTHING = '<div class="ant-empty"><div class="ant-empty-description">No flights found</div></div>'


class FlightPages:
    """The pages of results for flights."""

    def __init__(self, flights: Iterable[TrueFlight]) -> None:
        self._by_pair: dict[tuple[str, str], list[TrueFlight]] = {}
        for flight in flights:
            self._by_pair.setdefault((flight.origin, flight.destination), []).append(flight)

    def results(self, asked: Mapping[str, str]) -> tuple[str, str]:
        """Return the page for a question, undrawn where something of the question is missing."""
        if not all(asked.get(name) for name in _ASKED):
            return page(_TITLE, _BEFORE_DRAWN), HTML
        origin, destination, day = asked["origin"], asked["destination"], date.fromisoformat(asked["from"])
        cards = [*self._connection(origin, destination, day), *self._cards(origin, destination, day)]
        return page(_TITLE, "\n".join(cards) or _NOTHING), HTML

    def _cards(self, origin: str, destination: str, day: date) -> Iterator[str]:
        for flight in self._leaving(origin, destination, day):
            code = f"{flight.carrier}-{flight.number:>04}" if len(flight.number) < 3 else flight.flight_number
            is_late = flight.departs == _MIDNIGHT
            departs = "24:00" if is_late else flight.departs
            mark = _mark(flight.arr_day_offset + is_late)
            hours, rest = divmod(flight.duration_min, 60)
            yield _card(
                airline=flight.airline,
                code=code,
                origin=(departs, flight.origin),
                destination=(flight.arrives + mark, flight.destination),
                duration=f"{hours}h {rest}min",
                stops="Non Stop",
                fare=_fare(flight),
            )

    def _leaving(self, origin: str, destination: str, day: date) -> Iterator[TrueFlight]:
        for flight in self._by_pair.get((origin, destination), []):
            leaves = day + timedelta(days=flight.departs == _MIDNIGHT)
            if flight.days_of_operation[leaves.weekday()] == "1":
                yield flight

    def _connection(self, origin: str, destination: str, day: date) -> Iterator[str]:
        """Yield the card of two flights one after the other, without a fare, for pairs that have flights too."""
        if not any(self._leaving(origin, destination, day)):
            return
        for (start, over), firsts in self._by_pair.items():
            for first in firsts if start == origin and over != destination else ():
                for second in self._leaving(over, destination, day):
                    waits = minutes(second.departs) - minutes(first.arrives)
                    runs = first.days_of_operation[day.weekday()] == "1" and first.departs != _MIDNIGHT
                    if not (runs and first.arr_day_offset == 0 and waits >= 60 and second.arr_day_offset == 0):
                        continue
                    hours, rest = divmod(first.duration_min + waits + second.duration_min, 60)
                    yield _card(
                        airline=first.airline,
                        code=f"{first.flight_number}, {second.flight_number}",
                        origin=(first.departs, origin),
                        destination=(second.arrives, destination),
                        duration=f"{hours}h {rest}min",
                        stops=f"1 Stop ({over})",
                        fare="",
                    )
                    return


def _mark(days_later: int) -> str:
    return f"<sup>+{days_later} Day</sup>" if days_later else ""


def _fare(flight: TrueFlight) -> str:
    written = grouped(int(flight.fare_inr))
    form = ("₹{}", "₹ {}", "₹{}.00")[crc32(flight.id.encode()) % 3]
    return f'<div class="flight-price-number"><span>{form.format(written)}</span></div>'


def _card(
    airline: str, code: str, origin: tuple[str, str], destination: tuple[str, str], duration: str, stops: str, fare: str
) -> str:  # fmt: skip
    ends = [
        f'<div class="{name}"><div class="time">{time}</div><div class="name">{where}</div>'
        f'<div class="code">{where}</div></div>'
        for name, (time, where) in (("from-airport", origin), ("to-airport", destination))
    ]
    choose = '<button class="choose-button tpz-btn nowrap"><span>Choose</span></button>'
    tail = f'<p class="price-type">Refundable</p>{fare}{choose}' if fare else '<p class="sold">Sold Out</p>'
    return (
        f'<div class="flight-card">\n'
        f'  <div class="airline-name">{escape(airline)}</div><div class="airline-code">({code})</div>\n'
        f"  {ends[0]}\n"
        f'  <div class="f-hvcenter fl-duration">{duration}</div><div class="fl-stops">{stops}</div>\n'
        f"  {ends[1]}\n"
        f"  {tail}\n"
        f"</div>"
    )
