"""Airports, airlines and aircraft as the provider knows them: under codes of its own, which an appendix explains."""

from collections.abc import Iterable
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from schemas.region import City
from sources.sandbox.flights import airline_name
from sources.sandbox.flightstats.documents import BadQuestion, Document
from sources.sandbox.ground import CONSTRUCTED, Point, distance_km
from sources.sandbox.world import TrueAirport, World

# Where two airlines have had one code, the provider tells them apart by codes that no other has.
_FS_OF = {"UK": "UK*", "I5": "I5*", "9I": "CD", "2T": "TRJ"}
_EQUIPMENTS = {
    "320": {"name": f"{CONSTRUCTED} Jet 320", "turboProp": False, "jet": True, "widebody": False, "regional": False},
    "ATR": {"name": f"{CONSTRUCTED} ATR", "turboProp": True, "jet": False, "widebody": False, "regional": True},
}
# One airport in so many is known by its ICAO code alone, and so many forms of an airport's record are in use.
_OWN_CODE = 5
_FORMS = 3


class Geography:
    """The airports with a code, found by any of their codes."""

    def __init__(self, world: World, as_of: date) -> None:
        self._cities = {city.city_id: city for city in world.roads.cities}
        self._as_of = as_of
        served = {flight.origin: self._cities[flight.origin_city_id] for flight in world.flights}
        self._airports = {airport.iata: airport for airport in world.airports if airport.iata}
        self._city_of = {
            iata: served.get(iata) or self._nearest(Point(airport.latitude, airport.longitude))
            for iata, airport in self._airports.items()
        }
        self._iata_of = {code: iata for iata in self._airports for code in (iata, _icao(iata))}

    def find(self, code: str, echo: Document) -> str:
        """Return the IATA code of an airport. Raises BadQuestion."""
        if code not in self._iata_of:
            raise BadQuestion("BAD_AIRPORT_CODE", f"The airport code {code} is not known", echo)
        return self._iata_of[code]

    def asked(self, code: str) -> Document:
        """Return the echo of a code of an airport."""
        iata = self._iata_of.get(code)
        return {"requestedCode": code} | ({"fsCode": self.fs(iata)} if iata else {})

    def fs(self, iata: str) -> str:
        """Return the provider's own code of an airport."""
        return _icao(iata) if self._airports[iata].number // 2 % _OWN_CODE == 0 else iata

    def airport(self, iata: str) -> Document:
        """Return the record of an airport in the appendix, in one of the forms that have been seen."""
        airport, city = self._airports[iata], self._city_of[iata]
        form = airport.number // 2 % _FORMS
        return {
            "fs": self.fs(iata),
            "iata": iata,
            "icao": _icao(iata),
            **({"faa": ""} if form else {}),
            "name": airport.name,
            **({"street1": "", "street2": ""} if form == 1 else {}),
            "city": city.name,
            "cityCode": iata,
            **({"stateCode": "", "postalCode": ""} if form == 1 else {}),
            "countryCode": "IN",
            "countryName": "India",
            "regionName": "Asia",
            "timeZoneRegionName": city.time_zone,
            **({"weatherZone": ""} if form else {}),
            **self._here(airport, city),
            "elevationFeet": airport.number % 1_000,
            "classification": 1 + airport.number % 4,
            "active": True,
        }

    def _here(self, airport: TrueAirport, city: City) -> dict[str, Any]:
        noon = datetime.combine(self._as_of, time(12, 0, 0, 227_000), ZoneInfo(city.time_zone))
        offset = noon.utcoffset()
        assert offset is not None
        return {
            "localTime": noon.replace(tzinfo=None).isoformat(timespec="milliseconds"),
            "utcOffsetHours": offset.total_seconds() / 3600,
            "latitude": round(airport.latitude, 6),
            "longitude": round(airport.longitude, 6),
        }

    def _nearest(self, point: Point) -> City:
        return min(self._cities.values(), key=lambda city: distance_km(point, Point(city.latitude, city.longitude)))


def fs_of_airline(iata: str) -> str:
    """Return the provider's own code of an airline."""
    return _FS_OF.get(iata, iata)


def airlines(iatas: Iterable[str]) -> list[Document]:
    """Return the records of airlines in the appendix, each once."""
    return [
        {
            "fs": fs_of_airline(iata),
            "iata": iata,
            "icao": f"X{iata}",
            "name": airline_name(iata),
            "active": True,
        }
        for iata in dict.fromkeys(iatas)
    ]


def equipments(codes: Iterable[str]) -> list[Document]:
    """Return the records of aircraft in the appendix, each once."""
    return [{"iata": code, **_EQUIPMENTS[code]} for code in dict.fromkeys(codes)]


def _icao(iata: str) -> str:
    return f"V{iata}"
