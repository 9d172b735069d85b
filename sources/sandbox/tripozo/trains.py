"""Lists of trains by city, and timetables: in the forms of etrain.info, and every second list as constructed JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import NamedTuple

from schemas.region import City
from sources.sandbox.trains import TrueCall, TrueTrain
from sources.sandbox.tripozo.markup import HTML, JSON, minutes, page

_DAY = 24 * 60
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MIDNIGHT = "00:00"


class _Ride(NamedTuple):
    """A train from where one gets on in a city to its end."""

    train: TrueTrain
    origin: TrueCall
    destination: TrueCall

    @property
    def start(self) -> int:
        return minutes(self.origin.departs or "") + (self.origin.departs_day - 1) * _DAY

    @property
    def end(self) -> int:
        return minutes(self.destination.arrives or "") + (self.destination.day - 1) * _DAY

    @property
    def days(self) -> str:
        """On which days one can get on, Monday first."""
        by = -(self.origin.departs_day - 1) % 7
        return self.train.days_of_operation[by:] + self.train.days_of_operation[:by]


class TrainPages:
    """The pages about trains."""

    def __init__(self, trains: Iterable[TrueTrain], cities: Iterable[City]) -> None:
        self._trains = {train.number: train for train in trains}
        self._cities = {(city.name, city.state): (place, city) for place, city in enumerate(cities)}

    def listing(self, asked: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the trains on which one can get on in a city, None where there is no such city."""
        place, city = self._cities.get((asked.get("city", ""), asked.get("state", "")), (0, None))
        if city is None:
            return None
        rides = list(self._rides(city.city_id))
        return (_lines(city, rides), HTML) if place % 2 == 0 else (_document(city, rides), JSON)

    def schedule(self, asked: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the timetable of a train, None where there is no such train."""
        train = self._trains.get(asked["number"])
        return None if train is None else (_timetable(train), HTML)

    def _rides(self, city_id: str) -> Iterator[_Ride]:
        for train in self._trains.values():
            for place, call in enumerate(train.calls):
                later = [one for one in train.calls[place + 1 :] if one.station_code != call.station_code]
                if call.city_id == city_id and later:
                    yield _Ride(train, call, later[-1])
                    break


def _lines(city: City, rides: list[_Ride]) -> str:
    lines = "\n".join(_line(ride) for ride in rides)
    table = f'<table class="myTable data nocps nolrborder bx1_brm">\n{lines}\n</table>'
    return page(f"Trains from {city.name}", f'<div class="trainlist rnd5" comb="0">{table}</div>')


def _line(ride: _Ride) -> str:
    train, lasts = ride.train, ride.end - ride.start
    record = {
        "typ": (train.train_type or "").lower(),
        "num": train.number,
        "name": train.name.upper(),
        "s": ride.origin.station_code,
        "st": ride.origin.departs,
        "d": ride.destination.station_code,
        "dt": ride.destination.arrives,
        "tt": f"{lasts // 60:02d}:{lasts % 60:02d}H",
        # Sunday first.
        "dy": ride.days[-1] + ride.days[:-1],
        "book": "1",
        "arp": 60,
    }
    pair = f"{train.number}-{ride.origin.station_code}-{ride.destination.station_code}"
    links = "".join(
        f'<a class="cavlink pdud2 mglr2" data-ettav=\'{{"tsd":"{pair}","c":"{name}"}}\' href="#{name}">{name}</a>'
        for name in train.classes
    )
    shown = "".join(f"<td>{escape(str(record[key]))}</td>" for key in ("name", "s", "st", "d", "dt", "tt"))
    link = f'<td><a href="/train/{train.number}/schedule">{train.number}</a></td>'
    data = escape(json.dumps(record, separators=(",", ":")), quote=True)
    return f'<tr data-train="{data}">{link}{shown}<td><div class="flexRow f-hvcenter">{links}</div></td></tr>'


def _document(city: City, rides: list[_Ride]) -> str:
    document = {"query": {"from": city.name}, "trains": [_record(ride) for ride in rides]}
    return json.dumps(document, ensure_ascii=False)


def _record(ride: _Ride) -> dict[str, object]:
    """Write a ride down; one from midnight begins at 24:00 of the day before."""
    train = ride.train
    is_late = ride.origin.departs == _MIDNIGHT
    days = ride.days[1:] + ride.days[0] if is_late else ride.days
    lasts, later = ride.end - ride.start, ride.end // _DAY - ride.start // _DAY
    return {
        # As a number it has lost its zeros.
        "trainNo": int(train.number) if train.number.startswith("0") else train.number,
        "trainName": f"{train.name} (PT)",
        "trainType": train.train_type,
        "srcCode": ride.origin.station_code,
        "src": ride.origin.station_name,
        "dstCode": ride.destination.station_code,
        "dst": ride.destination.station_name,
        "dep": "24:00" if is_late else ride.origin.departs,
        "arr": ride.destination.arrives,
        "arrDay": later + is_late + 1,
        "duration": f"{lasts // 60}h {lasts % 60}m",
        "runsOn": [name for name, flag in zip(_WEEKDAYS, days, strict=True) if flag == "1"],
        "classes": " ".join(train.classes) or "N/A",
        "fares": dict.fromkeys(train.classes, "--"),
    }


def _timetable(train: TrueTrain) -> str:
    lines = "\n".join(_stop(place, call) for place, call in enumerate(train.calls))
    head = "<thead><tr><td colspan=5>Schedule</td></tr></thead>"
    table = f'<table class="fullw nocps nolrborder bx3_brl">{head}\n{lines}\n</table>'
    content = f'<div id="sublowerdata" class="bx3_brd">{table}</div>'
    return page(f"{train.name} ({train.number}) Train Schedule", content)


def _stop(place: int, call: TrueCall) -> str:
    arrives = _at(call.arrives, call.day) if call.arrives else f"Source (Day {call.day})"
    departs = f"{call.departs} (Day {call.departs_day})" if call.departs else f"Destination (Day {call.day})"
    label = f'<div class="pdl5">{place + 1}</div><small><div class="pdl5">{call.station_code}</div></small>'
    far = f'<div class="nowrap fixw70">{call.distance_km} kms</div>Platform: 1'
    name = f'<div class="fixwelps">{escape(call.station_name)}</div>'
    where = f'{name}<div class="nowrap pos-relative"><small>{far}</small></div>'
    times = f'<div class="nowrap pd5">{arrives}</div><div class="nowrap pd5">{departs}</div>'
    signs = '<div class="pdud5 pdlr2">A</div><div class="pdud5 pdlr2">D</div>'
    return (
        f'<tr class="{"even" if place % 2 else "odd"}"><td class="txt-center pdud15 dborder nobr">{label}</td>'
        f'<td class="vline nobr"><div class="vcircle">&nbsp;</div></td>'
        f'<td class="pdud15 pdlr5 txt-lt pos-relative dborder nobr intstnCont">{where}</td>'
        f'<td class="txt-center bold bx3_bgl dborder nobr">{signs}</td><td class="txt-lt dborder">{times}</td></tr>'
    )


def _at(time: str, day: int) -> str:
    """Write a time of arrival down; midnight is the end of the day before."""
    return f"24:00 (Day {day - 1})" if time == _MIDNIGHT else f"{time} (Day {day})"
