"""From a list of trains to what it says of each: its number, its days, and where one gets on and off.

A list that was asked for only tells which timetables to ask for: the stops of a train come with its timetable, and
twice they would be two trains. A list that somebody saved is all that there is, so each of its trains becomes a
timetable of two stops, that begins where one gets on.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sources.protocol.types import Parsed, Row, Skipped, Unknown
from sources.tripozo.clocks import Journey, journey, read_clock, read_day, read_duration
from sources.tripozo.days import either, read_days, shifted
from sources.tripozo.names import read_classes, read_code, read_name, read_number, read_type
from sources.tripozo.page import Page
from sources.tripozo.raw import RawTrain
from sources.tripozo.records import Found, remarks
from sources.tripozo.timetables import TABLE, read_distance
from sources.tripozo.unfit import UnfitError, shown

# With this subject a list is asked for the numbers in it.
FOR_NUMBERS: Mapping[str, str] = {"for": "numbers"}

_MOST_DAYS_LATER = 4


class Listed(NamedTuple):
    """A train between two stations; `days` are those of its departure at the first of the two, Monday first."""

    number: str
    name: str
    type: str | None
    origin_code: str
    origin_name: str | None
    destination_code: str
    destination_name: str | None
    journey: Journey
    days: str | None
    classes: tuple[str, ...]
    distance_km: float | None

    @property
    def key(self) -> tuple[str, ...]:
        """What two listings of one train share, however its name is spelt."""
        return (self.number, self.origin_code, self.destination_code, self.journey.departs)

    def merged(self, other: "Listed") -> "Listed":
        """Return one listing for two of the same train, of one day or one class each."""
        classes, _ = read_classes((*self.classes, *other.classes))
        return self._replace(days=either(self.days, other.days), classes=tuple(classes))


def rows(found: Iterable[Found], page: Page) -> Iterator[Parsed]:
    """Yield two stops for each train of a saved list; of a list that was asked for its numbers, how many there are."""
    trains: dict[tuple[str, ...], Listed] = {}
    repeats = 0
    for item in _listed(found):
        if not isinstance(item, Listed):
            yield item
        elif item.key in trains:
            trains[item.key] = trains[item.key].merged(item)
            repeats += 1
        else:
            trains[item.key] = item
    if repeats:
        yield Skipped("another listing of the same train", repeats)
    if page.subject.get("for") == FOR_NUMBERS["for"]:
        if trains:
            yield Skipped("a train of a list; its stops come with its timetable", len(trains))
        return
    firsts = {train.number: train for train in reversed(trains.values())}
    for train in trains.values():
        if firsts[train.number] is train:
            yield from _stops(train)
    if len(firsts) < len(trains):
        yield Skipped("a train that is listed between other stations too", len(trains) - len(firsts))


def trains_of(found: Iterable[Found]) -> list[Listed]:
    """Return the trains that a list names, as far as they can be read."""
    return [item for item in _listed(found) if isinstance(item, Listed)]


def _listed(found: Iterable[Found]) -> Iterator[Listed | Parsed]:
    strange: dict[str, None] = {}
    for raw in found:
        if not isinstance(raw, RawTrain):
            yield from remarks(raw)
            continue
        try:
            train, unknown = _train(raw)
        except UnfitError as error:
            yield error.refusal(TABLE, raw.where, shown(raw.number or ""))
            continue
        strange.update(dict.fromkeys(unknown))
        yield train
    yield from (Unknown(f"class {shown(word)}") for word in strange)


def _train(raw: RawTrain) -> tuple[Listed, list[str]]:
    number, name = read_number(raw.number), read_name(raw.name)
    if name is None:
        raise UnfitError("no_name", "the train has no name", "name")
    origin, destination = read_code(raw.origin_code, "origin_code"), read_code(raw.destination_code, "destination_code")
    if origin == destination:
        raise UnfitError("same_station", "one gets off where one gets on", "destination_code")
    departs, arrives = read_clock(raw.departs, "departs"), read_clock(raw.arrives, "arrives")
    stated = read_day(raw.arrival_day, "arrival_day")
    day = arrives.day if stated is None else stated
    found = journey(departs, arrives, day, read_duration(raw.duration, "duration"))
    if found.day_offset > _MOST_DAYS_LATER:
        raise UnfitError("bad_day", f"no train arrives {found.day_offset} days later", "arrival_day")
    days = read_days(raw.days, raw.first_day, "days")
    classes, unknown = read_classes(raw.classes)
    train = Listed(
        number=number,
        name=name,
        type=read_type(raw.type),
        origin_code=origin,
        origin_name=read_name(raw.origin_name),
        destination_code=destination,
        destination_name=read_name(raw.destination_name),
        journey=found,
        # What departs at 24:00 of a Monday departs on a Tuesday.
        days=None if days is None else shifted(days, found.days_late),
        classes=tuple(classes),
        distance_km=read_distance(raw.distance, "distance"),
    )
    return train, unknown


def _stops(train: Listed) -> Iterator[Row]:
    shared = {
        "Train Number": train.number,
        "Train Name": train.name,
        "train_type": train.type,
        "days_of_operation": train.days,
        "classes": list(train.classes) or None,
        "Price": None,
    }
    yield Row(
        TABLE,
        {
            **shared,
            "stop_sequence": 1,
            "station_code": train.origin_code,
            "station_name": train.origin_name,
            "arrives": None,
            "departs": train.journey.departs,
            "day": 1,
            "distance_km": None if train.distance_km is None else 0.0,
        },
    )
    yield Row(
        TABLE,
        {
            **shared,
            "stop_sequence": 2,
            "station_code": train.destination_code,
            "station_name": train.destination_name,
            "arrives": train.journey.arrives,
            "departs": None,
            "day": train.journey.day_offset + 1,
            "distance_km": train.distance_km,
        },
    )
