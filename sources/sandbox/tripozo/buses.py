"""Results for buses: half of the pairs in the form of redBus, with its broken days and durations, half constructed."""

import json
from collections.abc import Mapping
from datetime import date, timedelta
from zlib import crc32

from schemas.region import City
from sources.sandbox.buses import Buses, TrueBus
from sources.sandbox.tripozo.markup import JSON, grouped, minutes

Record = dict[str, object]

_DAY_MIN = 24 * 60
# With a longer one nobody could tell from the clocks alone when a bus arrives.
_LONGEST_UNDATED_MIN = 20 * 60


class BusPages:
    """The pages of results for buses."""

    def __init__(self, buses: Buses) -> None:
        self._buses = buses
        self._cities = {city.name: city for city in buses.cities}

    def results(self, asked: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the buses between two cities, which may be none; None where there is no such city."""
        ends = [self._cities.get(asked.get(name, "")) for name in ("from", "to")]
        origin, destination = ends
        if origin is None or destination is None or "date" not in asked:
            return None
        buses = self._buses.between(origin, destination)
        day = date.fromisoformat(asked["date"])
        is_dated = crc32(f"{origin.city_id}/{destination.city_id}".encode()) % 2 == 0
        document = _search(buses, day) if is_dated else _page(origin, destination, day, buses)
        return json.dumps(document, ensure_ascii=False), JSON


def _search(buses: tuple[TrueBus, ...], day: date) -> Record:
    return {
        "metaData": {"totalCount": len(buses), "minFr": 0, "sections": [{"dn": "Buses"}]},
        "inv": [_inventory(bus, day) for bus in buses],
    }


def _inventory(bus: TrueBus, day: date) -> Record:
    """Write a bus down; many that arrive after midnight are stamped with the day of their departure."""
    is_stamped = bus.votes % 2 == 0 and bus.duration_min <= _LONGEST_UNDATED_MIN
    later = 0 if is_stamped else bus.arr_day_offset
    return {
        "Tvs": bus.operator,
        "bt": bus.kind_text,
        "dt": f"{day} {bus.departs}:00",
        "at": f"{day + timedelta(days=later)} {bus.arrives}:00",
        "Duration": minutes(bus.arrives) + later * _DAY_MIN - minutes(bus.departs),
        "minfr": bus.price or 0,
        "frLst": [] if bus.price is None else [bus.price, bus.price + 200.5],
        "nsa": bus.seats,
        "WnSt": bus.seats // 3,
        "StdBp": "",
        "StdDp": "--",
        "rt": {"totRt": bus.rating or 0, "ct": bus.votes},
    }


def _page(origin: City, destination: City, day: date, buses: tuple[TrueBus, ...]) -> Record:
    names = [(city.aliases or (city.name,))[0] for city in (origin, destination)]
    return {
        "query": {"from": names[0], "to": names[1], "date": day.isoformat()},
        "buses": [_record(bus) for bus in buses],
    }


def _record(bus: TrueBus) -> Record:
    hours, rest = divmod(bus.duration_min, 60)
    form = ("₹{}", "Rs. {}/-", "INR {}")[bus.seats % 3]
    fare = {} if bus.price is None else {"fare": form.format(grouped(int(bus.price)))}
    seats = "Sold Out" if bus.price is None else f"{bus.seats} Seat{'s' * (bus.seats > 1)} available"
    return {
        "operator": bus.operator,
        "busType": bus.kind_text,
        "dep": bus.departs,
        "arr": bus.arrives,
        "arrDay": f"+{bus.arr_day_offset}" if bus.arr_day_offset else "",
        "duration": f"{hours:02d}h {rest:02d}m",
        **fare,
        "boarding": [],
        "dropping": [],
        "rating": f"{bus.rating} ({bus.votes})" if bus.votes else "New",
        "seats": seats,
    }
