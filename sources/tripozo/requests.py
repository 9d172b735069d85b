"""What to ask Tripozo: pairs that exist, as far as that can be known before, and each train once.

How many questions there are decides what is asked, at one in three seconds:

- **Trains**: for each city the list of trains that call at its stations (504 questions for India), then the timetable
  of each train in these lists, once. All pairs of cities follow from the stops of a timetable; asking for each of the
  253,512 pairs would take nine days.
- **Flights**: on one day, the middle one of the region's dates, for each ordered pair of airports of the uncertainty
  cities: 20 x 19 questions, twenty minutes. All pairs of India's airports would be some 20,000 and sixteen hours, nine
  in ten of them empty; a saved page of one of these is read like any other.
- **Buses**: on the same day, for each ordered pair of uncertainty cities up to 700 km apart, as a bus runs for a night
  and not longer.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import permutations

from geopy.distance import great_circle

from schemas.region import City, Region
from sources.protocol.types import Known, Refusal, Request
from sources.tripozo.lists import FOR_NUMBERS, Listed, trains_of
from sources.tripozo.page import open_page
from sources.tripozo.parse import read_page
from sources.tripozo.timetables import number_of

FARTHEST_BUS_KM = 700.0


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield what nobody has an answer to; any answer settles its request.

    The lists of trains come before the timetables that they lead to. A train that answers under another number is asked
    for under that one, so that it is told once.
    """
    yield from _trains(region, known)
    day = sample_day(region)
    for request in (*_flights(region, day), *_buses(region, day)):
        if known.answer(request) is None:
            yield request


def sample_day(region: Region) -> date:
    """Return the day whose flights and buses are asked for."""
    first, last = region.dates
    return first + (last - first) // 2


def list_request(city: City) -> Request:
    """Return the request for the trains that call at the stations of a city."""
    params = {"city": city.name, "state": city.state}
    return Request("tripozo", "trains", city.city_id, params, subject=FOR_NUMBERS)


def timetable_request(number: str, listed: Listed) -> Request:
    """Return the request for a timetable; its subject is what only the list tells, and at which station it holds."""
    told = {
        "train_type": listed.type,
        "classes": " ".join(listed.classes),
        "days": listed.days,
        "days_at": listed.origin_code,
    }
    subject = {name: value for name, value in told.items() if value}
    return Request("tripozo", "train", number, {"number": number}, subject=subject)


def flights_request(origin: str, destination: str, day: date) -> Request:
    """Return the request for the flights from one airport to another on a day."""
    params = {
        "adult": "1",
        "child": "0",
        "class": "1",
        "destination": destination,
        "fareType": "Regular",
        "from": day.isoformat(),
        "infant": "0",
        "origin": origin,
        "tripType": "oneWay",
    }
    return Request("tripozo", "flights", f"{origin} to {destination}", params)


def buses_request(origin: City, destination: City, day: date) -> Request:
    """Return the request for the buses from one city to another on a day."""
    params = {"from": origin.name, "to": destination.name, "date": day.isoformat()}
    subject = {"origin_state": origin.state, "destination_state": destination.state}
    return Request("tripozo", "buses", f"{origin.city_id} to {destination.city_id}", params, subject=subject)


def _trains(region: Region, known: Known) -> Iterator[Request]:
    trains: dict[str, Listed] = {}
    for city in region.cities:
        request = list_request(city)
        answer = known.answer(request)
        if answer is None:
            yield request
            continue
        page = open_page(answer)
        found = page if isinstance(page, Refusal) else read_page(page)
        for train in [] if isinstance(found, Refusal) else trains_of(found):
            trains.setdefault(train.number, train)
    # Under a new number a train may lead to another one, which is found on the way.
    waiting = [*trains.items()]
    for number, train in waiting:
        request = timetable_request(number, train)
        answer = known.answer(request)
        if answer is None:
            yield request
            continue
        page = open_page(answer)
        found = page if isinstance(page, Refusal) else read_page(page)
        answered = None if isinstance(found, Refusal) else number_of(found)
        if answered is not None and answered not in trains:
            trains[answered] = train
            waiting.append((answered, train))


def _flights(region: Region, day: date) -> Iterator[Request]:
    cities = {city.city_id for city in _chosen(region)}
    airports = [airport.iata for airport in region.airports if airport.city_id in cities]
    for origin, destination in permutations(airports, 2):
        yield flights_request(origin, destination, day)


def _buses(region: Region, day: date) -> Iterator[Request]:
    for origin, destination in permutations(_chosen(region), 2):
        apart = great_circle((origin.latitude, origin.longitude), (destination.latitude, destination.longitude))
        if apart.km <= FARTHEST_BUS_KM:
            yield buses_request(origin, destination, day)


def _chosen(region: Region) -> list[City]:
    return [city for city in region.cities if city.is_uncertainty_city]
