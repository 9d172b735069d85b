"""The flights between two airports on one day: those that are flown, and each once more for every codeshare."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from sources.sandbox.flights import TrueCodeshare, TrueFlight
from sources.sandbox.flightstats.documents import ADDRESS, Document, answered, shuffled
from sources.sandbox.flightstats.geography import Geography, airlines, equipments, fs_of_airline
from sources.sandbox.world import World

DATA = "scheduledFlights"
_SERVICE = {"serviceType": "J", "serviceClasses": ["Y"]}


class Schedules:
    """Answers about the days of the world."""

    def __init__(self, world: World, geography: Geography) -> None:
        self._seed, self._geography = world.seed, geography
        self._flights: dict[tuple[str, str], list[TrueFlight]] = {}
        for flight in world.flights:
            self._flights.setdefault((flight.origin, flight.destination), []).append(flight)

    def of_day(self, dep: str, arr: str, day: date) -> Document:
        """Return the flights of a day that leave one airport for another. Raises BadQuestion."""
        geography = self._geography
        echo = {
            "departureAirport": geography.asked(dep),
            "arrivalAirport": geography.asked(arr),
            "codeType": {},
            "departing": True,
            "date": {"year": str(day.year), "month": str(day.month), "day": str(day.day), "interpreted": str(day)},
            "url": f"{ADDRESS}/schedules/rest/v1/json/from/{dep}/to/{arr}/departing/{day.year}/{day.month}/{day.day}",
        }
        pair = geography.find(dep, echo), geography.find(arr, echo)
        random = Random(f"{self._seed}:flightstats:{pair}:{day}")
        flown = [one for one in self._flights.get(pair, ()) if one.days_of_operation[day.weekday()] == "1"]
        rows = shuffled((row for number, flight in enumerate(flown) for row in self._rows(flight, number, day)), random)
        sellers = (share.carrier for flight in flown for share in flight.codeshares)
        appendix = {
            "airlines": airlines([*(flight.carrier for flight in flown), *sellers]),
            "airports": shuffled(map(geography.airport, pair), random),
            "equipments": equipments(flight.equipment for flight in flown),
        }
        return answered(echo, {DATA: rows}, appendix, random)

    def _rows(self, flight: TrueFlight, number: int, day: date) -> Iterator[Document]:
        reference = f"114-{1_782_180 + number}--"
        shares = [self._share(share, number * 10 + place) for place, share in enumerate(flight.codeshares)]
        operator = {"carrierFsCode": fs_of_airline(flight.carrier), "flightNumber": _written(flight.number)}
        yield self._row(flight, day, operator, {"codeshares": shares, "referenceCode": reference})
        for share in shares:
            sold = {name: share[name] for name in ("carrierFsCode", "flightNumber")}
            more = {"operator": {**operator, **_SERVICE, "trafficRestrictions": []}}
            code = f"{reference}{share['referenceCode']}"
            yield self._row(flight, day, sold, {"codeshares": [], **more, "referenceCode": code})

    def _share(self, share: TrueCodeshare, number: int) -> Document:
        return {
            "carrierFsCode": fs_of_airline(share.carrier),
            "flightNumber": share.number,
            **_SERVICE,
            "trafficRestrictions": ["Q"],
            "referenceCode": 10_075_130 + number,
        }

    def _row(self, flight: TrueFlight, day: date, number: Document, more: Document) -> Document:
        is_sold = "operator" in more
        # Terminals are known of some flights alone.
        has_terminal = len(flight.number) == 4
        return {
            **number,
            "departureAirportFsCode": self._geography.fs(flight.origin),
            "arrivalAirportFsCode": self._geography.fs(flight.destination),
            "stops": 0,
            "departureTime": f"{day}T{flight.departs}:00.000",
            "arrivalTime": f"{day + timedelta(days=flight.arr_day_offset)}T{flight.arrives}:00.000",
            **({"departureTerminal": "1", "arrivalTerminal": "2"} if has_terminal else {}),
            "flightEquipmentIataCode": flight.equipment,
            "isCodeshare": is_sold,
            "isWetlease": False,
            **_SERVICE,
            "trafficRestrictions": ["Q"] if is_sold else [],
            **more,
        }


def _written(number: str) -> str:
    """Return a number as timetables print it: a short one with zeros before it."""
    return number.zfill(3)
