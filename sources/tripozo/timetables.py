"""From the timetable of a train to rows of `train_stops`: each stop with its times, its day and the days of the train.

A timetable does not say on which days its train runs; the list that led to it does, for the station where one gets on.
That comes with the question (`subject`) and is shifted back by the day of that stop.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from schemas.text import clean, is_placeholder
from sources.protocol.types import Parsed, Refusal, Row, Skipped
from sources.tripozo.clocks import DAY, Clock, hhmm, read_clock
from sources.tripozo.days import MONDAY_FIRST, read_days, shifted
from sources.tripozo.names import read_classes, read_code, read_name, read_number, read_type
from sources.tripozo.page import Page
from sources.tripozo.raw import RawStop, RawTimetable
from sources.tripozo.records import Found, remarks
from sources.tripozo.unfit import UnfitError, shown

TABLE = "train_stops"

_DISTANCE = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,3})?) ?(?:kms?)?", re.IGNORECASE)
# The longest runs arrive on their fifth day; days up to 13 are known from broken files.
_MOST_DAYS = 5


class Stop(NamedTuple):
    """A stop; times are minutes since the midnight before the train departs at its origin."""

    code: str
    name: str | None
    arrives: int | None
    departs: int | None
    distance_km: float | None

    @property
    def first(self) -> int:
        """When the train is there first."""
        return next(time for time in (self.arrives, self.departs) if time is not None)


def rows(found: Iterable[Found], page: Page) -> Iterator[Parsed]:
    """Yield the rows of a timetable, all of them or none: a timetable with a hole is another train."""
    for raw in found:
        if not isinstance(raw, RawTimetable):
            yield from remarks(raw)
            continue
        try:
            number = read_number(raw.number)
            if renamed := _renamed(number, page):
                yield renamed
                continue
            yield from _rows(raw, number, page)
        except UnfitError as error:
            yield error.refusal(TABLE, raw.where, shown(raw.number or ""))


def number_of(found: Iterable[Found]) -> str | None:
    """Return the number of the train that a timetable is of, None where it cannot be read."""
    for raw in found:
        try:
            return read_number(raw.number) if isinstance(raw, RawTimetable) else None
        except UnfitError:
            return None
    return None


def read_distance(text: str | None, where: str) -> float | None:
    """Return kilometres: of `765 kms`, `464 km`, `1447`."""
    written = clean(text or "")
    if is_placeholder(written):
        return None
    found = _DISTANCE.fullmatch(written)
    if found is None:
        raise UnfitError("bad_distance", f"{shown(written)!r} is no distance in kilometres", where)
    return float(found[1])


def _renamed(number: str, page: Page) -> Refusal | None:
    """Return why a timetable is of another number than was asked for; it is asked for under that one then."""
    asked = page.params.get("number")
    if asked is None or read_number(asked) == number:
        return None
    return Refusal("renumbered", f"the train now runs as {number}", table=TABLE, value=shown(asked), is_split=True)


def _rows(raw: RawTimetable, number: str, page: Page) -> Iterator[Parsed]:
    name = read_name(raw.name)
    if name is None:
        raise UnfitError("no_name", "the train has no name", "name")
    stops = _stops(raw.stops)
    classes, _ = read_classes([page.subject.get("classes", "")])
    days = _days(stops, page)
    distances = [stop.distance_km for stop in stops if stop.distance_km is not None]
    falls = distances != sorted(distances)
    for sequence, stop in enumerate(stops, 1):
        yield Row(
            TABLE,
            {
                "Train Number": number,
                "Train Name": name,
                "train_type": read_type(page.subject.get("train_type")),
                "stop_sequence": sequence,
                "station_code": stop.code,
                "station_name": stop.name,
                "arrives": None if stop.arrives is None else hhmm(stop.arrives),
                "departs": None if stop.departs is None else hhmm(stop.departs),
                "day": stop.first // DAY + 1,
                "distance_km": None if falls else stop.distance_km,
                "days_of_operation": days,
                "classes": classes or None,
                "Price": None,
            },
        )
    if falls:
        yield Skipped("distances that fall along the way; the stops stay without them", len(stops))


def _stops(raws: tuple[RawStop, ...]) -> list[Stop]:
    if len(raws) < 2:
        raise UnfitError("too_few_stops", f"the timetable has {len(raws)} stops", "stop")
    stops: list[Stop] = []
    last = 0
    for place, raw in enumerate(raws):
        if raw.number is not None and raw.number != str(place + 1):
            raise UnfitError("missing_stop", f"stop {place + 1} is numbered {shown(raw.number)}", raw.where)
        stop, last = _stop(raw, place == 0, place == len(raws) - 1, last)
        stops.append(stop)
    # A departure at 24:00 is one at 00:00 of the next day, with which all days begin then.
    late = stops[0].first // DAY * DAY
    moved = [stop._replace(arrives=_less(stop.arrives, late), departs=_less(stop.departs, late)) for stop in stops]
    if moved[-1].first // DAY >= _MOST_DAYS:
        raise UnfitError("bad_day", f"no train arrives on day {moved[-1].first // DAY + 1}", raws[-1].where)
    return moved


def _less(time: int | None, late: int) -> int | None:
    return None if time is None else time - late


def _stop(raw: RawStop, is_first: bool, is_last: bool, last: int) -> tuple[Stop, int]:
    """Return a stop, and when the train leaves it; `last` is when it left the one before."""
    arrives, departs = read_clock(raw.arrives, f"{raw.where}.arrives"), read_clock(raw.departs, f"{raw.where}.departs")
    if is_first and (departs.day or 0) != 0:
        raise UnfitError("bad_day", "the timetable does not begin on the first day", f"{raw.where}.departs")
    # What some pages write as the arrival of the first stop and the departure of the last is no time of a stop.
    arrival = None if is_first else _at(arrives, last, f"{raw.where}.arrives")
    departure = None if is_last else _at(departs, last if arrival is None else arrival, f"{raw.where}.departs")
    if arrival is None and departure is None:
        raise UnfitError("no_time", "the train has no time at this stop", raw.where)
    stop = Stop(
        code=read_code(raw.code, f"{raw.where}.code"),
        name=read_name(raw.name),
        arrives=arrival,
        departs=departure,
        distance_km=read_distance(raw.distance, f"{raw.where}.distance"),
    )
    return stop, next(time for time in (departure, arrival) if time is not None)


def _at(clock: Clock, last: int, where: str) -> int | None:
    """Return when a clock is reached: on its own day, else the first time that is not before `last`."""
    if clock.minute is None:
        return None
    if clock.day is None:
        return clock.minute + max(0, -(-(last - clock.minute) // DAY)) * DAY
    time = clock.minute + clock.day * DAY
    if time < last:
        raise UnfitError("bad_order", "the train would be here before it left the stop before", where)
    return time


def _days(stops: list[Stop], page: Page) -> str | None:
    """Return the days on which the train departs at its origin, known from those of one of its later stops."""
    flags, code = page.subject.get("days"), page.subject.get("days_at")
    listed = next((stop for stop in stops if stop.code == code and stop.departs is not None), None)
    if flags is None or listed is None or listed.departs is None:
        return None
    read = read_days(flags, MONDAY_FIRST, "days")
    return None if read is None else shifted(read, -(listed.departs // DAY))
