"""What a layout makes of a page: raw rows, whose texts stand as they were written. What they mean is said elsewhere.

`where` is the path of a record in its page. None is a text that the page does not have.
"""

from typing import NamedTuple

Text = str | None


class RawFlight(NamedTuple):
    """A card of a page of flights; `code` may list the flights of a connection."""

    where: str
    airline: Text
    code: Text
    origin: Text
    destination: Text
    departs: Text
    arrives: Text
    duration: Text
    fares: tuple[str, ...]


class RawStop(NamedTuple):
    """A line of a timetable; days stand with the times."""

    where: str
    number: Text
    code: Text
    name: Text
    arrives: Text
    departs: Text
    distance: Text


class RawTimetable(NamedTuple):
    """All stops of one train."""

    where: str
    number: Text
    name: Text
    stops: tuple[RawStop, ...]


class RawTrain(NamedTuple):
    """A train between two of its stations.

    `days` hold at the first of the two; `first_day` is the weekday of their first flag, 0 Monday, None where unknown.
    """

    where: str
    number: Text
    name: Text
    type: Text
    origin_code: Text
    origin_name: Text
    destination_code: Text
    destination_name: Text
    departs: Text
    arrives: Text
    arrival_day: Text
    duration: Text
    distance: Text
    days: Text
    first_day: int | None
    classes: tuple[str, ...]


class RawBus(NamedTuple):
    """A bus between two places; the places are None where the page does not repeat them."""

    where: str
    operator: Text
    type: Text
    origin: Text
    destination: Text
    departs: Text
    arrives: Text
    arrival_day: Text
    fares: tuple[str, ...]
    rating: Text


Raw = RawFlight | RawTimetable | RawTrain | RawBus
